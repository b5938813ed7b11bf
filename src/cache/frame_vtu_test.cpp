#include "cache/frame_vtu.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "core/files.h"
#include "core/random.h"
#include "meshfile/meshfile_testing.h"
#include "meshfile/vtu.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using meshfile_testing::expect_contains;
using meshfile_testing::problem_of;

// Numbers that a careless writer would change: signed zero, the least and the largest, and many digits.
double awkward_number(std::uint64_t which) {
  constexpr double special[] = {-0.0,
                                0.0,
                                std::numeric_limits<double>::denorm_min(),
                                -2.5e-310,
                                std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::min(),
                                0.1,
                                -1.0 / 3};
  const std::uint64_t bits = random_bits(7, which);
  if (bits % 4 == 0) return special[(bits >> 8) % std::size(special)];
  return std::ldexp(static_cast<double>(bits >> 11), static_cast<int>(bits % 100) - 100);
}

Vec3 awkward_vector(std::uint64_t which) {
  return {awkward_number(3 * which), awkward_number(3 * which + 1), awkward_number(3 * which + 2)};
}

Frame awkward_frame(std::size_t nodes, std::size_t tets) {
  Frame frame;
  frame.number = 1234567;
  frame.time = 1.0 / 24;
  for (std::size_t i = 0; i < nodes; ++i) {
    frame.position.push_back(awkward_vector(3 * i));
    frame.rest.push_back(awkward_vector(3 * i + 1));
    frame.velocity.push_back(awkward_vector(3 * i + 2));
    frame.node_uid.push_back(random_bits(1, i) | (1ull << 63));  // no double holds it
  }
  for (std::size_t i = 0; i < tets; ++i) {
    std::array<std::uint32_t, 4> tet;
    for (std::size_t k = 0; k < 4; ++k) tet[k] = static_cast<std::uint32_t>(random_bits(2, i, k) % nodes);
    frame.tets.push_back(tet);
    frame.body.push_back(static_cast<std::uint32_t>(random_bits(3, i)));
    frame.fragment.push_back(static_cast<std::uint32_t>(random_bits(4, i)));
    frame.material.push_back(0xffffffffu - static_cast<std::uint32_t>(i));
    frame.tet_uid.push_back(std::numeric_limits<Uid>::max() - i);
    frame.stress.push_back(awkward_number(i + 99));
    frame.crack_faces.push_back(static_cast<std::uint8_t>(random_bits(5, i) % 16));
    frame.plastic_strain.push_back(awkward_number(i + 7));
  }
  for (std::uint32_t i = 0; i < 3; ++i) {
    frame.grains.push_back({awkward_vector(i + 500), awkward_vector(i + 600), awkward_vector(i + 700),
                            awkward_number(i + 800), awkward_number(i + 900), i});
  }
  return frame;
}

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> result;
  for (const double x : values) result.push_back(std::bit_cast<std::uint64_t>(x));
  return result;
}
std::vector<std::uint64_t> bits(const std::vector<Vec3>& vectors) {
  const auto numbers = flat(vectors);
  return bits(std::vector<double>(numbers.begin(), numbers.end()));
}

void expect_same_bits(const Frame& a, const Frame& b) {
  EXPECT_EQ(a.number, b.number);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.time), std::bit_cast<std::uint64_t>(b.time));
  EXPECT_EQ(bits(a.position), bits(b.position));
  EXPECT_EQ(bits(a.rest), bits(b.rest));
  EXPECT_EQ(bits(a.velocity), bits(b.velocity));
  EXPECT_EQ(a.node_uid, b.node_uid);
  EXPECT_EQ(a.tets, b.tets);
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(a.fragment, b.fragment);
  EXPECT_EQ(a.material, b.material);
  EXPECT_EQ(a.tet_uid, b.tet_uid);
  EXPECT_EQ(bits(a.stress), bits(b.stress));
  EXPECT_EQ(a.crack_faces, b.crack_faces);
  EXPECT_EQ(bits(a.plastic_strain), bits(b.plastic_strain));
  ASSERT_EQ(a.grains.size(), b.grains.size());
  for (std::size_t i = 0; i < a.grains.size(); ++i) {
    const FrameGrain &g = a.grains[i], &h = b.grains[i];
    EXPECT_EQ(bits(std::vector{g.position, g.velocity, g.rest}), bits(std::vector{h.position, h.velocity, h.rest}));
    EXPECT_EQ(bits({g.mass, g.radius}), bits({h.mass, h.radius}));
    EXPECT_EQ(g.body, h.body);
  }
}

class FrameFile : public testing::Test {
 protected:
  FrameFile() : path_(fs::temp_directory_path() / ("sunder_frame_" + std::to_string(::getpid()) + ".vtu")) {}
  ~FrameFile() override { fs::remove(path_); }

  Frame read_back(const std::string& text) {
    write_file_atomically(path_, text);
    return read_frame(path_);
  }
  // What reading says after `change` was made to the arrays of a good frame.
  std::string problem_after(const std::function<void(VtuGrid&)>& change) {
    VtuGrid grid = read_vtu(frame_text(awkward_frame(5, 3)), "good.vtu");
    change(grid);
    return problem_of([&] { read_back(with_checksum(vtu_text(grid))); });
  }

  fs::path path_;
};

TEST_F(FrameFile, ComesBackBitForBit) {
  const Frame frame = awkward_frame(5000, 20000);  // several compressed blocks
  expect_same_bits(frame, read_back(frame_text(frame)));
}

