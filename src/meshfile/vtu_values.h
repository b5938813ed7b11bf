#pragma once
// Decodes one array of a VTU file.

#include <cstdint>
#include <optional>
#include <string>

#include "meshfile/vtu.h"
#include "meshfile/vtu_tags.h"

namespace sunder {

// `tuples` is how many the array must have, if that is known. Nothing is allocated before the bytes in the file (times
// what zlib can do) have been found to justify it. Arrays may share appended data, as time steps do in VTK, but not so
// often that a small file fills the memory: each takes its bytes off the file's allowance.
VtuArray read_vtu_array(VtuTags& file, const VtuArrayTag& tag, std::optional<std::uint64_t> tuples);

[[noreturn]] void fail_array(const VtuArrayTag& tag, const std::string& problem);

}  // namespace sunder
