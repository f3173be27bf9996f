#include "algebra/dense/dense_svd.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace stillpoint {

namespace {

// Two columns count as orthogonal if the cosine of their angle is below this; the relative error of the singular values
// is then of the order of its square.
constexpr double orthogonal = 1e-15;
constexpr int most_sweeps = 40;  // five or six sweeps suffice in practice

/// Rotates pairs of columns of L, and those of V if it is not empty, until the columns of L are orthogonal.
void orthogonalise_columns(Eigen::MatrixXd& L, Eigen::MatrixXd& V) {
  const Eigen::Index n = L.cols();
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (Eigen::Index p = 0; p < n; ++p) {
      for (Eigen::Index q = p + 1; q < n; ++q) {
        const double a = L.col(p).squaredNorm(), b = L.col(q).squaredNorm(), c = L.col(p).dot(L.col(q));
        if (!(std::abs(c) > orthogonal * std::sqrt(a) * std::sqrt(b))) continue;
        rotated = true;
        const double zeta = (b - a) / (2 * c);
        const double t = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double cosine = 1 / std::hypot(1.0, t), sine = cosine * t;
        const auto rotate = [&](Eigen::MatrixXd& X) {
          for (Eigen::Index i = 0; i < X.rows(); ++i) {
            const double x = X(i, p), y = X(i, q);
            X(i, p) = cosine * x - sine * y;
            X(i, q) = sine * x + cosine * y;
          }
        };
        rotate(L);
        if (V.size() > 0) rotate(V);
      }
    }
  }
}

/// Decomposes a matrix that has no more columns than rows and whose largest entry is about one.
DenseSvd svd_of_tall(const Eigen::MatrixXd& A, bool with_vectors) {
  const Eigen::Index n = A.cols();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(A);
  Eigen::MatrixXd L = Eigen::MatrixXd(qr.matrixQR().topRows(n).triangularView<Eigen::Upper>()).transpose();
  Eigen::MatrixXd V1;
  if (with_vectors) V1 = Eigen::MatrixXd::Identity(n, n);
  orthogonalise_columns(L, V1);

  const Eigen::VectorXd norms = L.colwise().norm();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) { return norms[i] > norms[j]; });

  DenseSvd result{.U = {}, .values = Eigen::VectorXd(n), .V = {}};
  for (Eigen::Index k = 0; k < n; ++k) result.values[k] = norms[order[static_cast<std::size_t>(k)]];
  if (!with_vectors) return result;

  // A P = Q R and Rᵀ V₁ = W Σ, therefore A = (Q V₁) Σ (P W)ᵀ.
  Eigen::MatrixXd padded = Eigen::MatrixXd::Zero(A.rows(), n), W = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Index from = order[static_cast<std::size_t>(k)];
    padded.col(k).head(n) = V1.col(from);
    if (norms[from] > 0) W.col(k) = L.col(from) / norms[from];
  }
  result.U = qr.householderQ() * padded;
  result.V = qr.colsPermutation() * W;
  return result;
}

}  // namespace

DenseSvd dense_svd(const Eigen::MatrixXd& A, bool with_vectors) {
  const bool tall = A.rows() >= A.cols();
  const Eigen::Index n = std::min(A.rows(), A.cols());
  const double largest = A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0;
  if (!(largest > 0)) {
    return {.U = Eigen::MatrixXd::Zero(with_vectors ? A.rows() : 0, with_vectors ? n : 0),
            .values = Eigen::VectorXd::Zero(n),
            .V = Eigen::MatrixXd::Zero(with_vectors ? A.cols() : 0, with_vectors ? n : 0)};
  }
  // Scaling by a power of two keeps squares away from overflow and does not round.
  const int exponent = std::ilogb(largest);
  const Eigen::MatrixXd near_one =
      (tall ? A : Eigen::MatrixXd(A.transpose())).unaryExpr([exponent](double x) { return std::ldexp(x, -exponent); });
  DenseSvd result = svd_of_tall(near_one, with_vectors);
  for (double& value : result.values) value = std::ldexp(value, exponent);
  if (!tall) result.U.swap(result.V);
  return result;
}

}  // namespace stillpoint
