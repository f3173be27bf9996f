#include "forms/projective.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "forms/congruence.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Eigenvalues of M_r with unit diagonal below this are zero: a bar may be a million times heavier than another.
constexpr double without_mass = 1e-10;

// Values that differ by less are equal, and the first coordinate is taken: in symmetric mechanisms rounding must not
// decide.
constexpr double equal_within = 1e-9;

// While a motion with mass is left, some cosine is at least 1 / n² for M ≥ 0. If none is, M is indefinite and does not
// rank the rest.
constexpr double no_cosine = 1e-14;

// A remainder below this part of a unit vector is zero.
constexpr double nothing_left = 1e-6;

VectorXd masses(const SparseMatrix& M) {
  VectorXd mass = VectorXd::Zero(M.rows());
  for (Index j = 0; j < M.cols(); ++j) mass[j] = std::fmax(M.coeff(j, j), 0);
  return mass;
}

/// Chooses rows of X in turn, each time the one with the largest weighted remainder after the parts along the chosen
/// rows have been removed. X is given transposed, by columns.
class GreedyChoice {
 public:
  GreedyChoice(MatrixXd X, const VectorXd& weights)
      : X_(std::move(X)), weights_(weights), is_chosen_(at(X_.cols()), 0), basis_(X_.rows(), X_.rows()) {
    left_ = X_.colwise().squaredNorm().transpose();
  }

  /// Returns the best eligible row; −1 if no remainder exceeds `least`.
  template <class Eligible>
  Index next(double least, const Eligible& is_eligible) const {
    Index best = -1;
    for (Index i = 0; i < left_.size(); ++i) {
      if (is_chosen_[at(i)] || !is_eligible(i) || !(value(i) > least)) continue;
      if (best == -1 || value(i) > (1 + equal_within) * value(best)) best = i;
    }
    return best;
  }

  void forget_weights() { weights_.setOnes(); }

  void choose(Index i) {
    VectorXd q = X_.col(i);
    for (int pass = 0; pass < 2; ++pass) {
      const auto Q = basis_.leftCols(chosen_);
      q -= Q * (Q.transpose() * q).eval();
    }
    q.normalize();
    left_ -= (X_.transpose() * q).cwiseAbs2();
    basis_.col(chosen_++) = q;
    is_chosen_[at(i)] = 1;
  }

 private:
  double value(Index i) const { return weights_[i] * left_[i]; }

  MatrixXd X_;
  VectorXd weights_, left_;
  std::vector<char> is_chosen_;
  MatrixXd basis_;
  Eigen::Index chosen_ = 0;
};

/// Motions as columns of `rows` (k × n, the motion of each coordinate) in which the mass is the unit matrix.
struct MassiveMotions {
  MatrixXd rows;
  std::vector<Index> held;  ///< coordinates that stand still in them, because of motions without mass
};

/// Returns Xᵀ with X Xᵀ = R M_r⁻¹ Rᵀ; the magnitudes of negative eigenvalues of an indefinite M are taken.
MatrixXd in_unit_mass(const MatrixXd& M, const MatrixXd& rows) {
  const Eigen::LLT<MatrixXd> cholesky(M);
  if (cholesky.info() == Eigen::Success) return cholesky.matrixL().solve(rows);
  const SymmetricEigen solved = solve_symmetric(M);
  const VectorXd inverse_roots = solved.values.cwiseAbs().cwiseMax(without_mass).cwiseSqrt().cwiseInverse();
  return inverse_roots.asDiagonal() * solved.vectors.transpose() * rows;
}

/// Returns coordinates that fix the motions of these rows (d × n, without units), one for each of d.
std::vector<Index> holding_coordinates(const MatrixXd& rows, const VectorXd& mass) {
  GreedyChoice choice(rows / rows.colwise().norm().maxCoeff(), VectorXd::Ones(rows.cols()));
  std::vector<Index> held;
  for (Eigen::Index k = 0; k < rows.rows(); ++k) {
    Index i = choice.next(nothing_left * nothing_left, [&](Index j) { return mass[j] == 0; });
    if (i == -1) i = choice.next(0, [](Index) { return true; });
    if (i == -1) break;
    choice.choose(i);
    held.push_back(i);
  }
  return held;
}

// Directions are known to this part of a motion's largest entry without units; a mass that moves less counts as none.
constexpr double immobile = 1e-13;

