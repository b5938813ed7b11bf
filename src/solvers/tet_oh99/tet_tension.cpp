#include "solvers/tet_oh99/tet_tension.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "geometry/symmetric_eigen.h"

namespace sunder::tet_oh99 {

void TetTensions::forget() {
  place_.clear();
  tets_.clear();
  tensions_.clear();
}

void TetTensions::find(std::span<const NodeId> nodes, const NodeState& state) {
  const std::size_t known = tets_.size();
  for (const NodeId n : nodes) {
    for (const Corner c : mesh_.star(n)) add(c.tet);
  }
  find_added(known, state);
}

void TetTensions::find(std::span<const TetId> tets, const NodeState& state) {
  const std::size_t known = tets_.size();
  for (const TetId t : tets) add(t);
  find_added(known, state);
}

void TetTensions::add(TetId tet) {
  if (place_.insert(tet, static_cast<std::uint32_t>(tets_.size())) == ScratchMap<TetId>::kNone) tets_.push_back(tet);
}

void TetTensions::find_added(std::size_t known, const NodeState& state) {
  tensions_.resize(tets_.size());
  parallel_chunks(tets_.size() - known, kBatch, [&](std::size_t begin, std::size_t end) {
    const std::span<const TetId> tets = std::span(tets_).subspan(known + begin, end - begin);
    const std::span<TetTension> result = std::span(tensions_).subspan(known + begin, end - begin);
    // A batch has one material.
    for (std::size_t first = 0, last = 0; first < tets.size(); first = last) {
      const std::uint32_t material = mesh_.tags(tets[first]).material;
      while (last < tets.size() && mesh_.tags(tets[last]).material == material) ++last;
      find_batch(tets.subspan(first, last - first), state, result.subspan(first, last - first));
    }
  });
}

void TetTensions::find_batch(std::span<const TetId> tets, const NodeState& state, std::span<TetTension> result) const {
  std::array<Mat3, kBatch> f;
  SymmetricBatch strain, rate, elastic, viscous;
  const auto store = [](SymmetricBatch& batch, std::size_t i, const Mat3& m) {
    auto& c = batch.component;
    c[0][i] = m(0, 0), c[1][i] = m(1, 1), c[2][i] = m(2, 2);
    c[3][i] = m(1, 2), c[4][i] = m(0, 2), c[5][i] = m(0, 1);
  };
  for (std::size_t i = 0; i < tets.size(); ++i) {
    const TetId t = tets[i];
    f[i] = edge_matrix(mesh_.corner_positions(t, state.position)) * elements_.rest_inverse[t];
    const Mat3 g = edge_matrix(mesh_.corner_positions(t, state.velocity)) * elements_.rest_inverse[t];
    const Mat3 turned_rate = f[i].transpose() * g;
    store(strain, i, 0.5 * (f[i].transpose() * f[i] - Mat3::Identity()));
    store(rate, i, 0.5 * elements_.damping_scale[t] * (turned_rate + turned_rate.transpose()));
  }
  materials_[mesh_.tags(tets[0]).material].law->stress(strain, rate, tets.size(), elastic, viscous);
  for (std::size_t i = 0; i < tets.size(); ++i) {
    const auto sum = [&](std::size_t k) { return elastic.component[k][i] + viscous.component[k][i]; };
    Mat3 s;
    s << sum(0), sum(5), sum(4),  //
        sum(5), sum(1), sum(3),   //
        sum(4), sum(3), sum(2);
    const double square = deformation_square_bound(f[i]);
    result[i] = {tensile_stretch(square, s), std::sqrt(square), false, f[i], s};
  }
}

void TetTensions::part(std::span<const NodeId> nodes) {
  whole_.clear();
  for (const NodeId n : nodes) {
    for (const Corner c : mesh_.star(n)) {
      const std::uint32_t place = place_.find(c.tet);
      if (tensions_[place].parted) continue;
      tensions_[place].parted = true;
      whole_.push_back(place);
    }
  }
  parallel_chunks(whole_.size(), kBatch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      TetTension& t = tensions_[whole_[i]];
      const TensileSplit parts = tensile_split(t.push);  // OH99 (29), (30)
      const Mat3 f = t.pull;
      t.pull = f * parts.tensile, t.push = f * parts.compressive;
    }
  });
}

}  // namespace sunder::tet_oh99
