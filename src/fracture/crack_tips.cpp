#include "fracture/crack_tips.h"

#include <algorithm>
#include <cmath>

#include "core/hash.h"

namespace sunder {

CrackTips::Cell CrackTips::cell(const Vec3& position) const {
  Cell c;
  for (int axis = 0; axis < 3; ++axis) {
    c[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(std::floor(position[axis] / length_));
  }
  return c;
}

std::uint64_t CrackTips::key(const Cell& cell) {
  Hash64 hash;
  for (const std::int64_t c : cell) hash.add(static_cast<std::uint64_t>(c));
  return hash.value();
}

void CrackTips::add(Uid uid, CrackTip tip, double tip_share) {
  erase(uid);
  tip.share = tip_share * (length_ > 0 ? std::sqrt(length_ / tip.edge) : 1);
  enter(uid, tip);
  tips_[uid] = tip;
}

void CrackTips::enter(Uid uid, const CrackTip& tip) {
  if (length_ > tip.edge) places_[key(cell(tip.position))].push_back({uid, tip.position, tip.edge});
}

void CrackTips::erase(Uid uid) {
  const auto found = tips_.find(uid);
  if (found == tips_.end()) return;
  const auto in_cell = length_ > 0 ? places_.find(key(cell(found->second.position))) : places_.end();
  if (in_cell != places_.end()) {
    std::erase_if(in_cell->second, [&](const Place& place) { return place.uid == uid; });
    if (in_cell->second.empty()) places_.erase(in_cell);
  }
  tips_.erase(found);
}

const CrackTip* CrackTips::find(Uid uid) const {
  const auto found = tips_.find(uid);
  return found == tips_.end() ? nullptr : &found->second;
}

double CrackTips::share_at(const Vec3& position) const {
  if (places_.empty()) return 1;
  const Cell middle = cell(position);
  double nearest = length_;
  for (int i = 0; i < 27; ++i) {
    const auto found = places_.find(key({middle[0] + i % 3 - 1, middle[1] + i / 3 % 3 - 1, middle[2] + i / 9 - 1}));
    if (found == places_.end()) continue;
    for (const Place& tip : found->second) {
      nearest = std::min(nearest, std::max(tip.least, (tip.position - position).norm()));
    }
  }
  return std::sqrt(length_ / nearest);
}

void CrackTips::save(Writer& out) const {
  out.put<std::uint64_t>(tips_.size());
  for (const auto& [uid, tip] : tips_) {
    out.put(uid), out.put(tip.normal), out.put(tip.residual), out.put(tip.share);
    out.put(tip.position), out.put(tip.edge);
  }
}

void CrackTips::load(Reader& in) {
  tips_.clear(), places_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const Uid uid = in.get<Uid>();
    CrackTip tip;
    tip.normal = in.get_vec3(), tip.residual = in.get<double>(), tip.share = in.get<double>();
    tip.position = in.get_vec3(), tip.edge = in.get<double>();
    enter(uid, tip);
    tips_[uid] = tip;
  }
}

}  // namespace sunder
