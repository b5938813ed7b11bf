#pragma once
// Gathers the points and tetrahedra of a file under the file's own numbers, in any order, and makes a sound TetSoup of
// them: numbers become indices, orientation positive, points that nothing uses are left out.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "mesh/tet_soup.h"

namespace sunder {

class SoupBuilder {
 public:
  // `point_word` and `cell_word` are what the format calls them: "node" and "element", "vertex" and "tetrahedron".
  SoupBuilder(const std::string& file_name, std::string point_word, std::string cell_word)
      : SoupBuilder(file_name, file_name, std::move(point_word), std::move(cell_word)) {}
  SoupBuilder(std::string point_file, std::string cell_file, std::string point_word, std::string cell_word);

  void reserve_points(std::size_t count) { points_.reserve(count); }
  void reserve_tets(std::size_t count) { tets_.reserve(count); }

  // Lines are for messages; 0 if there are none. Coordinates must be finite (checked in finish).
  void add_point(std::int64_t number, const Vec3& position, int line);
  void add_tet(std::int64_t number, const std::array<std::int64_t, 4>& corners, int line);

  // An element that cannot be used: which kind, and what the user can do.
  [[noreturn]] void refuse_cell(std::int64_t number, const std::string& kind, int line) const;

  TetSoup finish();
  // The file's numbers of the soup's points, once it is finished.
  const std::vector<std::int64_t>& kept() const { return kept_; }

 private:
  struct Point {
    std::int64_t number;
    Vec3 position;
    int line;
  };
  struct Tet {
    std::int64_t number;
    std::array<std::int64_t, 4> corners;
    int line;
  };

  void sort_points_by_number();
  const Point* find_point(std::int64_t number) const;

  std::string point_file_;
  std::string cell_file_;
  std::string point_word_;
  std::string cell_word_;
  std::vector<Point> points_;
  std::vector<Tet> tets_;
  std::vector<std::uint32_t> by_number_;  // positions in points_, ascending numbers
  std::vector<std::int64_t> kept_;
};

}  // namespace sunder
