#pragma once
// What `sunder mesh` and `sunder info` say about a mesh.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "mesh/tet_soup.h"
#include "meshing/mesh_surface.h"
#include "shapes/shape.h"

namespace sunder::cli {

using Json = nlohmann::ordered_json;

// How a surface was turned into tets, and how near to it they are.
Json surface_report(const SurfaceMeshReport& report);

// `exact` is the volume of the shape that was meshed, if it is known.
Json mesh_report(const TetSoup& soup, const std::optional<double>& exact);

// "key: value" lines; nested tables indented below their key.
void print_lines(const Json& table, int indent = 0);

// A kind of shape, or a shape in TOML, rather than the name of a file or scene.
bool looks_like_shape(const std::string& what);

}  // namespace sunder::cli
