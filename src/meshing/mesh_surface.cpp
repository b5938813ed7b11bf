#include "meshing/mesh_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "core/error.h"
#include "geometry/tetrahedron.h"
#include "meshing/coarsen_walls.h"
#include "meshing/features.h"
#include "meshing/improve.h"
#include "meshing/jitter.h"
#include "meshing/renumber.h"
#include "meshing/repair_surface.h"
#include "meshing/snap_features.h"
#include "meshing/split_hinges.h"
#include "meshing/stuffing.h"
#include "meshing/surface_deviation.h"
#include "meshing/surface_sizing.h"
#include "meshing/surface_skin.h"
#include "meshing/wall_thickness.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kTarget = 18 * kDegree;  // what improving aims at
constexpr double kJitterFloor = 16 * kDegree;
constexpr double kCutTolerance = 2e-3;  // of an edge; points are put onto the triangles afterwards
constexpr int kMostLevels = 7;          // a wall 64 times thinner than the edge is refused at once
constexpr double kSmallestCell = 4e-6;  // of the model: lattice coordinates have 21 bits
constexpr std::size_t kMostSamples = 50'000;
// Where edges along walls are made longer afterwards: that takes some 80 us for each tet there was before.
constexpr std::size_t kMostToCoarsen = 600'000;
constexpr double kThinPart = 0.25;  // of the usual wall: what is thinner is given up if it asks for too many
constexpr double kMostFilled = 0.2, kMostLost = 0.02, kMostVolumeError = 0.25;

class SurfaceMesher {
 public:
  SurfaceMesher(const TriangleMesh& input, const SurfaceMeshOptions& options, const std::string& name)
      : input_(input), options_(options), name_(name) {
    if (!(options.edge > 0 && std::isfinite(options.edge))) {
      throw InputError({name}, fmt::format("an edge of {:g} m makes no mesh", options.edge), "give a positive edge");
    }
    report_.edge = options.edge;
    tell("mending the surface", 0);
    surface_ = repair_surface(input, name);
    cell_ = options.edge / kEdgePerCell / surface_.scale;
    if (cell_ < kSmallestCell) {
      throw InputError(
          {name},
          fmt::format("an edge of {:g} m cuts a model of {:g} m into far too many tets", options.edge, surface_.scale),
          "use a longer edge");
    }
    // One cell must not swallow the model.
    cell_ = std::min(cell_, 0.25);
  }

  SurfaceMesh run() && {
    tell("looking for sharp edges and thin walls", 0.04);
    const TriangleTree tree(surface_.points, surface_.triangles);
    const SurfaceDistance solid(tree);
    const Features features = find_features(surface_, solid, options_.fill.sharp * kDegree, cell_);
    std::vector<SurfaceSample> samples = sample_thickness(surface_, solid, features, cell_, kMostSamples);
    find_thinnest(samples);
    tell("cutting space into cells", 0.12);
    StuffedMesh mesh = fill(solid, samples);
    tell("keeping sharp edges", 0.58);
    drop_specks(mesh);
    for (const std::uint32_t old : split_hinges(mesh.soup)) mesh.on_surface.push_back(mesh.on_surface[old]);
    settle(mesh, solid);
    const SnapReport snap = snap_features(mesh, features, solid,
                                          {finest_cell_at_surface(), options_.sharp_floor * kDegree,
                                           std::max(kTarget, (options_.sharp_floor + 3) * kDegree)});
    note(snap);
    if (thin_ && options_.fill.stretch > 0) {
      tell("making edges along walls longer", 0.64);
      coarsen(mesh, solid, features, samples);
    }
    tell("moving points off the lattice", 0.7);
    jitter(mesh);
    tell("numbering", 0.73);

    SurfaceMesh result;
    result.soup = renumbered(mesh.soup);
    const std::vector<SoupFace> boundary = soup_boundary(result.soup);
    tell("comparing with the surface", 0.78);
    compare(result.soup, boundary, solid, samples);
    tell("painting the boundary", 0.86);
    add_surface_skin(result.soup, boundary, input_, surface_, features, tree);
    to_world(result.soup);
    result.report = report_;
    return result;
  }

