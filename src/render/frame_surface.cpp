#include "render/frame_surface.h"

#include <Eigen/LU>
#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <tuple>

#include "core/check.h"
#include "core/random.h"
#include "render/color_maps.h"

namespace sunder::render {
namespace {

const double kCrease = std::cos(40 * std::numbers::pi / 180);     // sharper edges show as edges
const double kSameNormal = std::cos(2 * std::numbers::pi / 180);  // the model itself says where it has edges

// Corners of the face opposite each corner of a tet, counter-clockwise from outside if the tet's volume is positive.
constexpr std::array<std::array<std::size_t, 3>, 4> kFaceCorners = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

// use(element, its nodes) for every tet and every triangle.
template <class Use>
void for_each_element(const Frame& frame, const Use& use) {
  for (std::size_t t = 0; t < frame.tets.size(); ++t) use(t, std::span<const std::uint32_t>(frame.tets[t]));
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    use(frame.tets.size() + i, std::span<const std::uint32_t>(frame.triangles[i]));
  }
}

// Nodes with the same body and the same bits of material position are one point of the unbroken body.
struct MaterialPoint {
  std::uint32_t body;
  std::array<std::uint64_t, 3> bits;
  friend bool operator==(const MaterialPoint&, const MaterialPoint&) = default;
};
struct MaterialPointHash {
  std::size_t operator()(const MaterialPoint& p) const { return random_bits(p.bits[0], p.bits[1] + p.body, p.bits[2]); }
};

std::uint64_t edge_key(std::uint32_t a, std::uint32_t b) {
  return (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
}

std::array<Vec2f, 3> no_uv() { return {Vec2f::Zero(), Vec2f::Zero(), Vec2f::Zero()}; }

// Of three corners that stand one behind the other.
template <std::size_t Count>
std::array<Vec2f, 3> uv_at(const std::array<float, Count>& numbers, std::size_t first) {
  std::array<Vec2f, 3> uv;
  for (std::size_t k = 0; k < 3; ++k) uv[k] = Vec2f(numbers[first + 2 * k], numbers[first + 2 * k + 1]);
  return uv;
}

}  // namespace

void FrameSurface::look_at(const Frame& frame) {
  if (frame.tets == tets_ && frame.triangles == triangles_ && frame.crack_faces == crack_faces_ &&
      frame.fragment == fragment_ && frame.rest == rest_) {
    return;
  }
  tets_ = frame.tets;
  triangles_ = frame.triangles;
  crack_faces_ = frame.crack_faces;
  fragment_ = frame.fragment;
  rest_ = frame.rest;
  find_faces(frame);
  find_normals(frame);
}

// A face is drawn if no other tet has it.
void FrameSurface::find_faces(const Frame& frame) {
  struct Candidate {
    std::array<std::uint32_t, 3> sorted;
    std::uint32_t tet;
    std::uint32_t corner;
  };
  std::vector<Candidate> all;
  all.reserve(4 * frame.tets.size());
  for (std::uint32_t t = 0; t < frame.tets.size(); ++t) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      std::array<std::uint32_t, 3> nodes;
      for (std::size_t k = 0; k < 3; ++k) nodes[k] = frame.tets[t][kFaceCorners[i][k]];
      std::sort(nodes.begin(), nodes.end());
      all.push_back({nodes, t, i});
    }
  }
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.tet < b.tet;
  });
  faces_.clear();
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].sorted == all[begin].sorted) ++end;
    if (end - begin != 1) continue;
    const Candidate& c = all[begin];
    const auto& tet = frame.tets[c.tet];
    Face face{c.tet, (frame.crack_faces[c.tet] >> c.corner & 1) != 0, false, {}, {}, {}};
    for (std::size_t k = 0; k < 3; ++k) face.nodes[k] = tet[kFaceCorners[c.corner][k]];
    const auto edge = [&](std::size_t k) { return Vec3(frame.rest[tet[k]] - frame.rest[tet[0]]); };
    face.uv = face.crack || frame.uv.empty() ? no_uv() : uv_at(frame.uv[c.tet], 6 * c.corner);
    if (!face.crack && !frame.normals.empty()) take_painted_normals(frame.normals[c.tet], c.corner, face);
    if (determinant(edge(1), edge(2), edge(3)) < 0) {
      std::swap(face.nodes[1], face.nodes[2]);
      std::swap(face.normal[1], face.normal[2]);
      std::swap(face.uv[1], face.uv[2]);
    }
    faces_.push_back(face);
  }
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    Face face{static_cast<std::uint32_t>(frame.tets.size() + i), false, false, frame.triangles[i], {}, {}, no_uv()};
    if (!frame.corner_uv.empty()) face.uv = uv_at(frame.corner_uv[i], 0);
    faces_.push_back(face);
  }
  std::sort(faces_.begin(), faces_.end(), [](const Face& a, const Face& b) {
    return a.element != b.element ? a.element < b.element : a.nodes < b.nodes;
  });
}

