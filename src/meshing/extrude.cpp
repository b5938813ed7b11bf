#include "meshing/extrude.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "meshing/prism_cut.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

// Names of parts and texture coordinates of the faces of a mapped mesh.
class Skin {
 public:
  Skin(const Mapping& mapping, const Sheet& sheet, std::vector<std::string>& names)
      : mapping_(mapping), sheet_(sheet), names_(names) {
    if (!mapping.closed) {
      bottom_ = number(mapping.bottom);
      top_ = number(mapping.top);
    }
    if (const auto* rings = std::get_if<RingDomain>(&mapping.domain)) {
      side_parts_.assign(3, 0);
      if (rings->radii.front() > 0) side_parts_[kInnerRing] = number(rings->inner);
      side_parts_[kOuterRing] = number(rings->outer);
    } else {
      side_parts_.push_back(0);  // labels count from 1
      for (const auto& loop : std::get<PolygonDomain>(mapping.domain).loops) side_parts_.push_back(number(loop.part));
    }
  }

  Index bottom() const { return bottom_; }
  Index top() const { return top_; }
  Index side(Index label) const { return side_parts_[label]; }

  std::array<Vec2, 3> sheet_uv(const std::array<Index, 3>& v) const {
    std::array<Vec2, 3> uv;
    for (std::size_t i = 0; i < 3; ++i) uv[i] = mapping_.texture(chart(v[i]));
    if (mapping_.texture_wraps) {
      std::size_t pole = 0;
      while (pole < 3 && chart(v[pole]).norm() > 0) ++pole;
      unwrap(uv, pole == 0 ? 1 : 0);
      // At the chart's origin u has no meaning: take the middle of the two others.
      if (pole < 3) uv[pole].x() = (uv[(pole + 1) % 3].x() + uv[(pole + 2) % 3].x()) / 2;
    }
    return uv;
  }

  std::array<Vec2, 3> side_uv(const std::array<Index, 3>& v, const std::array<double, 3>& w) const {
    std::array<Vec2, 3> uv;
    for (std::size_t i = 0; i < 3; ++i) uv[i] = {sheet_.along[v[i]], w[i]};
    unwrap(uv, 0);
    return uv;
  }

 private:
  Index number(const std::string& name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found != names_.end()) return static_cast<Index>(found - names_.begin());
    names_.push_back(name);
    return static_cast<Index>(names_.size() - 1);
  }

  const Vec2& chart(Index v) const { return sheet_.mesh.vertices()[v].chart; }

  // Whole turns are added until the corners are near one of them.
  static void unwrap(std::array<Vec2, 3>& uv, std::size_t reference) {
    const double near = uv[reference].x();
    for (Vec2& corner : uv) corner.x() -= std::round(corner.x() - near);
  }

  const Mapping& mapping_;
  const Sheet& sheet_;
  std::vector<std::string>& names_;
  Index bottom_ = 0, top_ = 0;
  std::vector<Index> side_parts_;  // by label
};

struct Columns {
  std::size_t vertices;
  Index layers;
  bool closed;
  Index levels() const { return closed ? layers : layers + 1; }
  Index point(Index vertex, Index level) const {
    const bool first_again = closed && level == layers;
    return static_cast<Index>(vertices) * (first_again ? 0 : level) + vertex;
  }
  double w(Index level) const { return static_cast<double>(level) / layers; }
};

struct Node {
  Index vertex, level;
};

}  // namespace

