#pragma once
// What a tet needs again and again and that only its rest shape decides: OH99's beta (16) and volume (25), mass, the
// largest frequencies, and the cap on its damping. The rest shape is that of the material coordinates; where plastic
// flow has changed it, the changed one. Nothing else knows of the flow: F is always taken from the rest shape.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "materials/crush_barrier.h"
#include "materials/material.h"
#include "materials/stress_model.h"
#include "mesh/tet_mesh.h"

namespace sunder::tet_oh99 {

struct TetMaterial {
  Material constants;
  std::unique_ptr<StressModel> law;
  CrushBarrier barrier;
  bool isotropic = false;  // the law is isotropic_stress(constants): the fast kernel knows it by heart
};

// An isotropic material, with the barrier's modulus set to lambda + 2 mu (or left out, for the paper's literal law).
TetMaterial isotropic_material(const Material& constants, bool with_barrier = true);

// The material of a body that is turned by `rotation`: anisotropic, if it has such constants.
TetMaterial material_of_body(const Material& constants, const Mat3& rotation, bool with_barrier = true);

struct DampingParameters {
  bool capped = true;
  double largest_ratio = 1;  // of an element's fastest mode, to critical
};

// What plastic flow has made of the rest shapes (materials/plastic_flow.h); state, unlike the rest. The columns are
// empty if no material flows.
struct PlasticShapes {
  std::vector<std::uint8_t> flows;  // by material: whether it does
  Column<TetId, Mat3> deformation;  // Fp: rest edges over material edges; its determinant is 1
  Column<TetId, double> strain;     // equivalent plastic strain

  bool any() const { return std::find(flows.begin(), flows.end(), 1) != flows.end(); }
};

struct ElementConstants {
  Column<TetId, Mat3> rest_inverse;       // of the edge matrix: rows are grad b_1, grad b_2, grad b_3, 1/m
  Column<TetId, double> volume;           // material, m^3
  Column<TetId, double> damping_scale;    // share of the viscosity that the cap leaves, in [0, 1]
  Column<TetId, double> elastic_eigen;    // largest eigenvalue of M_e^-1 K_e at rest, 1/s^2
  Column<TetId, double> viscous_eigen;    // the same of the viscous matrix, after the cap, 1/s
  Column<TetId, double> gradient_square;  // largest eigenvalue of sum_i grad b_i grad b_i^T, 1/m^2
  double largest_gradient_square = 0;     // of all tets, 1/m^2: one over the smallest size squared
  double smallest_damping_time = 0;       // least viscosity over stiffness of any mode of any tet, s
  PlasticShapes plastic;
};

// The corners of the rest shape, up to a shift.
TetCorners rest_corners(const TetMesh& mesh, const PlasticShapes& plastic, TetId tet);

// grad b_i of a corner, 1/m; the four of a tet add up to nothing.
inline Vec3 shape_gradient(const ElementConstants& elements, Corner corner) {
  const Mat3& rows = elements.rest_inverse[corner.tet];
  if (corner.index == 0) return -rows.colwise().sum().transpose();
  return rows.row(corner.index - 1).transpose();
}

// Makes the constants of one tet at a time: of all of them at the start, of a few after a split.
class ElementMaker {
 public:
  ElementMaker(const std::vector<TetMaterial>& materials, const DampingParameters& damping);

  // The columns get the length of the mesh's slots.
  void make_room(const TetMesh& mesh, ElementConstants& constants) const;
  void make(const TetMesh& mesh, TetId tet, ElementConstants& constants) const;
  // Lets a tet that was made count for the extremes of all.
  void count(const TetMesh& mesh, TetId tet, ElementConstants& constants) const;

 private:
  struct Law {
    Material constants;
    bool isotropic;
    Moduli elastic_root, viscous_root;
    double damping_time;  // s
  };
  std::vector<Law> laws_;  // by material
  DampingParameters damping_;
};

ElementConstants element_constants(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                   const DampingParameters& damping);
// The same for rest shapes that have flowed.
ElementConstants element_constants(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                   const DampingParameters& damping, PlasticShapes plastic);

// After the mesh was compacted: old index -> new id.
// What is largest and smallest of all, after tets were removed.
void count_again(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const DampingParameters& damping,
                 ElementConstants& elements);

void renumber_tets(const std::vector<TetId>& tet, ElementConstants& constants);

// Lumped: rho vol / 4 from every tet at the node, kg.
Column<NodeId, double> lumped_masses(const TetMesh& mesh, const std::vector<TetMaterial>& materials);

// What a tet adds to the stiffness of its corner, N/m, for a modulus lambda + 2 mu. The sum over a node's star is how
// hard it alone resists being moved, the diagonal of the stiffness matrix: the contact penalty is chosen from it, so
// that contact is about as stiff as what it touches.
inline double corner_stiffness(const ElementConstants& elements, Corner corner, double wave_modulus) {
  return elements.volume[corner.tet] * wave_modulus * shape_gradient(elements, corner).squaredNorm();
}
double wave_modulus(const TetMaterial& material);  // the largest resistance to a stretch, lambda + 2 mu if isotropic
Column<NodeId, double> node_stiffness(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                      const ElementConstants& elements);

}  // namespace sunder::tet_oh99
