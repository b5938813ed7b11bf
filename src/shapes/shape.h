#pragma once
// Plain descriptions of solids, centred at the origin; `meshing` turns them into tetrahedra.

#include <filesystem>
#include <variant>

#include "core/vec.h"

namespace sunder {

struct BoxShape {
  Vec3 size = Vec3::Ones();  // m
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};

struct SphereShape {
  double radius = 0.5;  // m
  friend bool operator==(const SphereShape&, const SphereShape&) = default;
};

// A file of tetrahedra; its own coordinates are kept, times `scale`.
struct FileShape {
  std::filesystem::path path;
  double scale = 1;  // metres per unit of the file
  friend bool operator==(const FileShape&, const FileShape&) = default;
};

using Shape = std::variant<BoxShape, SphereShape, FileShape>;

// An edge length that gives a few thousand tets, m; a file brings its own.
double default_edge(const Shape& shape);

// How many tets a shape will have at an edge length, as a double so that absurd requests do not overflow.
double estimated_tets(const Shape& shape, double edge);

}  // namespace sunder
