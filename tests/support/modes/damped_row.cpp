#include "support/modes/damped_row.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "support/forms/systems.h"

namespace stillpoint {

LinearSystem damped_row(Index N, double a, double b, double g) {
  std::vector<Eigen::Triplet<double, Index>> springs, turning;
  for (Index i = 0; i < N; ++i) {
    springs.emplace_back(i, i, 2);
    if (i == 0) continue;
    springs.emplace_back(i, i - 1, -1);
    springs.emplace_back(i - 1, i, -1);
    turning.emplace_back(i, i - 1, g);
    turning.emplace_back(i - 1, i, -g);
  }
  LinearSystem system;
  system.K.resize(N, N);
  system.K.setFromTriplets(springs.begin(), springs.end());
  system.M.resize(N, N);
  system.M.setIdentity();
  SparseMatrix G(N, N);
  G.setFromTriplets(turning.begin(), turning.end());
  system.C = SparseMatrix(a * system.M + b * system.K) + G;
  return checked(std::move(system));
}

// s² + (a + b ω²) s + ω² = 0
std::complex<double> damped_root(Index N, Index j, double a, double b) {
  const double omega = 2 * std::sin(j * std::numbers::pi / (2.0 * (N + 1))), half = 0.5 * (a + b * omega * omega);
  return -half + std::sqrt(std::complex<double>(half * half - omega * omega));
}

}  // namespace stillpoint
