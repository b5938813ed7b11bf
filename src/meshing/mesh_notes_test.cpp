#include "meshing/mesh_notes.h"

#include <gtest/gtest.h>

#include "meshing/model_testing.h"

namespace sunder {
namespace {

using namespace model_testing;

std::string notes_of(const TriangleMesh& model, double edge) {
  SurfaceMeshOptions options;
  options.edge = edge;
  std::string all;
  for (const std::string& note : mesh_notes(mesh_surface(model, options, "model").report)) all += note + '\n';
  return all;
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " not in:\n" << text;
}

TEST(MeshNotes, ACleanModelAtAFineEdgeNeedsNone) {
  EXPECT_EQ(notes_of(box({1, 1, 1}), 0.15), "");
  EXPECT_EQ(notes_of(model_testing::sphere(1, 40), 0.2), "");
}

TEST(MeshNotes, RepairsAreCounted) {
  TriangleMesh model = subdivided(subdivided(box({1, 1, 1})));
  model.triangles.push_back(model.triangles[0]);
  std::swap(model.triangles[5][0], model.triangles[5][1]);
  model.triangles.push_back({3, 3, 4});
  expect_words(notes_of(model, 0.15),
               {"mended", "1 face that was there twice", "1 face without area", "1 face that was turned"});
  model = subdivided(box({1, 1, 1}));
  model.triangles.pop_back();
  expect_words(notes_of(model, 0.1), {"3 open edges", "holes were closed"});
}

TEST(MeshNotes, ThinWallsTellTheEdgeTheyTook) {
  expect_words(notes_of(cup(0.5, 0.4, 0.1, 32), 0.25), {"as thin as 0.09", "0.25 m asked for"});
}

TEST(MeshNotes, LossesArePlacedAndHaveARemedy) {
  expect_words(notes_of(torus(1, 0.45, 40), 0.4), {"less volume", "shorter edge"});
  SurfaceMeshReport report;
  report.sharp_length = 4;
  report.sharp_length_kept = 3;
  ASSERT_EQ(mesh_notes(report).size(), 1u);
  expect_words(mesh_notes(report)[0], {"25 % of the sharp edges' length is bevelled"});
  report = {};
  report.lost = 0.015;
  report.worst_place = Vec3(1, 2, 3);
  ASSERT_EQ(mesh_notes(report).size(), 1u);
  expect_words(mesh_notes(report)[0], {"1.5 % of the surface", "(1, 2, 3)"});
}

TEST(MeshNotes, SeparatePiecesAreMentioned) {
  expect_words(notes_of(joined(box({1, 1, 1}), moved(box({1, 1, 1}), Mat3::Identity(), Vec3(3, 0, 0))), 0.25),
               {"2 pieces"});
}

}  // namespace
}  // namespace sunder
