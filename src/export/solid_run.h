#pragma once
// A run of solids as its exporters see it: frames come one at a time, so that long runs need little memory.

#include <functional>
#include <string>
#include <vector>

#include "export/piece_materials.h"
#include "frame/frame.h"

namespace sunder {

struct SolidRun {
  std::string name;
  double fps = 24;                  // frames that play in a second
  double pace = 1;                  // seconds of the simulation in a second of the file: below 1 in slow motion
  std::vector<int> frames;          // to export, ascending, at least one
  std::function<Frame(int)> frame;  // reads one of them
  std::vector<std::string> bodies;  // names, by the numbers in frames
  std::vector<double> density;      // kg/m^3, by the numbers of materials in frames
  PieceMaterials materials = piece_materials();

  double seconds(std::size_t i) const { return (frames[i] - frames[0]) / fps; }  // since the first
};

// From metres with y up to what the other program wants.
struct Placement {
  double scale = 1;   // its units in a metre
  bool z_up = false;  // turned about x, so that y becomes z

  Vec3 turned(const Vec3& v) const { return z_up ? Vec3(v.x(), -v.z(), v.y()) : v; }
  Vec3 point(const Vec3& x) const { return scale * turned(x); }
};

}  // namespace sunder
