#pragma once
// Frames as VTU files: tetrahedra, triangles or hexahedra with the arrays of interface.md, readable by ParaView and
// meshio. The last line is an XML comment with the checksum of all before it, so that damage anywhere is found.

#include <filesystem>
#include <string>
#include <string_view>

#include "frame/frame.h"

namespace sunder {

std::string frame_text(const Frame& frame);

// InputError names the file and what is wrong with it: cut short, damaged, or no frame at all.
Frame read_frame(const std::filesystem::path& path);
Frame parse_frame(std::string_view text, const std::string& file);

// The text with its checksum at the end.
std::string with_checksum(std::string text);

}  // namespace sunder
