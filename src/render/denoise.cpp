#include "render/denoise.h"

#include <algorithm>
#include <array>

#include "core/parallel.h"

namespace sunder::render {
namespace {

constexpr int kRounds = 5;            // reach doubles each time: 2, 4, 8, 16, 32 pixels
constexpr float kNoiseTolerance = 4;  // standard deviations
constexpr std::array<float, 3> kSpline = {3.0f / 8, 1.0f / 4, 1.0f / 16};

struct Filtered {
  std::vector<Color> light;
  std::vector<float> variance;
};

// exp(-x) to a few per cent, without a call: (1 - x / 8)^8.
float falling(float x) {
  const float t = std::max(0.0f, 1 - x / 8);
  const float t2 = t * t, t4 = t2 * t2;
  return t4 * t4;
}

class Rounds {
 public:
  explicit Rounds(const Picture& picture) : p_(picture), slope_(picture.depth.size()) {
    // How fast depth changes from pixel to pixel, so that oblique floors are one surface.
    each_row([&](int y) {
      for (int x = 0; x < p_.width; ++x) {
        const auto d = [&](int i, int j) {
          return p_.depth[index(std::clamp(i, 0, p_.width - 1), std::clamp(j, 0, p_.height - 1))];
        };
        const float here = d(x, y);
        const float across = std::min(std::abs(d(x + 1, y) - here), std::abs(d(x - 1, y) - here));
        const float down = std::min(std::abs(d(x, y + 1) - here), std::abs(d(x, y - 1) - here));
        slope_[index(x, y)] = std::max(across, down);
      }
    });
  }

  void filter(const Filtered& from, Filtered& to, int step) const {
    each_row([&](int y) {
      for (int x = 0; x < p_.width; ++x) filter_pixel(from, to, x, y, step);
    });
  }

  // The noise of single pixels is itself noisy: its mean over the neighbours is what the filter goes by.
  float smoothed_variance(const Filtered& f, int x, int y) const {
    float sum = 0, weights = 0;
    for (int j = -1; j <= 1; ++j) {
      for (int i = -1; i <= 1; ++i) {
        if (x + i < 0 || x + i >= p_.width || y + j < 0 || y + j >= p_.height) continue;
        const float w = (i == 0 ? 2.0f : 1.0f) * (j == 0 ? 2.0f : 1.0f);
        sum += w * f.variance[index(x + i, y + j)];
        weights += w;
      }
    }
    return sum / weights;
  }

 private:
  template <class Row>
  void each_row(const Row& row) const {
    parallel_chunks(static_cast<std::size_t>(p_.height), 4, [&](std::size_t begin, std::size_t end) {
      for (std::size_t y = begin; y < end; ++y) row(static_cast<int>(y));
    });
  }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(p_.width) + static_cast<std::size_t>(x);
  }

  void filter_pixel(const Filtered& from, Filtered& to, int x, int y, int step) const {
    const std::size_t here = index(x, y);
    const float l = luminance(from.light[here]);
    const float tolerance = kNoiseTolerance * std::sqrt(smoothed_variance(from, x, y)) + 1e-4f;
    Color sum = from.light[here] * (kSpline[0] * kSpline[0]);
    float weights = kSpline[0] * kSpline[0];
    float variance = weights * weights * from.variance[here];
    for (int j = -2; j <= 2; ++j) {
      const int v = y + j * step;
      if (v < 0 || v >= p_.height) continue;
      for (int i = -2; i <= 2; ++i) {
        const int u = x + i * step;
        if (u < 0 || u >= p_.width || (i == 0 && j == 0)) continue;
        const std::size_t there = index(u, v);
        const float reach = static_cast<float>(step * std::max(std::abs(i), std::abs(j)));
        float different = std::abs(luminance(from.light[there]) - l) / tolerance;
        different +=
            std::abs(p_.depth[there] - p_.depth[here]) / (1.5f * slope_[here] * reach + 0.01f * p_.depth[here] + 1e-6f);
        different += 10 * (p_.normal[there] - p_.normal[here]).squaredNorm();
        different += 12 * (p_.albedo[there] - p_.albedo[here]).square().sum();
        if (different >= 8) continue;
        const float w = kSpline[static_cast<std::size_t>(std::abs(i))] *
                        kSpline[static_cast<std::size_t>(std::abs(j))] * falling(different);
        sum += w * from.light[there];
        weights += w;
        variance += w * w * from.variance[there];
      }
    }
    to.light[here] = sum / weights;
    to.variance[here] = variance / (weights * weights);
  }

  const Picture& p_;
  std::vector<float> slope_;
};

}  // namespace

void denoise(Picture& picture) {
  const std::size_t count = picture.light.size();
  const auto base = [&](std::size_t i) { return picture.albedo[i].max(0.02f).eval(); };
  Filtered now{std::vector<Color>(count), std::vector<float>(count)}, next = now;
  for (std::size_t i = 0; i < count; ++i) {
    now.light[i] = picture.light[i] / base(i);
    const float scale = luminance(base(i));
    now.variance[i] = picture.variance[i] / (scale * scale);
  }
  const Rounds rounds(picture);
  for (int round = 0; round < kRounds; ++round) {
    rounds.filter(now, next, 1 << round);
    std::swap(now, next);
  }
  for (std::size_t i = 0; i < count; ++i) {
    picture.light[i] = now.light[i] * base(i);
    picture.variance[i] = now.variance[i];
  }
}

}  // namespace sunder::render
