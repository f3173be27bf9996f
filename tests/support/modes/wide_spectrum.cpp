#include "support/modes/wide_spectrum.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>

namespace stillpoint::testing {

Wide wide(const SparseMatrix& A) { return Wide(A.toDense().cast<long double>()); }

Wide wide_null_space(const Wide& J) {
  if (J.rows() == 0) return Wide::Identity(J.cols(), J.cols());
  const Eigen::HouseholderQR<Wide> qr(J.transpose());
  const Wide Q = qr.householderQ();
  return Q.rightCols(J.cols() - J.rows());
}

std::vector<WideValue> inverted_eigenvalues(const Wide& M, const Wide& C, const Wide& K, long double sigma) {
  const Eigen::Index k = M.rows();
  const Eigen::PartialPivLU<Wide> solver(sigma * sigma * M + sigma * C + K);
  Wide companion = Wide::Zero(2 * k, 2 * k);
  companion.topLeftCorner(k, k) = -solver.solve(2 * sigma * M + C);
  companion.topRightCorner(k, k) = -solver.solve(M);
  companion.bottomLeftCorner(k, k).setIdentity();
  const Eigen::EigenSolver<Wide> eigen(companion, false);
  return {eigen.eigenvalues().begin(), eigen.eigenvalues().end()};
}

}  // namespace stillpoint::testing
