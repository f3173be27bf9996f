#include "response/bordered_system.h"

#include <algorithm>
#include <cmath>

#include "base/power_of_two.h"

namespace stillpoint {

BorderedSystem::BorderedSystem(const BorderedProblem& problem, const QuadraticPencil& pencil)
    : problem_(problem),
      pencil_(pencil),
      n_(static_cast<Index>(problem.M().rows())),
      matrix_(pencil.matrix(std::complex<double>(0))) {}

const ComplexSparseMatrix& BorderedSystem::at(double omega) {
  const std::complex<double> s(0, omega / problem_.frequency_scale());
  rho_ = std::max(1.0, nearest_power_of_two(std::abs(s)));
  pencil_.put_values(s, matrix_);
  if (rho_ == 1) return matrix_;
  const double scale = 1 / (rho_ * rho_);  // J keeps its values, ρ cancels there
  for (Index j = 0; j < n_; ++j) {
    for (ComplexSparseMatrix::InnerIterator entry(matrix_, j); entry && entry.row() < n_; ++entry)
      entry.valueRef() *= scale;
  }
  return matrix_;
}

Eigen::MatrixXcd BorderedSystem::right_side(const Eigen::MatrixXcd& forces, const Eigen::MatrixXcd& positions) const {
  Eigen::MatrixXcd b(pencil_.size(), forces.cols());
  b.topRows(n_) = (problem_.coordinate_scale() / rho_).asDiagonal() * forces;
  b.bottomRows(b.rows() - n_) = (problem_.multiplier_scale() * rho_).asDiagonal() * positions;
  return b;
}

Eigen::MatrixXcd BorderedSystem::coordinates(const Eigen::MatrixXcd& x) const {
  return (problem_.coordinate_scale() / rho_).asDiagonal() * x.topRows(n_);
}

Eigen::MatrixXcd BorderedSystem::multipliers(const Eigen::MatrixXcd& x) const {
  return (problem_.multiplier_scale() * rho_).asDiagonal() * x.bottomRows(x.rows() - n_);
}

}  // namespace stillpoint
