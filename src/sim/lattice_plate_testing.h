#pragma once
// A scene of tests: a plate of bonds falls on its edge and breaks into a few pieces, in about a second's computing.

namespace sunder {

inline constexpr const char* kLatticePlate = R"(name = "plate"
duration = 0.02
fps = 500
[[body]]
solver = "lattice_norton91"
shape = { kind = "slab", size = [0.2, 0.12, 0.01] }
edge = 0.01
position = [0, 0.0915, 0]
rotation = [0, 0, 20]
velocity = [0, -5, 0]
material = { young = 1e8, poisson = 0.25, density = 2000, strength = 1e6 }
[[collider]]
shape = { kind = "ground" }
)";

}  // namespace sunder
