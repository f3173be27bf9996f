#include "algebra/krylov/largest_singular_value.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <utility>

#include "algebra/sparse/random_start.h"

namespace stillpoint {

namespace {

constexpr int most_steps = 30;

// A singular vector to which the start vector is nearly orthogonal does not show for some steps, so that a single small
// change is no proof of convergence.
constexpr double settled = 0.0003;
constexpr int steps_settled = 3;

constexpr double rounding = 1e-14;  // relative rounding of a sum of some ten products

/// The tridiagonal matrix BᵀB of an upper bidiagonal B, built column by column.
class SquaredBidiagonal {
 public:
  explicit SquaredBidiagonal(Index most) : diagonal_(most), beside_(most) {}

  /// Appends a column of B, given its diagonal entry alpha and the entry beta above it.
  void add_column(double alpha, double beta) {
    if (size_ > 0) beside_[size_ - 1] = last_alpha_ * beta;
    diagonal_[size_++] = alpha * alpha + beta * beta;
    last_alpha_ = alpha;
  }

  double largest_eigenvalue() const {
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal_.head(size_), beside_.head(size_ - 1), Eigen::EigenvaluesOnly);
    return solver.eigenvalues().maxCoeff();
  }

 private:
  Eigen::VectorXd diagonal_, beside_;
  Index size_ = 0;
  double last_alpha_ = 0;
};

}  // namespace

double largest_singular_value(const SparseMatrix& S) {
  Eigen::VectorXd v = random_start(static_cast<Index>(S.cols())).normalized(), u = Eigen::VectorXd::Zero(S.rows());
  SquaredBidiagonal B(most_steps);
  double estimate = 0, beta = 0;
  for (int k = 0, small_changes = 0; k < most_steps && small_changes < steps_settled; ++k) {
    u = S * v - beta * u;
    const double alpha = u.norm();
    B.add_column(alpha, beta);
    const double before = std::exchange(estimate, std::sqrt(B.largest_eigenvalue()));
    small_changes = std::abs(estimate - before) <= settled * estimate ? small_changes + 1 : 0;
    if (alpha <= rounding * estimate) break;  // the Krylov space is exhausted
    u /= alpha;
    v = S.transpose() * u - alpha * v;
    beta = v.norm();
    if (beta <= rounding * estimate) break;
    v /= beta;
  }
  return estimate;
}

}  // namespace stillpoint
