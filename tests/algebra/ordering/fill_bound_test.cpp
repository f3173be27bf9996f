// Entries of R without the numbers of a factorisation.

#include "algebra/ordering/fill_bound.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <limits>
#include <numeric>

#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// A symmetric pattern with a full diagonal and random values.
SparseMatrix random_pattern(Random& random, Index n) {
  MatrixXd A = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    A(i, i) = random.entry() + 3;
    for (int k = 0; k < 2; ++k) {
      const Index j = random.below(n);
      A(i, j) = random.entry() + 1.5;
      A(j, i) = random.entry() + 1.5;
    }
  }
  return A.sparseView();
}

std::int64_t entries_of_R(const SparseMatrix& A, const std::vector<Index>& columns) {
  MatrixXd ordered(A.rows(), A.cols());
  for (Index k = 0; k < A.cols(); ++k) ordered.col(k) = A.col(columns[static_cast<std::size_t>(k)]);
  const MatrixXd R = Eigen::HouseholderQR<MatrixXd>(ordered).matrixQR().triangularView<Eigen::Upper>();
  return (R.array().abs() > 1e-12).count();
}

}  // namespace

TEST_CASE("fill bound: it is not below the entries of R, and is met by them but for chance zeros") {
  Random random(3);
  std::int64_t bounds = 0, met = 0;
  for (int draw = 0; draw < 40; ++draw) {
    CAPTURE(draw);
    const SparseMatrix A = random_pattern(random, random.whole(2, 25));
    std::vector<Index> columns(static_cast<std::size_t>(A.cols()));
    std::iota(columns.begin(), columns.end(), Index{0});
    for (std::size_t k = columns.size(); k > 1; --k)
      std::swap(columns[k - 1], columns[static_cast<std::size_t>(random.below(static_cast<Index>(k)))]);
    const std::int64_t bound = fill_bound(A, columns, no_limit), entries = entries_of_R(A, columns);
    CHECK(entries <= bound);
    bounds += bound;
    met += entries;
  }
  CHECK(static_cast<double>(met) > 0.9 * static_cast<double>(bounds));
}

TEST_CASE("fill bound: an arrow fills up from its tip, and the count ends at the limit") {
  constexpr Index n = 200;
  MatrixXd arrow = MatrixXd::Identity(n, n);
  arrow.row(0).setOnes();
  arrow.col(0).setOnes();
  std::vector<Index> forwards(n);
  std::iota(forwards.begin(), forwards.end(), Index{0});
  const SparseMatrix A = arrow.sparseView();
  CHECK(fill_bound(A, forwards, no_limit) == n * (n + 1) / 2);
  CHECK(fill_bound(A, forwards, 1000) > 1000);
  CHECK(fill_bound(A, forwards, 1000) < 1000 + n + 1);
}
