#include "stillpoint/pseudoinverse.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "algebra/dense/dense_svd.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double tolerance_for(const MatrixXd& A, const PseudoinverseOptions& options) {
  const double rounding = static_cast<double>(std::max(A.rows(), A.cols())) * std::numeric_limits<double>::epsilon();
  return options.tolerance > 0 ? options.tolerance : rounding;
}

/// Returns the number of values that are kept; the values must descend.
Index count_kept(const VectorXd& values, double tolerance, const PseudoinverseOptions& options) {
  if (options.rank) return *options.rank;
  Index kept = 0;
  while (kept < values.size() && values[kept] > tolerance * values[0]) ++kept;
  return kept;
}

Pseudoinverse by_svd(const MatrixXd& A, const PseudoinverseOptions& options) {
  const DenseSvd svd = dense_svd(A, true);
  const Index rank = count_kept(svd.values, tolerance_for(A, options), options);
  return {svd.V.leftCols(rank) * svd.values.head(rank).cwiseInverse().asDiagonal() * svd.U.leftCols(rank).transpose(),
          rank};
}

/// A = Q R with R of full row rank, from QR with column pivoting.
struct RowEchelon {
  MatrixXd Q;  ///< m × rank
  MatrixXd R;  ///< rank × n; columns in the order of A
  Index rank = 0;
};

RowEchelon row_echelon(const MatrixXd& A, const PseudoinverseOptions& options) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  const Eigen::Index size = std::min(A.rows(), A.cols());
  RowEchelon result;
  result.rank = count_kept(qr.matrixQR().diagonal().cwiseAbs(), tolerance_for(A, options), options);
  result.Q = qr.householderQ() * MatrixXd::Identity(A.rows(), size).leftCols(result.rank);
  const MatrixXd R = qr.matrixQR().topRows(result.rank).triangularView<Eigen::Upper>();
  result.R = R * qr.colsPermutation().transpose();
  return result;
}

/// Uses A = Q R and Rᵀ = V G: A⁺ = V G⁻ᵀ Qᵀ.
Pseudoinverse by_varga(const MatrixXd& A, const PseudoinverseOptions& options) {
  const RowEchelon echelon = row_echelon(A, options);
  const Eigen::HouseholderQR<MatrixXd> qr(echelon.R.transpose());
  MatrixXd middle = echelon.Q.transpose();
  const MatrixXd G = qr.matrixQR().topRows(echelon.rank);
  G.triangularView<Eigen::Upper>().transpose().solveInPlace(middle);
  MatrixXd padded = MatrixXd::Zero(A.cols(), A.rows());
  padded.topRows(echelon.rank) = middle;
  return {qr.householderQ() * padded, echelon.rank};
}

/// Solves the least-squares problem for each column of the identity by Householder QR: first the basic solutions, then
/// their projections onto the orthogonal complement of the null space.
Pseudoinverse by_householder(const MatrixXd& A, const PseudoinverseOptions& options) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(A);
  const Index rank = count_kept(qr.matrixQR().diagonal().cwiseAbs(), tolerance_for(A, options), options);
  const auto R11 = qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
  MatrixXd basic = MatrixXd::Zero(A.cols(), A.rows());
  basic.topRows(rank) = (qr.householderQ().transpose() * MatrixXd::Identity(A.rows(), A.rows())).topRows(rank);
  R11.solveInPlace(basic.topRows(rank));
  if (rank < A.cols()) {
    // The columns of [R₁₁⁻¹ R₁₂; −I] span the null space. The components of the basic solutions in it are removed.
    MatrixXd null(A.cols(), A.cols() - rank);
    null.topRows(rank) = R11.solve(qr.matrixQR().topRightCorner(rank, A.cols() - rank));
    null.bottomRows(A.cols() - rank) = -MatrixXd::Identity(A.cols() - rank, A.cols() - rank);
    const Eigen::HouseholderQR<MatrixXd> null_qr(null);
    const MatrixXd N = null_qr.householderQ() * MatrixXd::Identity(A.cols(), A.cols() - rank);
    basic -= N * (N.transpose() * basic);
  }
  return {qr.colsPermutation() * basic, rank};
}

/// Orthonormal rows obtained from those of A, and the coefficients of A with respect to them. The row with the longest
/// remainder is taken next.
struct Orthonormalised {
  MatrixXd rows;          ///< rank × n
  MatrixXd coefficients;  ///< m × rank: A = coefficients · rows
};