void FrameSurface::take_painted_normals(const std::array<float, 36>& of_tet, std::size_t corner, Face& face) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t at = 9 * corner + 3 * k;
    face.normal[k] = Vec3f(of_tet[at], of_tet[at + 1], of_tet[at + 2]).stableNormalized();
  }
  // Where nothing is known they are zero; in a damaged file they may be anything.
  face.painted = std::all_of(face.normal.begin(), face.normal.end(),
                             [](const Vec3f& n) { return std::abs(n.squaredNorm() - 1) < 1e-3f; });
}

// Smooth normals are made in material coordinates, where the pieces of a broken body still fit: shading then runs on
// across a crack. The deformation of each tet brings them into the world.
void FrameSurface::find_normals(const Frame& frame) {
  std::unordered_map<MaterialPoint, std::uint32_t, MaterialPointHash> points;
  std::vector<std::vector<std::uint32_t>> corners_at;  // by point: 3 face + corner
  std::vector<Vec3> flat(faces_.size());
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    Face& face = faces_[f];
    const Vec3 &a = frame.rest[face.nodes[0]], &b = frame.rest[face.nodes[1]], &c = frame.rest[face.nodes[2]];
    flat[f] = (b - a).cross(c - a).stableNormalized();
    if (!face.painted) face.normal.fill(flat[f].cast<float>());
    if (face.crack) continue;
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Vec3& x = frame.rest[face.nodes[k]];
      const MaterialPoint key{frame.body[face.element],
                              {std::bit_cast<std::uint64_t>(x.x() + 0.0), std::bit_cast<std::uint64_t>(x.y() + 0.0),
                               std::bit_cast<std::uint64_t>(x.z() + 0.0)}};
      const auto [at, is_new] = points.try_emplace(key, static_cast<std::uint32_t>(points.size()));
      if (is_new) corners_at.emplace_back();
      corners_at[at->second].push_back(3 * f + k);
    }
  }
  const auto angle = [&](std::uint32_t corner) {
    const Face& face = faces_[corner / 3];
    const std::size_t k = corner % 3;
    const Vec3& x = frame.rest[face.nodes[k]];
    const Vec3 u = frame.rest[face.nodes[(k + 1) % 3]] - x, v = frame.rest[face.nodes[(k + 2) % 3]] - x;
    return std::atan2(u.cross(v).norm(), u.dot(v));
  };
  for (const std::vector<std::uint32_t>& corners : corners_at) {
    for (const std::uint32_t corner : corners) {
      if (faces_[corner / 3].painted) continue;
      const Vec3& mine = flat[corner / 3];
      Vec3 sum = Vec3::Zero();
      for (const std::uint32_t other : corners) {
        if (flat[other / 3].dot(mine) > kCrease) sum += angle(other) * flat[other / 3];
      }
      if (sum.squaredNorm() > 0) faces_[corner / 3].normal[corner % 3] = sum.normalized().cast<float>();
    }
  }
  // Corners at one node of one fragment share their normal in the world unless a crease parts them.
  shared_count_ = 0;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> at_node;  // first corner of each shared normal
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    Face& face = faces_[f];
    for (std::uint32_t k = 0; k < 3; ++k) {
      face.shared[k] = shared_count_;
      if (face.crack) {
        ++shared_count_;
        continue;
      }
      auto& firsts = at_node[std::uint64_t{frame.fragment[face.element]} << 32 | face.nodes[k]];
      const auto fits = [&](std::uint32_t first) {
        const bool told = face.painted && faces_[first / 3].painted;
        const auto cosine = static_cast<double>(faces_[first / 3].normal[first % 3].dot(face.normal[k]));
        return cosine > (told ? kSameNormal : kCrease);
      };
      const auto found = std::find_if(firsts.begin(), firsts.end(), fits);
      if (found == firsts.end()) {
        firsts.push_back(3 * f + k);
        ++shared_count_;
      } else {
        face.shared[k] = faces_[*found / 3].shared[*found % 3];
      }
    }
  }
}

