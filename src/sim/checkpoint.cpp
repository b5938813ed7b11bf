#include "sim/checkpoint.h"

#include <cmath>

#include "core/files.h"
#include "core/hash.h"

namespace sunder {
namespace {

constexpr std::uint64_t kMagic = 0x54504b4352444e53ull;  // "SNDRCKPT"
constexpr std::uint32_t kVersion = 19;

void put(Writer& out, const LoopState& loop) {
  out.put(loop.frame), out.put(loop.time), out.put(loop.frame_start), out.put(loop.steps);
  out.put(loop.frame_steps), out.put(loop.dt_min), out.put(loop.smallest_dt), out.put(loop.wall_s),
      out.put(loop.largest_inverted);
}

LoopState get_loop_state(Reader& in) {
  LoopState loop;
  loop.frame = in.get<std::int32_t>(), loop.time = in.get<double>(), loop.frame_start = in.get<double>();
  loop.steps = in.get<std::uint64_t>(), loop.frame_steps = in.get<std::uint64_t>();
  loop.dt_min = in.get<double>(), loop.smallest_dt = in.get<double>(), loop.wall_s = in.get<double>();
  loop.largest_inverted = in.get<std::uint64_t>();
  if (loop.frame < 1 || !std::isfinite(loop.time) || !std::isfinite(loop.wall_s)) in.fail();
  return loop;
}

}  // namespace

std::string checkpoint_bytes(const RunFingerprint& run, const LoopState& loop, const Solver& solver) {
  Writer out;
  out.put(kMagic), out.put(kVersion);
  out.put(run.scene), out.put(run.mesh);
  put(out, loop);
  solver.save(out);
  out.put(checksum(out.bytes()));
  return out.take();
}

Checkpoint read_checkpoint(const std::filesystem::path& file) {
  return parse_checkpoint(read_file(file), file.string());
}

Checkpoint parse_checkpoint(std::string_view bytes, const std::string& file) {
  Reader in(bytes, file);
  constexpr std::size_t kChecksum = sizeof(std::uint64_t);
  if (bytes.size() < sizeof kMagic + kChecksum) throw FileError(file, "is cut short: this checkpoint cannot be used");
  if (in.get<std::uint64_t>() != kMagic) throw FileError(file, "is not a checkpoint of sunder, or is damaged");
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksum);
  if (Reader(bytes.substr(content.size()), file).get<std::uint64_t>() != checksum(content)) {
    throw FileError(file, "is damaged or cut short: this checkpoint cannot be used");
  }
  if (in.get<std::uint32_t>() != kVersion) {
    throw FileError(file, "was written by another version of sunder; run without --resume to start anew");
  }
  Checkpoint checkpoint;
  checkpoint.file = file;
  checkpoint.run.scene = in.get<std::uint64_t>();
  checkpoint.run.mesh = in.get<std::uint64_t>();
  checkpoint.loop = get_loop_state(in);
  if (in.rest().size() < kChecksum) in.fail();
  checkpoint.solver_state = in.rest().substr(0, in.rest().size() - kChecksum);
  return checkpoint;
}

void Checkpoint::load_into(Solver& solver) const {
  Reader in(solver_state, file);
  solver.load(in);
  if (!in.at_end()) in.fail();
}

void Checkpoint::load_motion_into(Solver& solver) const {
  Reader in(solver_state, file);
  solver.load_motion(in);
}

}  // namespace sunder
