#include "export/material_tracker.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/parallel.h"
#include "spatial/box_tree.h"

namespace sunder {
namespace {

constexpr double kInside = 1e-6;  // weights may be so much below zero by rounding

// Tets of a frame by their uid.
class UidTable {
 public:
  explicit UidTable(const Frame& frame) : frame_(frame), order_(frame.tets.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return frame.tet_uid[a] < frame.tet_uid[b]; });
  }
  std::uint32_t find(Uid uid) const {
    const auto at = std::lower_bound(order_.begin(), order_.end(), uid,
                                     [&](std::uint32_t tet, Uid wanted) { return frame_.tet_uid[tet] < wanted; });
    return at != order_.end() && frame_.tet_uid[*at] == uid ? *at : MaterialTracker::kNone;
  }

 private:
  const Frame& frame_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

TetCorners rest_corners(const Frame& frame, std::size_t tet) {
  const auto& n = frame.tets[tet];
  return {frame.rest[n[0]], frame.rest[n[1]], frame.rest[n[2]], frame.rest[n[3]]};
}

Vec3 rest_middle(const Frame& frame, std::size_t tet) {
  const TetCorners x = rest_corners(frame, tet);
  return (x[0] + x[1] + x[2] + x[3]) / 4;
}

std::vector<std::uint32_t> find_tets(const Frame& frame, const std::vector<MaterialPlace>& places) {
  std::vector<std::uint32_t> result(places.size(), MaterialTracker::kNone);
  if (places.empty()) return result;
  std::vector<std::uint32_t> items(frame.tets.size());
  std::iota(items.begin(), items.end(), 0u);
  std::vector<Bounds> boxes(items.size());
  for (std::size_t t = 0; t < items.size(); ++t) {
    for (const Vec3& x : rest_corners(frame, t)) boxes[t].add(x);
  }
  BoxTree tree;
  tree.build(items, boxes);
  parallel_for(places.size(), [&](std::size_t i) {
    const MaterialPlace& place = places[i];
    double best = -kInside;
    tree.for_each_meeting({place.rest, place.rest}, [&](std::uint32_t tet) {
      if (frame.body[tet] != place.body) return;
      const auto weights = barycentric_coordinates(rest_corners(frame, tet), place.rest);
      if (!weights) return;
      const double least = *std::min_element(weights->begin(), weights->end());
      if (least > best) best = least, result[i] = tet;
    });
  });
  return result;
}

MaterialTracker::MaterialTracker(const Frame& late)
    : late_(late),
      home_tet_(late.position.size(), kNone),
      holder_(late.tets.size(), kNone),
      weights_(late.position.size()) {
  std::vector<double> largest(late.position.size(), 0);
  for (std::uint32_t t = 0; t < late.tets.size(); ++t) {
    const double volume = std::abs(signed_volume(rest_corners(late, t)));
    for (const std::uint32_t n : late.tets[t]) {
      if (home_tet_[n] == kNone || volume > largest[n]) home_tet_[n] = t, largest[n] = volume;
    }
  }
  homes_ = home_tet_;
  std::sort(homes_.begin(), homes_.end());
  homes_.erase(std::unique(homes_.begin(), homes_.end()), homes_.end());
  if (!homes_.empty() && homes_.back() == kNone) homes_.pop_back();
}

void MaterialTracker::look_at(const Frame& earlier) {
  if (!tets_.empty() && earlier.tet_uid == tet_uid_ && earlier.tets == tets_) return;
  tet_uid_ = earlier.tet_uid;
  tets_ = earlier.tets;

  const UidTable table(earlier);
  std::vector<std::uint32_t> missing;
  std::vector<MaterialPlace> places;
  for (const std::uint32_t t : homes_) {
    holder_[t] = table.find(late_.tet_uid[t]);
    if (holder_[t] != kNone) continue;
    missing.push_back(t);
    places.push_back({rest_middle(late_, t), late_.body[t]});
  }
  const std::vector<std::uint32_t> found = find_tets(earlier, places);
  for (std::size_t i = 0; i < missing.size(); ++i) holder_[missing[i]] = found[i];

  worst_outside_ = 0;
  for (std::size_t n = 0; n < weights_.size(); ++n) {
    weights_[n] = {};
    if (home_tet_[n] == kNone || holder_[home_tet_[n]] == kNone) continue;
    const std::uint32_t tet = holder_[home_tet_[n]];
    const TetCorners corners = rest_corners(earlier, tet);
    Weights& w = weights_[n];
    w.nodes = earlier.tets[tet];
    // A corner is itself, to the last bit.
    const auto same = std::find(corners.begin(), corners.end(), late_.rest[n]);
    if (same != corners.end()) {
      w.weights[static_cast<std::size_t>(same - corners.begin())] = 1;
    } else if (const auto inside = barycentric_coordinates(corners, late_.rest[n])) {
      w.weights = *inside;
      worst_outside_ = std::max(worst_outside_, -*std::min_element(w.weights.begin(), w.weights.end()));
    } else {
      w.weights.fill(0.25);  // of a tet without volume
    }
  }
}

std::vector<Vec3> MaterialTracker::carry(const std::vector<Vec3>& of_earlier) const {
  std::vector<Vec3> result(weights_.size(), Vec3::Zero());
  for (std::size_t n = 0; n < weights_.size(); ++n) {
    for (std::size_t k = 0; k < 4; ++k) {
      if (weights_[n].weights[k] != 0) result[n] += weights_[n].weights[k] * of_earlier[weights_[n].nodes[k]];
    }
  }
  return result;
}

}  // namespace sunder
