// Frames of a run. The checksum is put right, so that what lies before it is reached.

#include "cache/frame_vtu.h"
#include "fuzz_target.h"

void sunder::fuzz::try_input(std::string_view input) {
  constexpr std::string_view end = "</VTKFile>\n";
  const std::string whole = std::string(input) + std::string(input.ends_with(end) ? "" : end);
  const std::string written = frame_text(parse_frame(with_checksum(whole), "frame"));
  if (frame_text(parse_frame(written, "written")) != written) broken("a frame is not what was written");
}
