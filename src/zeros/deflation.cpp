#include "zeros/deflation.h"

#include <algorithm>
#include <limits>

#include "algebra/dense/lapack.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

// Singular values below this, relative to E or A, are rounding errors of the transformations.
constexpr double rounding_floor = 16 * std::numeric_limits<double>::epsilon();

struct Decided {
  SingularValues svd;
  Eigen::Index rank = 0;
};

/// Frobenius norms of the whole E and A, to which rounding errors of each are relative.
struct PencilSizes {
  double E = 1, A = 1;
};

/// Decides the rank of a part of E or A, whose norm is `size`.
Decided decided_rank(const MatrixXd& A, double size, std::vector<RankOfStep>& steps) {
  if (A.size() == 0) return {{MatrixXd::Identity(A.rows(), A.rows()), {}, MatrixXd::Identity(A.cols(), A.cols())}, 0};
  Decided decided{decompose(A), 0};
  const Eigen::VectorXd values = decided.svd.values / size;
  decided.rank = (values.array() > rounding_floor).count();
  RankOfStep step{static_cast<Index>(A.rows()), static_cast<Index>(A.cols()), static_cast<Index>(decided.rank)};
  if (decided.rank > 0) step.smallest_kept = values[decided.rank - 1];
  if (decided.rank < values.size()) step.largest_dropped = values[decided.rank];
  steps.push_back(step);
  return decided;
}

/// Removes null vectors of E until there are none.
void deflate_null_vectors(MatrixXd& E, MatrixXd& A, const PencilSizes& sizes, std::vector<RankOfStep>& steps) {
  while (E.cols() > 0) {
    const Decided of_E = decided_rank(E, sizes.E, steps);
    const Eigen::Index null = E.cols() - of_E.rank;
    if (null == 0) return;
    const MatrixXd kept = of_E.svd.V.leftCols(of_E.rank), A0 = A * of_E.svd.V.rightCols(null);
    const Decided of_A0 = decided_rank(A0, sizes.A, steps);
    const MatrixXd rows = of_A0.svd.U.rightCols(E.rows() - of_A0.rank).transpose();
    E = rows * E * kept;
    A = rows * A * kept;
  }
}

}  // namespace

RegularPart regular_part(MatrixXd E, MatrixXd A) {
  RegularPart part;
  const PencilSizes sizes{E.norm() > 0 ? E.norm() : 1, A.norm() > 0 ? A.norm() : 1};
  deflate_null_vectors(E, A, sizes, part.steps);
  E.transposeInPlace();
  A.transposeInPlace();
  deflate_null_vectors(E, A, sizes, part.steps);
  E.transposeInPlace();
  A.transposeInPlace();
  // A pencil without columns, or without rows, has no eigenvalue, whatever its other size is.
  const Eigen::Index order = std::min(E.rows(), E.cols());
  part.E = E.topLeftCorner(order, order);
  part.A = A.topLeftCorner(order, order);
  return part;
}

double gap_of(const RankOfStep& step) {
  if (std::isnan(step.smallest_kept)) {
    // All of it was dropped: how far is it from being kept?
    return std::isnan(step.largest_dropped) ? std::numeric_limits<double>::infinity()
                                            : 1 / std::max(step.largest_dropped, rounding_floor);
  }
  const double dropped = std::isnan(step.largest_dropped) ? 0 : step.largest_dropped;
  return step.smallest_kept / std::max(dropped, rounding_floor);
}

}  // namespace stillpoint
