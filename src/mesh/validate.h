#pragma once
// Every invariant of a tet mesh, checked without trusting what the mesh says about itself: faces are matched by
// sorting them, stars are compared with the corners. Near-linear, so that it can run on a million tets.

#include <cstddef>
#include <string>
#include <vector>

#include "mesh/tet_mesh.h"
#include "mesh/tet_soup.h"

namespace sunder {

struct ValidateOptions {
  // A hinge is a node whose tets do not all hang together through faces that hold the node. The fracture code never
  // leaves one, an input mesh may bring some.
  bool allow_hinges = false;
  std::size_t max_problems = 20;  // stop looking after so many
};

// One sentence for each violation found, with the index and uid of what is wrong; empty if all invariants hold.
std::vector<std::string> validate(const TetMesh& mesh, const ValidateOptions& options = {});

// Stops the program with the first problem: after an edit of ours, a broken mesh is a bug of ours.
void require_valid(const TetMesh& mesh, const ValidateOptions& options = {});

// InputError if the tets of a file cannot be simulated: `name` is the file. Points without tets are let through.
void require_valid_soup(const TetSoup& soup, const std::string& name);

}  // namespace sunder
