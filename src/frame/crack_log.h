#pragma once
// What happened to the material since the last frame: every split of a node, and the fragments that came of them.

#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

// One split of a node along a plane.
struct CrackEvent {
  double time = 0;  // s
  Uid node = 0;
  double eigenvalue = 0;            // of the separation tensor, N
  double toughness = 0;             // that it exceeded, N
  Vec3 position = Vec3::Zero();     // world, m
  Vec3 rest = Vec3::Zero();         // material, m
  Vec3 normal = Vec3::Zero();       // of the plane, world
  std::uint32_t tets_before = 0;    // that were replaced ...
  std::uint32_t tets_after = 0;     // ... by these
  std::uint32_t crack_faces = 0;    // made, both sides counted once
  double area = 0;                  // of them in the material, m^2
  std::uint32_t snapped_nodes = 0;  // counted as on the plane ...
  std::uint32_t hard_snaps = 0;     // ... of these, because a piece would have been too small or too flat
  std::uint32_t grains = 0;         // of dust that its faces shed, and their mass:
  double dust_mass = 0;             // kg
};

// A fragment that broke off another.
struct FragmentEvent {
  std::uint32_t id = 0, parent = 0;
};

struct CrackLog {
  std::vector<CrackEvent> cracks;
  std::vector<FragmentEvent> fragments;
};

// Since the start.
struct CrackCounts {
  std::uint64_t splits = 0;        // of nodes
  std::uint64_t refused = 0;       // splits that found no tet on one side, or no room
  std::uint64_t hard_snapped = 0;  // splits that the floor of sizes bent towards the mesh
  double area = 0;                 // of crack faces in the material, both sides counted once, m^2
};

}  // namespace sunder
