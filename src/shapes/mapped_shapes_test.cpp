#include "shapes/mapped_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "meshing/mesh_shape.h"
#include "meshing/shape_samples.h"
#include "shapes/glyphs.h"
#include "shapes/outline.h"
#include "shapes/path.h"
#include "shapes/profile.h"
#include "shapes/ring_chart.h"
#include "shapes/signed_distance.h"

namespace sunder {
namespace {

using std::numbers::pi;

TEST(MappedShapes, VolumesAreTheClosedForms) {
  EXPECT_NEAR(map_shape(CylinderShape{0.2, 0.7}).volume, pi * 0.04 * 0.7, 1e-15);
  EXPECT_NEAR(map_shape(TorusShape{0.5, 0.1}).volume, 2 * pi * pi * 0.5 * 0.01, 1e-15);
  // Half a hollow ball: its middle line is a quarter circle.
  const double shell = 2 * pi / 3 * (1 - std::pow(0.8, 3));
  EXPECT_NEAR(map_shape(BowlShape{1, 1, 0.2}).volume / shell, 1, 1e-4);
  // A straight pipe, and a cone of 45 degrees whose wall is cut square: Pappus with the middle line.
  EXPECT_NEAR(map_shape(RevolveShape{{{0.5, 0}, {0.5, 2}}, CurveKind::polyline, false, 0.1}).volume,
              pi * (0.55 * 0.55 - 0.45 * 0.45) * 2, 1e-12);
  EXPECT_NEAR(map_shape(RevolveShape{{{1, 0}, {2, 1}}, CurveKind::polyline, false, 0.1}).volume,
              2 * pi * 1.5 * std::sqrt(2.0) * 0.1, 1e-12);
  // A bent tube is as large as a straight one, and a quarter circle is a quarter of a torus.
  const std::vector<Vec3> corner = {{1, 0, 0}, {std::sqrt(0.5), 0, std::sqrt(0.5)}, {0, 0, 1}};
  EXPECT_NEAR(map_shape(TubeShape{corner, 0.1, 0, false}).volume, pi * 0.01 * pi / 2, 1e-3);
  EXPECT_NEAR(map_shape(PolygonShape{{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, {{{1, 1}, {2, 1}, {2, 2}, {1, 2}}}, 2}).volume,
              22, 1e-12);
}

TEST(MappedShapes, AFlatPatchIsASlab) {
  PatchShape patch;
  patch.wall = 0.1;
  for (std::size_t i = 0; i < 16; ++i) {
    const std::size_t column = i % 4, row = i / 4;
    patch.points[i] = Vec3(static_cast<double>(column) / 3, 0, -static_cast<double>(row) / 3);
  }
  EXPECT_NEAR(map_shape(patch).volume, 0.1, 1e-12);
  EXPECT_NEAR(map_shape(patch).area, 1, 1e-12);
}

TEST(MappedShapes, EveryMappingIsRightHandedAndAsLargeAsItSays) {
  // The volume under the map, by the divergence theorem over a fine mesh, has the sign and size of the closed form.
  for (const ShapeSample& sample : shape_samples()) {
    for (const Mapping& mapping : mappings_of(sample.shape)) {
      EXPECT_GT(mapping.volume, 0) << sample.name;
      EXPECT_NEAR(mapping.volume / (mapping.area * mapping.thickness), 1, 0.03) << sample.name;
    }
  }
}

TEST(MappedShapes, ShapesAreCentred) {
  for (const ShapeSample& sample : shape_samples()) {
    const MeshQuality q = mesh_quality(mesh_shape(sample.shape, MeshOptions{}));
    EXPECT_LT((q.lower + q.upper).norm(), 0.04 * (q.upper - q.lower).norm()) << sample.name;
  }
}

TEST(MappedShapes, VesselsHaveTheMeasuresAskedFor) {
  const auto measures = [](const Shape& shape, double edge) {
    const MeshQuality q = mesh_quality(mesh_shape(shape, MeshOptions{edge, 1, 1}));
    return Vec3(q.upper - q.lower);
  };
  const Vec3 cup = measures(CupShape{0.05, 0.1, 0.006}, 0.004), plate = measures(PlateShape{0.13, 0.007}, 0.006),
             vase = measures(VaseShape{0.09, 0.25, 0.01}, 0.008);
  EXPECT_NEAR(cup.x(), 0.1, 5e-4);
  EXPECT_NEAR(cup.y(), 0.1, 5e-4);
  EXPECT_NEAR(plate.x(), 0.26, 2e-3);
  EXPECT_NEAR(vase.x(), 0.18, 2e-3);
  EXPECT_NEAR(vase.y(), 0.25, 2e-3);
}

TEST(MappedShapes, ImpossibleShapesAreRefused) {
  const std::vector<std::pair<Shape, std::string>> wrong = {
      {BowlShape{0.1, 0.1, 0.06}, "does not fit"},
      {CupShape{0.1, 0.01, 0.006}, "does not fit"},
      {PlateShape{0.1, 0.2}, "does not fit"},
      {TorusShape{0.1, 0.1}, "no hole"},
      {CapsuleShape{0.1, 0.2}, "no room"},
      {RevolveShape{{{0, 0}, {0, 1}}, CurveKind::polyline, false, 0.1}, "both ends"},
      {RevolveShape{{{-1, 0}, {1, 1}}, CurveKind::polyline, false, 0.1}, "r = -1"},
      {RevolveShape{{{1, 0}, {1, 0}}, CurveKind::polyline, false, 0.1}, "coincide"},
      {RevolveShape{{{0.04, 0}, {0.04, 1}}, CurveKind::polyline, false, 0.1}, "across the axis"},
      {RevolveShape{{{1, 0}, {1, 0.05}, {1.05, 0.05}}, CurveKind::polyline, false, 0.2}, "too thick"},
      {RevolveShape{{{1, 0}, {2, 0}, {2, 1}, {1, 1}, {1.5, -1}}, CurveKind::polyline, false, 0.1}, "into itself"},
      {RevolveShape{{{1, 0}, {2, 0}, {2, 1}}, CurveKind::bezier, false, 0.1}, "4, 7, 10"},
      {RevolveShape{{{1, 0}, {2, 1}, {2, 0}, {1, 1}}, CurveKind::polyline, true, 0}, "cross"},
      {RevolveShape{{{0, 0}, {2, 0}, {2, 1}}, CurveKind::polyline, true, 0}, "near to the axis"},
      {TubeShape{{{0, 0, 0}, {1, 0, 0}}, 0.1, 0.1, false}, "not thinner"},
      {TubeShape{{{0, 0, 0}, {1, 0, 0}, {0, 0.1, 0}}, 0.1, 0, false}, "bends"},
      {TubeShape{{{0, 0, 0}, {0, 0, 0}}, 0.1, 0, false}, "coincide"},
      {TubeShape{{{-1, 0, 0}, {1, 0, 0}, {1.5, 0, 1}, {0, 0, 1.5}, {0, 0, -1}}, 0.1, 0, false}, "into itself"},
      {PolygonShape{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}, {}, 1}, "cross"},
      {PolygonShape{{{0, 0}, {1, 0}, {1, 1}}, {{{2, 2}, {3, 2}, {3, 3}}}, 1}, "not inside"},
      {PatchShape{std::vector<Vec3>(16, Vec3::Zero()), 0.1}, "degenerate"},
      {TextShape{"a*b", 1, 1}, "no letter for `*`"},
      {TextShape{"  ", 1, 1}, "empty"}};
  for (const auto& [shape, message] : wrong) {
    try {
      default_edge(shape);
      ADD_FAILURE() << "let through: " << message;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
      EXPECT_FALSE(error.problem.empty());
    }
  }
}

TEST(RingChart, KeepsAnglesAndFindsItsWayBack) {
  const std::vector<double> s = {0, 1, 2, 3.5}, r = {0, 1, 1.5, 0.5};
  const RingChart chart(s, r);
  for (std::size_t i = 0; i + 1 < s.size(); ++i) {
    const auto at = chart.locate(Vec2(chart.radius(i) * 1.000001, 0));
    EXPECT_EQ(at.vertex, i);
    EXPECT_NEAR(at.fraction, 0, 1e-5);
  }
  // A small step outwards and a small step round are equally long in the world if they are in the chart.
  for (const double rho : {0.3, 1.2, 2.1}) {
    const auto s_at = [&](double radius) {
      const auto p = chart.locate(Vec2(radius, 0));
      return s[p.vertex] + p.fraction * (s[p.vertex + 1] - s[p.vertex]);
    };
    const auto p = chart.locate(Vec2(rho, 0));
    const double radius = r[p.vertex] + p.fraction * (r[p.vertex + 1] - r[p.vertex]), h = 1e-6;
    EXPECT_NEAR((s_at(rho + h) - s_at(rho - h)) / (2 * h), radius / rho, 1e-6);
  }
}

TEST(Path, PassesThroughItsPointsAndFramesAreOrthonormal) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0.5, 0}, {1.2, 1.5, 0.3}, {0, 2, 1}};
  for (const bool closed : {false, true}) {
    const Path path(points, closed);
    for (const Vec3& p : points) EXPECT_NEAR((path.at(path.nearest(p)).position - p).norm(), 0, 1e-12);
    for (int i = 0; i <= 50; ++i) {
      const Path::Frame f = path.at(path.length() * i / 50);
      EXPECT_NEAR(f.normal.dot(f.tangent), 0, 1e-12);
      EXPECT_NEAR(f.normal.cross(f.binormal).dot(f.tangent), 1, 1e-12);
    }
    if (closed) {
      EXPECT_NEAR((path.at(0).normal - path.at(path.length()).normal).norm(), 0, 1e-9);
      EXPECT_NEAR((path.at(1e-3).normal - path.at(path.length() - 1e-3).normal).norm(), 0, 0.02);
    }
  }
  EXPECT_GT(Path(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}, false).smallest_bend(), 1e6);
}

