#include "meshing/lattice_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"
#include "core/rotation.h"
#include "meshfile/read_surface.h"
#include "meshing/hex_quality.h"
#include "meshing/lattice_glue.h"
#include "meshing/mapped_mesh.h"
#include "meshing/mesh_file.h"
#include "meshing/repair_surface.h"
#include "meshing/surface_distance.h"
#include "shapes/assembly.h"
#include "shapes/mapped_shapes.h"
#include "shapes/signed_distance.h"

namespace sunder {
namespace {

using Index = std::uint32_t;
using std::numbers::pi;

constexpr double kMostCells = 2e7;

struct ChartGrid {
  std::vector<Vec2> points;
  std::vector<std::array<Index, 4>> quads;  // counter-clockwise
};

Index whole(double x) {
  if (!(x <= kMostCells)) throw InputError({}, "the lattice would have too many cells", "use a longer edge");
  return static_cast<Index>(std::max(1.0, std::round(x)));
}

// Chart radii from `from` to `to` that lie evenly in the world, about an edge apart.
std::vector<double> even_radii(const Mapping& mapping, double from, double to, double edge) {
  constexpr int kSamples = 400;
  const auto at = [&](double r) { return mapping.place(Vec2(r, 0), 0.5); };
  std::vector<double> length = {0};
  for (int i = 1; i <= kSamples; ++i) {
    const double a = from + (to - from) * (i - 1) / kSamples, b = from + (to - from) * i / kSamples;
    length.push_back(length.back() + (at(b) - at(a)).norm());
  }
  const Index rings = whole(length.back() / edge);
  std::vector<double> radii = {from};
  std::size_t i = 1;
  for (Index ring = 1; ring < rings; ++ring) {
    const double wanted = length.back() * ring / rings;
    while (length[i] < wanted) ++i;
    const double share = (wanted - length[i - 1]) / (length[i] - length[i - 1]);
    radii.push_back(from + (to - from) * (static_cast<double>(i - 1) + share) / kSamples);
  }
  radii.push_back(to);
  return radii;
}

double circumference(const Mapping& mapping, double r, double w = 0.5) {
  constexpr int kSides = 48;
  double sum = 0;
  for (int i = 0; i < kSides; ++i) {
    const double a = 2 * pi * i / kSides, b = 2 * pi * (i + 1) / kSides;
    sum += (mapping.place(r * Vec2(std::cos(b), std::sin(b)), w) - mapping.place(r * Vec2(std::cos(a), std::sin(a)), w))
               .norm();
  }
  return sum;
}

// A multiple of 4.
Index cells_around(const Mapping& mapping, const RingDomain& domain, double edge) {
  const double inner = domain.radii.front(), outer = domain.radii.back();
  double most = 0;
  constexpr int kSamples = 24;
  for (int i = 0; i <= kSamples; ++i) {
    most = std::max(most, circumference(mapping, inner + (outer - inner) * i / kSamples));
  }
  constexpr double kNarrower = 0.85;  // cells are a little wide where the shape is widest, else narrow elsewhere
  return 4 * std::max<Index>(inner <= 0 ? 2 : 1, whole(kNarrower * most / edge / 4));
}

// A grid of n x n over a disc, rings of 4 n cells round it.
ChartGrid ring_grid(const Mapping& mapping, const RingDomain& domain, const LatticeOptions& options) {
  const double inner = domain.radii.front(), outer = domain.radii.back(), edge = options.edge;
  const bool disc = inner <= 0;
  const Index around = options.around > 0 ? options.around : cells_around(mapping, domain, edge), n = around / 4;
  ChartGrid grid;
  std::vector<Index> rim(around);  // of what is gridded so far, counter-clockwise from 45 degrees below x
  double from = inner;
  const auto angle = [&](Index i) { return -pi / 4 + 2 * pi * i / around; };
  if (disc) {
    // The disc ends where 4 n cells round it are somewhat narrower than an edge, or is all there is.
    constexpr double kWidth = 0.6, kAll = 0.8;
    while (from < outer && circumference(mapping, from) < kWidth * around * edge) from += outer / 200;
    if (options.square || from > kAll * outer) from = outer;
    const auto point = [&](Index i, Index j) { return j * (n + 1) + i; };
    for (Index j = 0; j <= n; ++j) {
      for (Index i = 0; i <= n; ++i) {
        const Vec2 s(2.0 * i / n - 1, 2.0 * j / n - 1);
        const double r = s.cwiseAbs().maxCoeff();
        Vec2 round = Vec2::Zero();  // concentric squares become circles, evenly divided (Shirley & Chiu 1997)
        if (r > 0) {
          const bool flat = std::abs(s.x()) >= std::abs(s.y());
          const double turn = pi / 4 * (flat ? s.y() / s.x() : s.x() / s.y());
          round = flat ? Vec2(s.x() * std::cos(turn), s.x() * std::sin(turn))
                       : Vec2(s.y() * std::sin(turn), s.y() * std::cos(turn));
        }
        // Inside they stay more like squares, which keeps the corners' cells in shape.
        const Vec2 square = s * 0.8;
        grid.points.emplace_back(from * ((1 - r * r) * square + r * r * round));
      }
    }
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        grid.quads.push_back({point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)});
      }
    }
    for (Index i = 0; i < n; ++i) {
      rim[i] = point(n, i);
      rim[n + i] = point(n - i, n);
      rim[2 * n + i] = point(0, n - i);
      rim[3 * n + i] = point(i, 0);
    }
  } else {
    for (Index i = 0; i < around; ++i) {
      rim[i] = i;
      grid.points.emplace_back(inner * Vec2(std::cos(angle(i)), std::sin(angle(i))));
    }
  }
  if (from >= outer) return grid;
  const std::vector<double> radii = even_radii(mapping, from, outer, edge);
  for (std::size_t ring = 1; ring < radii.size(); ++ring) {
    std::vector<Index> next(around);
    for (Index i = 0; i < around; ++i) {
      next[i] = static_cast<Index>(grid.points.size());
      grid.points.emplace_back(radii[ring] * Vec2(std::cos(angle(i)), std::sin(angle(i))));
    }
    for (Index i = 0; i < around; ++i) {
      const Index j = (i + 1) % around;
      grid.quads.push_back({rim[i], next[i], next[j], rim[j]});
    }
    rim = next;
  }
  return grid;
}