FrameSurface::Placed FrameSurface::place_fragments(const Frame& frame, const SurfaceView& view) const {
  Placed placed;
  std::uint32_t most_fragment = 0, most_body = 0;
  for (const std::uint32_t f : frame.fragment) most_fragment = std::max(most_fragment, f);
  for (const std::uint32_t b : frame.body) most_body = std::max(most_body, b);
  placed.offset.assign(std::size_t{most_fragment} + 1, Vec3::Zero());
  if (view.explode == 0) return placed;
  const std::vector<Vec3>& x = view.reassembled ? frame.rest : frame.position;
  std::vector<Vec3> fragment_sum(placed.offset), body_sum(std::size_t{most_body} + 1, Vec3::Zero());
  std::vector<double> fragment_count(placed.offset.size()), body_count(body_sum.size());
  std::vector<std::uint32_t> body_of(placed.offset.size());
  for_each_element(frame, [&](std::size_t t, std::span<const std::uint32_t> nodes) {
    Vec3 middle = Vec3::Zero();
    for (const std::uint32_t n : nodes) middle += x[n] / static_cast<double>(nodes.size());
    fragment_sum[frame.fragment[t]] += middle;
    fragment_count[frame.fragment[t]] += 1;
    body_sum[frame.body[t]] += middle;
    body_count[frame.body[t]] += 1;
    body_of[frame.fragment[t]] = frame.body[t];
  });
  for (std::size_t f = 0; f < placed.offset.size(); ++f) {
    if (fragment_count[f] == 0) continue;
    const std::uint32_t b = body_of[f];
    placed.offset[f] = view.explode * (fragment_sum[f] / fragment_count[f] - body_sum[b] / body_count[b]);
  }
  double lowest = std::numeric_limits<double>::infinity(), lowest_now = lowest;
  for (const Face& face : faces_) {
    for (const std::uint32_t n : face.nodes) {
      lowest = std::min(lowest, x[n].y());
      lowest_now = std::min(lowest_now, x[n].y() + placed.offset[frame.fragment[face.element]].y());
    }
  }
  placed.lift = std::max(0.0, lowest - lowest_now);  // nothing sinks into the floor
  return placed;
}