Orthonormalised gram_schmidt(const MatrixXd& A, Index most, double tolerance) {
  MatrixXd rest = A;
  const Eigen::Index limit = std::min(A.rows(), A.cols());
  Orthonormalised result{MatrixXd(limit, A.cols()), MatrixXd::Zero(A.rows(), limit)};
  const double largest = A.rowwise().norm().maxCoeff();
  std::vector<char> used(static_cast<std::size_t>(A.rows()), 0);
  Eigen::Index rank = 0;
  for (; rank < std::min<Eigen::Index>(limit, most); ++rank) {
    Eigen::Index next = -1;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (used[static_cast<std::size_t>(i)]) continue;
      if (next == -1 || rest.row(i).norm() > rest.row(next).norm()) next = i;
    }
    if (next == -1 || !(rest.row(next).norm() > tolerance * largest)) break;
    used[static_cast<std::size_t>(next)] = 1;
    // A second orthogonalisation removes what rounding has left of the previous rows.
    Eigen::RowVectorXd q = rest.row(next);
    for (Eigen::Index k = 0; k < rank; ++k) {
      const double part = q.dot(result.rows.row(k));
      q -= part * result.rows.row(k);
      result.coefficients(next, k) += part;
    }
    q.normalize();
    result.rows.row(rank) = q;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (used[static_cast<std::size_t>(i)] && i != next) continue;
      const double part = rest.row(i).dot(q);
      result.coefficients(i, rank) = part;
      rest.row(i) -= part * q;
    }
  }
  result.rows.conservativeResize(rank, Eigen::NoChange);
  result.coefficients.conservativeResize(Eigen::NoChange, rank);
  return result;
}

/// Uses A = C Z with orthonormal rows Z, and Cᵀ = T Y likewise, T square: A⁺ = Zᵀ T⁻ᵀ Y.
Pseudoinverse by_gram_schmidt(const MatrixXd& A, const PseudoinverseOptions& options) {
  const Index most = options.rank.value_or(static_cast<Index>(std::min(A.rows(), A.cols())));
  const Orthonormalised first = gram_schmidt(A, most, options.rank ? 0 : tolerance_for(A, options));
  const Index rank = static_cast<Index>(first.rows.rows());
  const Orthonormalised second = gram_schmidt(first.coefficients.transpose(), rank, 0);
  const MatrixXd inverse = second.coefficients.transpose().fullPivHouseholderQr().solve(second.rows);
  return {first.rows.transpose() * inverse, rank};
}

/// Adds one row after the other (recursion of [Greville 1960]).
Pseudoinverse by_greville(const MatrixXd& A, const PseudoinverseOptions& options) {
  const Eigen::Index m = A.rows(), n = A.cols();
  const double tolerance = tolerance_for(A, options), largest = A.rowwise().norm().maxCoeff();
  MatrixXd inverse(n, m);
  Index rank = 0;
  for (Eigen::Index i = 0; i < m; ++i) {
    const auto before = inverse.leftCols(i);
    const Eigen::RowVectorXd a = A.row(i), d = a * before;
    Eigen::RowVectorXd c = a - d * A.topRows(i);
    c -= (c * before) * A.topRows(i);  // a second pass removes rounding errors
    VectorXd b;
    if (c.norm() > tolerance * largest && rank < options.rank.value_or(static_cast<Index>(n))) {
      ++rank;
      b = c.transpose() / c.squaredNorm();
    } else {
      b = before * d.transpose() / (1 + d.squaredNorm());
    }
    inverse.leftCols(i) -= b * d;
    inverse.col(i) = b;
  }
  return {inverse, rank};
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : part; }

}  // namespace

Pseudoinverse pseudoinverse(const MatrixXd& A, const PseudoinverseOptions& options) {
  if (!A.allFinite()) throw std::invalid_argument("the matrix has entries that are not finite");
  if (!(options.tolerance >= 0 && options.tolerance < 1)) throw std::invalid_argument("tolerance must be in [0, 1)");
  if (options.rank && (*options.rank < 0 || *options.rank > std::min(A.rows(), A.cols()))) {
    throw std::invalid_argument("a rank of " + std::to_string(*options.rank) +
                                " is impossible for a matrix of this size");
  }
  if (A.size() == 0 || (A.array() == 0).all() || options.rank == 0) return {MatrixXd::Zero(A.cols(), A.rows()), 0};
  switch (options.method) {
    case PseudoinverseMethod::svd:
      return by_svd(A, options);
    case PseudoinverseMethod::varga:
      return by_varga(A, options);
    case PseudoinverseMethod::greville:
      return by_greville(A, options);
    case PseudoinverseMethod::householder:
      return by_householder(A, options);
    case PseudoinverseMethod::gram_schmidt:
      return by_gram_schmidt(A, options);
  }
  throw std::invalid_argument("the method of the pseudoinverse is unknown");
}

double PenroseResiduals::largest() const { return std::max({first, second, third, fourth}); }

PenroseResiduals penrose_residuals(const MatrixXd& A, const MatrixXd& A_plus) {
  if (A_plus.rows() != A.cols() || A_plus.cols() != A.rows())
    throw std::invalid_argument("the sizes of A and of its pseudoinverse do not agree");
  const MatrixXd left = A * A_plus, right = A_plus * A;
  const double a = A.norm(), p = A_plus.norm();
  return {.first = ratio((left * A - A).norm(), a * p * a),
          .second = ratio((A_plus * left - A_plus).norm(), p * a * p),
          .third = ratio((left - left.transpose()).norm(), a * p),
          .fourth = ratio((right - right.transpose()).norm(), a * p)};
}

}  // namespace stillpoint
