#include "mesh/validate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "core/error.h"
#include "mesh/kuhn_grid.h"

namespace sunder {

// Opens a mesh and breaks it.
class MeshSurgeon {
 public:
  explicit MeshSurgeon(TetMesh& mesh) : m(mesh) {}

  void replace_corner(TetId t, std::size_t i, NodeId n) { m.corners_[t][i] = n; }
  void swap_corners(TetId t, std::size_t i, std::size_t j) { std::swap(m.corners_[t][i], m.corners_[t][j]); }
  void move_node(NodeId n, const Vec3& x) { m.material_position_[n] = x; }
  void set_neighbour(TetId t, std::size_t i, TetId other) { m.neighbours_[t][i] = other; }
  void set_uid(TetId t, Uid uid) { m.tet_uid_[t] = uid; }
  void set_uid(NodeId n, Uid uid) { m.node_uid_[n] = uid; }
  void set_crack_bits(TetId t, std::uint8_t bits) { m.crack_faces_[t] = bits; }
  void miscount() { ++m.node_count_, --m.tet_count_; }
  void kill(NodeId n) { m.node_alive_[n] = 0; }
  void shorten_columns() { m.tags_.resize(m.tags_.size() - 1); }

  std::uint32_t first(NodeId n) const { return m.star_first_[n]; }
  std::uint32_t& first(NodeId n) { return m.star_first_[n]; }
  std::uint32_t& next(std::uint32_t slot) { return m.star_next_[slot]; }
  std::uint32_t& previous(std::uint32_t slot) { return m.star_previous_[slot]; }
  static constexpr std::uint32_t no_slot = TetMesh::kNoSlot;

 private:
  TetMesh& m;
};

namespace {

class Validate : public testing::Test {
 protected:
  Validate() : surgeon(mesh) { mesh.append(kuhn_grid(2, 2, 2), {}); }

  // Whether some problem holds all the given words.
  testing::AssertionResult says(std::initializer_list<const char*> words, const ValidateOptions& options = {}) const {
    const auto problems = validate(mesh, options);
    std::string all;
    for (const std::string& problem : problems) {
      bool found = true;
      for (const char* word : words) found = found && problem.find(word) != std::string::npos;
      if (found) return testing::AssertionSuccess();
      all += "\n  " + problem;
    }
    return testing::AssertionFailure() << problems.size() << " problems:" << all;
  }
  std::pair<TetId, int> face_with_neighbour() const {
    for (int i = 0; i < 4; ++i) {
      if (mesh.neighbour({TetId(0), i}).valid()) return {TetId(0), i};
    }
    return {};
  }
  int open_face(TetId t) const {
    for (int i = 0; i < 4; ++i) {
      if (!mesh.neighbour({t, i}).valid()) return i;
    }
    return -1;
  }

