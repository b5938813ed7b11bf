#pragma once
// For tests of what a person asks of a break: bodies that are pulled apart, and how far.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "frame/frame.h"
#include "scene/read_scene.h"
#include "sim/build.h"
#include "sim/gallery_testing.h"

namespace sunder {

// Steps until the time is over, or there are so many splits.
inline void run_until(Solver& solver, double time, std::uint64_t splits = 1000000) {
  double now = 0;
  while (now < time && solver.totals().splits < splits) {
    const StepReport report = solver.step(solver.stable_dt());
    ASSERT_TRUE(report.finite);
    now += report.dt;
  }
}

inline Frame frame_now(Solver& solver) {
  Frame frame;
  solver.prepare_frame();
  solver.snapshot(frame);
  return frame;
}

// A bar that is pulled apart slowly, its ends free to contract: stress is the same everywhere, until it breaks.
inline std::string pulled_bar(double edge, const std::string& bears) {
  return "duration = 0.08\ngravity = [0, 0, 0]\n[[body]]\nshape = { kind = \"box\", size = [0.16, 0.04, 0.04] }\nedge "
         "= " +
         std::to_string(edge) + "\nmaterial = { lambda = 2.65e6, mu = 3.97e6, phi = 264, psi = 397, density = 1013, " +
         bears +
         " }\n"
         "[[region]]\nname = \"left\"\nwhere = { kind = \"half-space\", point = [-0.0799, 0, 0], normal = [-1, 0, 0] "
         "}\n"
         "action = \"move\"\naxes = \"x\"\nvelocity = [-0.02, 0, 0]\n"
         "[[region]]\nname = \"right\"\nwhere = { kind = \"half-space\", point = [0.0799, 0, 0], normal = [1, 0, 0] }\n"
         "action = \"move\"\naxes = \"x\"\nvelocity = [0.02, 0, 0]\n";
}

}  // namespace sunder
