#include "export/point_cache.h"

#include <array>
#include <bit>

#include "core/atomic_file.h"
#include "core/byte_stream.h"
#include "core/files.h"
#include "export/obj.h"
#include "export/piece_motion.h"
#include "export/piece_surface.h"

namespace sunder {
namespace {

// The nodes of the surface in the order of the points of welded_surface().
std::vector<std::uint32_t> surface_nodes(const Frame& frame, const std::vector<PieceSurface>& pieces) {
  std::vector<bool> seen(frame.position.size(), false);
  std::vector<std::uint32_t> nodes;
  for (const PieceSurface& piece : pieces) {
    for (const PieceSide& side : piece.sides) {
      for (const auto& triangle : side.triangles) {
        for (const std::uint32_t v : triangle) {
          const std::uint32_t n = side.vertices[v].node;
          if (!seen[n]) seen[n] = true, nodes.push_back(n);
        }
      }
    }
  }
  return nodes;
}

std::uint32_t big_endian(std::uint32_t x) { return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24; }

// "POINTCACHE2", version 1, then numbers of points, of the first frame, frames between samples, samples.
std::string pc2_header(const SolidRun& run, std::size_t points) {
  Writer out;
  out.put(std::array<char, 12>{'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2', '\0'});
  out.put(std::int32_t{1});
  out.put(static_cast<std::int32_t>(points));
  out.put(static_cast<float>(run.frames.front()));
  out.put(run.frames.size() > 1 ? static_cast<float>(run.frames[1] - run.frames[0]) : 1.0f);
  out.put(static_cast<std::int32_t>(run.frames.size()));
  return out.take();
}

// Numbers of frames and points, then the time of every frame; all of it big-endian.
std::string mdd_header(const SolidRun& run, std::size_t points) {
  Writer out;
  out.put(big_endian(static_cast<std::uint32_t>(run.frames.size())));
  out.put(big_endian(static_cast<std::uint32_t>(points)));
  for (std::size_t i = 0; i < run.frames.size(); ++i) {
    out.put(big_endian(std::bit_cast<std::uint32_t>(static_cast<float>(run.seconds(i)))));
  }
  return out.take();
}

}  // namespace

PointCacheReport write_point_cache(const SolidRun& run, const Placement& placement, const std::filesystem::path& file) {
  const bool mdd = ending_of(file) == ".mdd";
  const FinalPieces final = find_final_pieces(run);
  const std::vector<PieceSurface> pieces = piece_surfaces(final.frame, NormalsOf::material);
  const std::vector<std::uint32_t> nodes = surface_nodes(final.frame, pieces);
  PointCacheReport report{file, nodes.size(), pieces.size()};
  report.mesh.replace_extension(".obj");

  AtomicFile out(file);
  out.write(mdd ? mdd_header(run, nodes.size()) : pc2_header(run, nodes.size()));
  Frame first = final.frame;  // as the mesh stands at the first frame
  follow_pieces(run, final, [&](const PieceMoment& moment) {
    std::vector<Vec3> position = moment.position;
    for (const FinalPiece& piece : final.pieces) {
      if (run.frames[moment.index] <= piece.last) continue;
      for (const std::uint32_t n : piece.nodes) position[n] = moment.position[piece.nodes[0]];
    }
    if (moment.index == 0) first.position = position;
    Writer block;
    for (const std::uint32_t n : nodes) {
      const Eigen::Vector3f x = placement.point(position[n]).cast<float>();
      for (int i = 0; i < 3; ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(x[i]);
        block.put(mdd ? big_endian(bits) : bits);
      }
    }
    out.write(block.bytes());
  });
  write_obj(report.mesh, first, pieces, placement, run.materials);
  out.commit();
  return report;
}

}  // namespace sunder