  TetMesh mesh;
  MeshSurgeon surgeon;
};

TEST_F(Validate, FindsNothingInASoundMesh) {
  EXPECT_TRUE(validate(mesh).empty());
  mesh.set_crack_face({TetId(0), open_face(TetId(0))});
  EXPECT_TRUE(validate(mesh).empty());
  EXPECT_TRUE(validate(TetMesh()).empty());
  require_valid(mesh);
}

TEST_F(Validate, NamesACornerOutOfRange) {
  surgeon.replace_corner(TetId(3), 2, NodeId(1000));
  EXPECT_TRUE(says({"corner 2", "tet 3 (uid 4)", "node 1000", "does not exist"}));
}

TEST_F(Validate, NamesACornerThatWasRemoved) {
  surgeon.kill(NodeId(13));
  EXPECT_TRUE(says({"corner", "tet 0 (uid 1)", "node 13 (uid 14)", "was removed"}));
}

TEST_F(Validate, NamesARepeatedCorner) {
  surgeon.replace_corner(TetId(3), 2, mesh.corners(TetId(3))[1]);
  EXPECT_TRUE(says({"tet 3 (uid 4)", "twice"}));
}

TEST_F(Validate, NamesATetInsideOut) {
  surgeon.swap_corners(TetId(3), 0, 1);
  EXPECT_TRUE(says({"tet 3 (uid 4)", "volume -0.1666", "not positive"}));
}

TEST_F(Validate, NamesAFlatTet) {
  surgeon.move_node(mesh.corners(TetId(0))[1], mesh.material_position(mesh.corners(TetId(0))[0]));
  EXPECT_TRUE(says({"tet 0 (uid 1)", "volume 0", "not positive"}));
}

TEST_F(Validate, NamesANodeThatIsNotFinite) {
  surgeon.move_node(NodeId(5), Vec3(0, std::numeric_limits<double>::quiet_NaN(), 0));
  EXPECT_TRUE(says({"node 5 (uid 6)", "nan", "not finite"}));
}

TEST_F(Validate, NamesAFaceOfThreeTets) {
  const auto [t, i] = face_with_neighbour();
  auto face = mesh.face_nodes({t, i});
  const NodeId apex = mesh.add_node(mesh.material_position(mesh.node({t, i})) + Vec3(0.1, 0.05, 0.02));
  mesh.add_tet({apex, face[0], face[1], face[2]}, {});
  EXPECT_TRUE(says({"face", "belongs to 3 tets", "tet 0 (uid 1)"}));
}

TEST_F(Validate, NamesTetsOnTheSameSideOfAFace) {
  // A taller tet over an outer face, on the inner side.
  const int i = open_face(TetId(0));
  const auto face = mesh.face_nodes({TetId(0), i});
  const Vec3 inner = mesh.material_position(mesh.node({TetId(0), i}));
  const NodeId apex = mesh.add_node(1.5 * inner - 0.5 * mesh.material_position(face[0]));
  mesh.add_tet({apex, face[0], face[1], face[2]}, {});
  EXPECT_TRUE(says({"same side", "tet 0 (uid 1)", "tet 48 (uid 49)"}));
}

TEST_F(Validate, NamesAMissingNeighbour) {
  const auto [t, i] = face_with_neighbour();
  const TetId other = mesh.neighbour({t, i});
  surgeon.set_neighbour(t, static_cast<std::size_t>(i), TetId());
  EXPECT_TRUE(says(
      {"tet 0 (uid 1)", "keeps nothing as neighbour", ("but there is tet " + std::to_string(other.index)).c_str()}));
  EXPECT_EQ(validate(mesh).size(), 1u);
}

TEST_F(Validate, NamesANeighbourThatIsNotThere) {
  const int i = open_face(TetId(0));
  surgeon.set_neighbour(TetId(0), static_cast<std::size_t>(i), TetId(40));
  EXPECT_TRUE(says({"tet 0 (uid 1)", "keeps tet 40 (uid 41) as neighbour", "but there is nothing"}));
  surgeon.set_neighbour(TetId(0), static_cast<std::size_t>(i), TetId(4000));
  EXPECT_TRUE(says({"tet 0 (uid 1)", "keeps tet 4000, which does not exist"}));
}

TEST_F(Validate, NamesALoopInAStar) {
  const std::uint32_t first = surgeon.first(NodeId(13)), second = surgeon.next(first);
  surgeon.next(second) = first;
  EXPECT_TRUE(says({"star of node 13 (uid 14)", "second time"}));
}

TEST_F(Validate, NamesAStrangerInAStar) {
  surgeon.first(NodeId(13)) = surgeon.first(NodeId(0));
  EXPECT_TRUE(says({"star of node 13 (uid 14)", "stranger"}));
}

TEST_F(Validate, NamesACornerMissingInAStar) {
  const std::uint32_t first = surgeon.first(NodeId(13));
  surgeon.first(NodeId(13)) = surgeon.next(first);
  surgeon.previous(surgeon.next(first)) = MeshSurgeon::no_slot;
  const std::string tet = "tet " + std::to_string(first / 4) + " ";
  EXPECT_TRUE(says({"corner", tet.c_str(), "missing in the star of node 13 (uid 14)"}));
  EXPECT_EQ(validate(mesh).size(), 1u);
}

TEST_F(Validate, NamesALostStar) {
  surgeon.first(NodeId(13)) = MeshSurgeon::no_slot;
  EXPECT_TRUE(says({"missing in the star of node 13 (uid 14)"}));
  EXPECT_FALSE(says({"orphan"}));
}

TEST_F(Validate, NamesABackwardLinkThatIsWrong) {
  surgeon.previous(surgeon.next(surgeon.first(NodeId(13)))) = 0;
  EXPECT_TRUE(says({"star of node 13 (uid 14)", "backward link"}));
}

TEST_F(Validate, NamesAStarLinkOutOfRange) {
  surgeon.next(surgeon.first(NodeId(13))) = 123456;
  EXPECT_TRUE(says({"star of node 13 (uid 14)", "slot 123456"}));
}

TEST_F(Validate, NamesUidsThatAreNotUnique) {
  surgeon.set_uid(TetId(7), 3);
  EXPECT_TRUE(says({"tets 2 and 7", "same uid 3"}));
  surgeon.set_uid(TetId(7), 8);
  surgeon.set_uid(NodeId(1), 20);
  EXPECT_TRUE(says({"nodes 1 and 19", "same uid 20"}));
}

TEST_F(Validate, NamesAUidThatIsStillToBeGivenOut) {
  surgeon.set_uid(TetId(7), 49);
  EXPECT_TRUE(says({"tet 7", "uid 49", "still to be given out"}));
}

TEST_F(Validate, NamesDuplicateTets) {
  mesh.add_tet(mesh.corners(TetId(5)), {});
  EXPECT_TRUE(says({"tet 48 (uid 49)", "duplicate of tet 5 (uid 6)"}));
}

TEST_F(Validate, NamesAnOrphan) {
  mesh.add_node(Vec3(5, 5, 5));
  EXPECT_TRUE(says({"node 27 (uid 28)", "orphan"}));
  EXPECT_EQ(validate(mesh).size(), 1u);
}

TEST_F(Validate, NamesWrongCounts) {
  surgeon.miscount();
  EXPECT_TRUE(says({"node count is 28", "27 nodes"}));
  EXPECT_TRUE(says({"tet count is 47", "48 tets"}));
}

TEST_F(Validate, NamesACrackFaceInsideTheMesh) {
  const auto [t, i] = face_with_neighbour();
  surgeon.set_crack_bits(t, static_cast<std::uint8_t>(1u << i));
  EXPECT_TRUE(says({"tet 0 (uid 1)", "crack face", "has a neighbour"}));
  surgeon.set_crack_bits(t, 16);
  EXPECT_TRUE(says({"tet 0 (uid 1)", "crack bits"}));
}

TEST_F(Validate, NamesColumnsOfDifferentLength) {
  surgeon.shorten_columns();
  EXPECT_TRUE(says({"columns of the tets differ"}));
}

TEST_F(Validate, NamesAHingeUnlessHingesAreAllowed) {
  // Another body hangs on node 26, the far corner of the grid.
  std::array<NodeId, 4> corners = {NodeId(26)};
  for (std::size_t i = 1; i < 4; ++i) {
    corners[i] = mesh.add_node(Vec3(2, 2, 2) + Vec3::Unit(static_cast<Eigen::Index>(i) - 1));
  }
  mesh.add_tet(corners, {});
  EXPECT_TRUE(says({"node 26 (uid 27)", "hinge", "tet 48 (uid 49)"}));
  EXPECT_EQ(validate(mesh).size(), 1u);
  EXPECT_TRUE(validate(mesh, {.allow_hinges = true}).empty());
}

TEST_F(Validate, StopsAfterSoManyProblems) {
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) surgeon.swap_corners(t, 0, 1);
  EXPECT_EQ(validate(mesh).size(), 20u);
  EXPECT_EQ(validate(mesh, {.max_problems = 3}).size(), 3u);
}

using RequireValidDeathTest = Validate;

TEST_F(RequireValidDeathTest, StopsWithTheProblem) {
  surgeon.swap_corners(TetId(3), 0, 1);
  EXPECT_DEATH(require_valid(mesh), "tet 3 \\(uid 4\\) has the material volume");
}

TEST(ValidateSpeed, AHundredThousandTetsTakeLessThanASecond) {
  TetMesh mesh;
  mesh.append(kuhn_grid(26, 26, 26), {});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(validate(mesh).empty());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  // Forty times what an optimised build needs: an accidental n^2 would take minutes.
  EXPECT_LT(seconds, 5);
}

// --- soups ----------------------------------------------------------------------------------------------------------

testing::AssertionResult refused(const TetSoup& soup, std::initializer_list<const char*> words) {
  try {
    require_valid_soup(soup, "stone.mesh");
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.find("stone.mesh: ") != 0) return testing::AssertionFailure() << what;
    for (const char* word : words) {
      if (what.find(word) == std::string::npos) return testing::AssertionFailure() << "no `" << word << "` in " << what;
    }
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << "it was let through";
}

TEST(ValidSoup, LetsASoundOneThrough) { require_valid_soup(kuhn_grid(2, 2, 2), "stone.mesh"); }

TEST(ValidSoup, RefusesAnEmptyOne) { EXPECT_TRUE(refused({}, {"no tetrahedra"})); }

TEST(ValidSoup, RefusesPointsThatAreNotFinite) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  soup.points[4][2] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(refused(soup, {"point 4", "not finite"}));
}