// Rows and columns of a chart that is a rectangle; empty if it is not.
ChartGrid rectangle_grid(const Mapping& mapping, const PolygonDomain& domain, double edge) {
  ChartGrid grid;
  if (domain.loops.size() != 1) return grid;
  const std::vector<Vec2>& loop = domain.loops[0].points;
  Vec2 low = loop[0], high = loop[0];
  double area = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &p = loop[i], &q = loop[(i + 1) % loop.size()];
    low = low.cwiseMin(p), high = high.cwiseMax(p);
    area += (p.x() * q.y() - p.y() * q.x()) / 2;
  }
  if (!(std::abs(area - (high - low).prod()) < 1e-9 * area)) return grid;
  const auto length = [&](int axis) {
    constexpr int kSamples = 64;
    double sum = 0;
    Vec2 x = (low + high) / 2;
    Vec3 last = Vec3::Zero();
    for (int i = 0; i <= kSamples; ++i) {
      x[axis] = low[axis] + (high[axis] - low[axis]) * i / kSamples;
      const Vec3 here = mapping.place(x, 0.5);
      if (i > 0) sum += (here - last).norm();
      last = here;
    }
    return sum;
  };
  const Index nx = whole(length(0) / edge), ny = whole(length(1) / edge);
  if (!(static_cast<double>(nx) * ny <= kMostCells)) whole(2 * kMostCells);
  for (Index j = 0; j <= ny; ++j) {
    for (Index i = 0; i <= nx; ++i) {
      grid.points.emplace_back(low.x() + (high.x() - low.x()) * i / nx, low.y() + (high.y() - low.y()) * j / ny);
    }
  }
  const auto point = [&](Index i, Index j) { return j * (nx + 1) + i; };
  for (Index j = 0; j < ny; ++j) {
    for (Index i = 0; i < nx; ++i) {
      grid.quads.push_back({point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)});
    }
  }
  return grid;
}

HexSoup extruded(const Mapping& mapping, const ChartGrid& grid, Index layers) {
  HexSoup soup;
  const auto columns = static_cast<Index>(grid.points.size());
  if (!(static_cast<double>(grid.quads.size()) * layers <= kMostCells)) whole(2 * kMostCells);
  const Index levels = mapping.closed ? layers : layers + 1;
  for (Index level = 0; level < levels; ++level) {
    for (const Vec2& x : grid.points) soup.points.push_back(mapping.place(x, static_cast<double>(level) / layers));
  }
  for (Index layer = 0; layer < layers; ++layer) {
    const Index below = layer * columns, above = (layer + 1) % levels * columns;
    for (const auto& [a, b, c, d] : grid.quads) {
      soup.cells.push_back({below + a, below + b, below + c, below + d, above + a, above + b, above + c, above + d});
    }
  }
  return soup;
}

