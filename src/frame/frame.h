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

  // One entry per element in the columns from `body` on: the tetrahedra, the triangles of surfaces, the hexahedra of
  // lattices (VTK's order of corners).
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<std::uint32_t, 8>> hexes;
  std::vector<std::uint32_t> body;
  std::vector<std::uint32_t> fragment;
  std::vector<std::uint32_t> material;
  std::vector<Uid> tet_uid;
  std::vector<double> stress;  // largest principal Cauchy stress, Pa; of a surface over its toughness
  // bit i: the face (of a triangle the edge) opposite corner i is crack surface; of a hexahedron, the bond of an edge
  // of VTK's face i is broken
  std::vector<std::uint8_t> crack_faces;
  std::vector<double> plastic_strain;  // equivalent; empty if nothing in the scene flows

  // Of surfaces, one entry per triangle: of the edge opposite each corner the event that cut it, numbered from 1 as in
  // cracks.jsonl, and its time; 0 where nothing did. Texture coordinates (u, v) of the corners, empty if there are
  // none.
  std::vector<std::array<std::uint32_t, 3>> crack_order;
  std::vector<std::array<double, 3>> crack_time;
  std::vector<std::array<float, 6>> corner_uv;
  // Per node: from its rest position to the foot of the walls of cracks, m; empty if there are no walls.
  std::vector<Vec3> wall;

  // The skin of the face opposite each corner (mesh/face_skin.h), each column empty if no body has it: 0 inside and
  // where nothing is known, else 1 + index into run.json's "parts"; texture coordinates (u, v) and outward normals in
  // material coordinates at its three corners, in the order of kTetFaces; 1 + index of the triangle of the model's
  // file.
  std::vector<std::array<std::uint8_t, 4>> parts;
  std::vector<std::array<float, 24>> uv;
  std::vector<std::array<float, 36>> normals;
  std::vector<std::array<std::uint32_t, 4>> source;

  // Of lattices (frame/lattice_surface.h): per hexahedron, bit i: the bond along its edge i is broken; per node, the
  // fragment it belongs to and how its surroundings are turned (a quaternion: w, x, y, z).
  std::vector<std::uint32_t> broken_edges;
  std::vector<std::uint32_t> node_fragment;
  std::vector<std::array<double, 4>> turn;

  std::vector<FrameGrain> grains;
};

}  // namespace sunder
