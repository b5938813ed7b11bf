// Regions on a mesh that cracks: who belongs to them goes on to the pieces.

#include <algorithm>

#include "solvers/regions.h"

namespace sunder {
namespace {

std::uint64_t face_key(Corner face) {
  return 4 * std::uint64_t{face.tet.index} + static_cast<std::uint64_t>(face.index);
}

// Faces of new tets that lie within a face of the tet they were cut from.
std::vector<Corner> pieces_of_face(const SplitResult::RemovedTet& removed, int index, const SplitResult& result,
                                   const TetMesh& mesh) {
  const auto original = [&](NodeId n) {
    const auto twin = std::find_if(result.duplicates.begin(), result.duplicates.end(),
                                   [n](const auto& duplicate) { return duplicate.node == n; });
    return twin == result.duplicates.end() ? n : twin->of;
  };
  std::array<NodeId, 3> whole;
  const auto& order = kTetFaces[static_cast<std::size_t>(index)];
  for (std::size_t i = 0; i < 3; ++i) whole[i] = removed.corners[static_cast<std::size_t>(order[i])];
  const auto on_whole = [&](NodeId n) { return std::find(whole.begin(), whole.end(), n) != whole.end(); };
  const auto lies_in = [&](NodeId n) {
    if (on_whole(n)) return true;
    return std::any_of(result.cut_nodes.begin(), result.cut_nodes.end(),
                       [&](const SplitResult::CutNode& c) { return c.node == n && on_whole(c.a) && on_whole(c.b); });
  };
  std::vector<Corner> pieces;
  for (const auto& child : result.added) {
    if (child.parent != removed.tet) continue;
    for (int i = 0; i < 4; ++i) {
      const auto nodes = mesh.face_nodes({child.tet, i});
      if (std::all_of(nodes.begin(), nodes.end(), [&](NodeId n) { return lies_in(original(n)); })) {
        pieces.push_back({child.tet, i});
      }
    }
  }
  return pieces;
}

}  // namespace

void Regions::bind(const TetMesh& mesh) {
  members_.assign(regions_.size(), {});
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    find_places(r);
    std::vector<Corner> faces;
    for (const auto& nodes : regions_[r].faces) {
      for (const Corner c : mesh.star(nodes[0])) {
        const int face = mesh.face_index(c.tet, nodes);
        if (face < 0 || mesh.neighbour({c.tet, face}).valid()) continue;
        faces.push_back({c.tet, face});
        break;
      }
    }
    set_faces(r, faces, mesh);
  }
}

void Regions::find_places(std::size_t region) {
  Members& members = members_[region];
  members.place.assign(0, 0);
  const std::vector<NodeId>& nodes = regions_[region].nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].index >= members.place.size()) members.place.resize(nodes[i].index + std::size_t{1}, 0);
    members.place[nodes[i]] = static_cast<std::uint32_t>(i + 1);
  }
}

bool Regions::belongs(std::size_t region, NodeId node) const {
  const auto& place = members_[region].place;
  return node.index < place.size() && place[node] != 0;
}

void Regions::add_node(std::size_t region, NodeId node, double share) {
  Region& r = regions_[region];
  r.nodes.push_back(node);
  if (r.kind == Region::Kind::force) r.share.push_back(share);
  auto& place = members_[region].place;
  if (node.index >= place.size()) place.resize(node.index + std::size_t{1}, 0);
  place[node] = static_cast<std::uint32_t>(r.nodes.size());
}

void Regions::follow(const SplitResult& result, const TetMesh& mesh, const Column<NodeId, double>& mass) {
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    Region& region = regions_[r];
    if (region.kind == Region::Kind::pressure) {
      follow_faces(r, result, mesh);
      continue;
    }
    for (const auto& cut : result.cut_nodes) {
      // Of a force a node on an edge gets nothing: its neighbours keep what they had.
      if (region.supports() && cut.on_outer_surface && belongs(r, cut.a) && belongs(r, cut.b)) add_node(r, cut.node, 0);
    }
    for (const auto& twin : result.duplicates) {
      if (!belongs(r, twin.of)) continue;
      double share = 0;
      if (region.kind == Region::Kind::force) {
        // Twins come one after the other; each takes its part of what the first has left for itself and those to come.
        double left = mass[twin.of];
        for (auto other = &twin; other != result.duplicates.data() + result.duplicates.size(); ++other) {
          if (other->of == twin.of) left += mass[other->node];
        }
        double& own = region.share[members_[r].place[twin.of] - 1];
        share = own * mass[twin.node] / left;
        own -= share;
      }
      add_node(r, twin.node, share);
    }
  }
}

