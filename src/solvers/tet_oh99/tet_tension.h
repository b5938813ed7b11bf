#pragma once
// How tets pull and push at their corners: what the separation tensors of the nodes near a crack are made of.
//
// While cracks run, nothing moves: a tet's stress is found once and serves all its corners, however often they are
// asked. Its children, cut out of it, have the same strain and are found anew like any other tet. Stress comes first,
// with a bound on what it can do; most nodes need no more. The parts of the stress, which take an eigenvalue problem,
// come when they are asked for.

#include <cstddef>
#include <span>
#include <vector>

#include "core/ids.h"
#include "core/vec.h"
#include "fracture/scratch_map.h"
#include "fracture/separation_bound.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/forces.h"

namespace sunder::tet_oh99 {

struct TetTension {
  double stretch = 0;      // s_e of fracture/separation_bound.h, Pa
  double deformation = 0;  // |F|, or a little more
  bool parted = false;     // whether the matrices below are
  // F S+ and F S-, the tensile and the compressive part of the first Piola stress, Pa; before they are parted F and S.
  Mat3 pull, push;

  // Upper bound of the tensile force at a corner, N; `scaled_gradient` is vol grad b, m^2.
  double largest_pull(const Vec3& scaled_gradient) const {
    return parted ? (pull * scaled_gradient).norm() : tensile_pull(stretch, deformation, push, scaled_gradient);
  }
};

class TetTensions {
 public:
  // The arguments must live as long as this.
  TetTensions(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const ElementConstants& elements)
      : mesh_(mesh), materials_(materials), elements_(elements) {}

  void forget();  // the nodes have moved

  // Finds the tensions of all tets round these nodes that are not known yet, but not their parts.
  void find(std::span<const NodeId> nodes, const NodeState& state);
  void find(std::span<const TetId> tets, const NodeState& state);  // of these tets only
  // Parts those that were found.
  void part(std::span<const NodeId> nodes);

  // Of a tet that was found.
  const TetTension& operator[](TetId tet) const { return tensions_[place_.find(tet)]; }

 private:
  void add(TetId tet);
  void find_added(std::size_t known, const NodeState& state);  // those behind the first `known`
  void find_batch(std::span<const TetId> tets, const NodeState& state, std::span<TetTension> result) const;

  const TetMesh& mesh_;
  const std::vector<TetMaterial>& materials_;
  const ElementConstants& elements_;
  ScratchMap<TetId> place_;  // in tets_ and tensions_
  std::vector<TetId> tets_;
  std::vector<TetTension> tensions_;
  std::vector<std::uint32_t> whole_;  // scratch: places of those to be parted
};

}  // namespace sunder::tet_oh99
