// Surfaces in Wavefront OBJ.

#include "fuzz_target.h"
#include "meshfile/surface_formats.h"
#include "use_surface.h"

void sunder::fuzz::try_input(std::string_view input) { use_surface(read_obj(input, "surface")); }
