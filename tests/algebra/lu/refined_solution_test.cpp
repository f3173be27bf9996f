// Iterative refinement: the backward error that is reported, and what refinement gains.

#include "algebra/lu/refined_solution.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>

#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::VectorXcd;

namespace {

ComplexSparseMatrix chain(Index n, Complex diagonal) {
  ComplexSparseMatrix A(n, n);
  for (Index i = 0; i < n; ++i) {
    A.insert(i, i) = diagonal;
    if (i > 0) A.insert(i, i - 1) = 1;
    if (i + 1 < n) A.insert(i, i + 1) = Complex(0, 1);
  }
  A.makeCompressed();
  return A;
}

double backward_error(const ComplexSparseMatrix& A, const VectorXcd& x, const VectorXcd& b) {
  const double norm = MatrixXcd(A).cwiseAbs().rowwise().sum().maxCoeff();
  return (b - A * x).lpNorm<Eigen::Infinity>() / (norm * x.lpNorm<Eigen::Infinity>() + b.lpNorm<Eigen::Infinity>());
}

MatrixXcd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXcd::NullaryExpr(rows, columns, [&](auto, auto) {
    const double real = random.between(-1, 1);
    return Complex(real, random.between(-1, 1));
  });
}

}  // namespace

TEST_CASE("refined solution: the backward error is the largest of all columns, at the level of rounding") {
  Random random(1);
  const ComplexSparseMatrix A = chain(20, {0.3, 0.2});
  ComplexLu lu(SparseMatrix(A.real().cwiseAbs() + A.imag().cwiseAbs()));
  REQUIRE(lu.factor(A));
  const MatrixXcd b = drawn(random, 20, 3);
  const RefinedSolution solution = solve_refined(lu, A, b);
  double largest = 0;
  for (Eigen::Index j = 0; j < 3; ++j) largest = std::max(largest, backward_error(A, solution.x.col(j), b.col(j)));
  CHECK(solution.backward_error <= rounding_of_solutions);
  CHECK(solution.backward_error == doctest::Approx(largest));
}

TEST_CASE("refined solution: factors of a matrix that differs a little suffice") {
  Random random(2);
  const ComplexSparseMatrix A = chain(20, 3), nearly = chain(20, 3 + 3e-6);
  ComplexLu lu(SparseMatrix(A.real().cwiseAbs() + A.imag().cwiseAbs()));
  REQUIRE(lu.factor(nearly));
  const MatrixXcd b = drawn(random, 20, 1);
  CHECK(backward_error(A, lu.solve(b), b) > 1e-8);
  CHECK(solve_refined(lu, A, b).backward_error <= rounding_of_solutions);  // three steps of 10⁻⁶ each
}

TEST_CASE("refined solution: factors that are quite different are noticed by the backward error") {
  Random random(3);
  const ComplexSparseMatrix A = chain(20, 3), other = chain(20, -3);
  ComplexLu lu(SparseMatrix(A.real().cwiseAbs() + A.imag().cwiseAbs()));
  REQUIRE(lu.factor(other));
  CHECK(solve_refined(lu, A, drawn(random, 20, 1)).backward_error > 1e-3);
}

TEST_CASE("refined solution: of zero it is zero, without an error") {
  const ComplexSparseMatrix A = chain(5, 3);
  ComplexLu lu(SparseMatrix(A.real().cwiseAbs() + A.imag().cwiseAbs()));
  REQUIRE(lu.factor(A));
  const RefinedSolution solution = solve_refined(lu, A, MatrixXcd::Zero(5, 2));
  CHECK(solution.x.isZero(0));
  CHECK(solution.backward_error == 0);
}
