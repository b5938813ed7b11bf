#include "mesh/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/check.h"
#include "core/disjoint_sets.h"
#include "core/error.h"
#include "mesh/face_table.h"

namespace sunder {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool has_repeats(const std::array<std::uint32_t, 4>& c) {
  return c[0] == c[1] || c[0] == c[2] || c[0] == c[3] || c[1] == c[2] || c[1] == c[3] || c[2] == c[3];
}

}  // namespace

// Reads the private columns too, because a broken link must be found before anything follows it.
class MeshValidator {
 public:
  MeshValidator(const TetMesh& mesh, const ValidateOptions& options) : mesh_(mesh), options_(options) {}

  std::vector<std::string> problems() && {
    if (column_sizes()) {
      nodes();
      corners();
      counts();
      uids();
      stars();
      faces();
    }
    return std::move(problems_);
  }

 private:
  bool full() const { return problems_.size() >= options_.max_problems; }
  void problem(std::string sentence) {
    if (!full()) problems_.push_back(std::move(sentence));
  }
  std::string name(TetId t) const { return fmt::format("tet {} (uid {})", t.index, mesh_.tet_uid_[t]); }
  std::string name(NodeId n) const {
    if (!n.valid()) return "no node";
    if (n.index >= mesh_.node_slots()) return fmt::format("node {}", n.index);
    return fmt::format("node {} (uid {})", n.index, mesh_.node_uid_[n]);
  }

  // Without columns of one length nothing else can be looked at.
  bool column_sizes() {
    const std::size_t n = mesh_.node_slots(), t = mesh_.tet_slots();
    if (mesh_.node_uid_.size() != n || mesh_.node_alive_.size() != n || mesh_.star_first_.size() != n) {
      problem(fmt::format("the columns of the nodes differ in length (positions: {})", n));
    }
    if (mesh_.neighbours_.size() != t || mesh_.tags_.size() != t || mesh_.tet_uid_.size() != t ||
        mesh_.crack_faces_.size() != t || mesh_.star_next_.size() != 4 * t || mesh_.star_previous_.size() != 4 * t) {
      problem(fmt::format("the columns of the tets differ in length (corners: {})", t));
    }
    return problems_.empty();
  }

