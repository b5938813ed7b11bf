#include "export/pieces_glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "export/piece_motion.h"
#include "export/piece_surface.h"
#include "geometry/bounds.h"
#include "geometry/convex_hull.h"
#include "render/frame_surface.h"

namespace sunder {
namespace {

// Morphs leave out what nobody sees: vertices that are nearer to their place than this share of the model's size, and
// normals that are nearer than this angle.
constexpr double kUnseen = 1e-4;
constexpr float kUnseenTurn = 0.02f;  // radians

struct Fits {
  double square_mass = 0, mass = 0, largest = 0;
  int worst_frame = 0;
  double parent = 0;  // 0: none
};

GlbPrimitive primitive_of(const PieceSide& side, const FinalPiece& piece, const Frame& frame, bool uvs, double scale) {
  GlbPrimitive p;
  for (const PieceVertex& v : side.vertices) {
    p.positions.push_back((scale * (frame.rest[v.node] - piece.centre)).cast<float>());
    p.normals.push_back(v.normal.stableNormalized());
    if (uvs) p.uvs.emplace_back(v.uv.x(), 1 - v.uv.y());
  }
  p.triangles = side.triangles;
  return p;
}

// Of a hull, from the centre of mass: renderers lose a face in the place of another one, even of one that they do not
// show.
constexpr double kLarger = 1.001;

// Named as game engines take them for collision shapes: Godot by the ending, others by their importers' rules.
GlbNode hull_of(const GlbNode& node, std::uint32_t material) {
  std::vector<Vec3> points;
  for (const GlbPrimitive& p : node.primitives) {
    for (const Eigen::Vector3f& x : p.positions) points.emplace_back(x.cast<double>());
  }
  const ConvexHull hull = convex_hull(points);
  GlbNode out;
  out.name = node.name + "-convcolonly";
  if (hull.triangles.empty()) return out;
  GlbPrimitive& p = out.primitives.emplace_back();
  p.material = material;
  for (const auto& t : hull.triangles) {  // flat faces: each with its own corners
    const Vec3 &a = points[hull.points[t[0]]], &b = points[hull.points[t[1]]], &c = points[hull.points[t[2]]];
    const Eigen::Vector3f normal = (b - a).cross(c - a).stableNormalized().cast<float>();
    if (!(normal.squaredNorm() > 0.5f)) continue;
    const auto first = static_cast<std::uint32_t>(p.positions.size());
    for (const Vec3& x : {a, b, c}) p.positions.emplace_back((kLarger * x).cast<float>()), p.normals.push_back(normal);
    p.triangles.push_back({first, first + 1, first + 2});
  }
  out.notes = {{"convex_hull", 1.0}};
  return out;
}

// Where the vertices of a piece are beside the places that its rigid motion gives them.
class MorphMaker {
 public:
  MorphMaker(const FinalPieces& final, double scale) : scale_(scale) {
    surface_.look_at(final.frame);
    Bounds box;
    for (const Vec3& x : final.frame.rest) box.add(x);
    unseen_ = kUnseen * box.extent().norm();
  }

  void look_at(const Frame& final, const std::vector<Vec3>& position) {
    moved_ = final;
    moved_.position = position;
    normals_ = surface_.surface(moved_, {}, {{}}).normals;
  }

  // Nothing if rigid motion is as good.
  void add(GlbNode& node, const PieceSurface& piece, const std::vector<std::size_t>& sides, const RigidMotion& motion,
           const Frame& final, std::size_t moment) const {
    GlbMorph morph;
    morph.moment = moment;
    bool needed = false;
    const Mat3 back = motion.rotation.transpose();
    for (std::size_t i = 0; i < sides.size(); ++i) {
      auto& [positions, normals] = morph.primitives.emplace_back();
      const auto& vertices = piece.sides[sides[i]].vertices;
      for (std::uint32_t v = 0; v < vertices.size(); ++v) {
        const std::uint32_t n = vertices[v].node;
        const Vec3 away = back * (moved_.position[n] - motion.translation) - final.rest[n];
        if (away.norm() > unseen_) {
          positions.vertices.push_back(v);
          positions.values.emplace_back((scale_ * away).cast<float>());
          needed = true;
        }
        const Eigen::Vector3f& world = normals_[vertices[v].corner / 3][vertices[v].corner % 3];
        const Eigen::Vector3f turn = (back * world.cast<double>()).cast<float>() - node.primitives[i].normals[v];
        if (turn.norm() > kUnseenTurn) normals.vertices.push_back(v), normals.values.push_back(turn);
      }
    }
    if (needed) node.morphs.push_back(std::move(morph));
  }

