#include "sim/checkpoint.h"

#include "core/files.h"
#include "core/hash.h"

namespace sunder {
namespace {

constexpr std::uint64_t kMagic = 0x54504b4352444e53ull;  // "SNDRCKPT"
constexpr std::uint32_t kVersion = 1;

std::uint64_t hash_of(std::string_view bytes) {
  Hash64 hash;
  hash.add(std::span<const char>(bytes));
  return hash.value();
}

}  // namespace

std::string checkpoint_bytes(const LoopState& loop, const Solver& solver, const std::string& scene_text) {
  Writer body;
  body.put(hash_of(scene_text));
  body.put(loop.frame), body.put(loop.time), body.put(loop.frame_start), body.put(loop.steps);
  body.put(loop.frame_steps), body.put(loop.dt_min), body.put(loop.wall_s), body.put(loop.largest_inverted);
  solver.save(body);
  Writer file;
  file.put(kMagic), file.put(kVersion), file.put(hash_of(body.bytes()));
  return file.bytes() + body.bytes();
}

LoopState load_checkpoint(const std::filesystem::path& path, Solver& solver, const std::string& scene_text) {
  const std::string bytes = read_file(path);
  Reader in(bytes, path.string());
  if (in.get<std::uint64_t>() != kMagic) throw FileError(path.string(), "is not a checkpoint of sunder");
  if (in.get<std::uint32_t>() != kVersion) throw FileError(path.string(), "was written by another version of sunder");
  const auto hash = in.get<std::uint64_t>();
  const std::size_t header = 2 * sizeof(std::uint64_t) + sizeof(std::uint32_t);
  if (hash != hash_of(std::string_view(bytes).substr(header))) throw FileError(path.string(), "is damaged");
  if (in.get<std::uint64_t>() != hash_of(scene_text)) {
    throw FileError(path.string(), "belongs to another scene; run without --resume to start anew");
  }
  LoopState loop;
  loop.frame = in.get<std::int32_t>(), loop.time = in.get<double>(), loop.frame_start = in.get<double>();
  loop.steps = in.get<std::uint64_t>(), loop.frame_steps = in.get<std::uint64_t>();
  loop.dt_min = in.get<double>(), loop.wall_s = in.get<double>();
  loop.largest_inverted = in.get<std::uint64_t>();
  solver.load(in);
  if (!in.at_end()) in.fail();
  return loop;
}

}  // namespace sunder