  void nodes() {
    for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) {
      if (!mesh_.alive(n) || mesh_.material_position_[n].allFinite()) continue;
      const Vec3& x = mesh_.material_position_[n];
      problem(fmt::format("{} has the material position ({}, {}, {}), which is not finite", name(n), x[0], x[1], x[2]));
    }
  }

  // Fills tets_ and usable_: the tets whose corners can be followed.
  void corners() {
    tets_.resize(mesh_.tet_slots());
    usable_.assign(mesh_.tet_slots(), 0);
    for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
      if (!mesh_.alive(t)) continue;
      const auto& c = mesh_.corners_[t];
      tets_[t.index] = {c[0].index, c[1].index, c[2].index, c[3].index};
      bool good = true;
      for (int i = 0; i < 4; ++i) {
        if (mesh_.alive(c[at(i)])) continue;
        good = false;
        problem(fmt::format("corner {} of {} is {}, which {}", i, name(t), name(c[at(i)]),
                            c[at(i)].index < mesh_.node_slots() ? "was removed" : "does not exist"));
      }
      if (good && has_repeats(tets_[t.index])) {
        good = false;
        problem(fmt::format("{} has a node twice among its corners {}, {}, {}, {}", name(t), c[0].index, c[1].index,
                            c[2].index, c[3].index));
      }
      if (!good) continue;
      usable_[t.index] = 1;
      if (mesh_.crack_faces_[t] >= 16) problem(fmt::format("{} has crack bits for faces that no tet has", name(t)));
      const double volume = signed_volume(mesh_.material_corners(t));
      if (!(volume > 0))
        problem(fmt::format("{} has the material volume {:g}, which is not positive", name(t), volume));
    }
  }

  void counts() {
    std::size_t nodes = 0, tets = 0;
    for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) nodes += mesh_.alive(n) ? 1 : 0;
    for (const TetId t : id_range<TetId>(mesh_.tet_slots())) tets += mesh_.alive(t) ? 1 : 0;
    if (nodes != mesh_.node_count_) {
      problem(fmt::format("the node count is {}, but {} nodes are alive", mesh_.node_count_, nodes));
    }
    if (tets != mesh_.tet_count_) {
      problem(fmt::format("the tet count is {}, but {} tets are alive", mesh_.tet_count_, tets));
    }
  }

  template <class IdType>
  void uids_of(const Column<IdType, Uid>& column, Uid next, const char* kind) {
    std::vector<std::pair<Uid, std::uint32_t>> all;
    all.reserve(column.size());
    for (const IdType id : id_range<IdType>(column.size())) {
      if (mesh_.alive(id)) all.emplace_back(column[id], id.index);
    }
    // Storage keeps the order of birth, so this is nearly always sorted already.
    if (!std::is_sorted(all.begin(), all.end())) std::sort(all.begin(), all.end());
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      if (all[i].first != all[i + 1].first) continue;
      problem(
          fmt::format("{0}s {1} and {2} have the same uid {3}", kind, all[i].second, all[i + 1].second, all[i].first));
    }
    if (!all.empty() && all.back().first >= next) {
      problem(fmt::format("{} {} has the uid {}, which is still to be given out (next: {})", kind, all.back().second,
                          all.back().first, next));
    }
  }
  void uids() {
    uids_of(mesh_.node_uid_, mesh_.next_node_uid_, "node");
    uids_of(mesh_.tet_uid_, mesh_.next_tet_uid_, "tet");
  }

  // Every slot is visited at most once: a slot that is met again is a loop, or belongs to two lists.
  void stars() {
    std::vector<std::uint8_t> visited(4 * mesh_.tet_slots(), 0);
    for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) {
      if (!mesh_.alive(n)) continue;
      if (mesh_.star_first_[n] == TetMesh::kNoSlot) {
        if (!corner_anywhere(n)) problem(fmt::format("{} is an orphan: no tet uses it", name(n)));
        continue;
      }
      std::uint32_t previous = TetMesh::kNoSlot;
      for (std::uint32_t s = mesh_.star_first_[n]; s != TetMesh::kNoSlot; s = mesh_.star_next_[s]) {
        if (s >= visited.size()) {
          problem(fmt::format("the star of {} leads to slot {}, which does not exist", name(n), s));
          break;
        }
        const Corner c = TetMesh::from_slot(s);
        if (!mesh_.alive(c.tet) || mesh_.node(c) != n) {
          problem(fmt::format("the star of {} holds corner {} of {}, which is a stranger to it", name(n), c.index,
                              name(c.tet)));
          break;
        }
        if (visited[s] != 0) {
          problem(
              fmt::format("the star of {} meets corner {} of {} for the second time", name(n), c.index, name(c.tet)));
          break;
        }
        if (mesh_.star_previous_[s] != previous) {
          problem(fmt::format("the star of {} has a wrong backward link at corner {} of {}", name(n), c.index,
                              name(c.tet)));
        }
        visited[s] = 1;
        previous = s;
      }
    }
    for (std::uint32_t s = 0; s < visited.size() && !full(); ++s) {
      const Corner c = TetMesh::from_slot(s);
      if (visited[s] != 0 || !mesh_.alive(c.tet)) continue;
      problem(fmt::format("corner {} of {} is missing in the star of {}", c.index, name(c.tet), name(mesh_.node(c))));
    }
  }

  // Only asked for nodes with an empty star, to tell an orphan from a lost star.
  bool corner_anywhere(NodeId n) {
    if (used_.empty()) {
      used_.assign(mesh_.node_slots(), 0);
      for (std::size_t t = 0; t < tets_.size(); ++t) {
        if (usable_[t] == 0) continue;
        for (const std::uint32_t c : tets_[t]) used_[c] = 1;
      }
    }
    return used_[n.index] != 0;
  }

  void faces() {
    const std::vector<FaceEntry> table = sorted_faces(tets_, usable_, mesh_.node_slots());
    // Corners of the same node are joined when a shared face holds the node.
    DisjointSets hinges(options_.allow_hinges ? 0 : 4 * mesh_.tet_slots());
    for_each_face(table, [&](std::span<const FaceEntry> group) {
      if (full()) return;
      duplicates(group);
      if (group.size() > 2) {
        problem(fmt::format("face {} belongs to {} tets, {} and {} among them; two are the most there can be",
                            nodes_of(group[0]), group.size(), name(TetId(group[0].tet())),
                            name(TetId(group[1].tet()))));
        return;
      }
      if (group.size() == 1) {
        check_neighbour(group[0], TetId());
        return;
      }
      const FaceEntry &a = group[0], &b = group[1];
      check_neighbour(a, TetId(b.tet()));
      check_neighbour(b, TetId(a.tet()));
      if (a.odd == b.odd) {
        problem(fmt::format("{} and {} lie on the same side of their common face {}", name(TetId(a.tet())),
                            name(TetId(b.tet())), nodes_of(a)));
      }
      crack_bit(a);
      crack_bit(b);
      if (options_.allow_hinges) return;
      for (const std::uint32_t n : a.nodes) hinges.join(corner_slot(a.tet(), n), corner_slot(b.tet(), n));
    });
    if (!options_.allow_hinges && !full()) report_hinges(hinges);
  }

  static std::string nodes_of(const FaceEntry& f) {
    return fmt::format("({}, {}, {})", f.nodes[0], f.nodes[1], f.nodes[2]);
  }

  std::uint32_t corner_slot(std::uint32_t tet, std::uint32_t node) const {
    const auto& c = tets_[tet];
    return 4 * tet + static_cast<std::uint32_t>(std::find(c.begin(), c.end(), node) - c.begin());
  }

  // Two tets are duplicates if they share a face and the fourth corner; looked at only on the face opposite the
  // largest node, so that a pair is named once.
  void duplicates(std::span<const FaceEntry> group) {
    if (group.size() < 2) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> apex_and_tet;
    for (const FaceEntry& f : group) {
      const std::uint32_t apex = tets_[f.tet()][at(f.corner())];
      if (apex > f.nodes[2]) apex_and_tet.emplace_back(apex, f.tet());
    }
    std::sort(apex_and_tet.begin(), apex_and_tet.end());
    for (std::size_t i = 0; i + 1 < apex_and_tet.size(); ++i) {
      if (apex_and_tet[i].first != apex_and_tet[i + 1].first) continue;
      problem(fmt::format("{} is a duplicate of {}: both have the same four corners",
                          name(TetId(apex_and_tet[i + 1].second)), name(TetId(apex_and_tet[i].second))));
    }
  }

  void check_neighbour(const FaceEntry& face, TetId expected) {
    const Corner corner{TetId(face.tet()), face.corner()};
    const TetId stored = mesh_.neighbour(corner);
    if (stored == expected) return;
    const auto other = [&](TetId t) -> std::string {
      if (!t.valid()) return "nothing";
      return t.index < mesh_.tet_slots() ? name(t) : fmt::format("tet {}, which does not exist", t.index);
    };
    problem(fmt::format("behind face {} of {} the mesh keeps {} as neighbour, but there is {}", corner.index,
                        name(corner.tet), other(stored), other(expected)));
  }

  void crack_bit(const FaceEntry& face) {
    const TetId t(face.tet());
    if ((mesh_.crack_faces_[t] >> face.corner() & 1) == 0) return;
    problem(fmt::format("face {} of {} is marked as crack face but has a neighbour", face.corner(), name(t)));
  }

  void report_hinges(DisjointSets& hinges) {
    constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> first_root(mesh_.node_slots(), none);
    std::vector<std::uint8_t> reported(mesh_.node_slots(), 0);
    for (std::uint32_t t = 0; t < tets_.size() && !full(); ++t) {
      if (usable_[t] == 0) continue;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t n = tets_[t][i], root = hinges.root(4 * t + i);
        if (first_root[n] == none) first_root[n] = root;
        if (first_root[n] == root || reported[n] != 0) continue;
        reported[n] = 1;
        problem(fmt::format("{} is a hinge: {} and {} both use it but no faces round it join them", name(NodeId(n)),
                            name(TetId(first_root[n] / 4)), name(TetId(t))));
      }
    }
  }

  const TetMesh& mesh_;
  const ValidateOptions& options_;
  std::vector<std::string> problems_;
  std::vector<std::array<std::uint32_t, 4>> tets_;
  std::vector<std::uint8_t> usable_, used_;
};

