#include "export/piece_motion.h"

#include <fmt/format.h>

#include "core/error.h"

namespace sunder {

void follow_pieces(const SolidRun& run, const FinalPieces& final,
                   const std::function<void(const PieceMoment&)>& visit) {
  constexpr double kOutside = 1e-2;  // of a tet; nothing that sunder writes is beyond round-off
  MaterialTracker tracker(final.frame);
  PieceMoment moment;
  moment.tracker = &tracker;
  for (std::size_t i = 0; i < run.frames.size(); ++i) {
    const Frame frame = run.frame(run.frames[i]);
    tracker.look_at(frame);
    std::vector<Vec3> position = tracker.carry(frame.position), velocity = tracker.carry(frame.velocity);
    for (const FinalPiece& piece : final.pieces) {
      for (const std::uint32_t n : piece.nodes) {
        if (tracker.has_node(n) && frame.number <= piece.last) continue;
        if (frame.number <= piece.last || i == 0) {
          throw InputError({fmt::format("frame {}", frame.number)},
                           fmt::format("does not hold the material of fragment {}", piece.fragment),
                           "frames of another run may be mixed in; `sunder check` looks");
        }
        position[n] = moment.position[n];
        velocity[n] = Vec3::Zero();
      }
    }
    if (tracker.worst_outside() > kOutside) {
      throw InputError({fmt::format("frame {}", frame.number)}, "its elements do not hold those of later frames",
                       "frames of another run may be mixed in; `sunder check` looks");
    }
    moment.index = i;
    moment.frame = &frame;
    moment.position = std::move(position);
    moment.velocity = std::move(velocity);
    visit(moment);
  }
}

RigidFit fit_piece(const FinalPiece& piece, const Frame& final, const std::vector<Vec3>& position) {
  std::vector<Vec3> from, to;
  for (const std::uint32_t n : piece.nodes) from.push_back(final.rest[n]), to.push_back(position[n]);
  return fit_rigid_motion(from, to, piece.node_mass);
}

}  // namespace sunder