TEST(Glyphs, AreSoundOutlinesWithTheirHoles) {
  for (const char c : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!?-&")) {
    const auto drawn = glyph(c);
    ASSERT_TRUE(drawn) << c;
    EXPECT_EQ(drawn->solids.size(), c == '!' || c == '?' ? 2u : 1u) << c;
    std::size_t holes = 0;
    for (const auto& solid : drawn->solids) {
      holes += solid.size() - 1;
      for (std::size_t i = 0; i < solid.size(); ++i) {
        EXPECT_EQ(crossing_sides(solid[i].points).first, -1) << c;
        EXPECT_EQ(solid[i].points.size(), solid[i].corner.size());
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_EQ(crossing_sides(solid[i].points, solid[j].points).first, -1) << c;
        }
      }
    }
    const std::string one = "ADOPQR0469", two = "B8&";
    EXPECT_EQ(holes, one.find(c) != std::string::npos ? 1u : two.find(c) != std::string::npos ? 2u : 0u) << c;
  }
  EXPECT_TRUE(glyph('a'));
  EXPECT_TRUE(glyph(' ')->solids.empty());
  EXPECT_FALSE(glyph('*'));
}

TEST(Outline, AreaMomentAndCrossings) {
  const std::vector<Vec2> square = {{1, 0}, {2, 0}, {2, 1}, {1, 1}}, bow = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
  EXPECT_NEAR(signed_area(square), 1, 1e-15);
  EXPECT_NEAR(revolved_volume(square), 2 * pi * 1.5, 1e-14);
  EXPECT_EQ(crossing_sides(square).first, -1);
  EXPECT_EQ(crossing_sides(bow).first, 0);
  EXPECT_TRUE(is_inside({1.5, 0.5}, square));
  EXPECT_FALSE(is_inside({0.5, 0.5}, square));
  EXPECT_NEAR(distance_to_outline({1.5, 0.75}, square), 0.25, 1e-15);
}

