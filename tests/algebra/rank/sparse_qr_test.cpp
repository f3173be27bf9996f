// Sparse QR: R against S Sᵀ = Rᵀ R, dependent rows, and the part of S that is dropped.

#include "algebra/rank/sparse_qr.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Householder reflections of columns of length one to ten; products of two such numbers.
constexpr double rounding = 1e-13;
// Far above rounding, far below all entries: what remains of a dependent row counts as zero.
constexpr double dead = 1e-10;

/// About three entries in each row, and every row tied to the next one by a coordinate of their own.
MatrixXd sparse_rows(Random& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd S = MatrixXd::Zero(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    S(i, i) = 2 * random.entry();
    S(i, i + 1) = random.entry();
    S(i, random.below(static_cast<Index>(columns))) += random.entry();
  }
  return S;
}

SparseQr qr_of(const MatrixXd& S, const SparseQr::Options& options = {}) {
  const SparseMatrix sparse = S.sparseView(), transposed = sparse.transpose();
  return SparseQr(sparse, transposed, fill_reducing_order(sparse, transposed), options);
}

MatrixXd dense_R(const SparseQr& qr) {
  const auto m = static_cast<Index>(qr.tree().order.size());
  MatrixXd R = MatrixXd::Zero(m, m);
  for (Index k = 0; k < m; ++k) {
    qr.for_row(k, [&](Index column, double value) { R(k, column) = value; });
  }
  return R;
}

MatrixXd in_order(const MatrixXd& S, const SparseQr& qr) { return S(qr.tree().order, Eigen::all); }

std::vector<Index> positions(const SparseQr& qr, bool live) {
  std::vector<Index> result;
  for (Index k = 0; k < static_cast<Index>(qr.tree().order.size()); ++k) {
    if (qr.is_live(k) == live) result.push_back(k);
  }
  return result;
}

}  // namespace

TEST_CASE("sparse QR: R is upper triangular with R'R = S S', the rows of S in the order of the positions") {
  Random random(1);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    const Eigen::Index rows = random.whole(1, 30);
    const MatrixXd S = sparse_rows(random, rows, rows + random.whole(1, 10));
    const SparseQr qr = qr_of(S);
    const MatrixXd R = dense_R(qr), ordered = in_order(S, qr);
    CHECK(R.triangularView<Eigen::StrictlyLower>().toDenseMatrix().isZero(0));
    CHECK((R.transpose() * R - ordered * ordered.transpose()).cwiseAbs().maxCoeff() < rounding);
    CHECK(qr.live() == rows);
    CHECK(qr.dropped() == 0);
    for (Index k = 0; k < qr.live(); ++k) CHECK(qr.diagonal(k) == R(k, k));
  }
}

TEST_CASE("sparse QR: of dependent rows as many positions are dead, and the live ones express them") {
  Random random(2);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    MatrixXd S(25, 30);
    S.topRows(20) = sparse_rows(random, 20, 30);
    for (Eigen::Index i = 20; i < 25; ++i)
      S.row(i) = random.entry() * S.row(random.below(20)) + random.entry() * S.row(random.below(20));
    const SparseQr qr = qr_of(S, {.dead = dead, .late = {}, .dropped = {}});
    CHECK(qr.live() == 20);
    CHECK(qr.dropped() <= dead);
    const std::vector<Index> live = positions(qr, true), rest = positions(qr, false);
    REQUIRE(live.size() == 20);
    const MatrixXd R = dense_R(qr), ordered = in_order(S, qr), R11 = R(live, live), R12 = R(live, rest);
    const MatrixXd c = dense::solve(R11, R12);
    CHECK((ordered(rest, Eigen::all) - c.transpose() * ordered(live, Eigen::all)).cwiseAbs().maxCoeff() < 1e-10);
  }
}

TEST_CASE("sparse QR: a dropped row is dead, and what it adds to the others is the norm of what is dropped") {
  Random random(3);
  for (const Index row : {0, 7, 14}) {
    CAPTURE(row);
    const MatrixXd S = sparse_rows(random, 15, 20);
    const SparseQr qr = qr_of(S, {.dead = 0, .late = {}, .dropped = {row}});
    CHECK(qr.live() == 14);
    CHECK(!qr.is_live(qr.tree().position[row]));
    std::vector<Index> others(15);
    std::iota(others.begin(), others.end(), 0);
    std::erase(others, row);
    const MatrixXd S_others = S(others, Eigen::all).transpose();
    const VectorXd own = S.row(row).transpose(), c = dense::least_norm_solution(S_others, own);
    CHECK(qr.dropped() == doctest::Approx((own - S_others * c).norm()).epsilon(1e-12));
  }
}

TEST_CASE("sparse QR: a late row stands last where all rows are connected") {
  Random random(4);
  const MatrixXd S = sparse_rows(random, 20, 25);
  for (const Index row : {0, 9, 19}) {
    const SparseQr qr = qr_of(S, {.dead = 0, .late = {row}, .dropped = {}});
    CHECK(qr.tree().order.back() == row);
    const MatrixXd R = dense_R(qr), ordered = in_order(S, qr);
    CHECK((R.transpose() * R - ordered * ordered.transpose()).cwiseAbs().maxCoeff() < rounding);
  }
}

TEST_CASE("sparse QR: solutions are those with the live part of R, zero at dead positions") {
  Random random(5);
  MatrixXd S(12, 16);
  S.topRows(10) = sparse_rows(random, 10, 16);
  S.row(10) = S.row(2) - S.row(5);
  S.row(11) = 3 * S.row(8);
  const SparseQr qr = qr_of(S, {.dead = dead, .late = {}, .dropped = {}});
  const std::vector<Index> live = positions(qr, true), rest = positions(qr, false);
  REQUIRE(live.size() == 10);
  const MatrixXd R11 = dense_R(qr)(live, live);
  const VectorXd b = random.vector(12, -1, 1);
  VectorXd x = b, y = b;
  qr.solve(x);
  qr.solve_transposed(y);
  CHECK(x(rest).isZero(0));
  CHECK(y(rest).isZero(0));
  const VectorXd own = b(live);
  CHECK((R11 * x(live) - own).norm() < rounding * R11.norm() * x.norm());
  CHECK((R11.transpose() * y(live) - own).norm() < rounding * R11.norm() * y.norm());
}

TEST_CASE("sparse QR: a chain fills R with entries in proportion to its length") {
  for (const Index m : {100, 5000}) {
    SparseMatrix S(m, m + 1);
    for (Index i = 0; i < m; ++i) {
      S.insert(i, i) = 1;
      S.insert(i, i + 1) = -1;
    }
    S.makeCompressed();
    const SparseMatrix transposed = S.transpose();
    const SparseQr qr(S, transposed, fill_reducing_order(S, transposed), {});
    CHECK(qr.live() == m);
    CHECK(qr.entries() <= 3 * m);  // a diagonal entry and at most two links to the rest of the chain
  }
}

TEST_CASE("sparse QR: no rows, and rows without entries") {
  CHECK(qr_of(MatrixXd(0, 3)).live() == 0);
  MatrixXd S = MatrixXd::Zero(3, 4);
  S(1, 2) = -2;
  const SparseQr qr = qr_of(S);
  CHECK(qr.live() == 1);
  CHECK(std::abs(qr.diagonal(qr.tree().position[1])) == doctest::Approx(2));
}
