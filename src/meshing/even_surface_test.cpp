#include "meshing/even_surface.h"

#include <numeric>

#include "meshing/even_surface_testing.h"

namespace sunder {
namespace {

using namespace even_surface_testing;

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double area(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    sum += area_vector({mesh.points[a], mesh.points[b], mesh.points[c]}).norm();
  }
  return sum;
}

double volume(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) sum += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c])) / 6;
  return sum;
}

TriangleMesh mesh_of(const SurfaceSample& s) {
  TriangleMesh mesh;
  mesh.points = s.points, mesh.triangles = s.triangles;
  return mesh;
}

TriangleMesh cube() {
  TriangleMesh mesh;
  for (unsigned i = 0; i < 8; ++i) mesh.points.emplace_back(i & 1u, i >> 1 & 1u, i >> 2 & 1u);
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TEST(EvenSurface, KeepsWhatRandomSurfacesAre) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Dice dice(seed);
    const TriangleMesh input = random_surface(dice);
    expect_even_surface(input, {.edge = dice(0.15, 0.6), .seed = seed});
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(EvenSurface, MakesEvenTrianglesOfRegularAndOfUnevenOnes) {
  Dice dice(1);
  TriangleMesh uneven = model_testing::torus(1, 0.4, 12);
  for (Vec3& p : uneven.points) p.z() *= 1 + 0.5 * p.x();
  std::vector<TriangleMesh> inputs = {mesh_of(square_sheet(40, 0, dice)), mesh_of(ball_surface(1, 5)), uneven,
                                      mesh_of(cylinder_surface(0.5, 3, 200, 3)), cube()};
  for (Vec3& p : inputs[0].points) p /= 20;
  for (const TriangleMesh& input : inputs) {
    constexpr double edge = 0.07;
    const TriangleMesh even = even_surface(input, {.edge = edge});
    const std::vector<double> lengths = edge_lengths(even);
    EXPECT_NEAR(mean(lengths), edge, 0.03 * edge);
    EXPECT_GT(lengths.front(), 0.3 * edge);
    EXPECT_LT(lengths.back(), 1.8 * edge);
    EXPECT_GT(lengths[lengths.size() / 100], 0.65 * edge);
    EXPECT_LT(lengths[lengths.size() * 99 / 100], 1.4 * edge);
  }
}

// Edges of a grid have three directions only; cracks would follow them.
TEST(EvenSurface, LeavesNoRowsOfAGrid) {
  Dice dice(2);
  TriangleMesh grid = mesh_of(square_sheet(60, 0, dice));
  std::array<double, 12> bins{};
  double all = 0;
  const TriangleMesh even = even_surface(grid, {.edge = 1});
  for (const auto& t : even.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 e = even.points[t[(k + 1) % 3]] - even.points[t[k]];
      double turn = std::atan2(e.z(), e.x()) * 12 / std::numbers::pi;
      if (turn < 0) turn += 12;
      bins[std::min<std::size_t>(11, static_cast<std::size_t>(turn))] += e.norm();
      all += e.norm();
    }
  }
  for (const double bin : bins) {
    EXPECT_GT(bin / all, 0.07);  // a twelfth, 0.083, and the border's share
    EXPECT_LT(bin / all, 0.10);
  }
}

TEST(EvenSurface, KeepsSharpEdgesAndFlatSidesExactly) {
  const TriangleMesh even = even_surface(cube(), {.edge = 0.1});
  EXPECT_NEAR(area(even), 6, 1e-12);
  EXPECT_NEAR(volume(even), 1, 1e-12);
  for (const Vec3& p : even.points) EXPECT_NEAR(std::min(p.minCoeff(), 1 - p.maxCoeff()), 0, 1e-12);
  for (const Vec3& corner : cube().points) {
    EXPECT_NE(std::find(even.points.begin(), even.points.end(), corner), even.points.end());
  }
}

TEST(EvenSurface, KeepsABallsVolume) {
  const TriangleMesh fine = mesh_of(ball_surface(1, 4));
  for (const double edge : {0.1, 0.2, 0.3}) {
    // A chord of length h leaves h^2 / 8 of a ball of radius one, the middle of a triangle h^2 / 6.
    EXPECT_NEAR(volume(even_surface(fine, {.edge = edge})) / volume(fine), 1, 3 * edge * edge / 6);
  }
}

