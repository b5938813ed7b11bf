#include "frame/append_frame.h"

#include "core/check.h"

namespace sunder {
namespace {

std::size_t elements_of(const Frame& frame) { return frame.tets.size() + frame.triangles.size() + frame.hexes.size(); }

template <class T>
void append(std::vector<T>& all, const std::vector<T>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

// A column that may be empty: `rows` before, `more` of the part.
template <class T>
void append_padded(std::vector<T>& all, std::size_t rows, const std::vector<T>& part, std::size_t more, const T& none) {
  if (all.empty() && part.empty()) return;
  if (all.empty()) all.assign(rows, none);
  append(all, part);
  all.resize(rows + more, none);
}

template <std::size_t Corners>
void append_elements(std::vector<std::array<std::uint32_t, Corners>>& all,
                     const std::vector<std::array<std::uint32_t, Corners>>& part, std::size_t first_node) {
  for (auto element : part) {
    for (std::uint32_t& node : element) node += static_cast<std::uint32_t>(first_node);
    all.push_back(element);
  }
}

}  // namespace

void append_frame(Frame& all, const Frame& part) {
  SUNDER_CHECK(all.hexes.empty() || part.tets.empty(), "hexahedra come last");
  SUNDER_CHECK(all.triangles.empty() && part.triangles.empty(), "surfaces have frames of their own");
  const std::size_t nodes = all.position.size(), more_nodes = part.position.size();
  const std::size_t elements = elements_of(all), more = elements_of(part);
  append_elements(all.tets, part.tets, nodes);
  append_elements(all.hexes, part.hexes, nodes);

  append(all.position, part.position), append(all.rest, part.rest), append(all.velocity, part.velocity);
  append(all.node_uid, part.node_uid);
  append_padded(all.node_fragment, nodes, part.node_fragment, more_nodes, 0u);
  append_padded(all.turn, nodes, part.turn, more_nodes, {1, 0, 0, 0});

  append(all.body, part.body), append(all.fragment, part.fragment), append(all.material, part.material);
  append(all.tet_uid, part.tet_uid), append(all.stress, part.stress), append(all.crack_faces, part.crack_faces);
  append(all.broken_edges, part.broken_edges);
  append_padded(all.plastic_strain, elements, part.plastic_strain, more, 0.0);
  append_padded(all.parts, elements, part.parts, more, {});
  append_padded(all.uv, elements, part.uv, more, {});
  append_padded(all.normals, elements, part.normals, more, {});
  append_padded(all.source, elements, part.source, more, {});
  append(all.grains, part.grains);
}

}  // namespace sunder
