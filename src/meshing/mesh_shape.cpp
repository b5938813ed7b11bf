#include "meshing/mesh_shape.h"

#include <variant>

#include "mesh/validate.h"
#include "meshfile/read_tets.h"
#include "meshing/ball_mesh.h"
#include "meshing/box_mesh.h"
#include "meshing/renumber.h"

namespace sunder {
namespace {

struct Mesher {
  double edge;
  std::uint64_t seed;

  TetSoup operator()(const BoxShape& box) const { return box_mesh(box.size, edge, seed); }
  TetSoup operator()(const SphereShape& sphere) const { return ball_mesh(sphere.radius, edge, seed); }
  TetSoup operator()(const FileShape& file) const {
    TetSoup soup = read_tets(file.path);
    for (Vec3& point : soup.points) point *= file.scale;
    require_valid_soup(soup, file.path.string());
    return soup;
  }
};

}  // namespace

TetSoup mesh_shape(const Shape& shape, double edge, std::uint64_t seed) {
  return renumbered(std::visit(Mesher{edge, seed}, shape));
}

}  // namespace sunder
