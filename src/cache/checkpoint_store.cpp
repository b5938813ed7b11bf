#include "cache/checkpoint_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".checkpoint";
constexpr std::size_t kNewestKept = 2;

// A number of at most 18 digits that takes up all of the text.
std::optional<std::uint64_t> whole_number(std::string_view text) {
  if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
  return std::stoull(std::string(text));
}

// Reads the name of a checkpoint file; none if it is something else.
std::optional<CheckpointMark> mark_of(std::string_view file, const std::string& name) {
  if (!file.starts_with(name + ".") || !file.ends_with(kEnding)) return std::nullopt;
  file.remove_prefix(name.size() + 1);
  if (file.size() < kEnding.size()) return std::nullopt;
  file.remove_suffix(kEnding.size());
  const std::size_t plus = file.find('+');
  const auto frame = whole_number(file.substr(0, plus));
  const auto steps = plus == file.npos ? std::optional<std::uint64_t>(0) : whole_number(file.substr(plus + 1));
  if (!frame || *frame < 1 || *frame > 999'999'999 || !steps) return std::nullopt;
  return CheckpointMark{static_cast<int>(*frame), *steps, plus == file.npos};
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw FileError(file.string(), "cannot be removed (" + error.message() + ")");
}

}  // namespace

CheckpointStore::CheckpointStore(const fs::path& folder, std::string name)
    : folder_(folder / "checkpoints"), name_(std::move(name)) {}

fs::path CheckpointStore::file(const CheckpointMark& mark) const {
  return folder_ / (mark.keep ? fmt::format("{}.{:04d}{}", name_, mark.frame, kEnding)
                              : fmt::format("{}.{:04d}+{}{}", name_, mark.frame, mark.steps, kEnding));
}

std::vector<StoredCheckpoint> CheckpointStore::newest_first() const {
  std::vector<StoredCheckpoint> found;
  std::error_code error;
  for (fs::directory_iterator i(folder_, error), end; !error && i != end; i.increment(error)) {
    if (const auto mark = mark_of(i->path().filename().string(), name_)) found.push_back({*mark, i->path()});
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    throw FileError(folder_.string(), "cannot be read (" + error.message() + ")");
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.mark > b.mark; });
  return found;
}

void CheckpointStore::write(const CheckpointMark& mark, std::string_view bytes) const {
  write_file_atomically(file(mark), bytes);
  const std::vector<StoredCheckpoint> all = newest_first();
  for (std::size_t i = kNewestKept; i < all.size(); ++i) {
    if (!all[i].mark.keep) remove_file(all[i].file);
  }
}

void CheckpointStore::remove_newer_than(const CheckpointMark& mark) const {
  for (const StoredCheckpoint& c : newest_first()) {
    if (c.mark > mark) remove_file(c.file);
  }
}

}  // namespace sunder
