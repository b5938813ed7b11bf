#include "mesh/tet_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/random.h"
#include "mesh/kuhn_grid.h"
#include "mesh/validate.h"

namespace sunder {
namespace {

TetMesh grid(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz) {
  TetMesh mesh;
  mesh.append(kuhn_grid(nx, ny, nz), {3, 4});
  return mesh;
}

std::string first_problem(const TetMesh& mesh) {
  const auto problems = validate(mesh, {.allow_hinges = true, .max_problems = 1});
  return problems.empty() ? "" : problems.front();
}

using NodeVector = std::vector<NodeId>;

TEST(TetMesh, NeighboursAreThoseBehindTheFaces) {
  // Two tets on the face (1, 2, 3).
  TetMesh mesh;
  for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(1, 1, 1)}) mesh.add_node(x);
  const TetId a = mesh.add_tet({NodeId(0), NodeId(1), NodeId(2), NodeId(3)}, {});
  EXPECT_FALSE(mesh.neighbour({a, 0}).valid());
  const TetId b = mesh.add_tet({NodeId(1), NodeId(2), NodeId(3), NodeId(4)}, {});
  EXPECT_EQ(mesh.neighbour({a, 0}), b);
  EXPECT_EQ(mesh.neighbour({b, 3}), a);
  EXPECT_FALSE(mesh.neighbour({a, 1}).valid());
  EXPECT_EQ(first_problem(mesh), "");
  mesh.remove_tet(a);
  EXPECT_FALSE(mesh.neighbour({b, 3}).valid());
  EXPECT_FALSE(mesh.alive(a));
  EXPECT_TRUE(mesh.star(NodeId(0)).empty());
}

TEST(TetMesh, FaceNodesSeeTheFaceFromOutside) {
  const TetMesh mesh = grid(1, 1, 1);
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    for (int i = 0; i < 4; ++i) {
      const auto f = mesh.face_nodes({t, i});
      const TetCorners x = {mesh.material_position(f[0]), mesh.material_position(f[1]), mesh.material_position(f[2]),
                            mesh.material_position(mesh.node({t, i}))};
      EXPECT_LT(signed_volume(x), 0);
    }
  }
}

TEST(TetMesh, AppendKeepsPointsTetsAndTags) {
  TetMesh mesh = grid(1, 1, 1);
  const TetSoup soup = kuhn_grid(2, 1, 1);
  const NodeId first = mesh.append(soup, {7, 8});
  EXPECT_EQ(first, NodeId(8));
  EXPECT_EQ(mesh.node_count(), 8u + 12u);
  EXPECT_EQ(mesh.tet_count(), 6u + 12u);
  EXPECT_EQ(mesh.tags(TetId(5)), (TetTags{3, 4}));
  for (std::size_t t = 0; t < soup.tets.size(); ++t) {
    EXPECT_EQ(mesh.tags(TetId(6 + t)), (TetTags{7, 8}));
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(mesh.corners(TetId(6 + t))[i], NodeId(first.index + soup.tets[t][i]));
    }
  }
  EXPECT_EQ(first_problem(mesh), "");
}

TEST(TetMesh, SetCornerPartsTheFacesOfTheNodeOnly) {
  TetMesh mesh = grid(1, 1, 1);
  const TetId t(0);
  const std::array<TetId, 4> before = {mesh.neighbour({t, 0}), mesh.neighbour({t, 1}), mesh.neighbour({t, 2}),
                                       mesh.neighbour({t, 3})};
  // Two neighbours, on the two faces with the diagonal.
  ASSERT_EQ(std::count(before.begin(), before.end(), TetId()), 2);
  const int corner = before[1].valid() ? 1 : 0;  // opposite a face with a neighbour
  ASSERT_TRUE(before[static_cast<std::size_t>(corner)].valid());
  const NodeId old = mesh.node({t, corner});
  mesh.set_corner({t, corner}, mesh.add_node(mesh.material_position(old)));
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(mesh.neighbour({t, i}), i == corner ? before[static_cast<std::size_t>(i)] : TetId());
  }
  EXPECT_EQ(first_problem(mesh), "");
  mesh.set_corner({t, corner}, old);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(mesh.neighbour({t, i}), before[static_cast<std::size_t>(i)]);
}