// A cube of n cells a side, blown up to the ellipsoid.
HexSoup ball_cells(const Vec3& radii, double edge) {
  const double side = 1.6 * std::cbrt(radii.prod()) / edge;  // a cube of as much volume
  whole(side * side * side);
  const Index n = std::max<Index>(2, whole(side));
  HexSoup soup;
  const auto point = [&](Index i, Index j, Index k) { return (k * (n + 1) + j) * (n + 1) + i; };
  for (Index k = 0; k <= n; ++k) {
    for (Index j = 0; j <= n; ++j) {
      for (Index i = 0; i <= n; ++i) {
        const Vec3 s(2.0 * i / n - 1, 2.0 * j / n - 1, 2.0 * k / n - 1);
        // Cubes about the middle become spheres towards the outside, and stay more like cubes within.
        const double r = s.cwiseAbs().maxCoeff(), length = std::max(s.norm(), 1e-12);
        const double factor = 0.55 * (1 - r * r) + r * r * r / length;
        soup.points.emplace_back((factor * s).cwiseProduct(radii));
      }
    }
  }
  for (Index k = 0; k < n; ++k) {
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < n; ++i) {
        soup.cells.push_back({point(i, j, k), point(i + 1, j, k), point(i + 1, j + 1, k), point(i, j + 1, k),
                              point(i, j, k + 1), point(i + 1, j, k + 1), point(i + 1, j + 1, k + 1),
                              point(i, j + 1, k + 1)});
      }
    }
  }
  return soup;
}

void append(HexSoup& all, const HexSoup& more) {
  const auto first = static_cast<Index>(all.points.size());
  all.points.insert(all.points.end(), more.points.begin(), more.points.end());
  for (auto cell : more.cells) {
    for (Index& n : cell) n += first;
    all.cells.push_back(cell);
  }
}

HexSoup file_cells(const FileShape& file, double edge, std::vector<std::string>& notes) {
  if (!file.is_surface()) {
    throw InputError({file.path.string()}, "a file of tetrahedra has no cells for a lattice",
                     "take the model's surface");
  }
  const RepairedSurface surface = repair_surface(read_surface(file.path), file.path.string());
  if (surface.open_edges > 0) {
    notes.push_back(fmt::format("{}: the surface is not closed, {} edges have one triangle only; holes were bridged",
                                file.path.filename().string(), surface.open_edges));
  }
  const Mat3 place = placing(file);
  std::vector<Vec3> points;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& p : surface.points) {
    points.push_back(place * (surface.centre + surface.scale * p));
    low = low.cwiseMin(points.back()), high = high.cwiseMax(points.back());
  }
  const TriangleTree tree(points, surface.triangles);
  const SurfaceDistance distance(tree);
  try {
    return voxel_cells([&](const Vec3& x) { return distance.value(x); }, low, high, edge);
  } catch (const InputError& error) {  // and the note above is lost with it
    if (surface.open_edges == 0) throw;
    throw InputError({}, error.problem,
                     error.remedy + "; the surface is open: close large openings, give sheets a thickness");
  }
}

struct SolidCells {
  std::string name;
  HexSoup cells;
  DistanceFunction solid;
};

SolidCells placed(const UnionPart& part, const LatticeOptions& options, std::vector<std::string>& notes) {
  const Shape shape = shape_of(part);
  HexSoup cells = lattice_cells(shape, options, notes);
  const Mat3 turn = rotation_matrix(part.rotation);
  for (Vec3& p : cells.points) p = turn * p + part.position;
  return {part.name, std::move(cells), [distance = signed_distance(shape), turn, at = part.position](const Vec3& x) {
            return distance(turn.transpose() * (x - at));
          }};
}

void glue_onto(SolidCells& base, const SolidCells& part, double edge, std::vector<std::string>& notes) {
  const GlueReport report = glue(base.cells, part.cells, base.solid, edge);
  if (report.farthest > edge) {
    notes.push_back(
        fmt::format("part `{}`: gluing moves a node by {:.3g} m, more than an edge", part.name, report.farthest));
  }
  if (report.pairs == 0) notes.push_back(fmt::format("part `{}` touches no other and hangs loose", part.name));
  base.solid = [one = base.solid, other = part.solid](const Vec3& x) { return std::min(one(x), other(x)); };
}