TEST(EvenSurface, InterpolatesWhatIsLinear) {
  Dice dice(4);
  for (int round = 0; round < 20; ++round) {
    TriangleMesh sheet = mesh_of(square_sheet(5, 0.3, dice));
    const auto linear = [](const Vec3& p) { return 0.3 * p.x() - 0.2 * p.z() + 0.1; };
    sheet.attributes.push_back({"linear", {}});
    sheet.face_attributes.push_back({"side", {}});
    for (const Vec3& p : sheet.points) sheet.attributes[0].values.push_back(linear(p));
    for (const auto& t : sheet.triangles) {
      auto& uv = sheet.uvs.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) uv[k] = {linear(sheet.points[t[k]]), sheet.points[t[k]].x() / 5};
      sheet.face_attributes[0].values.push_back(uv[0].y() + uv[1].y() + uv[2].y() > 1.5 ? 1 : 0);
    }
    const TriangleMesh even = even_surface(sheet, {.edge = dice(0.2, 1), .seed = static_cast<std::uint64_t>(round)});
    for (std::size_t p = 0; p < even.points.size(); ++p) {
      EXPECT_NEAR(even.attributes[0].values[p], linear(even.points[p]), 1e-12);
    }
    ASSERT_EQ(even.uvs.size(), even.triangles.size());
    double side = 0;
    for (std::size_t t = 0; t < even.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& p = even.points[even.triangles[t][k]];
        EXPECT_NEAR((even.uvs[t][k] - Vec2(linear(p), p.x() / 5)).norm(), 0, 1e-12);
      }
      const auto& [a, b, c] = even.triangles[t];
      side += even.face_attributes[0].values[t] * area_vector({even.points[a], even.points[b], even.points[c]}).norm();
    }
    EXPECT_NEAR(side / 25, 0.5, 0.15);
  }
}

// A tube whose texture goes round it once: the first and the last column of triangles meet at a seam.
TEST(EvenSurface, TextureDoesNotRunBackOverItsSeam) {
  constexpr std::uint32_t round = 40;
  TriangleMesh tube = mesh_of(cylinder_surface(1, 2, round, 12));
  for (const auto& t : tube.triangles) {
    auto& uv = tube.uvs.emplace_back();
    double last = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& p = tube.points[t[k]];
      double turn = std::atan2(-p.z(), p.x()) / (2 * std::numbers::pi);
      if (turn < -1e-9) turn += 1;
      if (k > 0 && std::abs(turn - last) > 0.5) turn += turn < last ? 1 : -1;
      uv[k] = {last = turn, p.y()};
    }
    if (uv[0].x() + uv[1].x() + uv[2].x() < -1e-9) {
      for (Vec2& x : uv) x.x() += 1;
    }
  }
  for (const double edge : {0.07, 0.15, 0.3}) {
    const TriangleMesh even = even_surface(tube, {.edge = edge});
    double covered = 0;
    for (std::size_t t = 0; t < even.triangles.size(); ++t) {
      const auto& uv = even.uvs[t];
      const double doubled = (uv[1] - uv[0]).x() * (uv[2] - uv[0]).y() - (uv[1] - uv[0]).y() * (uv[2] - uv[0]).x();
      EXPECT_GT(doubled, 0);
      covered += doubled / 2;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& p = even.points[even.triangles[t][k]];
        const double turn = std::atan2(-p.z(), p.x()) / (2 * std::numbers::pi) - uv[k].x();
        EXPECT_NEAR(turn - std::round(turn), 0, 0.002);  // a chord and its arc
        EXPECT_NEAR(uv[k].y(), p.y(), 1e-6);
        EXPECT_LT((uv[k] - uv[(k + 1) % 3]).norm(), 2.5 * edge);
      }
    }
    EXPECT_NEAR(covered, 2, 0.02);
  }
}

