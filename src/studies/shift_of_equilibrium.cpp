#include "studies/shift_of_equilibrium.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
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

// A motion without stiffness has no force that would say how far it goes: the least shift is taken, provided that
// nothing drives it.
ShiftOfEquilibrium::Shift ShiftOfEquilibrium::without_drift(const Vector& r, const Vector& phi) const {
  constexpr Eigen::Index most = 2000;
  const Eigen::Index n = at_.K.rows(), m = at_.J.rows();
  if (n + m > most)
    throw Error(
        fmt::format("a motion without stiffness leaves the shift of the equilibrium open, which is only solved for up "
                    "to {} coordinates and constraints",
                    most));
  const Vector &s = scales().s, &w = scales().w;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = SparseMatrix(s.asDiagonal() * at_.K * s.asDiagonal());
  const double energy = std::max(A.topLeftCorner(n, n).cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  A.topLeftCorner(n, n) /= energy;
  A.bottomLeftCorner(m, n) = SparseMatrix(w.asDiagonal() * at_.J * s.asDiagonal());
  A.topRightCorner(n, m) = A.bottomLeftCorner(m, n).transpose();
  Vector b(n + m);
  b << s.cwiseProduct(r) / energy, -w.cwiseProduct(phi);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(A);
  solver.setThreshold(1e-11);
  const Vector x = solver.solve(b);
  if ((A * x - b).norm() > negligible * (b.norm() + 1 / reach_))
    throw Error(fmt::format(
        "the equilibrium does not persist when '{}' changes: a motion that no stiffness resists begins to drift",
        parameter_));
  return {s.cwiseProduct(x.head(n)), energy * w.cwiseProduct(x.tail(m))};
}

ShiftOfEquilibrium::Shift ShiftOfEquilibrium::solve(const Vector& r, const Vector& phi) {
  require_closed(phi);
  if (r.isZero(0) && phi.isZero(0)) return {Vector::Zero(statics_.n()), Vector::Zero(statics_.m())};
  if (rest_.neutral_directions > 0 || !statics_.factor(at_, {})) return without_drift(r, phi);
  const Vector scaled_phi = scales().w.cwiseProduct(phi);
  Vector independent = scaled_phi;
  for (std::size_t i = 0; i < statics_.rows_in_use().size(); ++i) {
    if (!statics_.rows_in_use()[i]) independent[static_cast<Eigen::Index>(i)] = 0;
  }
  const Statics::Step step = statics_.solve(scales().s.cwiseProduct(r), independent);
  return {scales().s.cwiseProduct(step.x), step.lambda};
}

}  // namespace stillpoint
