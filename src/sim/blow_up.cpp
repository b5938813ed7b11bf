#include "sim/blow_up.h"

#include <fmt/format.h>

#include <cmath>

namespace sunder {
namespace {

std::string place(const Vec3& p) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z()); }

struct Advice {
  std::string cause, remedy;
};

Advice advice(const BlowUp& b, const Scene& scene) {
  if (scene.dt && *scene.dt > b.first_limit) {
    return {
        fmt::format("dt = {:.3g} s is set by hand and longer than the stable step, {:.3g} s", *scene.dt, b.first_limit),
        fmt::format("remove dt, or set it below {:.2g}", b.first_limit)};
  }
  if (scene.dt) {
    return {
        fmt::format("dt = {:.3g} s is set by hand; squeezed elements need shorter steps than the {:.3g} s that were "
                    "stable at the start",
                    *scene.dt, b.first_limit),
        "remove dt: the step is then chosen anew all the time"};
  }
  if (scene.integrator != Integrator::symplectic_euler) {
    return {"the integrator gains energy near its stability limit",
            "set integrator = \"symplectic-euler\", or a smaller safety"};
  }
  if (b.inverted > 0 && scene.crushing == CrushingRule::literal) {
    return {fmt::format("{} elements are turned inside out, which crushing = \"literal\" lets happen", b.inverted),
            "set crushing = \"barrier\", or use a stiffer material"};
  }
  return {b.inverted > 0 ? fmt::format("{} elements are crushed and turned inside out", b.inverted)
                         : std::string("something hits harder than the step can follow"),
          fmt::format("set a smaller safety, for example {:.2g}, a stiffer material, or a slower impact",
                      0.5 * scene.safety)};
}

}  // namespace

std::string describe(const BlowUp& b, const FastestNode& where, const Scene& scene) {
  const std::string sign =
      b.missing_energy && std::isfinite(*b.missing_energy)
          ? fmt::format("{:.3g} J came from nowhere", *b.missing_energy)
          : std::string(b.missing_energy ? "its energy is no longer finite" : "positions are no longer finite");
  const Advice a = advice(b, scene);
  return fmt::format(
      "the motion of body \"{}\" blew up at step {}, t = {:.6g} s (dt = {:.3g} s): {}\n"
      "  where:  node {} at {} (at rest: {}), moving at {:.3g} m/s\n"
      "  likely: {}\n"
      "  try:    {}\n"
      "  frames up to {} are good",
      where.body, b.step, b.time, b.dt, sign, where.node, place(where.position), place(where.rest), where.speed,
      a.cause, a.remedy, b.good_frame);
}

}  // namespace sunder
