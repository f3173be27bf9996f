#include "installation/self_check.h"

#include <cmath>
#include <exception>
#include <limits>
#include <numbers>

#include "algebra/dense/blas.h"
#include "algebra/dense/lapack.h"
#include "stillpoint/elements/distance.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/model.h"

namespace stillpoint {

namespace {

constexpr Eigen::Index order = 150;  // beyond one: more than one block of the kernels of any BLAS

/// Whole numbers from -100 to 100, of which every product and sum here is exact in whatever order it is taken.
Eigen::MatrixXd whole_numbers(int seed) {
  return Eigen::MatrixXd::NullaryExpr(order, order, [seed](Eigen::Index i, Eigen::Index j) {
    return static_cast<double>((seed + 37 * i + 101 * j + 11 * i * j) % 201 - 100);
  });
}

double product_difference() {
  const Eigen::MatrixXd A = whole_numbers(3), B = whole_numbers(8), by_blas = product(A, B);
  double most = 0, largest = 0;
  for (Eigen::Index i = 0; i < order; ++i) {
    for (Eigen::Index j = 0; j < order; ++j) {
      double sum = 0;
      for (Eigen::Index k = 0; k < order; ++k) sum += A(i, k) * B(k, j);
      most = std::max(most, std::abs(by_blas(i, j) - sum));
      largest = std::max(largest, std::abs(sum));
    }
  }
  return most / largest;
}

/// The chain of equal masses between two walls has the eigenvalues 2 − 2 cos(kπ/(n+1)).
double eigenvalue_difference() {
  Eigen::MatrixXd chain = 2 * Eigen::MatrixXd::Identity(order, order);
  chain.diagonal(1).setConstant(-1);
  chain.diagonal(-1).setConstant(-1);
  const Eigen::VectorXd values = solve_symmetric(chain).values;
  double most = 0;
  for (Eigen::Index k = 0; k < order; ++k) {
    const double angle = std::numbers::pi * static_cast<double>(k + 1) / static_cast<double>(order + 1);
    most = std::max(most, std::abs(values[k] - (2 - 2 * std::cos(angle))));
  }
  return most / 4;
}

/// A pendulum of length l swings at √(g/l).
double pendulum_difference() {
  constexpr double g = 9.81, length = 2;
  ModelBuilder build("pendulum");
  build.gravity({0, -g});
  const Place pivot = build.fixed("A", {0, 0}), bob = build.point("B", {0, -length}, {.mass = 3});
  build.add("rod", Distance{.a = pivot, .b = bob, .length = length});
  const Model model = build.model();
  const Spectrum found = find_modes(linearize(model, find_equilibrium(model)), Method::mcs).spectrum;
  const double expected = std::sqrt(g / length);
  double least = std::numeric_limits<double>::infinity();
  for (const Mode& mode : found.modes)
    least = std::min(least, std::abs(std::complex<double>(0, expected) - mode.s) / expected);
  return least;
}

double without_exceptions(double (*difference)()) {
  constexpr double failed = std::numeric_limits<double>::infinity();
  try {
    const double value = difference();
    return std::isnan(value) ? failed : value;
  } catch (const std::exception&) {
    return failed;
  }
}

}  // namespace

SelfCheck check_against_known_answers() {
  return {without_exceptions(product_difference), without_exceptions(eigenvalue_difference),
          without_exceptions(pendulum_difference)};
}

}  // namespace stillpoint