TEST(EvenSurface, SameBitsEveryTimeAndOthersForAnotherSeed) {
  const TriangleMesh ball = mesh_of(ball_surface(1, 3));
  const TriangleMesh one = even_surface(ball, {.edge = 0.1}), again = even_surface(ball, {.edge = 0.1}),
                     other = even_surface(ball, {.edge = 0.1, .seed = 2});
  EXPECT_EQ(one.points, again.points);
  EXPECT_EQ(one.triangles, again.triangles);
  EXPECT_NE(one.triangles, other.triangles);
}

TEST(EvenSurface, DoesNotMindHowLargeTheModelIs) {
  const TriangleMesh ball = mesh_of(ball_surface(1, 2));
  const TriangleMesh even = even_surface(ball, {.edge = 0.2});
  for (const int power : {-260, 200}) {
    TriangleMesh other = ball;
    for (Vec3& p : other.points) p *= std::ldexp(1.0, power);
    TriangleMesh same = even_surface(other, {.edge = std::ldexp(0.2, power)});
    for (Vec3& p : same.points) p *= std::ldexp(1.0, -power);
    EXPECT_EQ(same.points, even.points);
    EXPECT_EQ(same.triangles, even.triangles);
  }
}

TEST(EvenSurface, StopsWhereEdgesAreLongerThanTheModel) {
  for (const TriangleMesh& input : {mesh_of(ball_surface(1, 3)), cube()}) {
    const TriangleMesh few = even_surface(input, {.edge = 100});
    EXPECT_EQ(topology(TriMesh(few.points, few.triangles)), topology(TriMesh(input.points, input.triangles)));
    EXPECT_LT(few.triangles.size(), 100u);
  }
}

// Twelve triangles, 1,300 edges long and two wide: the square of that number would take all memory.
TEST(EvenSurface, RodsTakeAsManyTrianglesAsTheirAreaAsksFor) {
  TriangleMesh rod = cube();
  for (Vec3& p : rod.points) p = p.cwiseProduct(Vec3(4, 0.006, 0.006));
  constexpr double edge = 0.003;
  const TriangleMesh even = even_surface(rod, {.edge = edge});
  EXPECT_NEAR(area(even), area(rod), 1e-12);
  const double equilateral = std::sqrt(3) / 4 * edge * edge;
  EXPECT_NEAR(static_cast<double>(even.triangles.size()) * equilateral / area(rod), 1, 0.25);
  EXPECT_NEAR(mean(edge_lengths(even)), edge, 0.15 * edge);
}

// Side by side, too, where what their halves leave must go before there is more of it.
TEST(EvenSurface, PolesOfAThousandSidesTakeNoMore) {
  const TriangleMesh pole = mesh_of(cylinder_surface(0.05, 2, 1000, 1));
  constexpr double edge = 0.015;
  const TriangleMesh even = even_surface(pole, {.edge = edge});
  const double equilateral = std::sqrt(3) / 4 * edge * edge;
  EXPECT_NEAR(static_cast<double>(even.triangles.size()) * equilateral / area(pole), 1, 0.1);
  EXPECT_NEAR(mean(edge_lengths(even)), edge, 0.05 * edge);
}

// Narrower than an edge, with angles whose cosines differ by less than rounding lets through elsewhere.
TEST(EvenSurface, RibbonsKeepTwoRowsOfPoints) {
  TriangleMesh ribbon;
  ribbon.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 0, 1e-8), Vec3(0, 0, 1e-8)};
  ribbon.triangles = {{0, 2, 1}, {0, 3, 2}};
  const TriangleMesh even = even_surface(ribbon, {.edge = 5e-4});
  EXPECT_NEAR(area(even), 1e-8, 1e-15);
  EXPECT_LT(even.triangles.size(), 10000u);
  for (const Vec3& p : even.points) EXPECT_NEAR(std::min(p.z(), 1e-8 - p.z()), 0, 1e-15);
}

TEST(EvenSurface, CutsEdgesOfThreeTrianglesApart) {
  TriangleMesh book;
  book.points = {Vec3(0, 0, 0), Vec3(0, 1, 0), Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 0, 1)};
  book.triangles = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
  expect_even_surface(book, {.edge = 0.1});
}

}  // namespace
}  // namespace sunder
