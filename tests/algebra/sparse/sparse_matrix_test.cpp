// Sparse matrices are moved, where those of Eigen 3.4 are copied.

#include <doctest/doctest.h>

#include <utility>

#include "stillpoint/sparse.h"

using namespace stillpoint;

TEST_CASE("sparse matrix: a move keeps the entries where they are, and leaves an empty matrix") {
  SparseMatrix A(3, 2);
  A.insert(1, 0) = 4;
  A.insert(2, 1) = -1;
  A.makeCompressed();
  const double* const entries = A.valuePtr();
  SparseMatrix made = std::move(A);
  CHECK(made.valuePtr() == entries);
  CHECK(A.size() == 0);  // NOLINT(bugprone-use-after-move): this is what is tested
  SparseMatrix assigned;
  assigned = std::move(made);
  CHECK(assigned.valuePtr() == entries);
  CHECK(assigned.coeff(1, 0) == 4);
  CHECK(assigned.coeff(2, 1) == -1);
  struct Pair {
    SparseMatrix first, second;
  };
  const Pair pair{std::move(assigned), {}};
  CHECK(pair.first.valuePtr() == entries);
}
