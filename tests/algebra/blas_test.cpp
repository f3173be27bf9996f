#include "algebra/dense/blas.h"

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <array>
#include <complex>

#include "algebra/dense/complex_lapack.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;

namespace {

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

constexpr double rounding = 1e-13;  // sums of up to 40 products of numbers up to 1

}  // namespace

TEST_CASE("blas: products are those of Eigen, of any shape, empty ones too") {
  Random random(1);
  for (const auto& [rows, inner, columns] :
       {std::array{3, 4, 5}, {40, 30, 1}, {1, 1, 1}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}}) {
    const MatrixXd A = drawn(random, rows, inner), B = drawn(random, inner, columns);
    const MatrixXd expected = A.lazyProduct(B);
    CHECK(product(A, B).rows() == rows);
    CHECK(product(A, B).cols() == columns);
    CHECK((product(A, B) - expected).cwiseAbs().sum() <= rounding);
  }
}

TEST_CASE("blas: a complex product has the imaginary parts, where there are some") {
  Random random(2);
  const MatrixXd A = drawn(random, 6, 5);
  MatrixXcd X = MatrixXcd::Zero(5, 3);
  X.real() = drawn(random, 5, 3);
  CHECK((product(A, X) - A * X).norm() < rounding);
  CHECK(product(A, X).imag().isZero(0));
  X.imag() = drawn(random, 5, 3);
  CHECK((product(A, X) - A * X).norm() < rounding);
  CHECK(product(A, X).imag().norm() > 0.1);
}

TEST_CASE("blas: a product is subtracted from a part of a larger matrix, and nothing else changes") {
  Random random(3);
  MatrixXd A = drawn(random, 9, 4), B = drawn(random, 8, 4), C = drawn(random, 9, 9);
  MatrixXd expected = C;
  expected.block(2, 1, 5, 3) -= A.block(1, 0, 5, 4) * B.block(3, 0, 3, 4).transpose();
  subtract_transposed_product({&A(1, 0), 5, 4, 9}, {&B(3, 0), 3, 4, 8}, &C(2, 1), 9);
  CHECK((C - expected).norm() < rounding);
}

TEST_CASE("blas: products with a transposed matrix, and of matrices without rows or columns") {
  Random random(5);
  const MatrixXd A = drawn(random, 7, 3), B = drawn(random, 7, 5), X = drawn(random, 3, 5);
  CHECK((transposed_product(A, B) - A.transpose() * B).norm() < rounding);
  MatrixXd C = B;
  subtract_product(A, X, C);
  CHECK((C - (B - A * X)).norm() < rounding);

  const MatrixXd nothing(7, 0), empty(0, 3);
  CHECK(transposed_product(nothing, B).rows() == 0);
  CHECK(transposed_product(A, nothing).cols() == 0);
  CHECK(transposed_product(empty, empty) == MatrixXd::Zero(3, 3));
  subtract_product(nothing, MatrixXd(0, 5), C);
  CHECK((C - (B - A * X)).norm() < rounding);
}

TEST_CASE("blas: a product is subtracted, and a triangle divides from the right, as it is and transposed") {
  Random random(4);
  const MatrixXd A = drawn(random, 3, 4), B = drawn(random, 6, 5);
  MatrixXd C = drawn(random, 3, 5);
  const MatrixXd expected = C - A * B.topRows(4);
  subtract_product({A.data(), 3, 4, 3}, {B.data(), 4, 5, 6}, C.data(), 3);
  CHECK((C - expected).norm() < rounding);

  const MatrixXd L = drawn(random, 6, 4), X = drawn(random, 3, 4);  // what is on the diagonal and above is not read
  const MatrixXd unit = L.topRows(4).triangularView<Eigen::UnitLower>();
  for (const Triangle triangle : {Triangle::as_it_is, Triangle::transposed}) {
    MatrixXd divided = X;
    divide_by_unit_triangle({L.data(), 4, 4, 6}, triangle, divided.data(), 3);
    CHECK((divided * (triangle == Triangle::transposed ? MatrixXd(unit.transpose()) : unit) - X).norm() < rounding);
  }
}

TEST_CASE("blas: OpenBLAS, where it is the BLAS, has one thread") {
  void* const count = dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
  if (count) CHECK(reinterpret_cast<int (*)()>(count)() == 1);
}

// OpenBLAS reads one stride beyond vectors with a stride: where nothing follows the matrix, that was a crash.
TEST_CASE("lapack: singular values of wide complex matrices, whatever lies behind them in memory") {
  Random random(5);
  for (int n = 200; n < 264; n += 7) {
    CAPTURE(n);
    const MatrixXcd A = drawn(random, n / 2, n) + std::complex<double>(0, 1) * drawn(random, n / 2, n);
    const ComplexSingularValues parts = decompose(A);
    const MatrixXcd again = parts.U * parts.values.asDiagonal() * parts.V.leftCols(n / 2).adjoint();
    CHECK((again - A).norm() < 1e-12 * A.norm());
    CHECK((parts.V.adjoint() * parts.V - MatrixXcd::Identity(n, n)).norm() < 1e-12 * n);
  }
}
