#pragma once
// What bodies of other methods can touch of a solver's, whatever it is: balls round its nodes, or faces between them.

#include <array>
#include <cstdint>
#include <span>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

struct Touchable {
  const Column<NodeId, Vec3>& position;          // m
  const Column<NodeId, Vec3>& velocity;          // m/s
  const Column<NodeId, double>& mass;            // kg
  const Column<NodeId, double>& stiffness;       // N/m, how hard a node alone resists being moved
  Column<NodeId, Vec3>& force;                   // N, of the step that has begun
  std::span<const double> radius;                // m, of the ball round each node; empty: there are none
  std::span<const std::array<NodeId, 3>> faces;  // counter-clockwise seen from outside; empty: there are none
  std::uint64_t version = 0;                     // changes when the faces do
  double softer = 1;                             // factor that the scene puts on all stiffness now
};

}  // namespace sunder
