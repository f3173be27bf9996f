// LU factorisation in parts, against products with the matrix and against KLU; and orders with such parts.
#include "algebra/lu/parted_lu.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

#include "algebra/lu/sparse_lu.h"
#include "algebra/ordering/parted_order.h"
#include "stillpoint/threads.h"

using namespace stillpoint;

namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// The matrix of a strip of so many columns of nodes, some in each, all with their neighbours; unsymmetric values.
SparseMatrix strip(Index columns, Index width, unsigned seed, double diagonal = 9) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> between(-1, 1);
  const auto node = [&](Index column, Index row) { return ((column * 7919) % columns) * width + row; };
  Triplets entries;
  const auto couple = [&](Index i, Index j) {
    entries.emplace_back(i, j, between(random));
    entries.emplace_back(j, i, between(random));
  };
  for (Index column = 0; column < columns; ++column) {
    for (Index row = 0; row < width; ++row) {
      entries.emplace_back(node(column, row), node(column, row), diagonal + between(random));
      if (row > 0) couple(node(column, row), node(column, row - 1));
      for (Index other = 0; column > 0 && other < width; ++other) couple(node(column, row), node(column - 1, other));
    }
  }
  SparseMatrix A(columns * width, columns * width);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

constexpr Index columns = 40'009, width = 3;

Eigen::VectorXd right_side(Eigen::Index size) { return Eigen::VectorXd::LinSpaced(size, -1, 2).array().sin(); }

double left_of(const SparseMatrix& A, const Eigen::VectorXd& x, const Eigen::VectorXd& b) {
  return (b - A * x).lpNorm<Eigen::Infinity>() / (1 + x.lpNorm<Eigen::Infinity>());
}

/// It leaves hardly more than KLU does.
void check_beside_klu(const PartedLu& lu, const SparseMatrix& A) {
  const Eigen::VectorXd b = right_side(A.cols());
  Eigen::VectorXd x = b;
  lu.solve(x, x);
  SparseLu klu(A);
  REQUIRE(klu.factor(A));
  CHECK(left_of(A, x, b) < 1e3 * std::max(left_of(A, klu.solve_once(b), b), 1e-15));
}

}  // namespace

TEST_CASE("parted order: four parts of a long strip touch separators only") {
  const SparseMatrix A = strip(columns, width, 1);
  const std::optional<PartedOrder> parted = parted_order(A);
  REQUIRE(parted);
  REQUIRE(parted->starts.size() == 6);
  CHECK(std::set(parted->order.begin(), parted->order.end()).size() == static_cast<std::size_t>(A.cols()));
  std::vector<int> part(static_cast<std::size_t>(A.cols()));
  for (std::size_t p = 0; p + 1 < parted->starts.size(); ++p) {
    const Index begin = parted->starts[p], end = parted->starts[p + 1];
    if (p < 4) CHECK(end - begin > 0.24 * static_cast<double>(A.cols()));
    else CHECK(end - begin == 3 * width);
    for (Index k = begin; k < end; ++k)
      part[static_cast<std::size_t>(parted->order[static_cast<std::size_t>(k)])] = static_cast<int>(p);
  }
  long touching = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      const int one = part[static_cast<std::size_t>(j)], other = part[static_cast<std::size_t>(entry.row())];
      if (one < 4 && other < 4 && one != other) ++touching;
    }
  }
  CHECK(touching == 0);
}

TEST_CASE("parted order: pieces that do not touch need no separators; short and wide graphs are not parted") {
  Triplets entries;
  constexpr Index pieces = 20'000, each = 6;
  for (Index piece = 0; piece < pieces; ++piece) {
    for (Index i = piece * each; i < (piece + 1) * each; ++i) {
      for (Index j = piece * each; j < (piece + 1) * each; ++j) entries.emplace_back(i, j, 1);
    }
  }
  SparseMatrix A(pieces * each, pieces * each);
  A.setFromTriplets(entries.begin(), entries.end());
  const std::optional<PartedOrder> parted = parted_order(A);
  REQUIRE(parted);
  CHECK(parted->starts[4] == A.cols());
  CHECK_FALSE(parted_order(strip(1000, width, 1)));
  Triplets of_grid;
  constexpr Index side = 350;
  for (Index i = 0; i < side * side; ++i) {
    of_grid.emplace_back(i, i, 4);
    for (const Index j : {i + 1, i + side}) {
      if (j >= side * side || (j == i + 1 && j % side == 0)) continue;
      of_grid.emplace_back(i, j, -1);
      of_grid.emplace_back(j, i, -1);
    }
  }
  SparseMatrix grid(side * side, side * side);
  grid.setFromTriplets(of_grid.begin(), of_grid.end());
  CHECK_FALSE(parted_order(grid));
}

TEST_CASE("parted LU: solves, and factors again with the pivots that it has") {
  const SparseMatrix first = strip(columns, width, 1), second = strip(columns, width, 2);
  const auto lu = PartedLu::of(first);
  REQUIRE(lu);
  const Eigen::VectorXd b = right_side(first.cols());
  CHECK_FALSE(lu->has_factors());
  for (const SparseMatrix* A : {&first, &second}) {
    REQUIRE((A == &first ? lu->factor(*A) : lu->refactor(*A)));
    Eigen::VectorXd x = b;
    lu->solve(x, x);
    CHECK(left_of(*A, x, b) < 1e-14);
    Eigen::VectorXd beside(b.size());
    lu->solve(b, beside);
    CHECK(beside == x);
    SparseLu klu(*A);
    REQUIRE(klu.factor(*A));
    CHECK((x - klu.solve(b)).lpNorm<Eigen::Infinity>() < 1e-13);
  }
}

