#pragma once
// How much a homogeneous material bears at a node before it fails: a constant, or one with noise, so that a body need
// not break at a hundred places at once. What varies on purpose comes on top (fracture/toughness_field.h).

#include <cstdint>

#include "core/error.h"
#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

struct Toughness {
  enum class Measure : std::uint8_t {
    force,   // N: OH99's tau, compared with the separation itself; depends on the size of the elements
    stress,  // Pa: compared with the separation over the area that the node stands for (fracture/effective_area.h)
  };
  enum class Noise : std::uint8_t {
    none,
    node,      // each node its own, by its uid
    material,  // smooth over the material, at the scale of `grain`
  };

  double value = 0;  // N or Pa; the mean. 0: cannot break
  Measure measure = Measure::force;
  Noise noise = Noise::none;
  double spread = 0;    // in [0, 1): between value (1 - spread) and value (1 + spread)
  double grain = 0.01;  // m, distance over which noise in the material changes
  std::uint64_t seed = 0;
};

// A pure function of seed and node: the order in which nodes are asked for never matters. Noise by node is different
// for the twins of a split node, noise in the material the same.
double toughness_at(const Toughness& toughness, Uid node, const Vec3& material_position);

// InputError if no node could have such a toughness.
void require_valid(const Toughness& toughness, const Place& place);

}  // namespace sunder
