// Seeded numbers that are the same with every compiler and library. Two that are drawn as arguments of one call may be
// swapped: compilers evaluate arguments in different order.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "stillpoint/sparse.h"

namespace stillpoint {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  /// Any order of magnitude between the two.
  double scaled(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  /// ± something that is not small.
  double entry() { return between(0.2, 1) * (maybe(0.5) ? -1 : 1); }
  int whole(int low, int high) { return low + static_cast<int>(between(0, high - low + 1)); }
  Index below(Index end) { return std::min(end - 1, static_cast<Index>(between(0, end))); }
  bool maybe(double chance) { return between(0, 1) < chance; }
  Eigen::VectorXd vector(Eigen::Index size, double low, double high) {
    Eigen::VectorXd x(size);
    for (double& value : x) value = between(low, high);
    return x;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stillpoint
