#include "algebra/dense/lyapunov.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <complex>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::VectorXcd;

/// Returns the square upper triangular R with R Rᴴ = B Bᴴ whose diagonal is real and not negative.
MatrixXcd upper_factor(const MatrixXcd& B) {
  const Eigen::Index n = B.rows();
  // The QR factorisation Q R' of Bᴴ with its columns reversed gives B Bᴴ = R'ᴴ R' with rows and columns reversed.
  MatrixXcd wide = MatrixXcd::Zero(std::max(B.cols(), n), n);
  wide.topRows(B.cols()) = B.adjoint().rowwise().reverse();
  const MatrixXcd R = Eigen::HouseholderQR<MatrixXcd>(wide).matrixQR().topRows(n).triangularView<Eigen::Upper>();
  MatrixXcd result = R.adjoint().colwise().reverse().rowwise().reverse();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double size = std::abs(result(j, j));
    if (size > 0) result.col(j) *= std::conj(result(j, j)) / size;
  }
  return result;
}

/// Updates R so that R Rᴴ becomes R Rᴴ + y yᴴ. R is upper triangular in its first k rows and columns; plane rotations
/// merge y into these columns, starting with the last.
void add_column(MatrixXcd& R, VectorXcd y, Eigen::Index k) {
  for (Eigen::Index j = k - 1; j >= 0; --j) {
    const double size = std::hypot(std::abs(R(j, j)), std::abs(y[j]));
    if (size == 0) continue;
    const Complex c = R(j, j) / size, s = y[j] / size;
    const VectorXcd column = R.col(j).head(j + 1), other = y.head(j + 1);
    R.col(j).head(j + 1) = std::conj(c) * column + std::conj(s) * other;
    y.head(j + 1) = c * other - s * column;
  }
}

/// Returns the upper triangular U with A U Uᴴ + U Uᴴ Aᴴ + R Rᴴ = 0 for upper triangular A and R. The columns of U are
/// found one by one, starting with the last [Hammarling 1982].
MatrixXcd factor_of_triangular(const MatrixXcd& A, MatrixXcd R) {
  const Eigen::Index n = A.rows();
  MatrixXcd U = MatrixXcd::Zero(n, n);
  for (Eigen::Index k = n - 1; k >= 0; --k) {
    const Complex lambda = A(k, k);
    const double alpha = std::sqrt(-2 * lambda.real()), tau = R(k, k).real() / alpha;
    U(k, k) = tau;
    if (k == 0) break;
    const VectorXcd r = R.col(k).head(k);
    MatrixXcd shifted = A.topLeftCorner(k, k);
    shifted.diagonal().array() += std::conj(lambda);
    const VectorXcd u = -shifted.triangularView<Eigen::Upper>().solve(VectorXcd(tau * A.col(k).head(k) + alpha * r));
    U.col(k).head(k) = u;
    add_column(R, r - alpha * u, k);
  }
  return U;
}

}  // namespace

Eigen::MatrixXd gramian_factor(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  const Eigen::Index n = A.rows();
  if (n == 0) return A;
  const Eigen::ComplexSchur<MatrixXcd> schur(A.cast<Complex>());
  if (!(schur.matrixT().diagonal().real().maxCoeff() < 0))
    throw Undecided("a Gramian does not exist, as rounding hides whether all poles of its part are stable");
  const MatrixXcd& Q = schur.matrixU();
  const MatrixXcd U = Q * factor_of_triangular(schur.matrixT(), upper_factor(Q.adjoint() * B.cast<Complex>()));
  // P = Re U (Re U)ᵀ + Im U (Im U)ᵀ
  Eigen::MatrixXd both(2 * n, n);
  both << U.real().transpose(), U.imag().transpose();
  const Eigen::MatrixXd R =
      Eigen::HouseholderQR<Eigen::MatrixXd>(both).matrixQR().topRows(n).triangularView<Eigen::Upper>();
  return R.transpose();
}

}  // namespace stillpoint
