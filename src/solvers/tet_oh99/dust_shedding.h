#pragma once
// Fresh crack faces shed dust: when a node splits, grains leave both sides of each new face at random places, with the
// velocity that the material has there and a throw off the face. Their mass is taken from the tets they leave, their
// momentum from the tets' nodes, so that those of bodies and dust together stay as they were.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "collision/dust.h"
#include "collision/dust_rules.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "fracture/split.h"
#include "frame/debris_log.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/forces.h"

namespace sunder::tet_oh99 {

class DustShedding {
 public:
  // Rules by body; none: nobody sheds anything.
  DustShedding(std::vector<DustRules> rules, const std::vector<TetMaterial>& materials, const TetMesh& mesh);

  bool on() const { return on_; }
  // The share of its mass that a tet has kept.
  double kept(TetId tet) const { return kept_.size() == 0 ? 1 : kept_[tet]; }
  // No tet becomes lighter than so; the largest frequencies of the elements grow by one over it at most.
  static constexpr double kLeastKept = 0.9;
  double least_kept() const { return kept_.size() == 0 ? 1 : kLeastKept; }

  struct Shed {
    std::uint32_t grains = 0;
    double mass = 0;    // kg
    double gained = 0;  // J: the grains' energy, less the height that the tets have given up
  };
  // Constants, positions and velocities of the new tets and nodes must be there; the masses of the nodes are to be
  // summed up anew after it. `half_dt` before the positions is the time of the velocities.
  Shed after_split(const SplitResult& result, const TetMesh& mesh, const ElementConstants& elements,
                   const NodeState& state, const Vec3& gravity, double half_dt, Dust& dust);
  // When all splits of the step are done, so that nothing moves meanwhile: what the throw does to the nodes. Returns
  // the kinetic energy they gain, J.
  double recoil(const Column<NodeId, double>& inverse_mass, Column<NodeId, Vec3>& velocity);

  // What each body has shed since this was last asked.
  std::vector<DebrisEvent> news(const Dust& dust, const std::vector<std::string>& body_names, double time);

  void renumber_tets(const std::vector<TetId>& tet, std::size_t slots);  // old index -> new id
  void save(Writer& out) const;
  void load(Reader& in, const TetMesh& mesh);

 private:
  struct Push {
    std::array<NodeId, 4> nodes;
    Vec3 impulse;  // N s, shared by them
  };
  void shed_from(Corner face, const TetMesh& mesh, const ElementConstants& elements, const NodeState& state,
                 const Vec3& gravity, double half_dt, Dust& dust, Shed& shed);

  std::vector<DustRules> rules_;
  std::vector<double> density_;  // by material, kg/m^3
  bool on_ = false;
  Column<TetId, double> kept_;               // empty if nobody has ever shed anything
  std::vector<std::uint64_t> faces_, born_;  // by body: faces that had their turn, grains
  std::uint64_t told_ = 0;                   // grains that were news
  std::vector<Push> pushes_;
};

}  // namespace sunder::tet_oh99
