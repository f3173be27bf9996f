#include "forms/orthonormal.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algebra/lapack.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// JᵀJ has the squares of the singular values: those of J below this part of the largest are too near the zeros.
constexpr double too_near_zero = 1e-6;

MatrixXd by_svd(const MatrixXd& J) { return decompose(J).V.rightCols(J.cols() - J.rows()); }

MatrixXd by_qr(const MatrixXd& J) {
  MatrixXd R = MatrixXd::Zero(J.cols(), J.cols() - J.rows());
  R.bottomRows(R.cols()).setIdentity();
  R.applyOnTheLeft(Eigen::HouseholderQR<MatrixXd>(J.transpose()).householderQ());
  return R;
}

/// x without its parts along the first columns of Q; twice is enough to leave rounding only.
VectorXd orthogonalised(VectorXd x, const MatrixXd& Q, Eigen::Index columns) {
  for (int pass = 0; pass < 2; ++pass) {
    for (Eigen::Index j = 0; j < columns; ++j) x -= Q.col(j).dot(x) * Q.col(j);
  }
  return x;
}

/// The constraints first, then the unit vectors of which most is left.
MatrixXd by_gram_schmidt(const MatrixXd& J) {
  const Eigen::Index n = J.cols(), r = J.rows();
  MatrixXd Q(n, n);
  VectorXd left = VectorXd::Ones(n);  // ‖·‖² of what is left of each unit vector
  for (Eigen::Index j = 0; j < n; ++j) {
    VectorXd next;
    if (j < r) {
      next = J.row(j).transpose();
    } else {
      Eigen::Index most = 0;
      left.maxCoeff(&most);
      next = VectorXd::Unit(n, most);
    }
    Q.col(j) = orthogonalised(std::move(next), Q, j).normalized();
    left -= Q.col(j).cwiseAbs2();
  }
  return Q.rightCols(n - r);
}

/// Eigenvectors of JᵀJ with the eigenvalue zero (Walton and Steeves 1969). Squaring costs digits: one projection onto
/// null(J) brings them back.
MatrixXd by_zero_eigenvalue(const MatrixXd& J) {
  const Eigen::Index n = J.cols(), r = J.rows(), k = n - r;
  const SymmetricEigen solved = solve_symmetric(J.transpose() * J);
  const VectorXd& values = solved.values;
  if (r > 0 && !(values[k] > too_near_zero * too_near_zero * values[n - 1])) {
    throw Error(fmt::format(
        "the smallest singular value of J that counts is {:.1e} of the largest: too small for the zero-eigenvalue "
        "theorem, which squares it; choose svd or qr",
        std::sqrt(std::fmax(values[k], 0) / values[n - 1])));
  }
  MatrixXd R = solved.vectors.leftCols(k);
  R -= shortest_solution(J, J * R);
  for (Eigen::Index j = 0; j < k; ++j) R.col(j) = orthogonalised(R.col(j), R, j).normalized();
  return R;
}

}  // namespace

MatrixXd orthonormal_tangents(const MatrixXd& J, Tangent tangent) {
  if (J.rows() == 0) return MatrixXd::Identity(J.cols(), J.cols());
  if (J.rows() == J.cols()) return MatrixXd(J.cols(), 0);
  switch (tangent) {
    case Tangent::svd:
      return by_svd(J);
    case Tangent::qr:
      return by_qr(J);
    case Tangent::gram_schmidt:
      return by_gram_schmidt(J);
    case Tangent::zero_eigenvalue:
      return by_zero_eigenvalue(J);
    default:
      throw std::invalid_argument("orthonormal_tangents: not a basis of this kind");
  }
}

MatrixXd shortest_solution(const MatrixXd& J, const MatrixXd& G) {
  if (J.rows() == 0) return MatrixXd::Zero(J.cols(), G.cols());
  const Eigen::HouseholderQR<MatrixXd> qr(J.transpose());
  MatrixXd S = MatrixXd::Zero(J.cols(), G.cols());
  S.topRows(J.rows()) = qr.matrixQR().topRows(J.rows()).triangularView<Eigen::Upper>().transpose().solve(G);
  S.applyOnTheLeft(qr.householderQ());
  return S;
}

}  // namespace stillpoint