TEST(DistanceFunction, VanishesOnTheSurfaceAndHasTheRightSign) {
  for (const ShapeSample& sample : shape_samples()) {
    const DistanceFunction distance = signed_distance(sample.shape);
    const double edge = 1.2 * default_edge(sample.shape);
    TetMesh mesh;
    mesh.append(mesh_shape(sample.shape, MeshOptions{edge, 0, 1}), {});
    const std::vector<BoundaryFace> faces = boundary_faces(mesh);
    for (const NodeId n : boundary_nodes(faces)) {
      ASSERT_NEAR(distance(mesh.material_position(n)), 0, 2e-3 * edge) << sample.name;
    }
    // The middles of tets that are clear of the boundary are inside; a step out of a face leads outside, and the
    // distance grows with the step.
    for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
      const TetCorners x = mesh.material_corners(t);
      ASSERT_LT(distance((x[0] + x[1] + x[2] + x[3]) / 4), 0.01 * edge) << sample.name;
    }
    const auto& at = mesh.material_positions();
    for (const BoundaryFace& face : faces) {
      const Vec3 out = area_vector(face, at).normalized();
      const Vec3 middle = (at[face.nodes[0]] + at[face.nodes[1]] + at[face.nodes[2]]) / 3;
      const double here = distance(middle), step = 0.02 * edge;
      ASSERT_LT(distance(middle + out * step) - here, 1.1 * step) << sample.name;
      ASSERT_GT(distance(middle + out * step) - here, 0.2 * step) << sample.name;
    }
  }
}

TEST(DistanceFunction, FarAwayItIsOfTheDistancesSize) {
  for (const ShapeSample& sample : shape_samples()) {
    const MeshQuality q = mesh_quality(mesh_shape(sample.shape, MeshOptions{}));
    const DistanceFunction distance = signed_distance(sample.shape);
    const double size = (q.upper - q.lower).norm();
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Vec3 way = Vec3(random_unit(i, 0) - 0.5, random_unit(i, 1) - 0.5, random_unit(i, 2) - 0.5).normalized();
      const double d = distance(3 * size * way);
      EXPECT_GT(d, size) << sample.name;
      EXPECT_LT(d, 3.1 * size) << sample.name;
    }
  }
}

}  // namespace
}  // namespace sunder
