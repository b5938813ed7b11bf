// What of the field a checkpoint holds. Gradients, areas and rows are found anew, to the same bits.

#include "solvers/surface_iben06/membrane.h"

namespace sunder::surface_iben06 {
namespace {

constexpr std::size_t kFacetNumbers = 6 + 4 * 4, kJointNumbers = 6 + 2 + 2 + 3;

// Copies the numbers of a matrix to or from a flat list.
template <class Matrix>
void put(std::vector<double>& numbers, const Matrix& matrix) {
  numbers.insert(numbers.end(), matrix.data(), matrix.data() + matrix.size());
}
template <class Matrix>
void get(const double*& from, Matrix& matrix) {
  std::copy(from, from + matrix.size(), matrix.data());
  from += matrix.size();
}

}  // namespace

void Membrane::save(Writer& out) const {
  mesh_.save(out);
  out.put(once_), out.put(load_);
  std::vector<double> numbers;
  for (const Facet& f : facets_) {
    put(numbers, f.frame), put(numbers, f.pattern), put(numbers, f.once), put(numbers, f.base), put(numbers, f.stress);
  }
  out.put_all(std::span<const double>(numbers));
  numbers.clear();
  for (const Joint& j : joints_) {
    put(numbers, j.frame), put(numbers, j.moved), put(numbers, j.force);
    numbers.insert(numbers.end(), {j.toughness, j.scale, j.fixed ? 1.0 : 0.0});
  }
  out.put_all(std::span<const double>(numbers));
}

void Membrane::load(Reader& in) {
  mesh_.load(in);
  once_ = in.get<double>(), load_ = in.get<double>();
  const std::vector<double> facets = in.get_all<double>();
  if (facets.size() != kFacetNumbers * mesh_.triangle_count()) in.fail();
  const std::vector<double> joints = in.get_all<double>();
  if (joints.size() != kJointNumbers * mesh_.node_count()) in.fail();
  joints_.resize(mesh_.node_count());
  const double* from = joints.data();
  for (Joint& j : joints_) {
    get(from, j.frame), get(from, j.moved), get(from, j.force);
    j.toughness = *from++, j.scale = *from++, j.fixed = *from++ != 0;
  }
  facets_.resize(mesh_.triangle_count());
  from = facets.data();
  for (const TriangleId t : id_range<TriangleId>(mesh_.triangle_count())) {
    Facet& f = facets_[t];
    get(from, f.frame), get(from, f.pattern), get(from, f.once), get(from, f.base), get(from, f.stress);
    set_geometry(t);
  }
  rows_.assign(mesh_.node_count(), {});
  update_all_rows();
}

}  // namespace sunder::surface_iben06
