#include "algebra/scaling/congruence_scaling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace stillpoint {

namespace {

constexpr int most_sweeps = 12;  ///< each sweep halves the spread of the exponents; six decades are 20 binary exponents

/// Calls visit(i, j, |a_ij|) for each entry of the lower triangle that is not zero.
template <class Visit>
void for_each_lower(const SparseMatrix& A, const Visit& visit) {
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index k = A.outerIndexPtr()[j]; k < A.outerIndexPtr()[j + 1]; ++k) {
      const Index i = A.innerIndexPtr()[k];
      const double a = std::abs(A.valuePtr()[k]);
      if (i >= j && a > 0) visit(i, j, a);
    }
  }
}

/// std::ilogb, from the bits of a normal number: the library function takes a twentieth of the time of a factorisation.
int exponent_of(double value) {
  const auto biased = static_cast<int>((std::bit_cast<std::uint64_t>(value) >> 52) & 0x7ff);
  return biased > 0 && biased < 0x7ff ? biased - 1023 : std::ilogb(value);
}

double power_of_two(int exponent) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + exponent) << 52); }

/// Returns the exponent of the power of two that brings a row with this largest entry half way to [1/2, 2), on a
/// logarithmic scale; 0 if it is there already. Entries do not overshoot: halving the distance for both of its rows
/// leaves each entry below 2.
int half_way(double largest) {
  const int exponent = exponent_of(largest);  // 2^exponent ≤ largest < 2^(exponent + 1)
  return exponent >= 0 ? -((exponent + 1) / 2) : -exponent / 2;
}

}  // namespace

std::vector<double> congruence_scaling(const SparseMatrix& A) {
  const auto n = static_cast<std::size_t>(A.cols());
  std::vector<double> scale(n, 1.0), largest(n);
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    std::fill(largest.begin(), largest.end(), 0.0);
    for_each_lower(A, [&](Index i, Index j, double a) {
      const double scaled = scale[i] * a * scale[j];
      largest[i] = std::max(largest[i], scaled);
      largest[j] = std::max(largest[j], scaled);
    });
    bool changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      const int shift = largest[i] > 0 ? half_way(largest[i]) : 0;
      if (shift == 0) continue;
      scale[i] *= power_of_two(shift);
      changed = true;
    }
    if (!changed) break;
  }
  return scale;
}

}  // namespace stillpoint