// Sets M_r to zero for motions (rows) in which masses move by rounding only.
MatrixXd without_massless(MatrixXd M_r, const MatrixXd& rows, const VectorXd& mass, const std::vector<int>& columns) {
  VectorXd units(rows.cols());
  for (Eigen::Index j = 0; j < units.size(); ++j) units[j] = std::ldexp(1.0, columns[at(j)]);
  const double all_moving = mass.dot(units.cwiseAbs2());
  const VectorXd largest = (rows * units.cwiseInverse().asDiagonal()).cwiseAbs().rowwise().maxCoeff();
  for (Eigen::Index i = 0; i < M_r.rows(); ++i) {
    if (std::abs(M_r(i, i)) > std::pow(immobile * largest[i], 2) * all_moving) continue;
    M_r.row(i).setZero();
    M_r.col(i).setZero();
  }
  return M_r;
}

MassiveMotions massive_motions(const SparseMatrix& M, const SparseMatrix& R, const std::vector<int>& columns) {
  const MatrixXd Rt = R.transpose().toDense();
  MatrixXd M_r = congruence(R, M).toDense();
  M_r = without_massless(0.5 * (M_r + M_r.transpose()), Rt, masses(M), columns);
  const VectorXd scales = M_r.diagonal().unaryExpr([](double d) { return d != 0 ? 1 / std::sqrt(std::abs(d)) : 1.0; });
  M_r = (scales.asDiagonal() * M_r * scales.asDiagonal()).eval();
  const MatrixXd rows = scales.asDiagonal() * Rt;

  const Eigen::LLT<MatrixXd> cholesky(M_r);
  if (cholesky.info() == Eigen::Success && cholesky.rcond() > without_mass) return {cholesky.matrixL().solve(rows), {}};
  const SymmetricEigen solved = solve_symmetric(M_r);
  Eigen::Index massless = 0;
  MatrixXd N(M_r.rows(), M_r.cols());
  for (Eigen::Index k = 0; k < M_r.cols(); ++k) {
    if (std::abs(solved.values[k]) <= without_mass) N.col(massless++) = solved.vectors.col(k);
  }
  if (massless == 0) return {in_unit_mass(M_r, rows), {}};

  MatrixXd massless_rows = N.leftCols(massless).transpose() * rows;
  for (Eigen::Index i = 0; i < massless_rows.cols(); ++i) massless_rows.col(i) *= std::ldexp(1.0, -columns[at(i)]);
  MassiveMotions motions;
  motions.held = holding_coordinates(massless_rows, masses(M));
  const Eigen::Index held = static_cast<Eigen::Index>(motions.held.size());
  MatrixXd of_held(M_r.rows(), held);
  for (Eigen::Index k = 0; k < held; ++k) of_held.col(k) = rows.col(motions.held[at(k)]).normalized();
  MatrixXd T = MatrixXd::Zero(M_r.rows(), M_r.rows() - held);
  T.bottomRows(T.cols()).setIdentity();
  T.applyOnTheLeft(Eigen::HouseholderQR<MatrixXd>(of_held).householderQ());
  motions.rows = in_unit_mass(T.transpose() * M_r * T, T.transpose() * rows);
  return motions;
}

}  // namespace

std::vector<Index> independent_by_projection(const SparseMatrix& M, const SparseMatrix& R,
                                             const std::vector<int>& columns) {
  if (R.cols() == 0) return {};
  MassiveMotions motions = massive_motions(M, R, columns);
  std::vector<Index> independent = motions.held;
  std::vector<char> is_held(at(R.rows()), 0);
  for (const Index i : motions.held) is_held[at(i)] = 1;

  const Eigen::Index left = motions.rows.rows();
  GreedyChoice choice(std::move(motions.rows), masses(M));
  const auto is_free = [&](Index j) { return !is_held[at(j)]; };
  for (Eigen::Index k = 0; k < left; ++k) {
    Index i = choice.next(no_cosine, is_free);
    if (i == -1) {
      choice.forget_weights();
      i = choice.next(0, is_free);
    }
    if (i == -1) break;
    choice.choose(i);
    independent.push_back(i);
  }
  std::sort(independent.begin(), independent.end());
  return independent;
}

VectorXd projected_parts(const SparseMatrix& M, const SparseMatrix& R, const std::vector<int>& columns) {
  if (R.cols() == 0) return VectorXd::Zero(R.rows());
  return massive_motions(M, R, columns).rows.colwise().squaredNorm().transpose().cwiseProduct(masses(M));
}

}  // namespace stillpoint
