#include "algebra/dense/low_rank_factor.h"

#include <cmath>
#include <limits>

#include "algebra/dense/blas.h"

namespace stillpoint {

std::optional<Eigen::MatrixXd> low_rank_factor(const Eigen::MatrixXd& A, Eigen::Index most) {
  constexpr double negligible = 16 * std::numeric_limits<double>::epsilon();
  const Eigen::VectorXd before = A.diagonal();
  if ((before.array() < 0).any()) return {};
  Eigen::VectorXd left = before;
  Eigen::MatrixXd B(A.rows(), 0);
  for (;;) {
    Eigen::Index pivot = 0;
    const Eigen::VectorXd remaining = (left.array() > negligible * before.array()).select(left, 0);
    if (remaining.maxCoeff(&pivot) == 0) break;
    if (B.cols() == most) return {};
    const Eigen::VectorXd column = (A.col(pivot) - B * B.row(pivot).transpose()) / std::sqrt(left[pivot]);
    B.conservativeResize(Eigen::NoChange, B.cols() + 1);
    B.rightCols(1) = column;
    left -= column.cwiseAbs2();
    left[pivot] = 0;
  }
  const double norm = A.norm(), rest = (A - product(B, Eigen::MatrixXd(B.transpose()))).norm();
  return rest <= negligible * norm ? std::optional(B) : std::nullopt;
}

}  // namespace stillpoint
