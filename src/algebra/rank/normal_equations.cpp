#include "algebra/rank/normal_equations.h"

namespace stillpoint {

namespace {

constexpr int refinements = 3;

}  // namespace

NormalEquations::NormalEquations(SparseMatrix S)
    : S_(std::move(S)),
      split_(split_columns(S_)),
      split_transposed_(split_.S.transpose()),
      qr_(split_.S, split_transposed_, fill_reducing_order(split_.S, split_transposed_), {}) {}

Eigen::VectorXd NormalEquations::solve(const Eigen::VectorXd& b) const {
  const std::vector<Index>& position = qr_.tree().position;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(split_.S.rows());
  for (Index i = 0; i < split_.rows; ++i) x[position[i]] = b[i];
  qr_.solve_transposed(x);
  qr_.solve(x);
  Eigen::VectorXd y(split_.rows);
  for (Index i = 0; i < split_.rows; ++i) y[i] = x[position[i]];
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
