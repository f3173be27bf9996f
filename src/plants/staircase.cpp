#include "plants/staircase.h"

#include <algorithm>
#include <cmath>

#include "algebra/dense/complex_lapack.h"
#include "algebra/rank/rank_rule.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXcd;

// A value below so many times its rounding counts as zero; one that is larger than the rounding by `smallest_gap` does
// not; between them nothing is decided. Bounds on rounding may be far above it, where vectors of modes are known to a
// few digits, and then a force near a support, which moves modes of a long chain by 1e-6 of what it could, lies below
// them: so what counts as zero is small by itself, too.
constexpr double few = 10, largest_zero = 1e-9;

// Of values with a larger rounding none is called zero, since what is called zero is left out of minimal realisations.
constexpr double largest_noise = 1e-6;

constexpr double barely = 1e-4;

bool is_zero(double value, double noise) {
  return value <= std::min(few * noise, largest_zero) && noise <= largest_noise;
}

bool is_clear(double value, double noise) { return value > smallest_gap * noise; }

/// Adds a step, whose rank counts what is not zero to rounding.
void record(const MatrixXcd& block, const Eigen::VectorXd& values, double noise, HautusTest& test) {
  StaircaseStep step{static_cast<Index>(block.rows()), static_cast<Index>(block.cols()), 0, values, noise};
  for (const double value : values) {
    if (is_zero(value, noise)) {
      test.dropped = std::fmax(test.dropped, value);
      continue;
    }
    ++step.rank;
    test.undecided = test.undecided || !is_clear(value, noise);
    test.distance = std::fmin(test.distance, value);
  }
  test.noise = std::fmax(test.noise, noise);
  test.steps.push_back(step);
}

}  // namespace

bool HautusTest::is_barely() const { return distance < barely; }

Staircase staircase(const MatrixXcd& A, const MatrixXcd& B, const PairNoise& noise) {
  Staircase result{MatrixXcd::Identity(A.rows(), A.rows()), {}};
  MatrixXcd& rest = result.hidden;
  MatrixXcd block = B;
  double rounding = noise.channels;
  while (rest.cols() > 0) {
    const ComplexSingularValues svd = decompose(block);
    record(block, svd.values, rounding, result.test);
    const Eigen::Index rank = result.test.steps.back().rank;
    if (rank == 0) break;
    const MatrixXcd moved = rest * svd.U.leftCols(rank);
    rest = (rest * svd.U.rightCols(rest.cols() - rank)).eval();
    block = rest.adjoint() * A * moved;
    rounding = noise.dynamics;
  }
  result.test.hidden = static_cast<Index>(rest.cols());
  return result;
}

}  // namespace stillpoint
