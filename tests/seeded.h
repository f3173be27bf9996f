// Seeded numbers that are the same with every compiler and library. Two that are drawn as arguments of one call may be
// swapped: compilers evaluate arguments in different order.
#pragma once

#include <algorithm>
#include <random>

#include "stillpoint/sparse.h"

namespace stillpoint {

class Seeded {
 public:
  explicit Seeded(std::uint64_t seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  Index below(Index end) { return std::min(end - 1, static_cast<Index>(between(0, end))); }
  /// ± something that is not small.
  double entry() { return between(0.2, 1) * (between(0, 1) < 0.5 ? -1 : 1); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace stillpoint
