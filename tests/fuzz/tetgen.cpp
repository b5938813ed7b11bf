// TetGen's pair of files: the parts `node` and `ele` of the input.

#include "fuzz_target.h"
#include "meshfile/tet_formats.h"
#include "named_parts.h"
#include "use_mesh.h"

void sunder::fuzz::try_input(std::string_view input) {
  use_mesh(read_tetgen(named_part(input, "node"), "mesh.node", named_part(input, "ele"), "mesh.ele"));
}
