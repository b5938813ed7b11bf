#include "meshing/snap_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

#include "core/disjoint_sets.h"
#include "mesh/soup_boundary.h"
#include "meshing/curve_tree.h"
#include "meshing/improve.h"
#include "meshing/point_stars.h"

namespace sunder {
namespace {

using Index = std::uint32_t;
constexpr Index kNone = 0xffffffffu;
constexpr std::size_t kManyCurves = 500;  // one attempt must do

class Snapper {
 public:
  // What one attempt does otherwise than another.
  struct Variant {
    double pull = 6;          // how much chains shun points far from their curve
    std::set<Index> unfit{};  // points that made no good corner
  };

  Snapper(StuffedMesh& mesh, const Features& features, const SurfaceDistance& solid, const SnapOptions& options,
          const Variant& variant)
      : mesh_(mesh),
        features_(features),
        solid_(solid),
        options_(options),
        variant_(variant),
        curves_(features),
        original_(mesh.soup.points),
        faces_(soup_boundary(mesh.soup)),
        stars_(mesh.soup),
        boundary_points_(points_of(faces_)),
        boundary_tree_(dots(original_, boundary_points_)),
        curve_of_(original_.size(), kNone),
        corner_of_(original_.size(), kNone),
        patch_of_(original_.size(), kNone) {}

  SnapReport run() {
    build_graph();
    find_sizes();
    place_corners();
    place_curves();
    label_patches();
    move_all();
    relax();
    return report();
  }

  const std::set<Index>& unfit_corners() const { return unfit_; }

 private:
  static std::vector<Index> points_of(const std::vector<SoupFace>& faces) {
    std::vector<Index> points;
    for (const SoupFace& f : faces) points.insert(points.end(), f.points.begin(), f.points.end());
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
  }
  static TriangleTree dots(const std::vector<Vec3>& x, const std::vector<Index>& which) {
    std::vector<std::array<Index, 3>> triangles;
    for (const Index p : which) triangles.push_back({p, p, p});
    return {x, triangles};
  }

  std::vector<Vec3>& points() { return mesh_.soup.points; }

  // --- the graph of boundary edges ----------------------------------------------------------------------------------

  void build_graph() {
    first_.assign(original_.size() + 1, 0);
    std::vector<std::pair<Index, Index>> edges;
    for (const SoupFace& f : faces_) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Index a = f.points[i], b = f.points[(i + 1) % 3];
        edges.emplace_back(a, b);
        edges.emplace_back(b, a);
      }
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (const auto& [a, b] : edges) {
      ++first_[a + 1];
      neighbours_.push_back(b);
    }
    for (std::size_t p = 0; p < original_.size(); ++p) first_[p + 1] += first_[p];
  }
  bool on_boundary(Index p) const { return first_[p + 1] > first_[p]; }

  // Mean length of the boundary edges at every point: what near and far mean there.
  void find_sizes() {
    size_.assign(original_.size(), 0);
    for (Index p = 0; p < original_.size(); ++p) {
      for (Index i = first_[p]; i < first_[p + 1]; ++i) size_[p] += (original_[p] - original_[neighbours_[i]]).norm();
      if (on_boundary(p)) size_[p] /= first_[p + 1] - first_[p];
    }
  }

  // Edges from a corner to the boundary points that may go there.
  double reach_of(Index corner) const {
    double reach = 0;
    for (const FeatureCurve& c : features_.curves) {
      if (c.ends[0] == corner || c.ends[1] == corner) reach = std::max(reach, c.reach);
    }
    return reach;
  }

  // --- corners ------------------------------------------------------------------------------------------------------

  void place_corners() {
    corner_point_.assign(features_.corners.size(), kNone);
    struct Match {
      double distance;
      Index corner, point;
    };
    std::vector<Match> matches;
    for (Index c = 0; c < features_.corners.size(); ++c) {
      const auto found = boundary_tree_.nearest(features_.corners[c].point);
      if (found.triangle == TriangleTree::kNone) continue;
      // The nearest point, and those around it in case another corner is nearer to that one.
      const Index p = boundary_points_[found.triangle];
      matches.push_back({found.distance, c, p});
      for (Index i = first_[p]; i < first_[p + 1]; ++i) {
        const Index q = neighbours_[i];
        matches.push_back({(original_[q] - features_.corners[c].point).norm(), c, q});
      }
    }
    std::sort(matches.begin(), matches.end(), [](const Match& a, const Match& b) {
      if (a.distance != b.distance) return a.distance < b.distance;
      return a.corner != b.corner ? a.corner < b.corner : a.point < b.point;
    });
    for (const Match& m : matches) {
      if (variant_.unfit.contains(m.point) || m.distance > reach_of(m.corner) * size_[m.point] ||
          corner_point_[m.corner] != kNone || corner_of_[m.point] != kNone)
        continue;
      corner_point_[m.corner] = m.point;
      corner_of_[m.point] = m.corner;
    }
  }