SurfaceMesh FrameSurface::surface(const Frame& frame, const SurfaceView& view,
                                  const std::vector<BodyPaint>& paints) const {
  SUNDER_CHECK(frame.tets.size() == tets_.size() && frame.triangles.size() == triangles_.size() && !paints.empty(),
               "look_at() this frame first, and give paints");
  SurfaceMesh mesh;
  const Placed placed = place_fragments(frame, view);
  const bool moves = view.shutter > 0 && !view.reassembled;
  const std::vector<Vec3>& x = view.reassembled ? frame.rest : frame.position;

  std::vector<Vec3f> shared(shared_count_, Vec3f::Zero());
  for (const Face& face : faces_) {
    Eigen::Matrix3f turn = Eigen::Matrix3f::Identity();  // cof(F): what it does to area vectors
    if (!view.reassembled) {
      Mat3 rest, world;
      const auto edges = [&](const std::vector<Vec3>& place, Mat3& into) {
        if (face.element < frame.tets.size()) {
          const auto& n = frame.tets[face.element];
          for (int k = 0; k < 3; ++k) into.col(k) = place[n[static_cast<std::size_t>(k) + 1]] - place[n[0]];
        } else {  // of a triangle, two edges and the way across
          into.col(0) = place[face.nodes[1]] - place[face.nodes[0]];
          into.col(1) = place[face.nodes[2]] - place[face.nodes[0]];
          const Vec3 across = into.col(0).cross(into.col(1));
          into.col(2) = across / std::sqrt(std::max(across.norm(), 1e-300));
        }
      };
      edges(frame.rest, rest), edges(frame.position, world);
      const Mat3 f = world * rest.inverse();
      Mat3 cofactor;
      cofactor << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
      turn = cofactor.cast<float>();
    }
    for (std::size_t k = 0; k < 3; ++k) shared[face.shared[k]] += turn * face.normal[k];
  }

  std::vector<double> stress_sum, stress_count;
  if (view.tint == Tint::stress) {
    stress_sum.assign(frame.position.size(), 0);
    stress_count = stress_sum;
    for_each_element(frame, [&](std::size_t t, std::span<const std::uint32_t> nodes) {
      for (const std::uint32_t n : nodes) stress_sum[n] += frame.stress[t], stress_count[n] += 1;
    });
  }
  const auto tint = [&](const Face& face, std::size_t k) -> Color {
    switch (view.tint) {
      case Tint::fragment:
        return fragment_color(frame.fragment[face.element]);
      case Tint::stress:
        return stress_color(stress_sum[face.nodes[k]] / stress_count[face.nodes[k]] / view.stress_scale);
      case Tint::age: {
        if (!face.crack || view.born == nullptr) return Color::Constant(0.62f);
        double birth = 0;
        for (const std::uint32_t n : face.nodes) {
          const auto found = view.born->find(frame.node_uid[n]);
          if (found != view.born->end()) birth = std::max(birth, found->second);
        }
        return age_color((frame.time - birth) / view.age_scale);
      }
      case Tint::none:
        break;
    }
    return Color::Zero();
  };

  const bool textured = !frame.uv.empty() || !frame.corner_uv.empty();
  for (const Face& face : faces_) {
    const auto first = static_cast<std::uint32_t>(mesh.open.size());
    const Vec3 offset = placed.offset[frame.fragment[face.element]] + Vec3(0, placed.lift, 0);
    std::array<Vec3f, 3> normal, material;
    std::array<Color, 3> color;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t n = face.nodes[k];
      const Vec3 half = moves ? Vec3(frame.velocity[n] * (view.shutter / 2)) : Vec3(Vec3::Zero());
      mesh.open.push_back((x[n] + offset - half).cast<float>());
      if (moves) mesh.close.push_back((x[n] + offset + half).cast<float>());
      normal[k] = shared[face.shared[k]].stableNormalized();
      material[k] = frame.rest[n].cast<float>();
      if (view.tint != Tint::none) color[k] = tint(face, k);
    }
    const BodyPaint& paint = paints[std::min<std::size_t>(frame.body[face.element], paints.size() - 1)];
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.paint.push_back(face.crack ? paint.inside : paint.outside);
    mesh.normals.push_back(normal);
    mesh.material.push_back(material);
    if (textured) mesh.uv.push_back(face.uv);
    if (view.tint != Tint::none) mesh.tint.push_back(color);
  }
  if (!view.reassembled && !frame.wall.empty()) add_walls(frame, view, placed, paints, mesh);
  return mesh;
}

std::vector<double> FrameSurface::find_gaps(const Frame& frame) {
  // Nodes that a crack has parted have the same place in the material.
  std::vector<std::uint32_t> order(frame.rest.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto place = [&](std::uint32_t n) {
    const Vec3& x = frame.rest[n];
    return std::tuple(x.x(), x.y(), x.z());
  };
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return std::pair(place(a), a) < std::pair(place(b), b); });
  std::vector<double> gap(order.size(), 0);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && place(order[end]) == place(order[begin])) ++end;
    if (end - begin == 1) continue;
    for (std::size_t i = begin; i < end; ++i) {
      double& least = gap[order[i]] = std::numeric_limits<double>::infinity();
      for (std::size_t j = begin; j < end; ++j) {
        if (j != i) least = std::min(least, (frame.position[order[i]] - frame.position[order[j]]).norm());
      }
    }
  }
  return gap;
}

namespace {

// Cracks of surfaces that came first have opened, and taken dirt in, for longer: from kWidest for the first event down
// to kThinnest for the last. Empty if no segment comes from an event.
std::vector<float> thinner_with_age(const std::vector<std::uint32_t>& events) {
  constexpr float kWidest = 1.25f, kThinnest = 0.5f;
  const std::uint32_t last = events.empty() ? 0 : *std::max_element(events.begin(), events.end());
  std::vector<float> share;
  if (last == 0) return share;
  for (const std::uint32_t event : events) {
    const float age = event == 0 ? 0.0f : static_cast<float>(event - 1) / static_cast<float>(last);
    share.push_back(kWidest + (kThinnest - kWidest) * age);
  }
  return share;
}

}  // namespace

