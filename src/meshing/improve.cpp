#include "meshing/improve.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "geometry/tetrahedron.h"
#include "meshing/point_stars.h"

namespace sunder {

// sin = 3 V l / (2 A B) at an edge of length l between faces of areas A and B.
double worst_dihedral_sine(const TetCorners& x) {
  std::array<double, 4> doubled_area;
  for (std::size_t f = 0; f < 4; ++f) {
    const auto& [i, j, k] = kTetFaces[f];
    doubled_area[f] = (x[j] - x[i]).cross(x[k] - x[i]).norm();
  }
  const double volume = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);  // six times
  double worst = 2;
  for (const auto& [i, j] : kTetEdges) {
    // The faces at edge i j are those opposite the two other corners.
    std::size_t faces[2];
    std::size_t n = 0;
    for (std::size_t f = 0; f < 4; ++f) {
      if (f != static_cast<std::size_t>(i) && f != static_cast<std::size_t>(j)) faces[n++] = f;
    }
    const double product = doubled_area[faces[0]] * doubled_area[faces[1]];
    if (!(product > 0)) return -1;
    worst = std::min(worst, volume * (x[j] - x[i]).norm() / product);
  }
  return worst;
}

namespace {

class Improver {
 public:
  Improver(TetSoup& soup, const Borrowed<bool(std::uint32_t, Vec3&)>& place,
           const Borrowed<bool(std::uint32_t, const Vec3&)>& accept, const TetMeasure& measure, double target,
           int passes)
      : soup_(soup),
        place_(place),
        accept_(accept),
        measure_(measure),
        stars_(soup),
        target_(target),
        passes_(passes) {}

  std::size_t run() {
    std::size_t bad = 0;
    for (int pass = 0;; ++pass) {
      const std::vector<std::uint32_t> points = points_of_bad_tets(bad);
      if (points.empty() || pass == passes_) return bad;
      bool any = false;
      for (const std::uint32_t p : points) any = improve(p, pass) || any;
      if (!any) return bad;
    }
  }

 private:
  double measure(std::uint32_t tet) const { return measure_(soup_, tet); }

  // Worst tets first; each point once.
  std::vector<std::uint32_t> points_of_bad_tets(std::size_t& bad) const {
    std::vector<double> sine(soup_.tets.size());
    parallel_for(sine.size(), [&](std::size_t t) { sine[t] = measure(static_cast<std::uint32_t>(t)); });
    std::vector<std::uint32_t> tets;
    for (std::uint32_t t = 0; t < sine.size(); ++t) {
      if (sine[t] < target_) tets.push_back(t);
    }
    bad = tets.size();
    std::sort(tets.begin(), tets.end(),
              [&](std::uint32_t a, std::uint32_t b) { return sine[a] != sine[b] ? sine[a] < sine[b] : a < b; });
    std::vector<std::uint8_t> seen(soup_.points.size(), 0);
    std::vector<std::uint32_t> points;
    for (const std::uint32_t t : tets) {
      for (const std::uint32_t p : soup_.tets[t]) {
        if (seen[p] == 0) points.push_back(p);
        seen[p] = 1;
      }
    }
    return points;
  }

  // The worst tet around p if p were at x; gives up below `least`.
  double star_measure(std::uint32_t p, const Vec3& x, double least) {
    const Vec3 before = soup_.points[p];
    soup_.points[p] = x;
    double worst = 2;
    for (const std::uint32_t t : stars_[p]) {
      worst = std::min(worst, measure(t));
      if (worst <= least) break;
    }
    soup_.points[p] = before;
    return worst;
  }

  // A search along a few directions with steps that shrink: the measure has kinks, so that gradients mislead.
  bool improve(std::uint32_t p, int pass) {
    double best = star_measure(p, soup_.points[p], -2);
    if (best >= target_) return false;
    double length = 0;
    std::size_t edges = 0;
    Vec3 middle = Vec3::Zero();
    for (const std::uint32_t t : stars_[p]) {
      for (const std::uint32_t q : soup_.tets[t]) {
        if (q == p) continue;
        length += (soup_.points[q] - soup_.points[p]).norm();
        middle += soup_.points[q];
        ++edges;
      }
    }
    length /= static_cast<double>(edges);
    middle /= static_cast<double>(edges);
    bool moved = false;
    const auto attempt = [&](Vec3 x) {
      if (!place_(p, x)) return false;
      const double found = star_measure(p, x, best);
      if (found <= best + 1e-9 || !accept_(p, x)) return false;
      best = found;
      soup_.points[p] = x;
      return true;
    };
    moved = attempt(middle);
    double step = 0.3 * length;
    for (int round = 0; round < 9 && best < target_; ++round) {
      bool any = false;
      const Vec3 here = soup_.points[p];
      for (int d = 0; d < 14; ++d) any = attempt(here + step * direction(d, pass)) || any;
      moved = moved || any;
      if (!any) step *= 0.5;
    }
    return moved;
  }

  // Faces and corners of a cube, turned from pass to pass.
  static Vec3 direction(int d, int pass) {
    Vec3 v = Vec3::Zero();
    if (d < 6) {
      v[d / 2] = d % 2 == 0 ? 1 : -1;
    } else {
      const int corner = d - 6;
      v = Vec3((corner & 1) != 0 ? 1 : -1, (corner & 2) != 0 ? 1 : -1, (corner & 4) != 0 ? 1 : -1) / std::sqrt(3.0);
    }
    return Eigen::AngleAxisd(0.7 * pass, Vec3(0.48, 0.6, 0.64)) * v;
  }

  TetSoup& soup_;
  const Borrowed<bool(std::uint32_t, Vec3&)>& place_;
  const Borrowed<bool(std::uint32_t, const Vec3&)>& accept_;
  const TetMeasure& measure_;
  PointStars stars_;
  double target_;
  int passes_;
};

}  // namespace

std::size_t improve_points(TetSoup& soup, const Borrowed<bool(std::uint32_t, Vec3&)>& place,
                           const ImproveOptions& options) {
  const auto sine = [](const TetSoup& all, std::uint32_t tet) {
    const auto& c = all.tets[tet];
    return worst_dihedral_sine({all.points[c[0]], all.points[c[1]], all.points[c[2]], all.points[c[3]]});
  };
  const auto any = [](std::uint32_t, const Vec3&) { return true; };
  return Improver(soup, place, any, sine, std::sin(options.target), options.passes).run();
}

std::size_t improve_points(TetSoup& soup, const Borrowed<bool(std::uint32_t, Vec3&)>& place,
                           const Borrowed<bool(std::uint32_t, const Vec3&)>& accept, const TetMeasure& measure,
                           double target, int passes) {
  return Improver(soup, place, accept, measure, target, passes).run();
}

}  // namespace sunder
