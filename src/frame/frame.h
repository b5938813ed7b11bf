#pragma once
// What a moment looks like, whatever solver made it: all that cache, export, render and viewers ever see.

#include <array>
#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

struct Frame {
  int number = 1;   // frame 1 is t = 0
  double time = 0;  // s

  // One entry per node.
  std::vector<Vec3> position;  // world, m
  std::vector<Vec3> rest;      // material, m
  std::vector<Vec3> velocity;  // m/s
  std::vector<Uid> node_uid;

  // One entry per tetrahedron.
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<std::uint32_t> body;
  std::vector<std::uint32_t> fragment;
  std::vector<std::uint32_t> material;
  std::vector<Uid> tet_uid;
  std::vector<double> stress;             // largest principal Cauchy stress, Pa
  std::vector<std::uint8_t> crack_faces;  // bit i: the face opposite corner i is crack surface

  // The same, or empty if no shape has parts: of the face opposite each corner, 0 inside and where nothing is known,
  // else 1 + index into run.json's "parts"; and texture coordinates (u, v) at its three corners, in the order of
  // kTetFaces.
  std::vector<std::array<std::uint8_t, 4>> parts;
  std::vector<std::array<float, 24>> uv;
};

}  // namespace sunder
