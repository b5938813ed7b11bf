#pragma once
// Frames as VTU files: tetrahedra with the arrays of interface.md, readable by ParaView and meshio.

#include <filesystem>
#include <string>
#include <string_view>

#include "frame/frame.h"

namespace sunder {

std::string frame_text(const Frame& frame);

// InputError names the file and the array that is missing or damaged.
Frame read_frame(const std::filesystem::path& path);
Frame parse_frame(std::string_view text, const std::string& file);  // `file` is for messages

}  // namespace sunder
