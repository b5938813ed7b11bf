#pragma once
// What a tet needs again and again and that only its material shape decides: OH99's beta (16) and volume (25), mass,
// the largest frequencies, and the cap on its damping.

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

struct DampingParameters {
  bool capped = true;
  double largest_ratio = 1;  // of an element's fastest mode, to critical
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
};

ElementConstants element_constants(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                   const DampingParameters& damping);

// Lumped: rho vol / 4 from every tet at the node, kg.
Column<NodeId, double> lumped_masses(const TetMesh& mesh, const std::vector<TetMaterial>& materials);

// How hard a node alone resists being moved, N/m: the diagonal of the stiffness matrix. The contact penalty is chosen
// from it, so that contact is about as stiff as what it touches.
Column<NodeId, double> node_stiffness(const TetMesh& mesh, const std::vector<TetMaterial>& materials);

// Largest eigenvalue of (rho vol / 4)^-1 vol B^T C B, with B the strain of the four corners' motion. No assembly of
// elements has a larger one (Rayleigh quotients), while altitude over wave speed is no bound at all.
double largest_element_eigenvalue(const TetCorners& corners, const Moduli& moduli_root, double density);

// The symmetric square root that largest_element_eigenvalue takes.
Moduli symmetric_root(const Moduli& moduli);

}  // namespace sunder::tet_oh99