TEST_F(FrameFile, CarriesTheSkinIfThereIsAny) {
  Frame frame = awkward_frame(9, 4);
  for (const char* name : {"\"parts\"", "\"uv\"", "\"normals\"", "\"source\""}) {
    EXPECT_EQ(frame_text(frame).find(name), std::string::npos);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    auto& parts = frame.parts.emplace_back();
    auto& uv = frame.uv.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) parts[k] = static_cast<std::uint8_t>(random_bits(6, i, k));
    for (std::size_t k = 0; k < 24; ++k) uv[k] = static_cast<float>(random_unit(7, i, k));
    auto& normals = frame.normals.emplace_back();
    for (std::size_t k = 0; k < 36; ++k) normals[k] = static_cast<float>(random_unit(8, i, k));
    auto& source = frame.source.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) source[k] = static_cast<std::uint32_t>(random_bits(9, i, k));
  }
  write_file_atomically(path_, frame_text(frame));
  const Frame back = read_frame(path_);
  EXPECT_EQ(back.parts, frame.parts);
  EXPECT_EQ(back.uv, frame.uv);
  EXPECT_EQ(back.normals, frame.normals);
  EXPECT_EQ(back.source, frame.source);
}

TEST_F(FrameFile, OfNothingComesBackAsNothing) {
  Frame frame;
  frame.number = 1;
  expect_same_bits(frame, read_back(frame_text(frame)));
}

TEST_F(FrameFile, IsTheSameBytesEveryTime) {
  EXPECT_EQ(frame_text(awkward_frame(300, 900)), frame_text(awkward_frame(300, 900)));
}

const std::vector<std::pair<const char*, std::vector<VtuArray> VtuGrid::*>>& arrays_of_a_frame() {
  static const std::vector<std::pair<const char*, std::vector<VtuArray> VtuGrid::*>> all = {
      {"TimeValue", &VtuGrid::field_data}, {"frame", &VtuGrid::field_data},     {"rest", &VtuGrid::point_data},
      {"velocity", &VtuGrid::point_data},  {"uid", &VtuGrid::point_data},       {"body", &VtuGrid::cell_data},
      {"fragment", &VtuGrid::cell_data},   {"material", &VtuGrid::cell_data},   {"uid", &VtuGrid::cell_data},
      {"stress", &VtuGrid::cell_data},     {"crack_faces", &VtuGrid::cell_data}};
  return all;
}

VtuArray& find(std::vector<VtuArray>& arrays, const std::string& name) {
  for (VtuArray& array : arrays) {
    if (array.name == name) return array;
  }
  throw std::runtime_error("a frame has no array " + name);
}

TEST_F(FrameFile, WithoutAnArrayIsRefusedByTheArraysName) {
  for (const auto& [name, group] : arrays_of_a_frame()) {
    const std::string problem = problem_after([&, array = name, where = group](VtuGrid& grid) {
      VtuArray& found = find(grid.*where, array);
      (grid.*where).erase((grid.*where).begin() + (&found - (grid.*where).data()));
    });
    expect_contains(problem, path_.string());
    expect_contains(problem, std::string("array `") + name + "` is missing");
  }
}

TEST_F(FrameFile, WithAnArrayOfAnotherTypeIsRefusedByTheArraysName) {
  for (const auto& [name, group] : arrays_of_a_frame()) {
    const std::string problem = problem_after([&, array = name, where = group](VtuGrid& grid) {
      VtuArray& found = find(grid.*where, array);
      found.values = std::vector<float>(found.size(), 1.0f);
    });
    expect_contains(problem, path_.string());
    expect_contains(problem, std::string("array `") + name + "` has the wrong type or size");
  }
}

TEST_F(FrameFile, WithAnotherNumberOfComponentsIsRefusedByTheArraysName) {
  for (const auto& [name, group] : arrays_of_a_frame()) {
    const std::string problem = problem_after([&, array = name, where = group](VtuGrid& grid) {
      VtuArray& found = find(grid.*where, array);
      std::visit([](auto& values) { values.resize(2 * values.size()); }, found.values);
      found.components *= 2;
    });
    expect_contains(problem, std::string("array `") + name + "` has the wrong type or size");
  }
}

TEST_F(FrameFile, OfOtherCellsIsRefused) {
  constexpr std::uint8_t quad = 9;  // has four corners as well
  expect_contains(problem_after([&](VtuGrid& grid) { grid.types[1] = quad; }), "cell 1 is not a tetrahedron");
}

TEST_F(FrameFile, CutShortAnywhereIsRefused) {
  const std::string text = frame_text(awkward_frame(40, 60));
  for (std::size_t size = 0; size < text.size(); size += size + 200 < text.size() ? 97 : 1) {
    const std::string problem = problem_of([&] { read_back(text.substr(0, size)); });
    expect_contains(problem, path_.string());
  }
}

TEST_F(FrameFile, WithOneBitWrongIsRefused) {
  const std::string text = frame_text(awkward_frame(40, 60));
  std::string damaged = text;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char bit = static_cast<char>(1 << at % 8);
    damaged[at] = static_cast<char>(damaged[at] ^ bit);
    ASSERT_THROW(parse_frame(damaged, "x.vtu"), InputError) << "byte " << at;
    damaged[at] = text[at];
  }
}

TEST_F(FrameFile, WithSomethingAddedIsRefused) {
  const std::string text = frame_text(awkward_frame(4, 6));
  EXPECT_THROW(parse_frame(text + "\n", "x.vtu"), InputError);
  EXPECT_THROW(parse_frame(text + text, "x.vtu"), InputError);
}

TEST_F(FrameFile, ThatIsNotThereIsAFileError) {
  try {
    read_frame("/nowhere/x.0001.vtu");
    FAIL();
  } catch (const FileError& error) {
    expect_contains(error.what(), "/nowhere/x.0001.vtu");
  }
}

}  // namespace
}  // namespace sunder
