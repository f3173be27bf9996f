#include "motion/independent_coordinates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "stillpoint/error.h"
#include "stillpoint/forms.h"

namespace stillpoint {

using Eigen::MatrixXd, Eigen::VectorXd;

IndependentChoice choose_independent(const Model& model, const State& state, const EquationsOfMotion& equations) {
  constexpr Index most_coordinates = 3000;  // J_D is dense
  if (model.coordinates() > most_coordinates)
    throw Error(
        fmt::format("motions in minimal coordinates use dense matrices: '{}' has {} coordinates, allowed are {}; take "
                    "the explicit method",
                    model.name(), model.coordinates(), most_coordinates));
  const LinearSystem system = system_of(model, state, equations);
  IndependentChoice choice{.rows = system.rows.independent,
                           .dropped = static_cast<Index>(system.rows.dependent.size())};
  choice.independent = minimal_form(system, {.basis = NullSpaceBasis::projective}).independent;
  std::vector<char> is_independent(at(model.coordinates()), 0);
  for (const Index i : choice.independent) is_independent[at(i)] = 1;
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (!is_independent[at(i)]) choice.dependent.push_back(i);
  }
  return choice;
}

PartitionedConstraints::PartitionedConstraints(const IndependentChoice& choice, const SparseMatrix& J)
    : choice_(choice), coordinates_(J.cols()), constraints_(J.rows()) {
  factor(J);
}

PartitionedConstraints::PartitionedConstraints(const IndependentChoice& choice, const SparseMatrix& J,
                                               const Chart& chart, const VectorXd& increments)
    : choice_(choice), coordinates_(J.cols()), constraints_(J.rows()) {
  factor(chart.for_increments(increments, J));
}

void PartitionedConstraints::factor(MatrixXd J) {
  J = J(choice_.rows, Eigen::all).eval();
  scale_ = J.rowwise().norm();
  for (double& x : scale_) x = x > 0 ? 1 / x : 1;
  J = (scale_.asDiagonal() * J).eval();
  of_independent_ = J(Eigen::all, choice_.independent);
  if (choice_.rows.empty()) return;
  of_dependent_.compute(J(Eigen::all, choice_.dependent));
  regularity_ = of_dependent_.rcond();
  if (!std::isfinite(regularity_)) regularity_ = 0;
}

VectorXd PartitionedConstraints::completed(const VectorXd& independent, const VectorXd& c) const {
  VectorXd x = VectorXd::Zero(coordinates_);
  x(choice_.independent) = independent;
  if (choice_.rows.empty()) return x;
  const VectorXd dependent = of_dependent_.solve(of_rows(c) - of_independent_ * independent);
  x(choice_.dependent) = dependent;
  return x;
}

MatrixXd PartitionedConstraints::motions() const {
  MatrixXd R = MatrixXd::Zero(coordinates_, of_independent_.cols());
  R(choice_.independent, Eigen::all) = MatrixXd::Identity(R.cols(), R.cols());
  if (choice_.rows.empty()) return R;
  const MatrixXd dependent = of_dependent_.solve(of_independent_);
  R(choice_.dependent, Eigen::all) = -dependent;
  return R;
}

VectorXd PartitionedConstraints::multipliers(const VectorXd& forces) const {
  VectorXd lambda = VectorXd::Zero(constraints_);
  if (choice_.rows.empty()) return lambda;
  const VectorXd right = forces(choice_.dependent), scaled = of_dependent_.transpose().solve(right);
  lambda(choice_.rows) = scale_.cwiseProduct(scaled);
  return lambda;
}

Accelerations PartitionedConstraints::accelerations(const EquationsOfMotion& equations) const {
  const MatrixXd R = motions();
  const VectorXd S = completed(VectorXd::Zero(R.cols()), equations.c);
  const auto a = accelerations_along(R, R.transpose() * (equations.M * R), S, equations);
  if (!a) return {VectorXd(), VectorXd()};
  return {*a, multipliers(equations.b - equations.M * *a)};
}

VectorXd fitness(const SparseMatrix& M, const MatrixXd& motions) {
  const MatrixXd moved = M * motions;
  return motions.cwiseProduct(moved).colwise().sum().transpose().cwiseMax(0).cwiseSqrt().cwiseInverse();
}

}  // namespace stillpoint