 private:
  void tell(const char* what, double share) const {
    if (options_.progress) options_.progress(what, share);
  }

  // --- sizes --------------------------------------------------------------------------------------------------------

  void find_thinnest(const std::vector<SurfaceSample>& samples) {
    for (const SurfaceSample& s : samples) {
      if (!s.wall || (thinnest_ != nullptr && s.thickness >= thinnest_->thickness)) continue;
      thinnest_ = &s;
    }
    if (thinnest_ != nullptr) report_.thinnest_wall = thinnest_->thickness * surface_.scale;
  }

  double finest_cell_at_surface() const { return cell_; }

  [[noreturn]] void too_thin(const std::string& problem) const {
    const Vec3 place = surface_.centre + surface_.scale * thinnest_->point;
    throw InputError({name_},
                     fmt::format("a wall near ({:.4g}, {:.4g}, {:.4g}) is {:.3g} m thick; {}", place[0], place[1],
                                 place[2], report_.thinnest_wall, problem),
                     fmt::format("use an edge of at most {:.3g} m, allow more tets, or thicken the wall",
                                 report_.thinnest_wall / 2 * kEdgePerCell));
  }

  // Cells are halved for thin walls. Where those are a large part of the model, cells are made such that the last
  // halving just meets the thinnest, not up to twice too fine.
  void fit_cells_to_walls(const std::vector<SurfaceSample>& samples) {
    const double needed = thinnest_->thickness / options_.fill.walls;
    std::size_t thin = 0;
    for (const SurfaceSample& s : samples) thin += s.wall && s.thickness < 2 * thinnest_->thickness ? 1 : 0;
    if (static_cast<double>(thin) < 0.3 * static_cast<double>(samples.size())) return;
    cell_ = needed * std::exp2(std::floor(std::log2(cell_ / needed)));
  }

  // Slivers and tips far thinner than the walls of the model are not resolved.
  void give_up_thinnest(std::vector<SurfaceSample>& samples) {
    std::vector<double> walls;
    for (const SurfaceSample& s : samples) {
      if (s.wall) walls.push_back(s.thickness);
    }
    const auto middle = walls.begin() + static_cast<std::ptrdiff_t>(walls.size() / 2);
    std::nth_element(walls.begin(), middle, walls.end());
    const double least = kThinPart * *middle;
    if (thinnest_->thickness >= least) return;
    for (SurfaceSample& s : samples) s.thickness = std::max(s.thickness, least);
    report_.given_up_below = least * surface_.scale;
    thinnest_ = nullptr;
    find_thinnest(samples);
  }

  struct Cells {
    SurfaceSizing sizing;
    Octree octree;
  };

  // Null if there are too many.
  std::unique_ptr<Cells> cut_space(const SurfaceDistance& solid, const std::vector<SurfaceSample>& samples,
                                   const std::vector<SizedBall>& balls) {
    SurfaceSizing sizing(solid, cell_, std::max(1.0, options_.fill.inside), balls, samples, options_.fill.walls);
    if (sizing.finest_level() > 0 && cell_ * std::exp2(-sizing.finest_level()) < kSmallestCell) {
      throw InputError({name_}, "a finer region asks for far too small tets", "use a longer edge there");
    }
    report_.finest_edge = cell_ * std::exp2(-sizing.finest_level()) * kEdgePerCell * surface_.scale;
    Vec3 lower = surface_.points[surface_.triangles[0][0]], upper = lower;
    for (const auto& t : surface_.triangles) {
      for (const std::uint32_t p : t) {
        lower = lower.cwiseMin(surface_.points[p]);
        upper = upper.cwiseMax(surface_.points[p]);
      }
    }
    Octree octree = sizing.make_octree(lower, upper);
    // Some cells lie outside, and a cell inside makes twelve tets.
    const std::size_t most_cells = most_tets_ / 4 + 1000;
    const bool fits = octree.refine([&](const Octree::Cell& c) { return sizing.too_large(c); }, most_cells) &&
                      octree.balance(most_cells);
    if (!fits) return nullptr;
    return std::make_unique<Cells>(Cells{std::move(sizing), std::move(octree)});
  }

