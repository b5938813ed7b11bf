#include "export/final_pieces.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "export/material_tracker.h"

namespace sunder {
namespace {

double volume_of(const Frame& frame, std::size_t tet) { return std::abs(signed_volume(rest_corners(frame, tet))); }

// By body.
std::vector<double> volumes(const Frame& frame) {
  std::vector<double> sums;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    if (frame.body[t] >= sums.size()) sums.resize(frame.body[t] + std::size_t{1}, 0);
    sums[frame.body[t]] += volume_of(frame, t);
  }
  return sums;
}

bool lost_material(const Frame& before, const Frame& after) {
  constexpr double kRounding = 1e-10;  // splits keep the volume to round-off; the smallest piece is far larger
  const std::vector<double> was = volumes(before);
  std::vector<double> is = volumes(after);
  is.resize(std::max(was.size(), is.size()), 0);
  for (std::size_t b = 0; b < was.size(); ++b) {
    if (is[b] < was[b] * (1 - kRounding)) return true;
  }
  return false;
}

// The tets of `before` whose middle is in no tet of `after`.
std::vector<std::uint32_t> removed_tets(const Frame& before, const Frame& after) {
  std::vector<MaterialPlace> places;
  for (std::size_t t = 0; t < before.tets.size(); ++t) places.push_back({rest_middle(before, t), before.body[t]});
  const std::vector<std::uint32_t> found = find_tets(after, places);
  std::vector<std::uint32_t> removed;
  for (std::uint32_t t = 0; t < found.size(); ++t) {
    if (found[t] == MaterialTracker::kNone) removed.push_back(t);
  }
  return removed;
}

template <class Column>
void append(Column& to, const Column& from, std::size_t row) {
  if (!from.empty()) to.push_back(from[row]);
}

class Collector {
 public:
  explicit Collector(Frame last) : frame_(std::move(last)) {
    frame_.grains.clear();
    frame_.plastic_strain.clear();
    for (const std::uint32_t f : frame_.fragment) fragments_.insert(f), last_[f] = frame_.number;
  }

  void add_removed(const Frame& from, const std::vector<std::uint32_t>& tets) {
    std::unordered_map<std::uint32_t, std::uint32_t> node_of;      // by node of `from`
    std::unordered_map<std::uint32_t, std::uint32_t> fragment_of;  // by fragment of `from`
    for (const std::uint32_t t : tets) {
      auto& corners = frame_.tets.emplace_back();
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint32_t n = from.tets[t][k];
        const auto [at, is_new] = node_of.try_emplace(n, static_cast<std::uint32_t>(frame_.position.size()));
        if (is_new) {
          frame_.position.push_back(from.position[n]);
          frame_.rest.push_back(from.rest[n]);
          frame_.velocity.push_back(from.velocity[n]);
          frame_.node_uid.push_back(from.node_uid[n]);
        }
        corners[k] = at->second;
      }
      const auto [at, is_new] = fragment_of.try_emplace(from.fragment[t], from.fragment[t]);
      if (is_new) {
        // A piece that broke off and was removed between two frames has a number that frames do not tell.
        if (!fragments_.insert(at->second).second) at->second = *fragments_.rbegin() + 1;
        fragments_.insert(at->second);
        last_[at->second] = from.number;
      }
      frame_.fragment.push_back(at->second);
      frame_.body.push_back(from.body[t]);
      frame_.material.push_back(from.material[t]);
      frame_.tet_uid.push_back(from.tet_uid[t]);
      frame_.stress.push_back(from.stress[t]);
      frame_.crack_faces.push_back(from.crack_faces[t]);
      append(frame_.parts, from.parts, t);
      append(frame_.uv, from.uv, t);
      append(frame_.normals, from.normals, t);
      append(frame_.source, from.source, t);
    }
  }

  // From late frames to early ones.
  void see(const Frame& frame) {
    for (const std::uint32_t f : frame.fragment) born_[f] = frame.number;
  }

  FinalPieces finish(const SolidRun& run) && {
    std::map<std::uint32_t, FinalPiece> pieces;
    std::map<std::uint32_t, std::map<std::uint32_t, double>> masses;  // by fragment, then node
    std::map<std::uint32_t, Mat3> moments;                            // integral of x x^T dm
    std::map<std::uint32_t, double> largest;
    for (std::uint32_t t = 0; t < frame_.tets.size(); ++t) {
      const std::uint32_t f = frame_.fragment[t];
      const double volume = volume_of(frame_, t);
      const double density = frame_.material[t] < run.density.size() ? run.density[frame_.material[t]] : 0;
      const double mass = density * volume;
      FinalPiece& piece = pieces[f];
      piece.body = frame_.body[t];
      piece.volume += volume;
      piece.mass += mass;
      if (volume > largest[f]) largest[f] = volume, piece.tet = t;
      const TetCorners x = rest_corners(frame_, t);
      const Vec3 sum = x[0] + x[1] + x[2] + x[3];
      piece.centre += mass * sum / 4;
      // Over a tet: m / 20 (sum x_i x_i^T + (sum x_i) (sum x_i)^T)
      Mat3 moment = sum * sum.transpose();
      for (const Vec3& corner : x) moment += corner * corner.transpose();
      auto [at, is_new] = moments.try_emplace(f, Mat3::Zero());
      at->second += mass / 20 * moment;
      for (const std::uint32_t n : frame_.tets[t]) masses[f][n] += mass / 4;
    }
    FinalPieces result;
    for (auto& [fragment, piece] : pieces) {
      if (!(piece.mass > 0)) throw UsageError("the run's scene has no density for a material of its frames");
      piece.fragment = fragment;
      piece.centre /= piece.mass;
      const Mat3 central = moments[fragment] - piece.mass * piece.centre * piece.centre.transpose();
      piece.inertia = central.trace() * Mat3::Identity() - central;
      piece.last = last_[fragment];
      piece.born = born_.contains(fragment) ? born_[fragment] : piece.last;
      for (const auto& [node, mass] : masses[fragment]) piece.nodes.push_back(node), piece.node_mass.push_back(mass);
      result.pieces.push_back(std::move(piece));
    }
    result.frame = std::move(frame_);
    return result;
  }

 private:
  Frame frame_;
  std::set<std::uint32_t> fragments_;
  std::map<std::uint32_t, int> last_, born_;
};

}  // namespace

FinalPieces find_final_pieces(const SolidRun& run) {
  Frame after = run.frame(run.frames.back());
  Collector collector(after);
  collector.see(after);
  for (auto number = run.frames.rbegin() + 1; number != run.frames.rend(); ++number) {
    Frame before = run.frame(*number);
    collector.see(before);
    if (lost_material(before, after)) collector.add_removed(before, removed_tets(before, after));
    after = std::move(before);
  }
  return std::move(collector).finish(run);
}

}  // namespace sunder