TEST_CASE("parted LU: growth and the ratio of pivots tell of a bad matrix") {
  const SparseMatrix A = strip(columns, width, 1);
  const auto lu = PartedLu::of(A);
  REQUIRE(lu->factor(A));
  const double usual = lu->reciprocal_growth();
  CHECK(usual > 0.1);
  CHECK(usual <= 1);
  CHECK(lu->pivot_ratio() > 0.1);
  // Factors of rows that are powers of two change nothing.
  const double usual_ratio = lu->pivot_ratio();
  SparseMatrix scaled = A;
  for (Index j = 0; j < scaled.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(scaled, j); entry; ++entry)
      entry.valueRef() *= std::exp2(static_cast<double>(entry.row() % 41 - 20));
  }
  REQUIRE(lu->refactor(scaled));
  CHECK(lu->reciprocal_growth() == usual);
  CHECK(lu->pivot_ratio() == usual_ratio);
  REQUIRE(lu->factor(A));
  SparseMatrix uneven = A;  // by columns; rows are scaled
  for (Index k = A.outerIndexPtr()[77]; k < A.outerIndexPtr()[78]; ++k) uneven.valuePtr()[k] *= 1e-9;
  REQUIRE(lu->refactor(uneven));
  CHECK(lu->pivot_ratio() < 1e-7);
  REQUIRE(lu->refactor(strip(columns, width, 5, 0)));  // where others would be chosen
  CHECK(lu->reciprocal_growth() < 1e-3 * usual);
}

// Diagonals are small in places, also beside the separators, and pivots come from other rows.
TEST_CASE("parted LU: pivots off the diagonal, and singular matrices") {
  SparseMatrix A = strip(columns, width, 3, 0);
  const auto lu = PartedLu::of(A);
  REQUIRE(lu->factor(A));
  check_beside_klu(*lu, A);
  for (Index k = A.outerIndexPtr()[77]; k < A.outerIndexPtr()[78]; ++k) A.valuePtr()[k] = 0;
  CHECK_FALSE(lu->refactor(A));
  CHECK_FALSE(lu->factor(A));
  CHECK_FALSE(lu->has_factors());
}

// Each multiplier has nearly nothing on the diagonal, and takes its pivot from the row of a coordinate beside it: those
// beside separators must become separators themselves.
TEST_CASE("parted LU: pivots from rows of separators do not couple the parts") {
  constexpr Index links = 60'000;
  Triplets entries;
  for (Index i = 0; i <= links; ++i) entries.emplace_back(2 * i, 2 * i, 2 + std::sin(i));
  for (Index i = 0; i < links; ++i) {
    const Index multiplier = 2 * i + 1;
    entries.emplace_back(multiplier, multiplier, -1e-13);
    for (const Index coordinate : {multiplier - 1, multiplier + 1}) {
      entries.emplace_back(multiplier, coordinate, std::cos(coordinate));
      entries.emplace_back(coordinate, multiplier, std::cos(coordinate));
    }
  }
  SparseMatrix A(2 * links + 1, 2 * links + 1);
  A.setFromTriplets(entries.begin(), entries.end());
  const auto lu = PartedLu::of(A);
  REQUIRE(lu);
  REQUIRE(lu->factor(A));
  CHECK(lu->parts() == 4);
  check_beside_klu(*lu, A);
}

TEST_CASE("sparse LU: several right sides together have the solutions that each has alone") {
  const SparseMatrix A = strip(columns, width, 6);
  const Eigen::VectorXd b = right_side(A.cols());
  Eigen::MatrixXd together(A.cols(), 6);
  for (Eigen::Index c = 0; c < together.cols(); ++c) {
    together.col(c) = b;
    together.col(c).segment(100 * c, 100).setZero();
    together.col(c) *= static_cast<double>(c + 1);
  }
  for (const SparseLu::Use use : {SparseLu::Use::seldom, SparseLu::Use::often}) {
    SparseLu lu(A, use);
    REQUIRE(lu.factor(A));
    for (const Eigen::Index count : {1, 2, 3, 4, 6}) {
      CAPTURE(count);
      const Eigen::MatrixXd x = lu.solve_columns(together.leftCols(count));
      REQUIRE(x.cols() == count);
      for (Eigen::Index c = 0; c < count; ++c)
        CHECK((x.col(c).array() == lu.solve_once(together.col(c)).array()).all());
    }
  }
}

TEST_CASE("parted LU: bits do not depend on the number of threads") {
  const SparseMatrix A = strip(columns, width, 4);
  std::array<Eigen::VectorXd, 2> x;
  for (const int threads : {1, 3}) {
    set_most_threads(threads);
    SparseLu lu(A, SparseLu::Use::often);
    REQUIRE(lu.factor(A));
    REQUIRE(lu.factor(A));
    x[threads == 1 ? 0 : 1] = lu.solve_once(right_side(A.cols()));
  }
  set_most_threads(0);
  CHECK((x[0].array() == x[1].array()).all());
}
