// Frames of a run.

#include "cache/frame_vtu.h"
#include "fuzz_target.h"
#include "sealed.h"

void sunder::fuzz::try_input(std::string_view input) {
  const std::string written = frame_text(parse_frame(sealed_frame(input), "frame"));
  if (frame_text(parse_frame(written, "written")) != written) broken("a frame is not what was written");
}
