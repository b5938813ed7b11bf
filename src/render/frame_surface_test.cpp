#include "render/frame_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <bit>
#include <limits>
#include <set>

#include "geometry/tetrahedron.h"
#include "meshing/ball_mesh.h"
#include "render/broken_bowl_testing.h"
#include "render/frame_between.h"

namespace sunder::render {
namespace {

Frame whole(const TetSoup& soup) {
  Frame frame;
  frame.rest = frame.position = soup.points;
  frame.velocity.assign(soup.points.size(), Vec3::Zero());
  for (std::size_t n = 0; n < soup.points.size(); ++n) frame.node_uid.push_back(n);
  frame.tets = soup.tets;
  frame.body.assign(soup.tets.size(), 0);
  frame.fragment = frame.material = frame.body;
  frame.stress.assign(soup.tets.size(), 0);
  frame.crack_faces.assign(soup.tets.size(), 0);
  for (std::size_t t = 0; t < soup.tets.size(); ++t) frame.tet_uid.push_back(t);
  return frame;
}

Vec3f facet(const SurfaceMesh& mesh, std::size_t i) {
  const auto& [a, b, c] = mesh.triangles[i];
  return (mesh.open[b] - mesh.open[a]).cross(mesh.open[c] - mesh.open[a]).normalized();
}

double enclosed_volume(const SurfaceMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) {
    sum += static_cast<double>(mesh.open[a].dot(mesh.open[b].cross(mesh.open[c]))) / 6;
  }
  return sum;
}

TEST(FrameSurface, BallIsSmoothAndClosed) {
  const Frame frame = whole(ball_mesh(1, 0.3, 1));
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {}, {{3, 4}});
  EXPECT_NEAR(enclosed_volume(mesh), 4.19, 0.3);  // outward triangles: positive
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    EXPECT_EQ(mesh.paint[i], 3u);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3f outward = mesh.open[mesh.triangles[i][k]].normalized();
      EXPECT_GT(mesh.normals[i][k].dot(outward), 0.995f);
    }
  }
}

TEST(FrameSurface, BoxKeepsItsEdgesSharp) {
  const Frame frame = whole(box_mesh(Vec3(1, 1, 1), 0.3, 1));
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {}, {{0, 0}});
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (const Vec3f& n : mesh.normals[i]) EXPECT_GT(n.dot(facet(mesh, i)), 0.9999f);
  }
  const WireMesh creases = surface.wires(frame, {}, Wires::creases);
  float length = 0;
  for (const auto& [a, b] : creases.segments) length += (creases.open[a] - creases.open[b]).norm();
  EXPECT_NEAR(length, 12, 1e-4f);  // the edges of the cube, each once
}

// The normals of the model are shown as they are, also where the mesh is coarse, and turn with the body.
TEST(FrameSurface, TheModelsNormalsShadeTheOutside) {
  Frame frame = broken_bowl({});
  const auto wanted = [](const Vec3& rest) {
    return Vec3(Vec3(3 * std::sin(60 * rest.x()), 1, rest.z()).normalized());
  };
  for (const auto& tet : frame.tets) {
    auto& row = frame.normals.emplace_back();
    for (std::size_t i = 0; i < 12; ++i) {
      const Vec3 n = wanted(frame.rest[tet[static_cast<std::size_t>(kTetFaces[i / 3][i % 3])]]);
      for (std::size_t a = 0; a < 3; ++a) row[3 * i + a] = static_cast<float>(n[static_cast<int>(a)]);
    }
  }
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& x : frame.position) x = turn * x;
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {}, {{1, 2}});
  std::size_t outside = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3f n = mesh.paint[i] == 2 ? facet(mesh, i)  // crack faces stay flat
                                         : Vec3f((turn * wanted(mesh.material[i][k].cast<double>())).cast<float>());
      EXPECT_GT(mesh.normals[i][k].dot(n), 0.9999f);
      outside += mesh.paint[i] == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(outside, 1000u);
}

TEST(FrameSurface, FacesWithoutNormalsOfAModelAreSmoothAsEver) {
  Frame frame = whole(ball_mesh(1, 0.3, 1));
  frame.normals.assign(frame.tets.size(), {});
  frame.normals[7].fill(std::numeric_limits<float>::quiet_NaN());
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {}, {{0, 0}});
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GT(mesh.normals[i][k].dot(mesh.open[mesh.triangles[i][k]].normalized()), 0.995f);
    }
  }
}

