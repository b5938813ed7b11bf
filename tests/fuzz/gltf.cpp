// Surfaces in glTF, .gltf and .glb. There is no folder of that name, so no file beside is found.

#include "fuzz_target.h"
#include "meshfile/surface_formats.h"
#include "use_surface.h"

void sunder::fuzz::try_input(std::string_view input) { use_surface(read_gltf(input, "no-such-folder/surface")); }