// The edits that know their neighbours leave the mesh that the searching ones leave.
TEST(TetMesh, EditsThatAreToldTheNeighboursDoAsThoseThatSearch) {
  TetMesh searching = grid(2, 1, 1), told = searching;
  const TetId old(4);
  const auto corners = told.corners(old);
  std::array<TetId, 4> behind;
  for (int i = 0; i < 4; ++i) behind[static_cast<std::size_t>(i)] = told.neighbour({old, i});
  told.remove_tet(old);
  const TetId now = told.add_tet_apart(corners, {3, 4}, 0);
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(told.neighbour({now, i}).valid());
    const TetId other = behind[static_cast<std::size_t>(i)];
    if (other.valid()) told.join({now, i}, {other, told.face_index(other, told.face_nodes({now, i}))});
  }
  EXPECT_EQ(first_problem(told), "");
  searching.remove_tet(old);
  searching.add_tet(corners, {3, 4});
  for (const TetId t : id_range<TetId>(told.tet_slots())) {
    for (int i = 0; i < 4; ++i) EXPECT_EQ(told.neighbour({t, i}), searching.neighbour({t, i}));
  }
  // A corner given away, the faces round it parted first.
  const Corner corner{now, 0};
  for (int i = 1; i < 4; ++i) told.part({now, i});
  told.give_corner(corner, told.add_node(told.material_position(corners[0])));
  EXPECT_EQ(told.neighbour({now, 0}), behind[0]);
  EXPECT_EQ(first_problem(told), "");
}

TEST(TetMesh, CompactKeepsUidsTagsPositionsAndCrackFaces) {
  TetMesh mesh = grid(2, 2, 1);
  for (const std::size_t t : {0u, 1u, 2u, 3u, 4u, 5u, 9u}) mesh.remove_tet(TetId(t));
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    if (mesh.star(n).empty()) mesh.remove_node(n);
  }
  const TetId last(mesh.tet_slots() - 1);
  int open = 0;
  while (mesh.neighbour({last, open}).valid()) ++open;
  mesh.set_crack_face({last, open});
  const TetMesh before = mesh;
  const auto map = mesh.compact();
  EXPECT_EQ(mesh.tet_slots(), before.tet_count());
  EXPECT_EQ(mesh.node_slots(), before.node_count());
  EXPECT_LT(mesh.node_slots(), before.node_slots());
  for (const TetId t : id_range<TetId>(before.tet_slots())) {
    const TetId now = map.tet[t.index];
    ASSERT_EQ(now.valid(), before.alive(t));
    if (!now.valid()) continue;
    EXPECT_EQ(mesh.uid(now), before.uid(t));
    EXPECT_EQ(mesh.tags(now), before.tags(t));
    EXPECT_EQ(mesh.crack_faces(now), before.crack_faces(t));
    EXPECT_EQ(mesh.material_corners(now), before.material_corners(t));
  }
  EXPECT_EQ(mesh.crack_faces(map.tet[last.index]), 1u << open);
  for (const NodeId n : id_range<NodeId>(before.node_slots())) {
    ASSERT_EQ(map.node[n.index].valid(), before.alive(n));
    if (before.alive(n)) {
      EXPECT_EQ(mesh.uid(map.node[n.index]), before.uid(n));
    }
  }
  EXPECT_EQ(first_problem(mesh), "");
  // New uids go on from where they were.
  const NodeId added = mesh.add_node(Vec3(9, 9, 9));
  EXPECT_EQ(mesh.uid(added), 19u);
}

TEST(TetMesh, JournalRecordsEveryEditInOrder) {
  TetMesh mesh = grid(1, 1, 1);
  const Journal::Mark mark = mesh.journal().now();
  EXPECT_EQ(mark, 8u + 6u);
  const NodeId n = mesh.add_node(Vec3(1, 1, 1));
  mesh.set_corner({TetId(2), 3}, n);
  mesh.remove_tet(TetId(4));
  const auto c = mesh.corners(TetId(1));
  mesh.remove_tet(TetId(1));
  const TetId added = mesh.add_tet(c, {});
  mesh.set_crack_face({added, 0});
  const NodeId lonely = mesh.add_node(Vec3(2, 2, 2));
  mesh.remove_node(lonely);
  mesh.compact();
  using Kind = Edit::Kind;
  const std::vector<Edit> expected = {{Kind::node_added, 8},  {Kind::tet_changed, 2},  {Kind::tet_removed, 4},
                                      {Kind::tet_removed, 1}, {Kind::tet_added, 6},    {Kind::tet_cracked, 6},
                                      {Kind::node_added, 9},  {Kind::node_removed, 9}, {Kind::renumbered, 0}};
  const auto edits = mesh.journal().since(mark);
  EXPECT_EQ(std::vector<Edit>(edits.begin(), edits.end()), expected);
}

TEST(Journal, MarksStayMeaningfulWhenOldEditsAreForgotten) {
  Journal journal;
  for (std::uint32_t i = 0; i < 10; ++i) journal.add({Edit::Kind::tet_changed, i});
  journal.forget(4);
  EXPECT_EQ(journal.now(), 10u);
  ASSERT_EQ(journal.since(7).size(), 3u);
  EXPECT_EQ(journal.since(7).front().index, 7u);
  journal.forget(10);
  EXPECT_TRUE(journal.since(10).empty());
  journal.add({Edit::Kind::tet_changed, 99});
  EXPECT_EQ(journal.since(10).front().index, 99u);
}

