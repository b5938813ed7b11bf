#include "apps/cli/frame_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/error.h"

namespace sunder::cli {
namespace {

// A number from 1, or 0 if the text is none.
int number(const std::string& text) {
  const bool good = !text.empty() && text.size() <= 7 && text.find_first_not_of("0123456789") == std::string::npos;
  return good ? std::stoi(text) : 0;
}

}  // namespace

std::vector<int> frame_list(const std::string& text, const std::vector<int>& known) {
  const auto wrong = [&] {
    throw UsageError(fmt::format("frames `{}`: write 10, 1..48 or 1-48, 1..48:2 (every second) or 10,20,40", text));
  };
  std::vector<int> frames;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    int step = 1;
    if (const std::size_t colon = part.find(':'); colon != std::string::npos) {
      step = number(part.substr(colon + 1));
      part.resize(colon);
    }
    const std::size_t dots = std::min(part.find(".."), part.find('-'));
    const int first = number(part.substr(0, dots));
    const int last = dots == std::string::npos ? first : number(part.substr(dots + (part[dots] == '-' ? 1 : 2)));
    if (first == 0 || last < first || step == 0) wrong();
    for (int f = first; f <= last; f += step) {
      if (!std::binary_search(known.begin(), known.end(), f)) {
        throw UsageError(fmt::format("frames `{}`: there is no frame {}; the run has {} to {}", text, f, known.front(),
                                     known.back()));
      }
      frames.push_back(f);
    }
  }
  if (frames.empty()) wrong();
  return frames;
}

}  // namespace sunder::cli