  // --- curves -------------------------------------------------------------------------------------------------------

  void place_curves() {
    chain_.resize(features_.curves.size());
    std::vector<Index> order(features_.curves.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<double> length(order.size());
    for (std::size_t c = 0; c < order.size(); ++c) length[c] = features_.curves[c].length();
    // Long ones first: where there is no room for all, they matter more.
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return length[a] != length[b] ? length[a] > length[b] : a < b; });
    for (const Index c : order) {
      const std::vector<Index> chain = good_chain(c);
      if (chain.empty()) continue;
      for (const Index p : chain) {
        if (corner_of_[p] == kNone && !given_up_.contains(p)) curve_of_[p] = c;
      }
      chain_[c] = chain;
    }
  }

  // A chain along the curve in which no three points share a tet; on a straight curve that tet would be flat.
  std::vector<Index> good_chain(Index c) {
    std::set<Index> banned;
    std::vector<Index> best, best_flat;
    constexpr int attempts = 8;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      const std::vector<Index> chain = features_.curves[c].closed() ? ring(c, banned) : open_chain(c, banned);
      if (chain.empty()) break;
      const std::vector<Index> flat = flat_points(chain, features_.curves[c].closed());
      if (best.empty() || flat.size() < best_flat.size()) {
        best = chain;
        best_flat = flat;
      }
      if (flat.empty()) break;
      banned.insert(flat.begin(), flat.end());
    }
    // What stays flat stays off the curve: a gap of one edge.
    given_up_.insert(best_flat.begin(), best_flat.end());
    return best;
  }

  std::vector<Index> open_chain(Index c, const std::set<Index>& banned) {
    const auto& ends = features_.curves[c].ends;
    const Index from = corner_point_[ends[0]], to = corner_point_[ends[1]];
    if (from == kNone || to == kNone || from == to) return {};
    return without_detours(shortest_chain(c, from, to, banned, {}), false);
  }

  // Three chains between points near three places of the curve.
  std::vector<Index> ring(Index c, const std::set<Index>& banned) {
    const FeatureCurve& curve = features_.curves[c];
    std::array<Index, 3> anchor{};
    for (std::size_t i = 0; i < 3; ++i) {
      anchor[i] = nearest_free(curve.at(curve.length() * static_cast<double>(i) / 3), curve.reach, banned);
      if (anchor[i] == kNone) return {};
    }
    if (anchor[0] == anchor[1] || anchor[1] == anchor[2] || anchor[2] == anchor[0]) return {};
    std::vector<Index> all;
    for (std::size_t i = 0; i < 3; ++i) {
      std::set<Index> used(all.begin(), all.end());
      used.insert(anchor.begin(), anchor.end());
      const std::vector<Index> part = shortest_chain(c, anchor[i], anchor[(i + 1) % 3], banned, used);
      if (part.empty()) return {};
      all.insert(all.end(), part.begin(), part.end() - 1);
    }
    return without_detours(all, true);
  }

  Index nearest_free(const Vec3& x, double reach, const std::set<Index>& banned) const {
    const auto found = boundary_tree_.nearest(x);
    if (found.triangle == TriangleTree::kNone) return kNone;
    const Index p = boundary_points_[found.triangle];
    Index best = kNone;
    double distance = reach * size_[p];
    const auto consider = [&](Index q) {
      const double d = (original_[q] - x).norm();
      if (banned.contains(q) || corner_of_[q] != kNone || curve_of_[q] != kNone || d >= distance) return;
      distance = d;
      best = q;
    };
    consider(p);
    for (Index i = first_[p]; i < first_[p + 1]; ++i) consider(neighbours_[i]);
    return best;
  }

  // Dijkstra over boundary edges near the curve; points far from it cost more.
  std::vector<Index> shortest_chain(Index curve, Index from, Index to, const std::set<Index>& banned,
                                    const std::set<Index>& used) {
    std::map<Index, double> away, cost;
    std::map<Index, Index> before;
    const auto away_of = [&](Index p) {
      const auto [entry, fresh] = away.try_emplace(p, 0.0);
      if (fresh)
        entry->second =
            curves_.nearest(original_[p], features_.curves[curve].reach * size_[p], curve).distance / size_[p];
      return entry->second;
    };
    using Entry = std::pair<double, Index>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> waiting;
    waiting.emplace(0.0, from);
    cost[from] = 0;
    while (!waiting.empty()) {
      const auto [so_far, p] = waiting.top();
      waiting.pop();
      if (so_far > cost[p]) continue;
      if (p == to) break;
      for (Index i = first_[p]; i < first_[p + 1]; ++i) {
        const Index q = neighbours_[i];
        if (q != to && (corner_of_[q] != kNone || curve_of_[q] != kNone || banned.contains(q) || used.contains(q)))
          continue;
        const double a = away_of(p), b = away_of(q);
        if (!std::isfinite(b) && q != to) continue;
        const double weight = 1 + variant_.pull * (std::min(a * a, 2.0) + std::min(b * b, 2.0));
        const double through = so_far + weight * (original_[p] - original_[q]).norm();
        const auto found = cost.find(q);
        if (found != cost.end() && found->second <= through) continue;
        cost[q] = through;
        before[q] = p;
        waiting.emplace(through, q);
      }
    }
    if (!before.contains(to)) return {};
    std::vector<Index> chain = {to};
    while (chain.back() != from) chain.push_back(before[chain.back()]);
    std::reverse(chain.begin(), chain.end());
    // A detour is no image of the curve.
    double length = 0;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) length += (original_[chain[i]] - original_[chain[i + 1]]).norm();
    if (length > 2 * features_.curves[curve].length() + 2 * (size_[from] + size_[to])) return {};
    return chain;
  }

  bool neighbours(Index a, Index b) const {
    return std::binary_search(neighbours_.begin() + first_[a], neighbours_.begin() + first_[a + 1], b);
  }

  // Points between two that are neighbours anyway stay off.
  std::vector<Index> without_detours(const std::vector<Index>& chain, bool closed) const {
    std::vector<Index> direct;
    for (std::size_t i = 0; i < chain.size();) {
      direct.push_back(chain[i]);
      std::size_t next = i + 1;
      for (std::size_t j = i + 2; j < chain.size() && j <= i + 4; ++j) {
        if (neighbours(chain[i], chain[j])) next = j;
      }
      i = next;
    }
    if (closed && direct.size() > 4) {
      // The same across the ends: the first point, then the last one.
      if (neighbours(direct.back(), direct[1])) direct.erase(direct.begin());
      if (neighbours(direct[direct.size() - 2], direct[0])) direct.pop_back();
    }
    return direct;
  }

  // Points of the chain whose neighbours in it share a tet with them.
  std::vector<Index> flat_points(const std::vector<Index>& chain, bool closed) const {
    std::vector<Index> flat;
    const std::size_t n = chain.size();
    for (std::size_t i = closed ? 0 : 1; i + (closed ? 0 : 1) < n; ++i) {
      const Index before = chain[(i + n - 1) % n], after = chain[(i + 1) % n];
      for (const Index t : stars_[chain[i]]) {
        const auto& c = mesh_.soup.tets[t];
        const auto has = [&](Index p) { return std::find(c.begin(), c.end(), p) != c.end(); };
        if (!has(before) || !has(after)) continue;
        flat.push_back(chain[i]);
        ++i;  // the next one may be good without this one
        break;
      }
    }
    return flat;
  }

  // Where the points of a chain go: by their nearest places, evened out a little, in their order.
  void move_chain(Index c) {
    const std::vector<Index>& chain = chain_[c];
    const FeatureCurve& curve = features_.curves[c];
    const double length = curve.length();
    const std::size_t n = chain.size(), gaps = curve.closed() ? n : n - 1;
    // Arc lengths; on a closed curve they run on past its end, once round.
    std::vector<double> s(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      s[i] = curve.nearest(original_[chain[i]]);
      if (curve.closed() && i > 0) s[i] -= length * std::round((s[i] - s[i - 1]) / length);
    }
    if (curve.closed()) {
      s[n] = s[0] + (s[n - 1] >= s[0] ? length : -length);
    } else {
      s[0] = 0;
      s[n - 1] = length;
    }
    for (int round = 0; round < 4; ++round) {
      for (std::size_t i = 1; i < gaps; ++i) s[i] = 0.5 * s[i] + 0.25 * (s[i - 1] + s[i + 1]);
    }
    const double whole = s[gaps] - s[0], even = whole / static_cast<double>(gaps);
    bool in_order = true;
    for (std::size_t i = 0; i < gaps; ++i) in_order = in_order && (s[i + 1] - s[i]) / even > 0.3;
    for (std::size_t i = curve.closed() ? 0 : 1; i < gaps; ++i) {
      double at = in_order ? s[i] : s[0] + even * static_cast<double>(i);
      if (curve.closed()) at -= length * std::floor(at / length);
      if (!given_up_.contains(chain[i])) points()[chain[i]] = curve.at(at);
    }
  }

  // --- sides --------------------------------------------------------------------------------------------------------

  // Pieces of the boundary between chains, matched with the smooth patches of the surface: whatever a piece meets away
  // from all curves is its own. A chain with a gap joins the pieces, and patches, on both sides, which is harmless.
  void label_patches() {
    std::set<std::pair<Index, Index>> fence;
    for (const auto& chain : chain_) {
      for (std::size_t i = 0; i + 1 < chain.size(); ++i) fence.insert(std::minmax(chain[i], chain[i + 1]));
      if (!chain.empty() && features_.curves[static_cast<std::size_t>(&chain - chain_.data())].closed()) {
        fence.insert(std::minmax(chain.front(), chain.back()));
      }
    }
    std::vector<std::array<Index, 3>> triangles;
    for (const SoupFace& f : faces_) triangles.push_back(f.points);
    DisjointSets pieces(faces_.size());
    std::vector<std::pair<std::pair<Index, Index>, Index>> sides;
    for (Index t = 0; t < triangles.size(); ++t) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::pair<Index, Index> side = std::minmax(triangles[t][i], triangles[t][(i + 1) % 3]);
        if (!fence.contains(side)) sides.emplace_back(side, t);
      }
    }
    std::sort(sides.begin(), sides.end());
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
      if (sides[i].first == sides[i + 1].first) pieces.join(sides[i].second, sides[i + 1].second);
    }

    const auto offset = static_cast<Index>(features_.patches);
    DisjointSets sets(features_.patches + faces_.size());
    std::vector<Index> piece_of(original_.size(), kNone);
    std::vector<std::uint8_t> matched(faces_.size(), 0);
    for (Index t = 0; t < triangles.size(); ++t) {
      for (const Index p : triangles[t]) {
        if (corner_of_[p] == kNone && curve_of_[p] == kNone) piece_of[p] = pieces.root(t);
      }
    }
    std::vector<std::pair<Index, Index>> near_votes;
    for (Index p = 0; p < original_.size(); ++p) {
      if (piece_of[p] == kNone) continue;
      const auto on = solid_.tree().nearest(original_[p]);
      const bool far = curves_.nearest(original_[p], 1.5 * size_[p]).triangle == TriangleTree::kNone;
      if (far) {
        sets.join(features_.patch[on.triangle], offset + piece_of[p]);
        matched[piece_of[p]] = 1;
      } else {
        near_votes.emplace_back(piece_of[p], features_.patch[on.triangle]);
      }
    }
    // Small pieces have no point far from all curves: the majority decides.
    std::sort(near_votes.begin(), near_votes.end());
    for (std::size_t begin = 0; begin < near_votes.size();) {
      const Index piece = near_votes[begin].first;
      std::size_t end = begin, best_count = 0;
      Index best = kNone;
      while (end < near_votes.size() && near_votes[end].first == piece) {
        std::size_t same = end;
        while (same < near_votes.size() && near_votes[same] == near_votes[end]) ++same;
        if (same - end > best_count) {
          best_count = same - end;
          best = near_votes[end].second;
        }
        end = same;
      }
      if (matched[piece] == 0) sets.join(best, offset + piece);
      begin = end;
    }
    patch_root_.resize(features_.patch.size());
    for (std::size_t t = 0; t < patch_root_.size(); ++t) patch_root_[t] = sets.root(features_.patch[t]);
    for (Index p = 0; p < original_.size(); ++p) {
      if (piece_of[p] != kNone) patch_of_[p] = sets.root(offset + piece_of[p]);
    }
  }

  void move_all() {
    for (Index c = 0; c < corner_point_.size(); ++c) {
      if (corner_point_[c] != kNone) points()[corner_point_[c]] = features_.corners[c].point;
    }
    for (Index c = 0; c < chain_.size(); ++c) {
      if (!chain_[c].empty()) move_chain(c);
    }
    for (Index p = 0; p < original_.size(); ++p) {
      if (patch_of_[p] == kNone) continue;
      const auto any = solid_.tree().nearest(original_[p], 0.05 * size_[p]);
      if (any.triangle == TriangleTree::kNone || patch_root_[any.triangle] == patch_of_[p]) continue;
      const auto own = solid_.tree().nearest_labelled(original_[p], size_[p], patch_root_, patch_of_[p]);
      if (own.triangle != TriangleTree::kNone) points()[p] = own.at.point;
    }
  }

  // --- making it good again -----------------------------------------------------------------------------------------

  bool place(Index p, Vec3& x) const {
    if (corner_of_[p] != kNone) return false;
    if (curve_of_[p] != kNone) {
      const auto at = curves_.nearest(x, size_[p], curve_of_[p]);
      if (at.triangle == TriangleTree::kNone) return false;
      x = at.at.point;
      return true;
    }
    if (mesh_.on_surface[p] == 0) return true;
    // Over a hole of the surface there is nothing to slide on.
    const double slack = 0.3 * size_[p];
    const auto at = patch_of_[p] != kNone ? solid_.tree().nearest_labelled(x, slack, patch_root_, patch_of_[p])
                                          : solid_.tree().nearest(x, slack);
    if (at.triangle == TriangleTree::kNone || over_hole_[p] != 0) return false;
    x = at.at.point;
    return true;
  }

  double measure(Index t) const {
    const auto& c = mesh_.soup.tets[t];
    const auto& x = mesh_.soup.points;
    return worst_dihedral_sine({x[c[0]], x[c[1]], x[c[2]], x[c[3]]});
  }

  // Where moving points has folded the boundary over itself, searching for better angles gets stuck between triangles
  // that are all flat: there, points first go to the middle of their neighbours a few times.
  void unfold() {
    std::set<Index> around;
    for (Index t = 0; t < mesh_.soup.tets.size(); ++t) {
      if (measure(t) >= std::sin(options_.floor)) continue;
      for (const Index p : mesh_.soup.tets[t]) {
        around.insert(p);
        for (Index i = first_[p]; i < first_[p + 1]; ++i) around.insert(neighbours_[i]);
      }
    }
    constexpr int sweeps = 10;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      for (const Index p : around) {
        if (!on_boundary(p) || corner_of_[p] != kNone || curve_of_[p] != kNone) continue;
        Vec3 middle = Vec3::Zero();
        for (Index i = first_[p]; i < first_[p + 1]; ++i) middle += points()[neighbours_[i]];
        middle /= first_[p + 1] - first_[p];
        if (place(p, middle)) points()[p] = middle;
      }
    }
    for (const Index p : around) {
      if (on_boundary(p)) continue;
      Vec3 middle = Vec3::Zero();
      for (const Index t : stars_[p]) {
        for (const Index q : mesh_.soup.tets[t]) middle += points()[q] / 4;
      }
      points()[p] = middle / static_cast<double>(stars_[p].size());
    }
  }

  // Improves; where tets stay below the floor, their points give up their edges and go back.
  void relax() {
    over_hole_.assign(original_.size(), 0);
    for (Index p = 0; p < original_.size(); ++p) {
      if (mesh_.on_surface[p] == 0) continue;
      over_hole_[p] = solid_.tree().nearest(original_[p], 0.05 * size_[p]).triangle == TriangleTree::kNone ? 1 : 0;
    }
    unfold();
    const auto may_be = [this](std::uint32_t p, Vec3& x) { return place(p, x); };
    const double least = std::sin(options_.floor);
    constexpr int rounds = 6;
    for (int round = 0; round <= rounds; ++round) {
      improve_points(mesh_.soup, may_be, {options_.target, 8});
      std::vector<Index> bad;
      for (Index t = 0; t < mesh_.soup.tets.size(); ++t) {
        if (measure(t) < least) bad.push_back(t);
      }
      if (bad.empty()) return;
      if (round == rounds) break;
      std::set<Index> back;
      for (const Index t : bad) {
        for (const Index p : mesh_.soup.tets[t]) {
          back.insert(p);
          if (round < 2) continue;  // then wider
          for (const Index s : stars_[p]) back.insert(mesh_.soup.tets[s].begin(), mesh_.soup.tets[s].end());
        }
      }
      for (const Index p : back) give_up(p);
    }
    for (Index p = 0; p < original_.size(); ++p) give_up(p);
    improve_points(mesh_.soup, may_be, {options_.target, 8});
  }

  void give_up(Index p) {
    points()[p] = original_[p];
    if (corner_of_[p] != kNone) {
      corner_point_[corner_of_[p]] = kNone;
      unfit_.insert(p);
    }
    if (corner_of_[p] != kNone || curve_of_[p] != kNone) given_up_.insert(p);
    corner_of_[p] = curve_of_[p] = patch_of_[p] = kNone;
  }

  SnapReport report() const {
    SnapReport r;
    r.worst_sine = 1;
    for (Index t = 0; t < mesh_.soup.tets.size(); ++t) r.worst_sine = std::min(r.worst_sine, measure(t));
    for (std::size_t c = 0; c < features_.corners.size(); ++c) {
      if (!features_.corners[c].sharp) continue;
      ++r.corners;
      r.corners_kept += corner_point_[c] != kNone ? 1 : 0;
    }
    for (std::size_t c = 0; c < features_.curves.size(); ++c) {
      const double length = features_.curves[c].length();
      ++r.curves;
      r.length += length;
      if (chain_[c].empty()) continue;
      std::size_t kept = 0;
      for (std::size_t i = 0; i + 1 < chain_[c].size(); ++i) {
        kept += given_up_.contains(chain_[c][i]) || given_up_.contains(chain_[c][i + 1]) ? 0 : 1;
      }
      r.length_kept += length * static_cast<double>(kept) / static_cast<double>(chain_[c].size() - 1);
      r.curves_kept += kept + 1 == chain_[c].size() ? 1 : 0;
    }
    return r;
  }

  StuffedMesh& mesh_;
  const Features& features_;
  const SurfaceDistance& solid_;
  const SnapOptions& options_;
  const Variant& variant_;
  CurveTree curves_;
  std::vector<Vec3> original_;
  std::vector<SoupFace> faces_;
  PointStars stars_;
  std::vector<Index> boundary_points_;
  TriangleTree boundary_tree_;  // of boundary_points_, as triangles without area
  std::vector<Index> first_, neighbours_;
  std::vector<double> size_;
  std::vector<Index> curve_of_, corner_of_, patch_of_;  // of points
  std::vector<Index> corner_point_;                     // of corners
  std::vector<std::vector<Index>> chain_;               // of curves
  std::vector<Index> patch_root_;                       // of triangles of the surface
  std::vector<std::uint8_t> over_hole_;
  std::set<Index> given_up_, unfit_;
};

}  // namespace