  bool find_thin() {
    return thin_ = thinnest_ != nullptr && thinnest_->thickness < options_.fill.walls * cell_ / 1.001;
  }
  bool far_too_thin() const {
    return thin_ && thinnest_->thickness < options_.fill.walls * cell_ / std::exp2(kMostLevels);
  }

  StuffedMesh fill(const SurfaceDistance& solid, std::vector<SurfaceSample>& samples) {
    std::vector<SizedBall> balls;
    for (const FineRegion& r : options_.fill.finer) {
      if (!(r.edge > 0 && r.radius > 0 && std::isfinite(r.edge) && std::isfinite(r.radius) && r.centre.allFinite())) {
        throw InputError({name_}, "a finer region needs a centre, a radius and an edge", "give positive numbers");
      }
      balls.push_back({(r.centre - surface_.centre) / surface_.scale, r.radius / surface_.scale,
                       r.edge / kEdgePerCell / surface_.scale});
    }
    if (find_thin() && !options_.refine_thin_walls) too_thin("the cells of the mesh are too large for it");
    const bool may_give_up = thin_ && options_.fill.stretch > 0;
    if (may_give_up && far_too_thin()) give_up_thinnest(samples), find_thin();
    if (far_too_thin()) too_thin(fmt::format("an edge of {:g} m is far too long for it", options_.edge));
    const double cell = cell_;
    if (thin_) fit_cells_to_walls(samples);
    if (may_give_up) most_tets_ = std::min(kMostToCoarsen, most_tets_);
    std::unique_ptr<Cells> cells = cut_space(solid, samples, balls);
    if (!cells && may_give_up) {
      give_up_thinnest(samples);
      most_tets_ = options_.most_tets;  // walls that are thin all over take the time they need
      cell_ = cell;
      if (find_thin()) fit_cells_to_walls(samples);
      cells = cut_space(solid, samples, balls);
    }
    if (!cells) {
      if (thin_) too_thin(fmt::format("to resolve it takes more than {} tets", most_tets_));
      throw InputError({name_}, fmt::format("an edge of {:g} m makes more than {} tets", options_.edge, most_tets_),
                       "use a longer edge, or allow more tets");
    }
    const SurfaceSizing& sizing = cells->sizing;
    const Octree& octree = cells->octree;
    std::vector<std::uint8_t> wanted(octree.cells().size(), 0);
    constexpr std::size_t batch = 64;
    parallel_chunks(wanted.size(), batch, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = begin; c < end; ++c) {
        if (octree.cells()[c].leaf()) wanted[c] = sizing.wanted(octree.cells()[c]) ? 1 : 0;
      }
    });
    tell("filling them with tetrahedra", 0.3);
    const BccLattice lattice = bcc_lattice(octree, [&](std::uint32_t c) { return wanted[c] != 0; });
    StuffingOptions stuffing;
    stuffing.tolerance = kCutTolerance;
    StuffedMesh mesh = stuff(lattice, sizing.origin(), sizing.unit(), solid, stuffing);
    if (mesh.soup.tets.empty()) {
      throw InputError({name_}, "the surface encloses no volume that an edge of this length can see",
                       "give sheets a thickness, close large openings, or use a shorter edge");
    }
    if (mesh.soup.tets.size() > most_tets_) {
      throw InputError({name_},
                       fmt::format("an edge of {:g} m makes {} tets, more than {}", options_.edge,
                                   mesh.soup.tets.size(), most_tets_),
                       "use a longer edge, or allow more tets");
    }
    return mesh;
  }

  // --- after stuffing -----------------------------------------------------------------------------------------------

  static TetCorners corners(const TetSoup& soup, const std::array<std::uint32_t, 4>& c) {
    return {soup.points[c[0]], soup.points[c[1]], soup.points[c[2]], soup.points[c[3]]};
  }

  // Specks of a cell or so, where noise of the winding number or a detail below the size of cells leaves some.
  void drop_specks(StuffedMesh& mesh) {
    std::size_t count = 0;
    const std::vector<std::uint32_t> piece = soup_pieces(mesh.soup, count);
    if (count < 2) return;
    std::vector<double> volume(count, 0);
    for (std::size_t t = 0; t < piece.size(); ++t)
      volume[piece[t]] += signed_volume(corners(mesh.soup, mesh.soup.tets[t]));
    const double largest = *std::max_element(volume.begin(), volume.end());
    const double speck = std::min(0.01 * largest, cell_ * cell_ * cell_);
    std::vector<std::array<std::uint32_t, 4>> kept;
    for (std::size_t t = 0; t < piece.size(); ++t) {
      if (volume[piece[t]] >= speck) kept.push_back(mesh.soup.tets[t]);
    }
    for (const double v : volume) report_.lost_pieces += v < speck ? 1 : 0;
    mesh.soup.tets = std::move(kept);
  }

  // Stuffing finds the surface roughly; points over its triangles go exactly there.
  void settle(StuffedMesh& mesh, const SurfaceDistance& solid) const {
    parallel_for(mesh.soup.points.size(), [&](std::size_t p) {
      if (mesh.on_surface[p] == 0) return;
      const auto at = solid.tree().nearest(mesh.soup.points[p], 4 * kCutTolerance * cell_);
      if (at.triangle != TriangleTree::kNone) mesh.soup.points[p] = at.at.point;
    });
  }

  void note(const SnapReport& snap) {
    report_.corners = snap.corners;
    report_.corners_kept = snap.corners_kept;
    report_.curves = snap.curves;
    report_.curves_kept = snap.curves_kept;
    report_.sharp_length = snap.length * surface_.scale;
    report_.sharp_length_kept = snap.length_kept * surface_.scale;
  }

  void coarsen(StuffedMesh& mesh, const SurfaceDistance& solid, const Features& features,
               const std::vector<SurfaceSample>& samples) const {
    CoarsenOptions wanted;
    wanted.edge = options_.edge / surface_.scale;
    wanted.stretch = options_.fill.stretch;
    if (!options_.fill.finer.empty()) {
      wanted.finer.assign(mesh.soup.points.size(), 0);
      for (std::size_t p = 0; p < mesh.soup.points.size(); ++p) {
        const Vec3 x = surface_.centre + surface_.scale * mesh.soup.points[p];
        for (const FineRegion& r : options_.fill.finer) {
          if ((x - r.centre).norm() > r.radius) continue;
          const double edge = r.edge / surface_.scale;
          wanted.finer[p] = wanted.finer[p] > 0 ? std::min(wanted.finer[p], edge) : edge;
        }
      }
    }
    coarsen_walls(mesh, surface_, solid, features, samples, wanted);
  }

  // Points inside move at random, by a part of the shortest edge they have.
  void jitter(StuffedMesh& mesh) const {
    if (!(options_.jitter > 0)) return;
    std::vector<double> shortest(mesh.soup.points.size(), 1e300);
    for (const auto& c : mesh.soup.tets) {
      for (const auto& [i, j] : kTetEdges) {
        const std::uint32_t a = c[static_cast<std::size_t>(i)], b = c[static_cast<std::size_t>(j)];
        const double length = (mesh.soup.points[a] - mesh.soup.points[b]).norm();
        shortest[a] = std::min(shortest[a], length);
        shortest[b] = std::min(shortest[b], length);
      }
    }
    std::vector<Vec3> displacement(mesh.soup.points.size(), Vec3::Zero());
    for (std::size_t p = 0; p < displacement.size(); ++p) {
      if (mesh.on_surface[p] != 0 || shortest[p] > 1e299) continue;
      displacement[p] = std::min(options_.jitter, 0.3) * shortest[p] * random_displacement(options_.seed, p);
    }
    jitter_points(mesh.soup, displacement, kJitterFloor);
  }

  // --- the report ---------------------------------------------------------------------------------------------------

  void compare(const TetSoup& soup, const std::vector<SoupFace>& boundary, const SurfaceDistance& solid,
               const std::vector<SurfaceSample>& samples) {
    const double scale = surface_.scale, cubed = scale * scale * scale;
    const Deviation d = surface_deviation(soup.points, boundary, solid, samples, cell_);
    report_.deviation_max = d.max * scale;
    report_.deviation_mean = d.mean * scale;
    report_.back_deviation_max = d.back_max * scale;
    report_.back_deviation_mean = d.back_mean * scale;
    report_.worst_place = surface_.centre + scale * d.back_place;
    report_.filled = d.filled;
    report_.lost = d.lost;
    report_.nodes = soup.points.size();
    report_.tets = soup.tets.size();
    soup_pieces(soup, report_.pieces);
    report_.min_dihedral = std::numbers::pi;
    double volume = 0;
    for (const auto& c : soup.tets) {
      const TetCorners x = corners(soup, c);
      volume += signed_volume(x);
      report_.min_dihedral = std::min(report_.min_dihedral, smallest_dihedral_angle(x));
      report_.max_dihedral = std::max(report_.max_dihedral, largest_dihedral_angle(x));
    }
    report_.volume = volume * cubed;
    report_.input_volume = surface_.volume * cubed;
    report_.input_closed = surface_.open_edges == 0;
    report_.doubled = surface_.doubled;
    report_.dropped = surface_.dropped;
    report_.turned = surface_.turned;
    report_.open_edges = surface_.open_edges;
    report_.shells = surface_.shells;

    if (d.filled > kMostFilled) {
      throw InputError(
          {name_},
          fmt::format("the surface is open: {:.0f} % of what would bound the solid is missing", 100 * d.filled),
          "close the openings, or give the sheet a thickness");
    }
    // One shell without open edges has a volume we know; all others are compared by their surface.
    const bool volume_known = surface_.open_edges == 0 && surface_.shells == 1;
    const double error = std::abs(volume - surface_.volume) / std::max(std::abs(surface_.volume), 1e-300);
    if (d.lost > kMostLost || (volume_known && error > kMostVolumeError)) {
      const Vec3& p = report_.worst_place;
      throw InputError({name_},
                       fmt::format("an edge of {:g} m loses parts of the model: {:.1f} % of the surface, for instance "
                                   "near ({:.4g}, {:.4g}, {:.4g}), and {:.0f} % of the volume",
                                   options_.edge, 100 * d.lost, p[0], p[1], p[2], volume_known ? 100 * error : 0.0),
                       fmt::format("use an edge of about {:.3g} m or less", options_.edge / 2));
    }
  }

  void to_world(TetSoup& soup) const {
    for (Vec3& x : soup.points) x = surface_.centre + surface_.scale * x;
    for (const auto& c : soup.tets) {
      if (signed_volume(corners(soup, c)) > 0) continue;
      throw InputError({name_}, "so far from the origin there are too few digits for such small tets",
                       "move the model nearer to the origin, or use a longer edge");
    }
  }

  const TriangleMesh& input_;
  const SurfaceMeshOptions& options_;
  const std::string& name_;
  RepairedSurface surface_;
  double cell_ = 0;
  bool thin_ = false;  // there are walls that need finer cells
  std::size_t most_tets_ = options_.most_tets;
  const SurfaceSample* thinnest_ = nullptr;
  SurfaceMeshReport report_;
};

}  // namespace

SurfaceMesh mesh_surface(const TriangleMesh& surface, const SurfaceMeshOptions& options, const std::string& name) {
  return SurfaceMesher(surface, options, name).run();
}

}  // namespace sunder
