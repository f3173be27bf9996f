#include "algebra/rank/normal_equations.h"

#include <utility>

#include "algebra/rank/split_columns.h"
#include "base/at.h"

namespace stillpoint {

namespace {

constexpr int refinements = 3;

SparseQr factored(const SparseMatrix& S) {
  const SparseMatrix transposed = S.transpose();
  return {S, transposed, fill_reducing_order(S, transposed), {}};
}

}  // namespace

NormalEquations::NormalEquations(SparseMatrix S)
    : S_(std::move(S)), qr_(has_dense_columns(S_) ? factored(split_columns(S_).S) : factored(S_)) {}

Eigen::VectorXd NormalEquations::solve(const Eigen::VectorXd& b) const {
  const std::vector<Index>& position = qr_.tree().position;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(static_cast<Index>(position.size()));
  for (Index i = 0; i < S_.rows(); ++i) x[position[at(i)]] = b[i];
  qr_.solve_transposed(x);
  qr_.solve(x);
  Eigen::VectorXd y(S_.rows());
  for (Index i = 0; i < S_.rows(); ++i) y[i] = x[position[at(i)]];
  return y;
}

Eigen::VectorXd NormalEquations::least_norm(const Eigen::VectorXd& b) const {
  Eigen::VectorXd x = S_.transpose() * solve(b);
  for (int k = 0; k < refinements; ++k) x += S_.transpose() * solve(b - S_ * x);
  return x;
}

Eigen::VectorXd NormalEquations::least_squares(const Eigen::VectorXd& f) const {
  Eigen::VectorXd y = solve(S_ * f);
  for (int k = 0; k < refinements; ++k) y += solve(S_ * (f - S_.transpose() * y));
  return y;
}

}  // namespace stillpoint