TetSoup extruded_tets(const Mapping& mapping, const Sheet& sheet, Index layers, std::uint64_t seed) {
  const Columns columns{sheet.mesh.vertices().size(), layers, mapping.closed};
  TetSoup soup;
  soup.points.reserve(columns.vertices * columns.levels());
  for (Index level = 0; level < columns.levels(); ++level) {
    for (const auto& v : sheet.mesh.vertices()) soup.points.push_back(mapping.place(v.chart, columns.w(level)));
  }
  Skin skin(mapping, sheet, soup.part_names);

  const auto add_skin = [&](const SheetMesh::Triangle& triangle, const std::array<Node, 4>& tet, Index face) {
    std::array<Index, 3> v, level;
    for (std::size_t i = 0; i < 3; ++i) {
      const Node& node = tet[static_cast<std::size_t>(kTetFaces[face][i])];
      v[i] = node.vertex;
      level[i] = node.level;
    }
    const auto number = static_cast<Index>(soup.tets.size());
    if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) {
      const bool flat = level[0] == level[1] && level[1] == level[2];
      if (!flat || mapping.closed || (level[0] != 0 && level[0] != layers)) return;
      soup.skin.push_back({number, face, {level[0] == 0 ? skin.bottom() : skin.top(), skin.sheet_uv(v)}});
      return;
    }
    for (std::size_t e = 0; e < 3; ++e) {
      if (triangle.neighbours[e] != SheetMesh::kNone) continue;
      const Index opposite = triangle.corners[e];
      if (v[0] == opposite || v[1] == opposite || v[2] == opposite) continue;
      soup.skin.push_back({number,
                           face,
                           {skin.side(triangle.labels[e]),
                            skin.side_uv(v, {columns.w(level[0]), columns.w(level[1]), columns.w(level[2])})}});
    }
  };

  soup.tets.reserve(3 * sheet.mesh.triangles().size() * layers);
  for (Index layer = 0; layer < layers; ++layer) {
    const auto rank = [&](Index vertex) { return std::pair(random_bits(seed, vertex, layer), vertex); };
    for (const SheetMesh::Triangle& triangle : sheet.mesh.triangles()) {
      for (const auto& cut : cut_prism(triangle.corners, rank)) {
        std::array<Node, 4> tet;
        for (std::size_t i = 0; i < 4; ++i) tet[i] = {cut[i].vertex, layer + (cut[i].high ? 1u : 0u)};
        for (Index face = 0; face < 4; ++face) add_skin(triangle, tet, face);
        soup.tets.push_back({columns.point(tet[0].vertex, tet[0].level), columns.point(tet[1].vertex, tet[1].level),
                             columns.point(tet[2].vertex, tet[2].level), columns.point(tet[3].vertex, tet[3].level)});
      }
    }
  }
  return soup;
}

HexSoup extruded_hexes(const Mapping& mapping, const Sheet& sheet, Index layers) {
  std::vector<Vec2> charts;
  for (const auto& v : sheet.mesh.vertices()) charts.push_back(v.chart);
  std::map<std::pair<Index, Index>, Index> middles;
  const bool round = std::holds_alternative<RingDomain>(mapping.domain);
  const auto middle = [&](Index a, Index b, Index label) {
    const auto [found, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<Index>(charts.size()));
    if (fresh) {
      Vec2 x = (charts[a] + charts[b]) / 2;
      if (round && label != 0) x *= charts[a].norm() / x.norm();  // both ends are on one ring, and so is the middle
      charts.push_back(x);
    }
    return found->second;
  };
  std::vector<std::array<Index, 4>> quads;
  for (const SheetMesh::Triangle& t : sheet.mesh.triangles()) {
    std::array<Index, 3> mid;
    for (std::size_t i = 0; i < 3; ++i) mid[i] = middle(t.corners[(i + 1) % 3], t.corners[(i + 2) % 3], t.labels[i]);
    const auto centre = static_cast<Index>(charts.size());
    charts.emplace_back((charts[t.corners[0]] + charts[t.corners[1]] + charts[t.corners[2]]) / 3);
    for (std::size_t i = 0; i < 3; ++i) quads.push_back({t.corners[i], mid[(i + 2) % 3], centre, mid[(i + 1) % 3]});
  }

  const Columns columns{charts.size(), layers, mapping.closed};
  HexSoup soup;
  for (Index level = 0; level < columns.levels(); ++level) {
    for (const Vec2& x : charts) soup.points.push_back(mapping.place(x, columns.w(level)));
  }
  for (Index layer = 0; layer < layers; ++layer) {
    for (const auto& q : quads) {
      std::array<Index, 8> cell;
      for (std::size_t i = 0; i < 4; ++i) {
        cell[i] = columns.point(q[i], layer);
        cell[i + 4] = columns.point(q[i], layer + 1);
      }
      soup.cells.push_back(cell);
    }
  }
  return soup;
}

}  // namespace sunder