TEST(JournalDeathTest, AForgottenMarkIsABug) {
  Journal journal;
  for (std::uint32_t i = 0; i < 10; ++i) journal.add({Edit::Kind::tet_changed, i});
  journal.forget(4);
  EXPECT_DEATH(journal.since(3), "no longer holds");
}

TEST(TetMeshDeathTest, RemovingTwiceOrInUseIsABug) {
  TetMesh mesh = grid(1, 1, 1);
  EXPECT_DEATH(mesh.remove_node(NodeId(0)), "still use");
  mesh.remove_tet(TetId(0));
  EXPECT_DEATH(mesh.remove_tet(TetId(0)), "twice");
}

// Takes a mesh apart and puts it together again, at random. All nodes at one place of the grid are interchangeable, so
// whatever is done, two tets can meet in a face only from both sides, and the mesh must stay valid but for hinges.
class RandomEditor {
 public:
  explicit RandomEditor(std::uint64_t seed) : seed_(seed), mesh_(grid(2, 2, 2)) {
    for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) places_[place(n)].push_back(n);
  }

  const TetMesh& mesh() const { return mesh_; }
  std::map<int, int> done;  // how often each kind of edit was made

  void edit() {
    const unsigned kind = pick(100);
    if (kind < 35) {
      remove_a_tet();
    } else if (kind < 65) {
      put_a_tet_back();
    } else if (kind < 98) {
      give_a_corner_away();
    } else {
      compact();
    }
  }

 private:
  using Place = std::array<int, 3>;

  unsigned pick(std::size_t count) { return static_cast<unsigned>(random_bits(seed_, draw_++) % count); }
  Place place(NodeId n) const {
    const Vec3& x = mesh_.material_position(n);
    return {static_cast<int>(x[0]), static_cast<int>(x[1]), static_cast<int>(x[2])};
  }
  TetId some_tet() {
    if (mesh_.tet_count() == 0) return TetId();
    for (;;) {
      const TetId t(pick(mesh_.tet_slots()));
      if (mesh_.alive(t)) return t;
    }
  }
  void drop_if_orphan(NodeId n) {
    if (!mesh_.star(n).empty()) return;
    auto& twins = places_[place(n)];
    twins.erase(std::find(twins.begin(), twins.end(), n));
    mesh_.remove_node(n);
  }
  NodeId new_node(const Place& p) {
    const NodeId n = mesh_.add_node(Vec3(p[0], p[1], p[2]));
    places_[p].push_back(n);
    return n;
  }

  void remove_a_tet() {
    const TetId t = some_tet();
    if (!t.valid()) return;
    const auto corners = mesh_.corners(t);
    std::array<Place, 4> where;
    for (std::size_t i = 0; i < 4; ++i) where[i] = place(corners[i]);
    removed_.push_back(where);
    mesh_.remove_tet(t);
    for (const NodeId n : corners) drop_if_orphan(n);
    ++done[0];
  }
  void put_a_tet_back() {
    if (removed_.empty()) return;
    const auto which = removed_.begin() + pick(removed_.size());
    std::array<NodeId, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& twins = places_[(*which)[i]];
      corners[i] = twins.empty() ? new_node((*which)[i]) : twins[pick(twins.size())];
    }
    removed_.erase(which);
    mesh_.add_tet(corners, {});
    ++done[1];
  }
  void give_a_corner_away() {
    const TetId t = some_tet();
    if (!t.valid()) return;
    const Corner corner{t, static_cast<int>(pick(4))};
    const NodeId old = mesh_.node(corner);
    const auto& twins = places_[place(old)];
    // To a twin, which may join faces, or to a new node, which parts them.
    const NodeId now = pick(3) != 0 ? twins[pick(twins.size())] : new_node(place(old));
    mesh_.set_corner(corner, now);
    drop_if_orphan(old);
    ++done[2];
  }
  void compact() {
    const auto map = mesh_.compact();
    for (auto& [p, twins] : places_) {
      for (NodeId& n : twins) n = map.node[n.index];
    }
    ++done[3];
  }

  std::uint64_t seed_, draw_ = 0;
  TetMesh mesh_;
  std::map<Place, NodeVector> places_;
  std::vector<std::array<Place, 4>> removed_;
};

