#pragma once
// Frames as people write them: 10, 1..48 or 1-48, 10,20,40, 1..100:5.

#include <string>
#include <vector>

namespace sunder::cli {

// In the order given. UsageError for text of another form, and for frames that are not among the known ones.
std::vector<int> frame_list(const std::string& text, const std::vector<int>& known);

}  // namespace sunder::cli