TEST(FrameSurface, CrackFacesHaveThePaintOfTheInside) {
  const Frame frame = broken_bowl({});
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {}, {{1, 2}});
  std::size_t expected = 0;
  for (const std::uint8_t faces : frame.crack_faces) expected += static_cast<std::size_t>(std::popcount(faces));
  ASSERT_GT(expected, 100u);
  EXPECT_EQ(std::count(mesh.paint.begin(), mesh.paint.end(), 2u), static_cast<std::ptrdiff_t>(expected));
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.paint[i] != 2) continue;
    for (const Vec3f& n : mesh.normals[i]) EXPECT_GT(n.dot(facet(mesh, i)), 0.999f);  // flat
  }
}

// Both sides of a crack have the same smooth normal outside, also after the pieces have turned.
TEST(FrameSurface, ShadingRunsOnAcrossACrack) {
  Frame frame = broken_bowl({});
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& x : frame.position) x = turn * x;
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {}, {{1, 2}});
  // Corners of the upper side by material position.
  std::map<std::array<float, 3>, std::vector<Vec3f>> at;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Vec3f up = turn.transpose().cast<float>() * facet(mesh, i);
    if (mesh.paint[i] != 1 || up.y() < 0.6f) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3f& m = mesh.material[i][k];
      if (std::hypot(m.x(), m.z()) > 0.1f) continue;  // the rim faces upwards, too
      at[{m.x(), m.y(), m.z()}].push_back(mesh.normals[i][k]);
    }
  }
  EXPECT_GT(at.size(), 50u);
  for (const auto& [point, normals] : at) {
    for (const Vec3f& n : normals) EXPECT_GT(n.dot(normals[0]), 0.98f);
  }
}

TEST(FrameSurface, ReassembledBodyStandsAtRest) {
  Frame frame = broken_bowl({});
  for (Vec3& x : frame.position) x += Vec3(5, 5, 5);
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {.reassembled = true, .shutter = 0.1}, {{0, 0}});
  EXPECT_TRUE(mesh.close.empty());
  for (const Vec3f& x : mesh.open) EXPECT_LT(x.norm(), 0.3f);
}

TEST(FrameSurface, ExplodedFragmentsKeepTheirShapeAndStayAboveTheFloor) {
  const Frame frame = broken_bowl({});
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh near = surface.surface(frame, {}, {{0, 0}});
  const SurfaceMesh far = surface.surface(frame, {.explode = 1}, {{0, 0}});
  float reach_near = 0, reach_far = 0, lowest = 1;
  for (const Vec3f& x : near.open) reach_near = std::max(reach_near, std::hypot(x.x(), x.z()));
  for (const Vec3f& x : far.open) {
    reach_far = std::max(reach_far, std::hypot(x.x(), x.z()));
    lowest = std::min(lowest, x.y());
  }
  EXPECT_GT(reach_far, 1.5f * reach_near);
  EXPECT_GE(lowest, -1e-6f);
  EXPECT_NEAR(enclosed_volume(near), enclosed_volume(far), 0.005 * enclosed_volume(near));
}

TEST(FrameSurface, MovesWithItsVelocityWhileTheShutterIsOpen) {
  Frame frame = whole(ball_mesh(1, 0.5, 1));
  frame.velocity.assign(frame.velocity.size(), Vec3(3, 0, 0));
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh mesh = surface.surface(frame, {.shutter = 0.1}, {{0, 0}});
  ASSERT_EQ(mesh.open.size(), mesh.close.size());
  for (std::size_t i = 0; i < mesh.open.size(); ++i) {
    EXPECT_NEAR((mesh.close[i] - mesh.open[i]).x(), 0.3f, 1e-5f);
  }
}

TEST(FrameSurface, ColoursTellFragmentsAndStressApart) {
  Frame frame = broken_bowl({.pieces = 5});
  for (std::size_t t = 0; t < frame.tets.size(); ++t) frame.stress[t] = frame.fragment[t] == 0 ? 1e6 : -1e6;
  FrameSurface surface;
  surface.look_at(frame);
  const SurfaceMesh pieces = surface.surface(frame, {.tint = Tint::fragment}, {{0, 0}});
  std::set<std::array<float, 3>> colors;
  for (const auto& tint : pieces.tint) colors.insert({tint[0][0], tint[0][1], tint[0][2]});
  EXPECT_EQ(colors.size(), 5u);
  const SurfaceMesh stress = surface.surface(frame, {.tint = Tint::stress, .stress_scale = 1e6}, {{0, 0}});
  std::size_t red = 0, blue = 0;
  for (const auto& tint : stress.tint) (tint[0][0] > tint[0][2] ? red : blue)++;
  EXPECT_GT(red, 0u);
  EXPECT_GT(blue, red);
}