TEST(TetMesh, StaysValidThroughThousandsOfRandomEdits) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RandomEditor editor(seed);
    Journal::Mark mark = editor.mesh().journal().now();
    auto tets = static_cast<std::ptrdiff_t>(editor.mesh().tet_count());
    auto nodes = static_cast<std::ptrdiff_t>(editor.mesh().node_count());
    bool joined_once = false;
    for (int i = 0; i < 6000; ++i) {
      editor.edit();
      ASSERT_EQ(first_problem(editor.mesh()), "") << "seed " << seed << ", edit " << i;
      for (const Edit& edit : editor.mesh().journal().since(mark)) {
        tets += edit.kind == Edit::Kind::tet_added ? 1 : edit.kind == Edit::Kind::tet_removed ? -1 : 0;
        nodes += edit.kind == Edit::Kind::node_added ? 1 : edit.kind == Edit::Kind::node_removed ? -1 : 0;
      }
      mark = editor.mesh().journal().now();
      ASSERT_EQ(tets, static_cast<std::ptrdiff_t>(editor.mesh().tet_count()));
      ASSERT_EQ(nodes, static_cast<std::ptrdiff_t>(editor.mesh().node_count()));
      for (const TetId t : id_range<TetId>(editor.mesh().tet_slots())) {
        joined_once = joined_once || (i > 1000 && editor.mesh().alive(t) && editor.mesh().neighbour({t, 0}).valid());
      }
    }
    // The test would say nothing if the mesh had crumbled away.
    EXPECT_TRUE(joined_once);
    for (int kind = 0; kind < 4; ++kind) EXPECT_GT(editor.done[kind], 50) << kind;
  }
}

TEST(TetMesh, SkinGoesWithItsTetAndIsGoneWithIt) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  soup.part_names = {"rim", "outside"};
  const std::array<Vec2, 3> uv = {Vec2(0, 0), Vec2(1, 0), Vec2(0.5, 1)};
  const std::array<Vec3, 3> normals = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  soup.skin = {{0, 3, {1, uv, normals, 17}}, {2, 1, {0}}};
  TetMesh mesh;
  mesh.add_part("outside");
  mesh.append(kuhn_grid(1, 1, 1), {});
  mesh.append(soup, {});
  EXPECT_EQ(mesh.part_names(), (std::vector<std::string>{"outside", "rim"}));
  ASSERT_NE(mesh.skin({TetId(6), 3}), nullptr);
  EXPECT_EQ(*mesh.skin({TetId(6), 3}), (FaceSkin{0, uv, normals, 17}));
  EXPECT_EQ(mesh.skin({TetId(8), 1})->part, 1u);
  EXPECT_EQ(mesh.skin({TetId(0), 3}), nullptr);

  mesh.remove_tet(TetId(0));
  mesh.remove_tet(TetId(8));
  EXPECT_EQ(mesh.skin({TetId(8), 1}), nullptr);
  const auto map = mesh.compact();
  ASSERT_NE(mesh.skin({map.tet[6], 3}), nullptr);
  EXPECT_EQ(*mesh.skin({map.tet[6], 3}), (FaceSkin{0, uv, normals, 17}));
  EXPECT_TRUE(mesh.skin_contents().uv && mesh.skin_contents().normals && mesh.skin_contents().source);
  EXPECT_EQ(mesh.part_names().size(), 2u);
}

TEST(FaceSkin, OfTooManyPartsTheLastShareAName) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::uint32_t index = part_index(names, "group " + std::to_string(i));
    EXPECT_EQ(index, std::min<std::size_t>(i, kMostParts - 1));
  }
  EXPECT_EQ(names.size(), kMostParts);
  EXPECT_EQ(names.back(), "others");
  EXPECT_EQ(part_index(names, "group 7"), 7u);
}

TEST(FaceSkin, OnlyColumnsThatSomethingNeedsAreFilled) {
  SkinContents contents;
  contents.add({3});
  SkinColumns columns;
  size_skin(columns, 2, contents);
  EXPECT_EQ(columns.parts.size(), 2u);
  EXPECT_TRUE(columns.uv.empty() && columns.normals.empty() && columns.source.empty());
  put_skin(columns, 1, 2, {3});
  EXPECT_EQ(columns.parts[1], (std::array<std::uint8_t, 4>{0, 0, 4, 0}));

  FaceSkin skin{0, {Vec2(0, 0), Vec2(0, 0), Vec2(0, 5)}};
  skin.normals[1] = Vec3(0, 0, 1);
  contents.add(skin);
  size_skin(columns, 2, contents);
  put_skin(columns, 1, 3, skin);
  EXPECT_TRUE(columns.source.empty());
  EXPECT_EQ(columns.uv[1][6 * 3 + 5], 5.0f);
  EXPECT_EQ(columns.normals[1][9 * 3 + 3 + 2], 1.0f);
  EXPECT_EQ(columns.normals[0], (std::array<float, 36>{}));
}

}  // namespace
}  // namespace sunder