void Regions::follow_faces(std::size_t region, const SplitResult& result, const TetMesh& mesh) {
  Members& members = members_[region];
  for (const auto& removed : result.removed) {
    for (int i = 0; i < 4; ++i) {
      const auto found = members.face_place.find(face_key({removed.tet, i}));
      if (found == members.face_place.end()) continue;
      std::uint32_t place = found->second;  // the first piece gets it
      members.face_place.erase(found);
      for (const Corner piece : pieces_of_face(removed, i, result, mesh)) {
        put_face(region, place, piece, mesh);
        place = static_cast<std::uint32_t>(members.faces.size());
      }
    }
  }
  // Tets that stayed whole have got twins as corners.
  for (const auto& twin : result.duplicates) {
    for (const Corner c : mesh.star(twin.node)) {
      for (int i = 0; i < 4; ++i) {
        const auto found = members.face_place.find(face_key({c.tet, i}));
        if (found != members.face_place.end()) regions_[region].faces[found->second] = mesh.face_nodes({c.tet, i});
      }
    }
  }
}

void Regions::put_face(std::size_t region, std::uint32_t place, Corner face, const TetMesh& mesh) {
  Members& members = members_[region];
  if (place == members.faces.size()) members.faces.emplace_back(), regions_[region].faces.emplace_back();
  members.faces[place] = face;
  regions_[region].faces[place] = mesh.face_nodes(face);
  members.face_place[face_key(face)] = place;
}

void Regions::set_faces(std::size_t region, const std::vector<Corner>& faces, const TetMesh& mesh) {
  members_[region].faces.clear(), members_[region].face_place.clear(), regions_[region].faces.clear();
  for (const Corner face : faces) {
    put_face(region, static_cast<std::uint32_t>(members_[region].faces.size()), face, mesh);
  }
}

void Regions::renumber_tets(const std::vector<TetId>& tet, const TetMesh& mesh) {
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    std::vector<Corner> faces;
    for (const Corner face : members_[r].faces) {
      if (tet[face.tet.index].valid()) faces.push_back({tet[face.tet.index], face.index});
    }
    set_faces(r, faces, mesh);
  }
}

void Regions::drop_gone(const TetMesh& mesh) {
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    Region& region = regions_[r];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < region.nodes.size(); ++i) {
      if (!mesh.alive(region.nodes[i])) continue;
      region.nodes[kept] = region.nodes[i];
      if (!region.share.empty()) region.share[kept] = region.share[i];
      ++kept;
    }
    region.nodes.resize(kept);
    if (!region.share.empty()) region.share.resize(kept);
    find_places(r);
    std::vector<Corner> faces;
    for (const Corner face : members_[r].faces) {
      if (mesh.alive(face.tet)) faces.push_back(face);
    }
    set_faces(r, faces, mesh);
  }
}

void Regions::save_members(Writer& out) const {
  out.put<std::uint64_t>(regions_.size());
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    out.put_text(regions_[r].name), out.put_text(kind_name(regions_[r].kind));
    out.put_all(std::span<const NodeId>(regions_[r].nodes)), out.put_all(std::span<const double>(regions_[r].share));
    out.put_all(std::span<const Corner>(members_[r].faces));
  }
}

void Regions::load_members(Reader& in, const TetMesh& mesh) {
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const std::string name = in.get_text(), kind = in.get_text();
    const std::vector<NodeId> nodes = in.get_all<NodeId>();
    const std::vector<double> share = in.get_all<double>();
    const std::vector<Corner> faces = in.get_all<Corner>();
    if (!share.empty() && share.size() != nodes.size()) in.fail();
    for (const NodeId n : nodes) {
      if (!mesh.alive(n)) in.fail();
    }
    for (const Corner face : faces) {
      if (!mesh.alive(face.tet) || face.index < 0 || face.index > 3) in.fail();
    }
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      Region& region = regions_[r];
      if (region.name != name || kind_name(region.kind) != kind) continue;
      if ((region.kind == Region::Kind::force) == share.empty() && !nodes.empty()) in.fail();
      region.nodes = nodes, region.share = share;
      set_faces(r, faces, mesh);
      find_places(r);
    }
  }
}

}  // namespace sunder
