#include "fracture/crack_tips.h"

#include <algorithm>
#include <cmath>

#include "core/hash.h"

namespace sunder {

CrackTips::Cell CrackTips::cell(const Vec3& position) const {
  Cell c;
  for (int axis = 0; axis < 3; ++axis) {
    c[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(std::floor(position[axis] / rules_.length));
  }
  return c;
}

std::uint64_t CrackTips::key(const Cell& cell) {
  Hash64 hash;
  for (const std::int64_t c : cell) hash.add(static_cast<std::uint64_t>(c));
  return hash.value();
}

void CrackTips::add(Uid uid, const CrackTip& tip) {
  erase(uid);
  CrackTip& own = tips_[uid] = tip;
  own.residual = rules_.residual * tip.excess;
  own.share = rules_.share * (rules_.length > 0 ? std::sqrt(rules_.length / tip.edge) : 1);
  if (has_place(tip)) places_[key(cell(tip.position))].push_back({uid, tip.body, tip.position, tip.edge});
}

void CrackTips::erase(Uid uid) {
  const auto found = tips_.find(uid);
  if (found == tips_.end()) return;
  if (has_place(found->second)) {
    const auto in_cell = places_.find(key(cell(found->second.position)));
    std::erase_if(in_cell->second, [&](const Place& place) { return place.uid == uid; });
    if (in_cell->second.empty()) places_.erase(in_cell);
  }
  tips_.erase(found);
}

void CrackTips::keep(const std::vector<Uid>& uids) {
  std::vector<Uid> gone;
  for (const auto& [uid, tip] : tips_) {
    if (!std::binary_search(uids.begin(), uids.end(), uid)) gone.push_back(uid);
  }
  for (const Uid uid : gone) erase(uid);
}

const CrackTip* CrackTips::find(Uid uid) const {
  const auto found = tips_.find(uid);
  return found == tips_.end() ? nullptr : &found->second;
}

double CrackTips::share_at(std::uint32_t body, const Vec3& position) const {
  if (places_.empty()) return 1;
  const Cell middle = cell(position);
  double nearest = rules_.length;
  for (int i = 0; i < 27; ++i) {
    const auto found = places_.find(key({middle[0] + i % 3 - 1, middle[1] + i / 3 % 3 - 1, middle[2] + i / 9 - 1}));
    if (found == places_.end()) continue;
    for (const Place& tip : found->second) {
      if (tip.body == body) nearest = std::min(nearest, std::max(tip.least, (tip.position - position).norm()));
    }
  }
  return std::sqrt(rules_.length / nearest);
}

void CrackTips::save(Writer& out) const {
  out.put<std::uint64_t>(tips_.size());
  for (const auto& [uid, tip] : tips_) {
    out.put(uid), out.put(tip.normal), out.put(tip.excess);
    out.put(tip.position), out.put(tip.edge), out.put(tip.body);
  }
}

void CrackTips::load(Reader& in) {
  tips_.clear(), places_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const Uid uid = in.get<Uid>();
    CrackTip tip;
    tip.normal = in.get_vec3(), tip.excess = in.get<double>();
    tip.position = in.get_vec3(), tip.edge = in.get<double>(), tip.body = in.get<std::uint32_t>();
    add(uid, tip);
  }
}

}  // namespace sunder
