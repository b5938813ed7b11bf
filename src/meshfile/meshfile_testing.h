#pragma once
// For the tests of the readers: what an InputError says, and files damaged in every way we can think of.

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "core/error.h"
#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "mesh/tet_soup.h"

namespace sunder::meshfile_testing {

// The message of the InputError that `call` throws; "" if it throws none. Other exceptions pass and fail the test.
template <class Call>
std::string problem_of(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline void expect_contains(const std::string& message, std::string_view part) {
  EXPECT_NE(message.find(part), std::string::npos) << "message: " << message << "\nshould contain: " << part;
}

struct DamageReport {
  int parsed = 0;
  int refused = 0;
};

// Every proper prefix of the content. The last one that parses is reported by its size.
template <class Read>
std::size_t longest_refused_prefix(const std::string& content, Read&& read, DamageReport* report = nullptr) {
  std::size_t longest = 0;
  for (std::size_t size = 0; size < content.size(); ++size) {
    // A copy of its own, so that the address sanitizer sees a read past the end.
    const std::string prefix(content.data(), size);
    const bool is_refused = !problem_of([&] { read(prefix); }).empty();
    if (is_refused) longest = size;
    if (report != nullptr) ++(is_refused ? report->refused : report->parsed);
  }
  return longest;
}

// One to three bytes changed, `times` times; half of them to bytes that occur in the file, which get further.
template <class Read>
DamageReport flip_bytes(const std::string& content, int times, std::uint64_t seed, Read&& read) {
  DamageReport report;
  for (int i = 0; i < times; ++i) {
    std::string damaged = content;
    const auto draw = [&](std::uint64_t which) { return random_bits(seed, static_cast<std::uint64_t>(i), which); };
    for (std::uint64_t k = 0; k <= draw(0) % 3; ++k) {
      const std::uint64_t at = draw(10 * k + 1) % damaged.size();
      const std::uint64_t from = draw(10 * k + 2) % damaged.size();
      damaged[at] = draw(10 * k + 3) % 2 == 0 ? content[from] : static_cast<char>(draw(10 * k + 4) & 0xff);
    }
    SCOPED_TRACE("seed " + std::to_string(seed) + ", damage " + std::to_string(i));
    ++(problem_of([&] { read(damaged); }).empty() ? report.parsed : report.refused);
  }
  return report;
}

// Whatever a damaged file makes of the mesh, it must be one the rest of the program can rely on.
inline void expect_sound(const TetSoup& soup) {
  for (const auto& tet : soup.tets) {
    TetCorners x;
    for (std::size_t i = 0; i < 4; ++i) {
      ASSERT_LT(tet[i], soup.points.size());
      x[i] = soup.points[tet[i]];
      ASSERT_TRUE(x[i].allFinite());
    }
    EXPECT_GT(signed_volume(x), 0);
  }
}

// The mesh the small files of the tests hold: two tetrahedra that share a face.
inline TetSoup two_tets() {
  TetSoup soup;
  soup.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1.5}};
  soup.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  return soup;
}

inline void expect_same(const TetSoup& found, const TetSoup& wanted) {
  EXPECT_EQ(found.points, wanted.points);
  EXPECT_EQ(found.tets, wanted.tets);
}

// The text with the first occurrence of `from` replaced; there must be one.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "nothing to replace: " << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

}  // namespace sunder::meshfile_testing