std::vector<std::string> validate(const TetMesh& mesh, const ValidateOptions& options) {
  return MeshValidator(mesh, options).problems();
}

void require_valid(const TetMesh& mesh, const ValidateOptions& options) {
  const std::vector<std::string> problems = validate(mesh, {options.allow_hinges, 1});
  SUNDER_CHECK(problems.empty(), "the mesh is broken: " + problems.front());
}

void require_valid_soup(const TetSoup& soup, const std::string& name) {
  const Place place{name};
  if (soup.tets.empty()) {
    throw InputError(place, "there are no tetrahedra in it", "Is it a surface mesh? Tetrahedra are needed.");
  }
  const auto fail = [&](const std::string& problem, const std::string& remedy) {
    throw InputError(place, problem, remedy + " (Indices count from 0.)");
  };
  // 32-bit ids, four corner slots for each tet.
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() / 4 - 1;
  if (soup.tets.size() > most || soup.points.size() > most) {
    fail(fmt::format("{} points and {} tets are more than the {} that can be numbered", soup.points.size(),
                     soup.tets.size(), most),
         "Use a coarser mesh.");
  }
  for (std::size_t i = 0; i < soup.points.size(); ++i) {
    const Vec3& x = soup.points[i];
    if (!x.allFinite()) {
      fail(fmt::format("point {} is ({}, {}, {}), which is not finite", i, x[0], x[1], x[2]),
           "Write the mesh again with finite coordinates.");
    }
  }
  for (std::size_t t = 0; t < soup.tets.size(); ++t) {
    const auto& c = soup.tets[t];
    for (const std::uint32_t n : c) {
      if (n >= soup.points.size()) {
        fail(fmt::format("tet {} names point {}, but there are only {} points", t, n, soup.points.size()),
             "The file is cut short, or its points are numbered differently.");
      }
    }
    if (has_repeats(c)) {
      fail(fmt::format("tet {} has a point twice among its corners {}, {}, {}, {}", t, c[0], c[1], c[2], c[3]),
           "Remove collapsed tets from the mesh.");
    }
    const double volume = signed_volume({soup.points[c[0]], soup.points[c[1]], soup.points[c[2]], soup.points[c[3]]});
    if (!(volume > 0)) {
      fail(fmt::format("tet {} with the corners {}, {}, {}, {} has the volume {:g}, which is not positive", t, c[0],
                       c[1], c[2], c[3], volume),
           volume < 0 ? "The tet is inside out: swap two of its corners."
                      : "Remove flat tets, or mesh again with a quality bound.");
    }
  }
  const std::vector<std::uint8_t> usable(soup.tets.size(), 1);
  const std::vector<FaceEntry> table = sorted_faces(soup.tets, usable, soup.points.size());
  for_each_face(table, [&](std::span<const FaceEntry> group) {
    for (std::size_t i = 0; i + 1 < group.size(); ++i) {
      const FaceEntry &a = group[i], &b = group[i + 1];
      if (soup.tets[a.tet()][at(a.corner())] == soup.tets[b.tet()][at(b.corner())]) {
        fail(fmt::format("tets {} and {} are duplicates: both have the same four corners", a.tet(), b.tet()),
             "Remove one of them.");
      }
    }
    if (group.size() > 2) {
      fail(fmt::format("tets {}, {} and {} share the face ({}, {}, {}); two are the most there can be", group[0].tet(),
                       group[1].tet(), group[2].tet(), group[0].nodes[0], group[0].nodes[1], group[0].nodes[2]),
           "The tets overlap: mesh the solid again.");
    }
    if (group.size() == 2 && group[0].odd == group[1].odd) {
      fail(fmt::format("tets {} and {} lie on the same side of their common face ({}, {}, {})", group[0].tet(),
                       group[1].tet(), group[0].nodes[0], group[0].nodes[1], group[0].nodes[2]),
           "The tets overlap: mesh the solid again.");
    }
  });
}

}  // namespace sunder
