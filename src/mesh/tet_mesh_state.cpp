// A tet mesh to bytes and back, for checkpoints.

#include <algorithm>

#include "mesh/tet_mesh.h"
#include "mesh/validate.h"

namespace sunder {

void TetMesh::save(Writer& out) const {
  out.put<std::uint64_t>(node_slots()), out.put<std::uint64_t>(tet_slots());
  out.put<std::uint64_t>(node_count_), out.put<std::uint64_t>(tet_count_);
  out.put(next_node_uid_), out.put(next_tet_uid_);
  out.put_all(material_position_.span());
  out.put_all(node_uid_.span()), out.put_all(node_alive_.span()), out.put_all(star_first_.span());
  out.put_all(corners_.span()), out.put_all(neighbours_.span()), out.put_all(tags_.span());
  out.put_all(tet_uid_.span()), out.put_all(crack_faces_.span());
  out.put_all(std::span<const std::uint32_t>(star_next_)), out.put_all(std::span<const std::uint32_t>(star_previous_));
  std::vector<std::uint32_t> slots;  // of the skin, in an order that does not depend on the table
  for (const auto& [slot, skin] : skin_) slots.push_back(slot);
  std::sort(slots.begin(), slots.end());
  out.put<std::uint64_t>(slots.size());
  for (const std::uint32_t s : slots) {
    const FaceSkin& skin = skin_.at(s);
    out.put(s), out.put(skin.part), out.put(skin.source);
    for (const Vec2& uv : skin.uv) out.put(uv.x()), out.put(uv.y());
    for (const Vec3& n : skin.normals) out.put(n.x()), out.put(n.y()), out.put(n.z());
  }
}

void TetMesh::load(Reader& in) {
  const auto nodes = in.get<std::uint64_t>(), tets = in.get<std::uint64_t>();
  node_count_ = in.get<std::uint64_t>(), tet_count_ = in.get<std::uint64_t>();
  next_node_uid_ = in.get<Uid>(), next_tet_uid_ = in.get<Uid>();
  if (nodes > in.rest().size() || tets > in.rest().size()) in.fail();
  const auto get = [&in](auto& column, std::size_t size) {
    column.resize(size);
    in.get_into(column.span());
  };
  get(material_position_, nodes), get(node_uid_, nodes), get(node_alive_, nodes), get(star_first_, nodes);
  get(corners_, tets), get(neighbours_, tets), get(tags_, tets), get(tet_uid_, tets), get(crack_faces_, tets);
  star_next_ = in.get_all<std::uint32_t>(), star_previous_ = in.get_all<std::uint32_t>();
  if (star_next_.size() != 4 * tets || star_previous_.size() != 4 * tets) in.fail();
  skin_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const auto s = in.get<std::uint32_t>();
    FaceSkin skin;
    skin.part = in.get<std::uint32_t>(), skin.source = in.get<std::uint32_t>();
    for (Vec2& uv : skin.uv) uv.x() = in.get<double>(), uv.y() = in.get<double>();
    for (Vec3& n : skin.normals) n.x() = in.get<double>(), n.y() = in.get<double>(), n.z() = in.get<double>();
    if (s / 4 >= tets || skin.part >= part_names_.size()) in.fail();
    skin_[s] = skin;
  }
  journal_ = {};
  if (!validate(*this, {.allow_hinges = true, .max_problems = 1}).empty()) in.fail();
}

}  // namespace sunder
