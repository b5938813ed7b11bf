#pragma once
// Reading and writing whole files. A written file appears under its final name only when it is complete and on disk:
// temporary file beside it, fsync, rename. Files that grow do so by whole pieces.

#include <filesystem>
#include <string>
#include <string_view>

namespace sunder {

std::string read_file(const std::filesystem::path& path);  // FileError if it cannot be read

void write_file_atomically(const std::filesystem::path& path, std::string_view content);

// Adds to the end of a file that exists. If that fails, the file is cut back to what it was.
void append_to_file(const std::filesystem::path& path, std::string_view content);

// With the folders above it, unless it is there. FileError if that cannot be.
void create_folder(const std::filesystem::path& folder);

// The ending with its dot, in small letters; "" if there is none.
std::string ending_of(const std::filesystem::path& path);

// Ending of files under construction; one that is left over belongs to a process that died.
inline constexpr std::string_view kTemporaryEnding = ".part";

}  // namespace sunder