TEST(FrameSurface, CrackLinesLieWhereCracksMeetTheOutside) {
  const Frame frame = broken_bowl({});
  FrameSurface surface;
  surface.look_at(frame);
  const WireMesh lines = surface.wires(frame, {}, Wires::crack_lines);
  const WireMesh faces = surface.wires(frame, {}, Wires::crack_faces);
  const WireMesh tets = surface.wires(frame, {}, Wires::tets);
  EXPECT_GT(lines.segments.size(), 50u);
  EXPECT_GT(faces.segments.size(), lines.segments.size());
  EXPECT_GT(tets.segments.size(), faces.segments.size());
  const Frame unbroken = broken_bowl({.pieces = 1});
  surface.look_at(unbroken);
  EXPECT_TRUE(surface.wires(unbroken, {}, Wires::crack_faces).segments.empty());
  EXPECT_FALSE(surface.wires(unbroken, {}, Wires::surface).segments.empty());
}

TEST(FrameSurface, LinesOfSurfacesAreThinnerTheLaterTheyOpened) {
  Frame frame;  // two triangles apart, each with one crack edge, opposite corner 0
  frame.position = frame.rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}};
  frame.velocity.assign(6, Vec3::Zero());
  frame.node_uid = {1, 2, 3, 4, 5, 6};
  frame.triangles = {{0, 1, 2}, {3, 4, 5}};
  frame.body = frame.material = {0, 0};
  frame.fragment = {1, 2};
  frame.tet_uid = {1, 2};
  frame.stress = {0, 0};
  frame.crack_faces = {1, 1};
  frame.crack_order = {{1, 0, 0}, {40, 0, 0}};
  frame.crack_time = {{0, 0, 0}, {1, 0, 0}};
  FrameSurface surface;
  surface.look_at(frame);
  const WireMesh wires = surface.wires(frame, {}, Wires::crack_lines);
  ASSERT_EQ(wires.segments.size(), 2u);
  ASSERT_EQ(wires.share.size(), 2u);
  EXPECT_GT(wires.share[0], 2 * wires.share[1]);
  EXPECT_GT(wires.share[1], 0.3f);
  EXPECT_TRUE(surface.wires(frame, {}, Wires::surface).share.empty());
}

TEST(FrameSurface, HairlinesAreTheCracksThatHaveNotOpened) {
  Frame frame = broken_bowl({});
  frame.position = frame.rest;
  FrameSurface surface;
  surface.look_at(frame);
  const auto hairlines = [&] { return surface.wires(frame, {.hairline = 1e-4}, Wires::hairlines).segments.size(); };
  const std::size_t all = surface.wires(frame, {}, Wires::crack_lines).segments.size();
  EXPECT_EQ(hairlines(), all);
  // One piece moves off: cracks to it gape, those between the others do not.
  std::vector<bool> moved(frame.position.size(), false);
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    if (frame.fragment[t] != frame.fragment[0]) continue;
    for (const std::uint32_t n : frame.tets[t]) moved[n] = true;
  }
  for (std::size_t n = 0; n < moved.size(); ++n) {
    if (moved[n]) frame.position[n].y() += 1e-3;
  }
  surface.look_at(frame);
  EXPECT_LT(hairlines(), all);
  EXPECT_GT(hairlines(), 0u);
}

TEST(FrameBetween, FlyingBodyFollowsItsParabola) {
  Frame a = whole(ball_mesh(1, 0.8, 1)), b = a;
  b.time = 0.5;
  for (std::size_t n = 0; n < a.position.size(); ++n) {
    a.velocity[n] = Vec3(1, 2, 0);
    b.velocity[n] = Vec3(1, 2 - 9.81 * 0.5, 0);
    b.position[n] = a.position[n] + Vec3(0.5, 2 * 0.5 - 4.905 * 0.25, 0);
  }
  const Frame c = frame_between(a, b, 0.4);
  EXPECT_NEAR(c.time, 0.2, 1e-12);
  EXPECT_LT((c.position[0] - a.position[0] - Vec3(0.2, 2 * 0.2 - 4.905 * 0.04, 0)).norm(), 1e-12);
  EXPECT_LT((c.velocity[0] - Vec3(1, 2 - 9.81 * 0.2, 0)).norm(), 1e-12);
}

TEST(FrameBetween, BrokenBodyFliesOnFromTheNearerFrame) {
  Frame a = whole(ball_mesh(1, 0.8, 1)), b = broken_bowl({});
  b.time = 1;
  a.velocity.assign(a.velocity.size(), Vec3(1, 0, 0));
  EXPECT_EQ(frame_between(a, b, 0.25).tets.size(), a.tets.size());
  EXPECT_NEAR((frame_between(a, b, 0.25).position[0] - a.position[0]).x(), 0.25, 1e-12);
  EXPECT_EQ(frame_between(a, b, 0.75).tets.size(), b.tets.size());
}

}  // namespace
}  // namespace sunder::render
