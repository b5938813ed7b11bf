#pragma once
// Parts of bodies that are held, moved or loaded, and the reactions there.

#include <array>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "fracture/split.h"
#include "frame/totals.h"
#include "mesh/tet_mesh.h"

namespace sunder {

struct Region {
  enum class Kind { hold, move, force, pressure };

  std::string name;
  Kind kind = Kind::hold;
  std::vector<NodeId> nodes;                 // hold, move, force
  std::vector<double> share;                 // force: each node's share of the total, adding up to 1
  std::vector<std::array<NodeId, 3>> faces;  // pressure: outward oriented boundary faces
  std::array<bool, 3> axes = {true, true, true};
  Vec3 velocity = Vec3::Zero();  // m/s
  Vec3 force = Vec3::Zero();     // N, in total
  double pressure = 0;           // Pa, inwards
  double start = 0;              // s; active in [start, end)
  double end = std::numeric_limits<double>::infinity();

  bool active(double time) const { return time >= start && time < end; }
  bool supports() const { return kind == Kind::hold || kind == Kind::move; }
};

class Regions {
 public:
  explicit Regions(std::vector<Region> regions);

  // Velocities of supports that are active from the start; without this their first step would be a hammer blow.
  void start_supports(Column<NodeId, Vec3>& velocity) const;

  // Adds forces and pressures. Pressure follows the faces as they move.
  void add_loads(double time, const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                 Column<NodeId, Vec3>& force);
  // d/dt of the loads, for the jerk: a pressed face turns and grows.
  void add_load_rates(double time, const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                      Column<NodeId, Vec3>& force_rate) const;

  // Gives supported nodes the force that brings them to their prescribed velocity within a kick of `dt` (gravity acts
  // besides); what this adds to the present force is the reaction.
  void constrain(double time, double dt, const Column<NodeId, double>& mass, const Vec3& gravity,
                 const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force);
  // Supported nodes keep their velocity: no jerk along the held axes.
  void constrain_jerk(double time, Column<NodeId, Vec3>& jerk) const;

  // Books impulse and work of the step that took the nodes to `velocity`: exact, since the kinetic energy changes by
  // force . (v_before + v_after) / 2 dt.
  void account(double dt, const Column<NodeId, Vec3>& velocity, std::vector<Reaction>& reactions);

  // Nodes that something holds, moves or loads now or will later.
  template <class Visit>
  void for_each_bound(double time, const Visit& visit) const;

  // --- on a lattice that breaks (lattice_norton91/pressed_faces.h) -------------------------------------------------

  // These faces are pressed from now on, and no others.
  void press(std::size_t region, std::vector<std::array<NodeId, 3>> faces);

  // --- on a mesh that cracks (region_upkeep.cpp) -------------------------------------------------------------------

  // Before the first split: finds the tets behind pressed faces.
  void bind(const TetMesh& mesh);
  // After a split, with the masses as they are now. A new node on an edge is held if both ends are and the edge lies in
  // the surface; twins share a force by their masses; the pieces of a pressed face are pressed.
  void follow(const SplitResult& result, const TetMesh& mesh, const Column<NodeId, double>& mass);
  // Tets and nodes have been removed: with them goes their part of a force.
  void drop_gone(const TetMesh& mesh);
  // The tets have new ids, old index -> new id; faces of those that are gone are left out.
  void renumber_tets(const std::vector<TetId>& tet, const TetMesh& mesh);

  // Who belongs where. What is loaded goes to the regions of the same name and kind.
  void save_members(Writer& out) const;
  void load_members(Reader& in, const TetMesh& mesh);

  std::size_t size() const { return regions_.size(); }
  const Region& operator[](std::size_t i) const { return regions_[i]; }

 private:
  struct Applied {
    std::size_t region;
    NodeId node;
    Vec3 force;
    Vec3 velocity_before;
  };
  // Beside a region: who belongs to it, and the tets behind its faces.
  struct Members {
    Column<NodeId, std::uint32_t> place;  // in `nodes` plus one, 0 if not there; as long as needed
    std::vector<Corner> faces;            // in the order of Region::faces
    std::unordered_map<std::uint64_t, std::uint32_t> face_place;  // tet and face to a place in `faces`
  };
  bool belongs(std::size_t region, NodeId node) const;
  void add_node(std::size_t region, NodeId node, double share);
  void find_places(std::size_t region);
  void follow_faces(std::size_t region, const SplitResult& result, const TetMesh& mesh);
  void put_face(std::size_t region, std::uint32_t place, Corner face, const TetMesh& mesh);
  void set_faces(std::size_t region, const std::vector<Corner>& faces, const TetMesh& mesh);

  std::vector<Region> regions_;
  std::vector<Members> members_;
  std::vector<Applied> applied_;  // in this step
  std::vector<Vec3> region_force_;
  std::vector<double> region_work_;
};

template <class Visit>
void Regions::for_each_bound(double time, const Visit& visit) const {
  for (const Region& region : regions_) {
    if (time >= region.end) continue;
    for (const NodeId n : region.nodes) {
      if (region.kind != Region::Kind::pressure) visit(n);
    }
    for (const auto& face : region.faces) {
      for (const NodeId n : face) visit(n);
    }
  }
}

const char* kind_name(Region::Kind kind);

}  // namespace sunder
