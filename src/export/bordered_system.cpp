#include "export/bordered_system.h"

#include <algorithm>

namespace stillpoint {

BorderedSystem::BorderedSystem(const BorderedProblem& problem)
    : problem_(problem),
      n_(static_cast<Index>(problem.M().rows())),
      matrix_(problem.scaled_matrix({0, problem.frequency_scale()})),
      M_(places_of(problem.M(), 0, false)),
      C_(places_of(problem.C(), 0, false)),
      K_(places_of(problem.K(), 0, false)),
      J_(places_of(problem.J(), n_, false)),
      Jt_(places_of(problem.J(), n_, true)) {}

const ComplexSparseMatrix& BorderedSystem::at(double omega) {
  const std::complex<double> s(0, omega / problem_.frequency_scale());
  beta_ = std::max(1.0, std::norm(s));
  std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), std::complex<double>(0));
  add(problem_.M(), M_, s * s / beta_);
  add(problem_.C(), C_, s / beta_);
  add(problem_.K(), K_, 1 / beta_);
  add(problem_.J(), J_, 1);
  add(problem_.J(), Jt_, 1);
  return matrix_;
}

Eigen::MatrixXcd BorderedSystem::right_side(const Eigen::MatrixXcd& forces, const Eigen::MatrixXcd& positions) const {
  Eigen::MatrixXcd b(matrix_.rows(), forces.cols());
  b.topRows(n_) = (problem_.coordinate_scale() / beta_).asDiagonal() * forces;
  b.bottomRows(b.rows() - n_) = problem_.multiplier_scale().asDiagonal() * positions;
  return b;
}

Eigen::MatrixXcd BorderedSystem::coordinates(const Eigen::MatrixXcd& x) const {
  return problem_.coordinate_scale().asDiagonal() * x.topRows(n_);
}

Eigen::MatrixXcd BorderedSystem::multipliers(const Eigen::MatrixXcd& x) const {
  return (beta_ * problem_.multiplier_scale()).asDiagonal() * x.bottomRows(x.rows() - n_);
}

// The block starts at row `first`, or at that column if it is transposed.
std::vector<Index> BorderedSystem::places_of(const SparseMatrix& A, Index first, bool is_transposed) const {
  std::vector<Index> places;
  const Index* const rows = matrix_.innerIndexPtr();
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const Index i = first + static_cast<Index>(entry.row());
      const Index row = is_transposed ? j : i, column = is_transposed ? i : j;
      const Index *const begin = rows + matrix_.outerIndexPtr()[column], *const end =
                                                                             rows + matrix_.outerIndexPtr()[column + 1];
      places.push_back(static_cast<Index>(std::lower_bound(begin, end, row) - rows));
    }
  }
  return places;
}

void BorderedSystem::add(const SparseMatrix& A, const std::vector<Index>& places, std::complex<double> factor) {
  std::size_t k = 0;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      matrix_.valuePtr()[places[k++]] += factor * entry.value();
    }
  }
}

}  // namespace stillpoint
