#include "studies/bordered_scalar.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <limits>

#include "algebra/sparse/chosen_rows.h"
#include "modes/problem/bordered_problem.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

/// M, C and K with J beside them in K, all of order n + r.
struct Blocks {
  Matrix M, C, K;

  Eigen::MatrixXcd at(Complex s) const { return s * (s * M + C) + K.cast<Complex>(); }
};

Blocks blocks_of(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K, const SparseMatrix& J) {
  const Eigen::Index n = M.rows(), order = n + J.rows();
  Blocks blocks{Matrix::Zero(order, order), Matrix::Zero(order, order), Matrix::Zero(order, order)};
  blocks.M.topLeftCorner(n, n) = M;
  blocks.C.topLeftCorner(n, n) = C;
  blocks.K.topLeftCorner(n, n) = K;
  blocks.K.bottomLeftCorner(order - n, n) = J;
  blocks.K.topRightCorner(n, order - n) = SparseMatrix(J.transpose());
  return blocks;
}

struct Scale {
  const Eigen::VectorXd &S, &W;
  double gamma = 1;
};

// M̂ = γ² S M S, Ĉ = γ S C S, K̂ = S K S, Ĵ = W J S.
Blocks scaled_blocks(const SparseMatrix& M, const SparseMatrix& C, const SparseMatrix& K, const SparseMatrix& J,
                     const Scale& scale) {
  const auto scaled = [&](const SparseMatrix& A, double factor) {
    return SparseMatrix((factor * scale.S).asDiagonal() * A * scale.S.asDiagonal());
  };
  return blocks_of(scaled(M, scale.gamma * scale.gamma), scaled(C, scale.gamma), scaled(K, 1),
                   SparseMatrix(scale.W.asDiagonal() * J * scale.S.asDiagonal()));
}

// A vector that is hardly orthogonal to any null vector.
Eigen::VectorXcd some_vector(Eigen::Index order) {
  Eigen::VectorXcd v(order);
  for (Eigen::Index i = 0; i < order; ++i) v[i] = 1 + 0.5 * std::sin(1.0 + 3.0 * static_cast<double>(i));
  return v.normalized();
}

}  // namespace

BorderedScalar BorderedFunction::at(const LinearSystem& system, const SystemRates& rates, Complex s) {
  constexpr Eigen::Index largest = 3000;
  if (S_.size() == 0) {
    const BorderedProblem problem(system);
    S_ = problem.coordinate_scale();
    W_ = problem.multiplier_scale();
    gamma_ = problem.frequency_scale();
  }
  const Scale scale{S_, W_, gamma_};
  const Blocks B = scaled_blocks(system.M, system.C, system.K, independent_rows(system), scale);
  const Eigen::Index order = B.K.rows();
  if (order > largest)
    throw Error(
        fmt::format("critical points are refined by dense matrices of order {} at most, not {}", largest, order));
  const Blocks of_p = scaled_blocks(rates.M.rate, rates.C.rate, rates.K.rate,
                                    chosen_rows(rates.J.rate, system.rows.independent), scale);
  const double gamma = gamma_;
  const Complex t = s / gamma;  // dimensionless
  if (b_.size() != order) b_ = c_ = some_vector(order);

  const Eigen::MatrixXcd here = B.at(t);
  Eigen::MatrixXcd A(order + 1, order + 1);
  A << here, b_, c_.adjoint(), Eigen::MatrixXcd::Zero(1, 1);
  const Eigen::PartialPivLU<Eigen::MatrixXcd> right(A), left(A.adjoint());
  const auto last = Eigen::VectorXcd::Unit(order + 1, order);
  const Eigen::VectorXcd xi_g = right.solve(last), eta_g = left.solve(last);
  const Eigen::VectorXcd xi = xi_g.head(order), eta = eta_g.head(order);
  const auto tail_of = [&](const Eigen::PartialPivLU<Eigen::MatrixXcd>& solver, const Eigen::VectorXcd& head) {
    Eigen::VectorXcd both = Eigen::VectorXcd::Zero(order + 1);
    both.head(order) = -head;
    return Eigen::VectorXcd(solver.solve(both).head(order));
  };
  const Eigen::MatrixXcd B_s = 2.0 * t * B.M + B.C.cast<Complex>();
  const Eigen::MatrixXcd B_p = of_p.at(t), B_sp = 2.0 * t * of_p.M + of_p.C.cast<Complex>();
  const Eigen::VectorXcd xi_s = tail_of(right, B_s * xi), eta_s = tail_of(left, B_s.adjoint() * eta);

  BorderedScalar result;
  result.g = xi_g[order];
  result.g_s = -eta.dot(B_s * xi) / gamma;
  result.g_p = -eta.dot(B_p * xi);
  result.g_ss = -(2.0 * eta.dot(B_s * xi_s) + eta.dot(2.0 * (B.M * xi))) / (gamma * gamma);
  result.g_sp = -(eta_s.dot(B_p * xi) + eta.dot(B_p * xi_s) + eta.dot(B_sp * xi)) / gamma;
  constexpr double few = 8;
  const double size = std::abs(t);
  result.rounding =
      few * std::numeric_limits<double>::epsilon() *
      eta.cwiseAbs().dot((size * (size * B.M.cwiseAbs() + B.C.cwiseAbs()) + B.K.cwiseAbs()) * xi.cwiseAbs());
  if (!holds_) {
    c_ = xi.normalized();
    b_ = eta.normalized();
  }
  coordinates_ = S_.asDiagonal() * xi.head(system.coordinates());
  return result;
}

Eigen::VectorXcd BorderedFunction::shape() const {
  Eigen::Index largest = 0;
  if (coordinates_.size() == 0) return coordinates_;
  coordinates_.cwiseAbs().maxCoeff(&largest);
  return coordinates_ / coordinates_[largest];
}

}  // namespace stillpoint
