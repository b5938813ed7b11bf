#pragma once
// What a moment looks like, whatever solver made it: all that cache, export, render and viewers ever see.

#include <array>
#include <cstdint>
#include <vector>

#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

// A grain of dust that a crack face has shed. Grains are never removed, and stand in the order in which they were born.
struct FrameGrain {
  Vec3 position = Vec3::Zero();  // world, m
  Vec3 velocity = Vec3::Zero();  // m/s
  Vec3 rest = Vec3::Zero();      // where it broke off, in the material, m
  double mass = 0;               // kg
  double radius = 0;             // m
  std::uint32_t body = 0;
};

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
  std::vector<double> plastic_strain;     // equivalent; empty if nothing in the scene flows

  // The skin of the face opposite each corner (mesh/face_skin.h), each column empty if no body has it: 0 inside and
  // where nothing is known, else 1 + index into run.json's "parts"; texture coordinates (u, v) and outward normals in
  // material coordinates at its three corners, in the order of kTetFaces; 1 + index of the triangle of the model's
  // file.
  std::vector<std::array<std::uint8_t, 4>> parts;
  std::vector<std::array<float, 24>> uv;
  std::vector<std::array<float, 36>> normals;
  std::vector<std::array<std::uint32_t, 4>> source;

  std::vector<FrameGrain> grains;
};

}  // namespace sunder
