// Corrected seminormal equations against dense solutions.

#include "algebra/rank/normal_equations.h"

#include <doctest/doctest.h>

#include <Eigen/Core>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd sparse_rows(Random& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd S = MatrixXd::Zero(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    S(i, i) = 2 * random.entry();
    S(i, random.below(static_cast<Index>(columns))) += random.entry();
    S(i, columns - 1) = random.entry();
  }
  return S;
}

double relative(const VectorXd& x, const VectorXd& y) { return (x - y).norm() / y.norm(); }

}  // namespace

TEST_CASE("normal equations: solutions are those of dense decompositions, with dense columns, too") {
  constexpr double rounding = 1e-12;  // condition numbers of some ten
  Random random(1);
  for (const Eigen::Index rows : {1, 5, 20, 100}) {  // the last column of the last one is split
    CAPTURE(rows);
    const MatrixXd S = sparse_rows(random, rows, rows + 10);
    const NormalEquations equations(S.sparseView());
    const VectorXd b = random.vector(rows, -1, 1), f = random.vector(rows + 10, -1, 1);
    CHECK(relative(equations.solve(b), dense::solve(S * S.transpose(), b)) < 100 * rounding);
    CHECK(relative(equations.least_norm(b), dense::least_norm_solution(S, b)) < rounding);
    CHECK(relative(equations.least_squares(f), dense::least_norm_solution(S.transpose(), f)) < rounding);
  }
}

TEST_CASE("normal equations: corrections restore the digits that the square of the condition number costs") {
  // Two pairs of nearly parallel rows. A first solution is wrong by about 10¹⁰ ε.
  constexpr double close = 1e-5, of_condition = 1e-9;  // some 10⁵ ε
  MatrixXd S = MatrixXd::Zero(4, 6);
  S << 1, 1, 0, 0, 0, 0,     //
      1, 1, close, 0, 0, 0,  //
      0, 0, 0, 1, -1, 0,     //
      0, 0, 0, 1, -1, close;
  const NormalEquations equations(S.sparseView());
  const VectorXd x = S.transpose() * VectorXd{{1, -2, 3, 0.5}}, b = S * x;
  CHECK(relative(equations.least_norm(b), x) < of_condition);
  CHECK((S * equations.least_norm(b) - b).norm() < 1e-13 * b.norm());
  const VectorXd y{{1, -1, 2, 1}};
  CHECK(relative(equations.least_squares(S.transpose() * y), y) < of_condition);
}
