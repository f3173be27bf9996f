// The real Schur form, exchanges of its blocks, Sylvester equations and balancing.

#include "algebra/dense/schur.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>

#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Orthogonal transformations of matrices of order ten with entries up to one.
constexpr double rounding = 1e-13;

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

void check_form(const SchurForm& form, const MatrixXd& A) {
  const Eigen::Index n = A.rows();
  CHECK((form.Q.transpose() * form.Q - MatrixXd::Identity(n, n)).norm() < rounding);
  CHECK((form.Q * form.T * form.Q.transpose() - A).norm() < 10 * rounding);
  for (Eigen::Index i = 0; i < n; i += form.block_size(i)) {
    const Eigen::Index below = i + form.block_size(i);
    CHECK(form.T.bottomRows(n - below).middleCols(i, form.block_size(i)).isZero(0));
  }
}

/// A block diagonal matrix with the eigenvalues −1, 2 ± 3i, 5 in an orthogonal basis.
MatrixXd known() {
  MatrixXd T = MatrixXd::Zero(4, 4);
  T(0, 0) = -1;
  T.block(1, 1, 2, 2) << 2, 9, -1, 2;
  T(3, 3) = 5;
  const VectorXd v{{0.5, 0.5, -0.5, 0.5}};
  const MatrixXd H = MatrixXd::Identity(4, 4) - 2 * v * v.transpose();
  return H * T * H;
}

}  // namespace

TEST_CASE("Schur form: A = Q T Q', Q orthogonal, T block triangular") {
  Random random(1);
  for (int draw = 0; draw < 20; ++draw) {
    const MatrixXd A = drawn(random, 10, 10);
    check_form(schur_form(A), A);
  }
  CHECK(schur_form(MatrixXd(0, 0)).order() == 0);
}

TEST_CASE("Schur form: blocks of order 2 are conjugate pairs, of which the upper one is given") {
  const SchurForm form = schur_form(known());
  std::vector<Complex> values;
  for (Eigen::Index i = 0; i < 4; i += form.block_size(i)) values.push_back(form.value(i));
  REQUIRE(values.size() == 3);
  for (const Complex expected : {Complex(-1), Complex(2, 3), Complex(5)}) {
    double nearest = 10;
    for (const Complex s : values) nearest = std::min(nearest, std::abs(s - expected));
    CHECK(nearest < 100 * rounding);
  }
}

TEST_CASE("Schur form: a block moves to the top, and the form stays one of A") {
  const MatrixXd A = known();
  for (const Complex wanted : {Complex(-1), Complex(2, 3), Complex(5)}) {
    SchurForm form = schur_form(A);
    Eigen::Index at = 0;
    while (std::abs(form.value(at) - wanted) > 1e-6) at += form.block_size(at);
    CHECK(move_block(form, at, 0));
    check_form(form, A);
    CHECK(std::abs(form.value(0) - wanted) < 1000 * rounding);
  }
}

TEST_CASE("Sylvester: the solution of A X − X B = C, and none for a common eigenvalue") {
  Random random(2);
  for (int draw = 0; draw < 10; ++draw) {
    const MatrixXd A = schur_form(drawn(random, 5, 5) + 4 * MatrixXd::Identity(5, 5)).T;
    const MatrixXd B = schur_form(drawn(random, 3, 3) - 4 * MatrixXd::Identity(3, 3)).T, C = drawn(random, 5, 3);
    const auto X = solve_sylvester(A, B, C);
    REQUIRE(X);
    CHECK((A * *X - *X * B - C).norm() < rounding);
  }
  const MatrixXd A = VectorXd{{1, 2}}.asDiagonal(), B = VectorXd{{3, 2}}.asDiagonal();
  CHECK(!solve_sylvester(A, B, MatrixXd::Ones(2, 2)));
  CHECK(solve_sylvester(MatrixXd(0, 0), B, MatrixXd(0, 2)));
}

TEST_CASE("balancing: powers of two make rows and columns alike, and a balanced matrix is left alone") {
  Random random(3);
  const MatrixXd balanced = drawn(random, 6, 6) + MatrixXd::Ones(6, 6) * 2;
  CHECK(balancing_scales(balanced) == VectorXd::Ones(6));
  VectorXd units(6);
  for (double& unit : units) unit = std::exp2(random.whole(-20, 20));
  const MatrixXd A = units.asDiagonal() * balanced * units.cwiseInverse().asDiagonal();
  const VectorXd d = balancing_scales(A);
  const MatrixXd B = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  for (Eigen::Index i = 0; i < 6; ++i) {
    CHECK(std::exp2(std::round(std::log2(d[i]))) == d[i]);
    const double ratio = B.row(i).norm() / B.col(i).norm();
    CHECK(ratio > 0.25);  // the sweep ends where a factor of 2 gains less than 5 percent
    CHECK(ratio < 4);
  }
}