TEST(ValidSoup, RefusesIndicesOutOfRange) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  soup.tets[2][3] = 8;
  EXPECT_TRUE(refused(soup, {"tet 2", "point 8", "8 points"}));
}

TEST(ValidSoup, RefusesARepeatedCorner) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  soup.tets[2][3] = soup.tets[2][0];
  EXPECT_TRUE(refused(soup, {"tet 2", "twice"}));
}

TEST(ValidSoup, RefusesATetInsideOutAndSaysWhatToDo) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  std::swap(soup.tets[2][0], soup.tets[2][1]);
  EXPECT_TRUE(refused(soup, {"tet 2", "not positive", "swap two"}));
}

TEST(ValidSoup, RefusesAFlatTet) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  soup.points[soup.tets[0][0]] = soup.points[soup.tets[0][1]];
  EXPECT_TRUE(refused(soup, {"tet 0", "volume 0", "flat"}));
}

TEST(ValidSoup, RefusesAFaceOfThreeTets) {
  // A third tet over a face that two have, leaning so that it lies nowhere else.
  TetSoup soup;
  soup.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}, {0.2, 0.2, 2}};
  soup.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}, {0, 1, 2, 5}};
  EXPECT_TRUE(refused(soup, {"tets 0, 1 and 2", "share the face (0, 1, 2)"}));
  soup.tets.erase(soup.tets.begin() + 1);
  EXPECT_TRUE(refused(soup, {"tets 0 and 1", "same side"}));
}

TEST(ValidSoup, RefusesDuplicates) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  const auto& c = soup.tets[3];
  soup.tets.push_back({c[1], c[2], c[0], c[3]});
  EXPECT_TRUE(refused(soup, {"tets 3 and 6", "duplicates"}));
}

}  // namespace
}  // namespace sunder
