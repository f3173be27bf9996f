#include "forms/orthonormal.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "algebra/dense/lapack.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// JᵀJ has the squares of the singular values of J: values below this part of the largest are too near to zero.
constexpr double least_singular_value = 1e-6;

MatrixXd by_svd(const MatrixXd& J) { return decompose(J).V.rightCols(J.cols() - J.rows()); }

MatrixXd by_qr(const MatrixXd& J) {
  MatrixXd R = MatrixXd::Zero(J.cols(), J.cols() - J.rows());
  R.bottomRows(R.cols()).setIdentity();
  R.applyOnTheLeft(Eigen::HouseholderQR<MatrixXd>(J.transpose()).householderQ());
  return R;
}

/// Removes the components of x along the first columns of Q; after two passes only rounding is left.
VectorXd orthogonalised(VectorXd x, const MatrixXd& Q, Eigen::Index columns) {
  for (int pass = 0; pass < 2; ++pass) {
    for (Eigen::Index j = 0; j < columns; ++j) x -= Q.col(j).dot(x) * Q.col(j);
  }
  return x;
}

/// Orthogonalises the constraints first, then the unit vectors with the largest remainder.
MatrixXd by_gram_schmidt(const MatrixXd& J) {
  const Eigen::Index n = J.cols(), r = J.rows();
  MatrixXd Q(n, n);
  VectorXd left = VectorXd::Ones(n);  // squared length of the remainder of each unit vector
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

/// Takes eigenvectors of JᵀJ with the eigenvalue zero [Walton & Steeves 1969]. Squaring costs digits, which one
/// projection onto null(J) restores.
MatrixXd by_zero_eigenvalue(const MatrixXd& J) {
  const Eigen::Index n = J.cols(), r = J.rows(), k = n - r;
  const SymmetricEigen solved = solve_symmetric(J.transpose() * J);
  const VectorXd& values = solved.values;
  if (r > 0 && !(values[k] > least_singular_value * least_singular_value * values[n - 1])) {
    throw Error(
        fmt::format("the smallest nonzero singular value of J is {:.1e} of the largest: too small for the "
                    "zero-eigenvalue theorem, which squares it; choose svd or qr",
                    std::sqrt(std::fmax(values[k], 0) / values[n - 1])));
  }
  MatrixXd R = solved.vectors.leftCols(k);
  R -= shortest_solution(J, J * R);
  for (Eigen::Index j = 0; j < k; ++j) R.col(j) = orthogonalised(R.col(j), R, j).normalized();
  return R;
}

}  // namespace

MatrixXd orthonormal_basis(const MatrixXd& J, NullSpaceBasis basis) {
  if (J.rows() == 0) return MatrixXd::Identity(J.cols(), J.cols());
  if (J.rows() == J.cols()) return MatrixXd(J.cols(), 0);
  switch (basis) {
    case NullSpaceBasis::svd:
      return by_svd(J);
    case NullSpaceBasis::qr:
      return by_qr(J);
    case NullSpaceBasis::gram_schmidt:
      return by_gram_schmidt(J);
    case NullSpaceBasis::zero_eigenvalue:
      return by_zero_eigenvalue(J);
    default:
      throw std::invalid_argument("orthonormal_basis: not a basis of this kind");
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
