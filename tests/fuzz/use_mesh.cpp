#include "use_mesh.h"

#include "fuzz_target.h"
#include "mesh/boundary.h"
#include "mesh/fragments.h"
#include "mesh/quality.h"
#include "mesh/tet_mesh.h"
#include "mesh/validate.h"
#include "meshfile/tet_formats.h"

namespace sunder::fuzz {

void use_mesh(const TetSoup& soup) {
  require_valid_soup(soup, "mesh");
  constexpr std::size_t largest = 1000;  // tets; the rest costs time and shows nothing new
  if (soup.tets.size() > largest) return;

  TetMesh mesh;
  mesh.append(soup, {});
  for (const std::string& problem : validate(mesh, {.allow_hinges = true})) broken("a valid soup: " + problem);
  if (!is_closed(boundary_faces(mesh))) broken("the boundary of a mesh is open");
  FragmentTracker fragments;
  fragments.update(mesh);
  if (fragments.count() == 0) broken("a mesh without fragments");
  mesh_quality(mesh);

  const TetSoup again = read_vtu_tets(vtu_from_soup(soup), "again");
  if (again.points != soup.points || again.tets != soup.tets) broken("a mesh is not what was written");
}

}  // namespace sunder::fuzz