SnapReport snap_features(StuffedMesh& mesh, const Features& features, const SurfaceDistance& solid,
                         const SnapOptions& options) {
  // Where an attempt loses something, others may not: the one that keeps most wins.
  constexpr std::array<double, 4> pulls = {6, 2, 15, 4};
  StuffedMesh best;
  SnapReport best_report;
  Snapper::Variant variant;
  for (std::size_t i = 0; i < pulls.size(); ++i) {
    variant.pull = pulls[i];
    StuffedMesh attempt = mesh;
    Snapper snapper(attempt, features, solid, options, variant);
    const SnapReport report = snapper.run();
    const auto value = [](const SnapReport& r) {
      return r.length_kept + 0.02 * r.length * static_cast<double>(r.corners_kept);
    };
    if (i == 0 || value(report) > value(best_report)) {
      best = std::move(attempt);
      best_report = report;
    }
    const bool all = report.corners_kept == report.corners && report.curves_kept == report.curves;
    // Where much is lost the model is torn there, and no attempt will mend that.
    if (all || features.curves.size() > kManyCurves || report.length_kept < 0.8 * report.length) break;
    variant.unfit.insert(snapper.unfit_corners().begin(), snapper.unfit_corners().end());
  }
  mesh = std::move(best);
  return best_report;
}

}  // namespace sunder
