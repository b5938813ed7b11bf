// The library compiled once more, with the sanitizers: in Debian's build the fuzzer could neither find its way nor see
// what goes wrong.
#define TINYGLTF_IMPLEMENTATION
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#include <tiny_gltf.h>
