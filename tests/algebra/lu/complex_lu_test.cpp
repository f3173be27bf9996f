// Sparse LU of complex matrices: solutions with A and its adjoint, and the determinant.

#include "algebra/lu/complex_lu.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>

#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

namespace {

// Sums of some thirty products; condition numbers up to 10⁴.
constexpr double rounding = 1e-11;

ComplexSparseMatrix sparse_matrix(Random& random, Index n) {
  ComplexSparseMatrix A(n, n);
  const auto entry = [&] {
    const double real = random.entry();
    return Complex(real, random.entry());
  };
  for (Index i = 0; i < n; ++i) {
    A.coeffRef(i, (i + 2) % n) += entry();
    A.coeffRef(i, i) += entry();
    A.coeffRef(i, random.below(n)) += entry();
  }
  A.makeCompressed();
  return A;
}

SparseMatrix pattern_of(const ComplexSparseMatrix& A) { return A.real(); }

VectorXcd drawn(Random& random, Index n) {
  VectorXcd x(n);
  x.real() = random.vector(n, -1, 1);
  x.imag() = random.vector(n, -1, 1);
  return x;
}

}  // namespace

TEST_CASE("complex LU: solutions with A and with its adjoint have the residual of rounding") {
  Random random(1);
  for (int draw = 0; draw < 20; ++draw) {
    CAPTURE(draw);
    const Index n = random.whole(3, 25);
    const ComplexSparseMatrix A = sparse_matrix(random, n);
    ComplexLu lu(pattern_of(A));
    REQUIRE(lu.factor(A));
    const VectorXcd b = drawn(random, n), x = lu.solve(b), y = lu.solve_adjoint(b);
    CHECK((A * x - b).norm() < rounding * (x.norm() + b.norm()));
    CHECK((A.adjoint() * y - b).norm() < rounding * (y.norm() + b.norm()));
  }
}

TEST_CASE("complex LU: the determinant is that of the dense decomposition, sign and phase included") {
  Random random(2);
  for (int draw = 0; draw < 40; ++draw) {
    CAPTURE(draw);
    const Index n = random.whole(1, 12);
    const ComplexSparseMatrix A = sparse_matrix(random, n);
    ComplexLu lu(pattern_of(A));
    REQUIRE(lu.factor(A));
    const Complex exact = MatrixXcd(A).partialPivLu().determinant(), found = std::exp(lu.log_determinant());
    CHECK(std::abs(found - exact) < rounding * std::abs(exact));
  }
}

TEST_CASE("complex LU: a cyclic permutation has the determinant of its sign") {
  for (const Index n : {2, 3, 4, 5}) {
    ComplexSparseMatrix A(n, n);
    for (Index i = 0; i < n; ++i) A.insert(i, (i + 1) % n) = 1;
    A.makeCompressed();
    ComplexLu lu(pattern_of(A));
    REQUIRE(lu.factor(A));
    CHECK(std::abs(std::exp(lu.log_determinant()) - (n % 2 == 0 ? -1.0 : 1.0)) < 1e-15);
  }
}

TEST_CASE("complex LU: a determinant beyond the range of numbers has a logarithm") {
  constexpr Index n = 400;
  ComplexSparseMatrix A(n, n);
  for (Index i = 0; i < n; ++i) A.insert(i, i) = Complex(0, 1e10);
  A.makeCompressed();
  ComplexLu lu(pattern_of(A));
  REQUIRE(lu.factor(A));
  CHECK(lu.log_determinant().real() == doctest::Approx(n * std::log(1e10)));
  CHECK(std::abs(std::polar(1.0, lu.log_determinant().imag()) - 1.0) < 1e-12);  // i⁴⁰⁰ = 1
}

TEST_CASE("complex LU: kept pivots give the same solutions, also for a matrix that they do not suit") {
  ComplexSparseMatrix A(2, 2);
  A.insert(0, 0) = 4;
  A.insert(0, 1) = 1;
  A.insert(1, 0) = 1;
  A.insert(1, 1) = Complex(0, 3);
  A.makeCompressed();
  ComplexLu lu(pattern_of(A));
  REQUIRE(lu.refactor(A));  // nothing is kept yet
  for (const double pivot : {1.0, 1e-5, 1e-20, 0.0}) {
    CAPTURE(pivot);
    A.coeffRef(0, 0) = A.coeffRef(1, 1) = pivot;
    if (pivot == 1) A.coeffRef(0, 0) = 2;
    REQUIRE(lu.refactor(A));
    const VectorXcd x{{1, Complex(0, 1)}};
    CHECK((lu.solve(A * x) - x).norm() < 1e-10);  // the pivot 10⁻⁵ may be kept
    const Complex exact = A.coeff(0, 0) * A.coeff(1, 1) - A.coeff(0, 1) * A.coeff(1, 0);
    CHECK(std::abs(std::exp(lu.log_determinant()) - exact) < 1e-10);
  }
}

TEST_CASE("complex LU: what is singular to rounding is refused, except where that is expected") {
  ComplexSparseMatrix A = Eigen::MatrixXd::Ones(2, 2).cast<Complex>().sparseView();
  ComplexLu lu(pattern_of(A));
  CHECK(!lu.factor(A));
  CHECK(!lu.factor_nearly_singular(A));
  A.coeffRef(1, 1) += Complex(0, 5e-17);
  CHECK(!lu.factor(A));
  CHECK(lu.factor_nearly_singular(A));
  A.coeffRef(1, 1) += 1e-12;
  CHECK(lu.factor(A));
}

TEST_CASE("complex LU: objects that share an analysis keep factors of their own") {
  Random random(3);
  const ComplexSparseMatrix A = sparse_matrix(random, 8);
  const ComplexSparseMatrix B = A * Complex(0, 2);
  ComplexLu first(pattern_of(A)), second = first.share_analysis();
  REQUIRE(first.factor(A));
  REQUIRE(second.factor(B));
  const VectorXcd x = drawn(random, 8);
  CHECK((first.solve(A * x) - x).norm() < rounding);
  CHECK((second.solve(B * x) - x).norm() < rounding);
}
