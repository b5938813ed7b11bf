#pragma once
// The largest of many values that keep changing: a tournament. Setting one costs log n comparisons at most, and few
// where somebody else wins before and after; asking for the winner costs none. Of equal values the smaller index wins.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sunder {

class MaxTree {
 public:
  static constexpr double kNothing = -std::numeric_limits<double>::infinity();

  std::size_t size() const { return size_; }

  // New places hold kNothing.
  void resize(std::size_t size) {
    if (size > leaves_) {
      const std::vector<double> kept(value_.begin(), value_.begin() + static_cast<std::ptrdiff_t>(size_));
      leaves_ = std::bit_ceil(std::max<std::size_t>(size, 2));
      value_.assign(leaves_, kNothing);
      std::copy(kept.begin(), kept.end(), value_.begin());
      winner_.resize(leaves_);
      for (std::size_t i = leaves_ - 1; i > 0; --i) winner_[i] = match(i);
    }
    size_ = size;
  }

  // NaN counts as nothing: it would win and lose at random.
  void set(std::size_t index, double value) {
    const double fresh = value > kNothing ? value : kNothing;
    if (fresh == value_[index]) return;
    value_[index] = fresh;
    for (std::size_t i = (leaves_ + index) / 2; i > 0; i /= 2) {
      const std::uint32_t winner = match(i);
      if (winner == winner_[i] && winner != index) return;  // what goes up from here is as it was
      winner_[i] = winner;
    }
  }
  double value(std::size_t index) const { return value_[index]; }

  std::size_t top() const { return winner_[1]; }
  double top_value() const { return size_ == 0 ? kNothing : value_[winner_[1]]; }

 private:
  // Inner place i has the children 2i and 2i + 1; the leaves stand at leaves_ + index.
  std::uint32_t champion(std::size_t i) const {
    return i >= leaves_ ? static_cast<std::uint32_t>(i - leaves_) : winner_[i];
  }
  std::uint32_t match(std::size_t i) const {
    const std::uint32_t a = champion(2 * i), b = champion(2 * i + 1);
    return value_[b] > value_[a] ? b : a;
  }

  std::size_t size_ = 0, leaves_ = 0;
  std::vector<double> value_;
  std::vector<std::uint32_t> winner_;
};

}  // namespace sunder
