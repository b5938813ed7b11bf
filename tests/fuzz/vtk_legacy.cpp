// VTK's legacy files.

#include "fuzz_target.h"
#include "meshfile/tet_formats.h"
#include "use_mesh.h"

void sunder::fuzz::try_input(std::string_view input) { use_mesh(read_vtk_legacy(input, "mesh")); }