 private:
  double scale_, unseen_ = 0;
  render::FrameSurface surface_;
  Frame moved_;
  std::vector<std::array<render::Vec3f, 3>> normals_;
};

std::vector<double> numbers(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace

GlbScene pieces_glb(const SolidRun& run, const PiecesGlbOptions& options, RigidReport& report) {
  const FinalPieces final = find_final_pieces(run);
  const std::vector<PieceSurface> surfaces = piece_surfaces(final.frame, NormalsOf::material);
  const bool uvs = !final.frame.uv.empty();
  const double s = options.scale;

  GlbScene scene;
  scene.name = run.name;
  for (std::size_t i = 0; i < run.frames.size(); ++i) scene.times.push_back(static_cast<float>(run.seconds(i)));
  for (const PieceMaterial& m : run.materials.all) {
    scene.materials.push_back({m.name, m.paint.color, m.roughness, false, uvs ? m.paint.picture : nullptr});
  }
  const auto hull_material = static_cast<std::uint32_t>(scene.materials.size());
  if (options.hulls) scene.materials.push_back({"hull", {0.2, 0.6, 0.9}, 1, true, nullptr});

  std::vector<std::vector<std::size_t>> sides(final.pieces.size());  // that a piece has
  for (std::size_t p = 0; p < final.pieces.size(); ++p) {
    const FinalPiece& piece = final.pieces[p];
    GlbNode& node = scene.nodes.emplace_back();
    node.name = fmt::format("fragment_{:04d}", piece.fragment);
    for (const std::size_t side : {kOutside, kInside}) {
      if (surfaces[p].sides[side].triangles.empty()) continue;
      sides[p].push_back(side);
      node.primitives.push_back(primitive_of(surfaces[p].sides[side], piece, final.frame, uvs, s));
      node.primitives.back().material = run.materials.of(piece.body, side);
    }
    if (piece.last < run.frames.back()) {
      const auto gone = std::upper_bound(run.frames.begin(), run.frames.end(), piece.last);
      node.moments = static_cast<std::size_t>(gone - run.frames.begin());
    }
  }

  std::vector<Fits> fits(final.pieces.size());
  MorphMaker morphs(final, s);
  follow_pieces(run, final, [&](const PieceMoment& moment) {
    if (options.deforming) morphs.look_at(final.frame, moment.position);
    const int number = run.frames[moment.index];
    for (std::size_t p = 0; p < final.pieces.size(); ++p) {
      const FinalPiece& piece = final.pieces[p];
      GlbNode& node = scene.nodes[p];
      const RigidFit fit = fit_piece(piece, final.frame, moment.position);
      const RigidMotion& motion = fit.motion;
      node.translation.emplace_back((s * motion(piece.centre)).cast<float>());
      Eigen::Quaternionf turn = Eigen::Quaterniond(motion.rotation).normalized().cast<float>();
      // q and -q are one rotation: the nearer one to the last, or programs that interpolate by components spin it.
      if (!node.rotation.empty() && node.rotation.back().dot(turn) < 0) turn.coeffs() = -turn.coeffs();
      node.rotation.push_back(turn);
      if (number > piece.last) continue;
      if (options.deforming) morphs.add(node, surfaces[p], sides[p], motion, final.frame, moment.index);
      Fits& f = fits[p];
      f.square_mass += piece.mass * fit.rms * fit.rms;
      f.mass += piece.mass;
      if (fit.largest > f.largest) f.largest = fit.largest, f.worst_frame = number;
      const std::uint32_t holder = moment.tracker->holder(piece.tet);
      if (number < piece.born && holder != MaterialTracker::kNone) f.parent = moment.frame->fragment[holder];
    }
  });

  report = {};
  report.pieces = final.pieces.size();
  double square_mass = 0, mass = 0;
  for (std::size_t p = 0; p < final.pieces.size(); ++p) {
    const FinalPiece& piece = final.pieces[p];
    const Fits& f = fits[p];
    GlbNode& node = scene.nodes[p];
    square_mass += f.square_mass, mass += f.mass;
    if (f.largest > report.largest) {
      report.largest = f.largest, report.fragment = piece.fragment, report.frame = f.worst_frame;
    }
    report.targets += node.morphs.size();
    std::vector<double> inertia;
    for (int i = 0; i < 9; ++i) inertia.push_back(s * s * piece.inertia(i / 3, i % 3));
    node.notes = {{"fragment", static_cast<double>(piece.fragment)},
                  {"body", piece.body < run.bodies.size() ? run.bodies[piece.body] : fmt::format("{}", piece.body)},
                  {"born_frame", static_cast<double>(piece.born)},
                  {"last_frame", static_cast<double>(piece.last)},
                  {"mass", piece.mass},
                  {"volume", s * s * s * piece.volume},
                  {"center_of_mass", numbers(Vec3::Zero())},
                  {"center_of_mass_at_rest", numbers(s * piece.centre)},
                  {"inertia", inertia},
                  {"fit_error_rms", s * std::sqrt(f.square_mass / std::max(f.mass, 1e-300))},
                  {"fit_error_max", s * f.largest}};
    if (f.parent > 0) node.notes.emplace_back("parent", f.parent);
    if (options.hulls) {
      GlbNode hull = hull_of(node, hull_material);
      if (!hull.primitives.empty()) node.children.push_back(std::move(hull));
    }
  }
  report.rms = std::sqrt(square_mass / std::max(mass, 1e-300));
  scene.notes = {{"fragments", static_cast<double>(final.pieces.size())},
                 {"frames_per_second", run.fps},
                 {"pace", run.pace},
                 {"first_frame", static_cast<double>(run.frames.front())},
                 {"last_frame", static_cast<double>(run.frames.back())},
                 {"units_per_meter", s},
                 {"fit_error_rms", s * report.rms},
                 {"fit_error_max", s * report.largest}};
  return scene;
}

}  // namespace sunder
