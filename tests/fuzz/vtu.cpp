// VTU files: grids with all their arrays, and the tetrahedra in them.

#include "meshfile/vtu.h"

#include "fuzz_target.h"
#include "meshfile/tet_formats.h"
#include "use_mesh.h"

void sunder::fuzz::try_input(std::string_view input) {
  const std::string written = vtu_text(read_vtu(input, "grid"));
  if (vtu_text(read_vtu(written, "written")) != written) broken("a grid is not what was written");
  use_mesh(read_vtu_tets(input, "mesh"));
}
