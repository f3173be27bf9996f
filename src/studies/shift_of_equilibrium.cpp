#include "studies/shift_of_equilibrium.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/name_list.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Vector = Eigen::VectorXd;

constexpr double negligible = 1e-8;  // relative

}  // namespace

// Redundant constraints must agree on the motion of the loops.
void ShiftOfEquilibrium::require_closed(const Vector& phi) {
  if (rest_.independent_rows.size() == static_cast<std::size_t>(statics_.m())) return;
  const RowDependence dependence = statics_.dependence(at_, {.rank = rest_.rank.value});
  const Vector gap = dependence.null_vectors.transpose() * phi;
  const Vector usual = scales().w.cwiseInverse() / reach_;  // a change of lengths by themselves
  const Vector terms = SparseMatrix(dependence.null_vectors.cwiseAbs()).transpose() * (phi.cwiseAbs() + usual);
  for (Eigen::Index k = 0; k < gap.size(); ++k) {
    if (std::abs(gap[k]) <= negligible * terms[k]) continue;
    std::vector<std::string> names;
    for (SparseMatrix::InnerIterator entry(dependence.null_vectors, k); entry; ++entry)
      names.push_back("'" + statics_.model().constraint_name(static_cast<Index>(entry.row())) + "'");
    throw Error(fmt::format("'{}' opens a closed loop: the redundant constraints {} cannot all hold when it changes",
                            parameter_, name_list(names)));
  }
}

// Neutral motions in columns, orthonormal in scaled coordinates, by inverse iteration.
Eigen::MatrixXd ShiftOfEquilibrium::neutral_motions(Index count) {
  constexpr int iterations = 3;
  Eigen::MatrixXd T(statics_.n(), count);
  for (Eigen::Index i = 0; i < T.rows(); ++i) {
    for (Eigen::Index j = 0; j < T.cols(); ++j) T(i, j) = std::cos(1 + 2.4 * static_cast<double>(i * T.cols() + j));
  }
  for (int k = 0; k < iterations; ++k) {
    for (Eigen::Index j = 0; j < T.cols(); ++j) {
      Vector x = statics_.solve_for_coordinates(T.col(j));
      for (int twice = 0; twice < 2; ++twice) x -= T.leftCols(j) * (T.leftCols(j).transpose() * x);
      T.col(j) = x.normalized();
    }
  }
  return T;
}

// A motion without stiffness has no force that would say how far it goes: it is left out of the shift, provided that
// nothing drives it. `terms` are those of the forces, which say what is rounding.
ShiftOfEquilibrium::Shift ShiftOfEquilibrium::without_drift(const Vector& r, const Vector& phi, double terms) {
  constexpr double small = 1e-13;  // stiffness beside the largest one
  if (!statics_.factor(at_, {}) && !statics_.factor(at_, {.coordinates = small}))
    throw Error(
        fmt::format("how the equilibrium moves with '{}' is undetermined: the equations are singular", parameter_));
  const Eigen::MatrixXd T = neutral_motions(std::max<Index>(rest_.neutral_directions, 1));
  const Statics::Step step = statics_.solve(r, phi);
  const Vector x = step.x - T * (T.transpose() * step.x);
  const Vector q = scales().s.cwiseProduct(x);
  const Vector left = scales().s.cwiseProduct(at_.K * q + at_.J.transpose() * step.lambda) - r;
  if (!q.allFinite() || largest(left) > negligible * (terms + usual_force() / reach_))
    throw Error(fmt::format(
        "the equilibrium does not persist when '{}' changes: a motion that no stiffness resists begins to drift",
        parameter_));
  return {q, step.lambda};
}

ShiftOfEquilibrium::Shift ShiftOfEquilibrium::solve(const Vector& applied, const Vector& of_constraints,
                                                    const Vector& phi) {
  require_closed(phi);
  constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
  const Vector terms = scales().s.cwiseProduct(applied.cwiseAbs() + of_constraints.cwiseAbs());
  Vector r = applied - of_constraints;
  r = (scales().s.cwiseProduct(r).array().abs() > rounding * terms.array()).select(r, 0);
  if (r.isZero(0) && phi.isZero(0)) return {Vector::Zero(statics_.n()), Vector::Zero(statics_.m())};
  r = scales().s.cwiseProduct(r);
  Vector independent = scales().w.cwiseProduct(phi);
  for (std::size_t i = 0; i < statics_.rows_in_use().size(); ++i) {
    if (!statics_.rows_in_use()[i]) independent[static_cast<Eigen::Index>(i)] = 0;
  }
  if (rest_.neutral_directions > 0 || !statics_.factor(at_, {})) return without_drift(r, independent, largest(terms));
  const Statics::Step step = statics_.solve(r, independent);
  return {scales().s.cwiseProduct(step.x), step.lambda};
}

}  // namespace stillpoint
