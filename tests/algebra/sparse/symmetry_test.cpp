// Symmetric and skew-symmetric matrices, up to rounding and no further.

#include "algebra/sparse/symmetry.h"

#include <doctest/doctest.h>

#include <Eigen/Core>

using namespace stillpoint;
using Eigen::MatrixXd;

namespace {

SparseMatrix sparse(const MatrixXd& A) { return A.sparseView(); }

}  // namespace

TEST_CASE("symmetry: an asymmetry counts above rounding of the largest entry") {
  const MatrixXd A{{4, 1, 0}, {1, 5, -2}, {0, -2, 6}};
  for (const double excess : {0.0, 1e-14, -1e-13, 1e-11, 0.1}) {
    CAPTURE(excess);
    MatrixXd B = A;
    B(0, 1) += excess;
    CHECK(is_symmetric(sparse(B)) == (std::abs(excess) < 1e-12));
    CHECK(is_symmetric(sparse(B), 1e-8) == (std::abs(excess) < 1e-8));
  }
  CHECK(!is_symmetric(sparse(MatrixXd{{0, 1}, {0, 0}})));
  CHECK(is_symmetric(sparse(MatrixXd{{1, 1e-15}, {0, 1}})));  // stored on one side only
  CHECK(is_symmetric(SparseMatrix(3, 3)));
}

TEST_CASE("symmetry: in small units an asymmetry is not taken for rounding of entries in large units") {
  MatrixXd A = MatrixXd::Zero(3, 3);
  A.diagonal() << 1e12, 1e-3, 1e-3;
  A(1, 2) = 5e-4;
  CHECK(!is_symmetric(sparse(A)));
  A(2, 1) = 5e-4;
  CHECK(is_symmetric(sparse(A)));
}

TEST_CASE("symmetry: skew matrices, with a diagonal of rounding, and the zero matrix") {
  MatrixXd G{{0, 3, -1}, {-3, 0, 2}, {1, -2, 0}};
  CHECK(is_skew(sparse(G)));
  G(0, 0) = 1e-13;
  CHECK(is_skew(sparse(G)));
  G(0, 0) = 1e-10;
  CHECK(!is_skew(sparse(G)));
  G(0, 0) = 0;
  G(0, 1) += 1e-10;
  CHECK(!is_skew(sparse(G)));
  CHECK(is_skew(SparseMatrix(2, 2)));
  CHECK(!is_skew(sparse(MatrixXd::Identity(2, 2))));
}

TEST_CASE("symmetry: a pattern is symmetric by what is stored, not by values") {
  CHECK(has_symmetric_pattern(sparse(MatrixXd{{1, 2}, {-7, 0}})));
  CHECK(!has_symmetric_pattern(sparse(MatrixXd{{1, 2}, {0, 1}})));
  CHECK(!has_symmetric_pattern(SparseMatrix(2, 3)));
  SparseMatrix stored_zero = sparse(MatrixXd{{1, 2}, {2, 1}});
  stored_zero.coeffRef(1, 0) = 0;
  CHECK(has_symmetric_pattern(stored_zero));
}

TEST_CASE("symmetry: the symmetric part and the largest entry") {
  const MatrixXd A{{1, 5, 0}, {-1, 0, 0}, {4, 0, -9}};
  CHECK(symmetric_part(sparse(A)).toDense() == (A + A.transpose()) / 2);
  CHECK(largest_entry(sparse(A)) == 9);
  CHECK(largest_entry(SparseMatrix(4, 4)) == 0);
}

TEST_CASE("symmetry: diagonal dominance is by rows, with equality") {
  CHECK(is_diagonally_dominant(sparse(MatrixXd{{2, -1, 1}, {-1, 1, 0}, {0, 0, 0}})));
  CHECK(!is_diagonally_dominant(sparse(MatrixXd{{2, -1, 1.01}, {-1, 1, 0}, {0, 0, 0}})));
  CHECK(!is_diagonally_dominant(sparse(MatrixXd{{-2, 1}, {1, 2}})));
}
