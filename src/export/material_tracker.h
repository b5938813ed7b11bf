#pragma once
// Where the nodes of a late frame were at an earlier one, when many of them were not there yet: every later vertex lies
// inside an earlier element, so its place is interpolated there.
//
// Nodes that a crack has parted have the same place in the material, but not in the world. Which side of a crack a node
// is on, its tet tells: the element of the earlier frame is the one that holds the middle of a tet that the node
// belongs to.

#include <array>
#include <cstdint>
#include <vector>

#include "frame/frame.h"
#include "geometry/tetrahedron.h"

namespace sunder {

class MaterialTracker {
 public:
  // The late frame; it must outlive the tracker.
  explicit MaterialTracker(const Frame& late);

  // Finds everything in an earlier frame, or in the late one; cheap if no tet has changed since the last call.
  void look_at(const Frame& earlier);

  // Of the frame that was looked at last, for every node of the late frame: whether its material is there, ...
  bool has_node(std::size_t node) const { return home_tet_[node] == kNone || holder_[home_tet_[node]] != kNone; }
  // ... and a value per node (positions, velocities), interpolated; zero if it is not there.
  std::vector<Vec3> carry(const std::vector<Vec3>& of_earlier) const;
  // The tet of the earlier frame that holds the middle of this one of the late frame; kNone if its material is not
  // there. Known of tets that are the home of a node.
  std::uint32_t holder(std::uint32_t late_tet) const { return holder_[late_tet]; }
  // By how much a node lies outside its earlier tet, at worst: minus its smallest weight.
  double worst_outside() const { return worst_outside_; }

  static constexpr std::uint32_t kNone = 0xffffffffu;

 private:
  struct Weights {
    std::array<std::uint32_t, 4> nodes{};
    std::array<double, 4> weights{};
  };

  const Frame& late_;
  std::vector<std::uint32_t> home_tet_;  // by node: the largest of its tets; kNone if it has none
  std::vector<std::uint32_t> homes_;     // these, ascending
  std::vector<std::uint32_t> holder_;    // by tet of the late frame
  std::vector<Weights> weights_;         // by node of the late frame
  double worst_outside_ = 0;
  // What the weights were found in.
  std::vector<Uid> tet_uid_;
  std::vector<std::array<std::uint32_t, 4>> tets_;
};

// For every one of these places in the material the tet of the frame that holds it and is of the same body; kNone if
// none does.
struct MaterialPlace {
  Vec3 rest;
  std::uint32_t body;
};
std::vector<std::uint32_t> find_tets(const Frame& frame, const std::vector<MaterialPlace>& places);

TetCorners rest_corners(const Frame& frame, std::size_t tet);
Vec3 rest_middle(const Frame& frame, std::size_t tet);

}  // namespace sunder