// The parts one after the other, each glued to those before that it reaches into.
SolidCells assembled(const UnionShape& assembly, const LatticeOptions& options, std::vector<std::string>& notes) {
  SolidCells whole = placed(assembly.parts[0], options, notes);
  for (std::size_t i = 1; i < assembly.parts.size(); ++i) {
    glue_onto(whole, placed(assembly.parts[i], options, notes), options.edge, notes);
  }
  return whole;
}

// How many cells go across a knob of this radius so that it stands node on node in the middle of a disc of n x n: with
// a node on the axis if the disc has one. The disc's nodes next to the axis tell how wide its cells are.
Index cells_across_knob(double radius, const HexSoup& disc, Index n) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Vec3& p : disc.points) {
    const double r = Vec2(p.x(), p.z()).norm();
    if (r > 1e-3 * radius) nearest = std::min(nearest, r);
  }
  const bool odd = n % 2 == 1;
  const double across = 2 * radius / (odd ? std::sqrt(2.0) * nearest : nearest);
  return odd ? 2 * whole((across + 1) / 2) - 1 : 2 * whole(across / 2);
}

// The lid lies on the rim. Both, and the body's wall, have as many cells round them, so that nodes lie over nodes.
HexSoup teapot_cells(const TeapotShape& shape, const LatticeOptions& options, std::vector<std::string>& notes) {
  const GluedTeapot teapot = glued_teapot(shape);
  const Mapping wall = map_shape(std::get<RevolveShape>(teapot.body.shape));
  LatticeOptions round = options;
  round.around = cells_around(wall, std::get<RingDomain>(wall.domain), options.edge);
  HexSoup cells;
  if (shape.pot) {
    SolidCells pot = placed(teapot.body, round, notes);
    glue_onto(pot, assembled(teapot.rim, round, notes), options.edge, notes);
    for (const UnionShape& group : {teapot.handle, teapot.spout}) {
      glue_onto(pot, assembled(group, options, notes), options.edge, notes);
    }
    append(cells, pot.cells);
  }
  if (shape.lid) {
    SolidCells lid = placed(teapot.lid.parts[0], round, notes);
    const UnionPart& knob = teapot.lid.parts[1];
    LatticeOptions across = options;
    across.square = true;
    across.around = 4 * cells_across_knob(std::get<TubeShape>(knob.shape).radius, lid.cells, round.around / 4);
    glue_onto(lid, placed(knob, across, notes), options.edge, notes);
    append(cells, lid.cells);
  }
  drop_unused_points(cells);
  return cells;
}

}  // namespace

HexSoup mapped_cells(const Mapping& mapping, const LatticeOptions& options) {
  const auto* rings = std::get_if<RingDomain>(&mapping.domain);
  const ChartGrid grid = rings != nullptr
                             ? ring_grid(mapping, *rings, options)
                             : rectangle_grid(mapping, std::get<PolygonDomain>(mapping.domain), options.edge);
  const Index layers = options.layers > 0
                           ? options.layers
                           : std::max<Index>(mapping.closed ? 3 : 1, whole(mapping.thickness / options.edge));
  // Charts of other outlines: triangles of the sheet, each cut in three.
  if (grid.quads.empty()) return mapped_hexes(mapping, options.edge, layers, 1);
  return extruded(mapping, grid, layers);
}

HexSoup lattice_cells(const Shape& shape, const LatticeOptions& options, std::vector<std::string>& notes) {
  require_solid(shape);
  if (const auto* box = std::get_if<BoxShape>(&shape)) return mapped_cells(map_shape(SlabShape{box->size}), options);
  if (const auto* ball = std::get_if<SphereShape>(&shape))
    return ball_cells(Vec3::Constant(ball->radius), options.edge);
  if (const auto* ball = std::get_if<EllipsoidShape>(&shape)) return ball_cells(ball->radii, options.edge);
  if (const auto* file = std::get_if<FileShape>(&shape)) return file_cells(*file, options.edge, notes);
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    const Vec3 half(capsule->radius, capsule->height / 2, capsule->radius);
    return voxel_cells(signed_distance(shape), -half, half, options.edge);
  }
  if (const auto* teapot = std::get_if<TeapotShape>(&shape)) return teapot_cells(*teapot, options, notes);
  if (const auto assembly = assembly_of(shape)) {
    HexSoup cells = assembled(*assembly, options, notes).cells;
    drop_unused_points(cells);
    return cells;
  }
  HexSoup soup;
  for (const Mapping& mapping : mappings_of(shape)) append(soup, mapped_cells(mapping, options));
  return soup;
}

}  // namespace sunder
