#pragma once
// The fronts of cracks, what they remember, and what the material bears near them.

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "core/byte_stream.h"
#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

// What the front of a crack remembers of it.
struct CrackTip {
  Vec3 normal = Vec3::Zero();    // of the crack's plane in the material, unit: it turns with the body
  double excess = 0;             // N, by which the separation exceeded the toughness where the crack came from
  Vec3 position = Vec3::Zero();  // in the material
  double edge = 0;               // m, of the start mesh round it
  std::uint32_t body = 0;
  // By the rules, not remembered: who goes on with other rules has theirs.
  double residual = 0;  // N, to be added to the separation tensor along the normal
  double share = 1;     // of the node's toughness at which it fails
};

// As FailureRules has them.
struct TipRules {
  double share = 1;
  double length = 0;  // m
  double residual = 0;
};

// Ahead of a crack under the intensity K the stress at a distance r is K / sqrt(2 pi r). The nearer to the tip the
// middles of elements are, the more of it they see: a stress there says nothing of the material, K does. With a length
// l, m, a node at r < l of a tip bears sqrt(l / r) of its toughness, and so fails at the K at which one at l does,
// whatever the mesh; r is at least an edge, as elements see no more of it. The tip itself bears its share times sqrt(l
// / edge). Further away than l, with l = 0 everywhere, and in another body, the toughness is the material's.
class CrackTips {
 public:
  explicit CrackTips(const TipRules& rules) : rules_(rules) {}

  void add(Uid uid, const CrackTip& tip);
  void erase(Uid uid);
  // All but these, ascending, are gone.
  void keep(const std::vector<Uid>& uids);
  // nullptr if the node is no crack's tip.
  const CrackTip* find(Uid uid) const;
  // What a node, itself no tip, bears of its toughness at a place in the body's material: at least 1.
  double share_at(std::uint32_t body, const Vec3& position) const;

  void save(Writer& out) const;
  void load(Reader& in);

 private:
  struct Place {
    Uid uid = 0;
    std::uint32_t body = 0;
    Vec3 position = Vec3::Zero();
    double least = 0;  // m: no node counts as nearer than this
  };
  using Cell = std::array<std::int64_t, 3>;
  Cell cell(const Vec3& position) const;
  static std::uint64_t key(const Cell& cell);
  bool has_place(const CrackTip& tip) const { return rules_.length > tip.edge; }

  TipRules rules_;
  std::map<Uid, CrackTip> tips_;
  // With a length, tips by the cell of that size that they lie in. Cells may share a key: what is found is measured.
  std::unordered_map<std::uint64_t, std::vector<Place>> places_;
};

}  // namespace sunder
