#include <cmath>
#include <stdexcept>
#include <utility>

#include "algebra/rank/normal_equations.h"
#include "algebra/scaling/power_scaling.h"
#include "stillpoint/error.h"
#include "stillpoint/pseudoinverse.h"

namespace stillpoint {

namespace {

/// Returns the matrix whose row i is row chosen[i] of A.
SparseMatrix rows_of(const SparseMatrix& A, const std::vector<Index>& chosen) {
  std::vector<Index> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t k = 0; k < chosen.size(); ++k) place[chosen[k]] = static_cast<Index>(k);
  SparseMatrix result(static_cast<Index>(chosen.size()), static_cast<Index>(A.cols()));
  result.reserve(static_cast<Index>(A.nonZeros()));
  for (Index j = 0; j < A.outerSize(); ++j) {
    result.startVec(j);
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (place[entry.row()] != -1) result.insertBack(place[entry.row()], j) = entry.value();
    }
  }
  result.finalize();
  return result;
}

void check(const SparseMatrix& A, const RowDependence& dependence) {
  const std::size_t rows = dependence.independent.size() + dependence.dependent.size();
  if (rows != static_cast<std::size_t>(A.rows()) || dependence.null_vectors.rows() != A.rows() ||
      dependence.null_vectors.cols() != static_cast<Index>(dependence.dependent.size())) {
    throw std::invalid_argument("the dependent rows are those of another matrix");
  }
}

void check(const Eigen::VectorXd& b, Eigen::Index size) {
  if (b.size() != size) {
    throw std::invalid_argument("a right-hand side of size " + std::to_string(b.size()) + " was given, not " +
                                std::to_string(size));
  }
  if (!b.allFinite()) throw Undecided("a right-hand side has entries beyond the range of double precision");
}

}  // namespace

// With the independent rows A₁ and the null vectors N, A = W A₁, where the column space of W is {w : Nᵀw = 0}.
struct LeastNorm::Factors {
  Factors(const SparseMatrix& A, const RowDependence& dependence)
      : independent(dependence.independent),
        scaled(scale_rows_by_powers_of_two(rows_of(A, independent))),
        rows(std::move(scaled.S)),
        nulls(dependence.null_vectors.transpose()) {}

  /// Returns the component of v orthogonal to all null vectors. The second pass removes the rounding errors of the
  /// first.
  Eigen::VectorXd without_null_part(Eigen::VectorXd v) const {
    if (nulls.S().rows() == 0) return v;
    for (int pass = 0; pass < 2; ++pass) v -= nulls.S().transpose() * nulls.solve(nulls.S() * v);
    return v;
  }

  double scale(std::size_t k) const { return std::ldexp(1.0, scaled.rows[k]); }

  std::vector<Index> independent;
  PowerScaled scaled;  // `rows` has taken its matrix
  NormalEquations rows, nulls;
};

LeastNorm::LeastNorm(const SparseMatrix& A, const RowDependence& dependence) {
  check(A, dependence);
  factors_ = std::make_unique<Factors>(A, dependence);
}

LeastNorm::~LeastNorm() = default;

Eigen::VectorXd LeastNorm::solve(const Eigen::VectorXd& b) const {
  const Factors& f = *factors_;
  check(b, f.nulls.S().cols());
  const Eigen::VectorXd reachable = f.without_null_part(b);
  Eigen::VectorXd y(f.rows.S().rows());
  for (std::size_t k = 0; k < f.independent.size(); ++k) {
    y[static_cast<Eigen::Index>(k)] = f.scale(k) * reachable[f.independent[k]];
  }
  return f.rows.least_norm(y);
}

Eigen::VectorXd LeastNorm::solve_transposed(const Eigen::VectorXd& right) const {
  const Factors& f = *factors_;
  check(right, f.rows.S().cols());
  const Eigen::VectorXd y = f.rows.least_squares(right);
  Eigen::VectorXd lambda = Eigen::VectorXd::Zero(f.nulls.S().cols());
  for (std::size_t k = 0; k < f.independent.size(); ++k) {
    lambda[f.independent[k]] = f.scale(k) * y[static_cast<Eigen::Index>(k)];
  }
  return f.without_null_part(std::move(lambda));
}

Eigen::VectorXd least_norm_solution(const SparseMatrix& A, const Eigen::VectorXd& b, const RowDependence& dependence) {
  return LeastNorm(A, dependence).solve(b);
}

Eigen::VectorXd minimum_norm_multipliers(const SparseMatrix& J, const Eigen::VectorXd& f,
                                         const RowDependence& dependence) {
  return LeastNorm(J, dependence).solve_transposed(f);
}

}  // namespace stillpoint