WireMesh FrameSurface::wires(const Frame& frame, const SurfaceView& view, Wires which) const {
  SUNDER_CHECK(frame.tets.size() == tets_.size() && frame.triangles.size() == triangles_.size(),
               "look_at() this frame first");
  // Edges by fragment and pair of nodes; hinged fragments share nodes, but not their places.
  struct Edge {
    bool outside = false, crack = false, crease = false;
    std::uint32_t event = 0;  // that cut a surface along it; 0: none
    const Vec3f* normal = nullptr;
  };
  std::map<std::pair<std::uint32_t, std::uint64_t>, Edge> edges;
  if (which == Wires::tets) {
    for_each_element(frame, [&](std::size_t t, std::span<const std::uint32_t> n) {
      for (std::size_t i = 0; i < n.size(); ++i) {
        for (std::size_t j = i + 1; j < n.size(); ++j) edges[{frame.fragment[t], edge_key(n[i], n[j])}];
      }
    });
  } else {
    std::vector<Vec3f> flat;
    flat.reserve(faces_.size());
    for (const Face& face : faces_) {
      const Vec3 &a = frame.rest[face.nodes[0]], &b = frame.rest[face.nodes[1]], &c = frame.rest[face.nodes[2]];
      flat.push_back((b - a).cross(c - a).stableNormalized().cast<float>());
      for (std::size_t k = 0; k < 3; ++k) {
        Edge& edge = edges[{frame.fragment[face.element], edge_key(face.nodes[k], face.nodes[(k + 1) % 3])}];
        (face.crack ? edge.crack : edge.outside) = true;
        if (face.crack) continue;
        const bool surface = face.element >= frame.tets.size();
        if (surface && (frame.crack_faces[face.element] >> (k + 2) % 3 & 1) != 0) {
          edge.crack = true;
          if (!frame.crack_order.empty()) {
            edge.event = frame.crack_order[face.element - frame.tets.size()][(k + 2) % 3];
          }
        }
        if (edge.normal != nullptr && static_cast<double>(edge.normal->dot(flat.back())) < kCrease) edge.crease = true;
        edge.normal = &flat.back();
      }
    }
  }
  const std::vector<double> gap = which == Wires::hairlines ? find_gaps(frame) : std::vector<double>();
  const auto wanted = [&](const Edge& e, std::uint32_t a, std::uint32_t b) {
    switch (which) {
      case Wires::crack_lines:
        return e.crack && e.outside;
      case Wires::hairlines:
        return e.crack && e.outside && gap[a] <= view.hairline && gap[b] <= view.hairline;
      case Wires::crack_faces:
        return e.crack;
      case Wires::creases:
        return e.crease;
      case Wires::surface:
      case Wires::tets:
        break;
    }
    return true;
  };
  WireMesh wires;
  std::vector<std::uint32_t> events;
  const Placed placed = place_fragments(frame, view);
  const bool moves = view.shutter > 0 && !view.reassembled;
  const std::vector<Vec3>& x = view.reassembled ? frame.rest : frame.position;
  for (const auto& [key, edge] : edges) {
    const auto a = static_cast<std::uint32_t>(key.second >> 32), b = static_cast<std::uint32_t>(key.second);
    if (!wanted(edge, a, b)) continue;
    const Vec3 offset = placed.offset[key.first] + Vec3(0, placed.lift, 0);
    for (const std::uint32_t n : {a, b}) {
      const Vec3 half = moves ? Vec3(frame.velocity[n] * (view.shutter / 2)) : Vec3(Vec3::Zero());
      wires.open.push_back((x[n] + offset - half).cast<float>());
      if (moves) wires.close.push_back((x[n] + offset + half).cast<float>());
    }
    const auto last = static_cast<std::uint32_t>(wires.open.size());
    wires.segments.push_back({last - 2, last - 1});
    events.push_back(edge.event);
  }
  if (which == Wires::crack_lines) wires.share = thinner_with_age(events);
  return wires;
}

}  // namespace sunder::render
