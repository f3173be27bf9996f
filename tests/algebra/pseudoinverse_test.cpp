// Pseudoinverses: the four identities, known values, and Eigen's SVD as witness of everything that works without one.

#include "stillpoint/pseudoinverse.h"

#include <doctest/doctest.h>

#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "stillpoint/read_model.h"
#include "support/algebra/random_linkage.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

struct Method {
  std::string name;
  PseudoinverseMethod method;
};

const std::vector<Method> methods{{"svd", PseudoinverseMethod::svd},
                                  {"varga", PseudoinverseMethod::varga},
                                  {"greville", PseudoinverseMethod::greville},
                                  {"householder", PseudoinverseMethod::householder},
                                  {"gram_schmidt", PseudoinverseMethod::gram_schmidt}};

// Sums of some ten products, relative to the sizes of what is multiplied.
constexpr double rounding = 1e-14;

// Greville's recursion uses what it has found so far: errors grow with the condition of the rows met on the way.
constexpr double rounding_of_recursion = 1e-11;

double allowed(const std::string& name) { return name == "greville" ? rounding_of_recursion : rounding; }

MatrixXd random_matrix(RandomLinkage& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd A(rows, columns);
  for (double& entry : A.reshaped()) entry = random.between(-1, 1);
  return A;
}

/// A⁺ from Eigen's Jacobi SVD with a known rank.
MatrixXd witness(const MatrixXd& A, Eigen::Index rank) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixV().leftCols(rank) * svd.singularValues().head(rank).cwiseInverse().asDiagonal() *
         svd.matrixU().leftCols(rank).transpose();
}

double relative(const MatrixXd& a, const MatrixXd& b) { return (a - b).norm() / b.norm(); }

SparseMatrix jacobian(const std::string& name, const Parameters& parameters) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name + "/model.yaml", parameters);
  return Assembly(model).at(model.initial_state()).J;
}

}  // namespace

TEST_CASE("pseudoinverse: matrices whose pseudoinverse is known") {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Method& each : methods) {
    CAPTURE(each.name);
    const auto plus = [&each](const MatrixXd& A) { return pseudoinverse(A, {.method = each.method}); };

    // [1 2; 2 4]⁺ = [1 2; 2 4] / 25
    const MatrixXd one = (MatrixXd(2, 2) << 1, 2, 2, 4).finished();
    CHECK(plus(one).rank == 1);
    CHECK((plus(one).matrix - one / 25).norm() < rounding);

    // an inverse
    const MatrixXd two = (MatrixXd(2, 2) << 2, 1, 1, 1).finished();
    CHECK(plus(two).rank == 2);
    CHECK((plus(two).matrix - (MatrixXd(2, 2) << 1, -1, -1, 2).finished()).norm() < rounding);

    // a row and a column: aᵀ/|a|²
    const MatrixXd row = (MatrixXd(1, 2) << 3, 4).finished();
    CHECK((plus(row).matrix - row.transpose() / 25).norm() < rounding);
    CHECK((plus(row.transpose()).matrix - row / 25).norm() < rounding);

    // zeros, and nothing
    for (const MatrixXd& A : {MatrixXd(MatrixXd::Zero(3, 2)), MatrixXd(0, 4), MatrixXd(4, 0)}) {
      CHECK(plus(A).rank == 0);
      CHECK(plus(A).matrix == MatrixXd::Zero(A.cols(), A.rows()));
    }
    CHECK_THROWS_AS(plus((MatrixXd(1, 2) << 1, infinity).finished()), std::invalid_argument);
    CHECK_THROWS_AS(pseudoinverse(two, {.method = each.method, .rank = 3}), std::invalid_argument);
    CHECK_THROWS_AS(pseudoinverse(two, {.method = each.method, .tolerance = -1}), std::invalid_argument);
  }
}

TEST_CASE("pseudoinverse: Penrose's identities for all methods, shapes and ranks") {
  RandomLinkage random(5);
  for (const Eigen::Index rows : {1, 4, 9}) {
    for (const Eigen::Index columns : {1, 5, 9}) {
      for (Eigen::Index rank = 1; rank <= std::min(rows, columns); rank += 2) {
        const MatrixXd A = random_matrix(random, rows, rank) * random_matrix(random, rank, columns);
        for (const Method& each : methods) {
          CAPTURE(each.name);
          CAPTURE(rows);
          CAPTURE(columns);
          const Pseudoinverse found = pseudoinverse(A, {.method = each.method});
          CHECK(found.rank == rank);
          CHECK(penrose_residuals(A, found.matrix).largest() < allowed(each.name));
        }
      }
    }
  }
}

TEST_CASE("pseudoinverse: a wrong matrix does not pass for a pseudoinverse") {
  RandomLinkage random(6);
  const MatrixXd A = random_matrix(random, 4, 2) * random_matrix(random, 2, 5), plus = pseudoinverse(A).matrix;
  // A generalised inverse that is right in A X A = A only: any change across both null spaces.
  const MatrixXd across =
      (MatrixXd::Identity(5, 5) - plus * A) * random_matrix(random, 5, 4) * (MatrixXd::Identity(4, 4) - A * plus);
  const PenroseResiduals residuals = penrose_residuals(A, plus + across);
  CHECK(residuals.first < rounding);
  CHECK(residuals.second > 1e-3);
  CHECK(penrose_residuals(A, plus + (MatrixXd::Identity(5, 5) - plus * A) * random_matrix(random, 5, 4)).fourth > 1e-3);
  CHECK(penrose_residuals(A, plus + random_matrix(random, 5, 4) * (MatrixXd::Identity(4, 4) - A * plus)).third > 1e-3);
  CHECK(penrose_residuals(A, 1.001 * plus).first > 1e-5);
}

TEST_CASE("pseudoinverse: rows over six decades; the rank is kept") {
  RandomLinkage random(7);
  for (int run = 0; run < 20; ++run) {
    MatrixXd A = random_matrix(random, 6, 8);
    for (Eigen::Index i = 0; i < 6; ++i) A.row(i) *= std::pow(10.0, -1.2 * static_cast<double>(i));
    for (const Method& each : methods) {
      CAPTURE(each.name);
      const Pseudoinverse found = pseudoinverse(A, {.method = each.method});
      CHECK(found.rank == 6);
      CHECK((A * found.matrix - MatrixXd::Identity(6, 6)).norm() < 1e-8);  // condition 1e7 times rounding
    }
  }
}

TEST_CASE("pseudoinverse: five-bar parallelogram, the matrix of de Falco 2005") {
  const MatrixXd J = jacobian("five_bar_parallelogram", {}).toDense(), expected = witness(J, 11);
  for (const Method& each : methods) {
    CAPTURE(each.name);
    const Pseudoinverse found = pseudoinverse(J, {.method = each.method});
    CHECK(found.rank == 11);
    CHECK(penrose_residuals(J, found.matrix).largest() < allowed(each.name));
    CHECK(relative(found.matrix, expected) < 1e-12);
  }
}

TEST_CASE("pseudoinverse: a tolerance is about singular values only with the SVD: Kahan's matrix") {
  // Its values are 1 … 3e-3 and 1e-12, but QR with pivoting finds no diagonal entry below 2e-2. The diagonal is a
  // little more than Kahan's, so that rounding does not change the order of the pivots.
  constexpr Eigen::Index n = 90;
  const double c = 0.285, s = std::sqrt(1 - c * c);
  MatrixXd A = MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    A.row(i).tail(n - i).setConstant(-c * std::pow(s, i));
    A(i, i) = std::pow(s, i) * (1 + 1e-13 * static_cast<double>(n - i));
  }
  CHECK(pseudoinverse(A, {.tolerance = 1e-6}).rank == n - 1);
  CHECK(pseudoinverse(A, {.method = PseudoinverseMethod::householder, .tolerance = 1e-6}).rank == n);
  CHECK(pseudoinverse(A, {.method = PseudoinverseMethod::varga, .tolerance = 1e-6}).rank == n);
}

TEST_CASE("pseudoinverse: a given rank and a given tolerance are kept to") {
  const MatrixXd A = Eigen::Vector4d(1, 1e-2, 1e-4, 0).asDiagonal();
  for (const Method& each : methods) {
    CAPTURE(each.name);
    CHECK(pseudoinverse(A, {.method = each.method}).rank == 3);
    CHECK(pseudoinverse(A, {.method = each.method, .tolerance = 1e-3}).rank == 2);
    CHECK(pseudoinverse(A, {.method = each.method, .rank = 1}).rank == 1);
    CHECK(pseudoinverse(A, {.method = each.method, .rank = 0}).matrix == MatrixXd::Zero(4, 4));
  }
}

TEST_CASE("least norm: solutions with rank-deficient Jacobians are those of the pseudoinverse") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomLinkage random(seed);
    const Linkage linkage = random.make({.couplers = random.whole(2, 8), .redundant = random.whole(0, 12)});
    const MatrixXd J = linkage.J.toDense(), plus = witness(J, linkage.rank);
    const double condition = J.norm() * plus.norm();
    const VectorXd b = random_matrix(random, J.rows(), 1), f = random_matrix(random, J.cols(), 1);
    for (const Index largest_dense : {300, 0}) {
      const RowDependence dependence = find_dependent_rows(linkage.J, {.largest_dense = largest_dense});
      REQUIRE(dependence.rank.value == linkage.rank);
      const LeastNorm least_norm(linkage.J, dependence);
      CAPTURE(seed);
      CAPTURE(condition);
      // Neither right-hand side is consistent, so the condition counts twice for what cannot be reached.
      CHECK(relative(least_norm.solve(b), plus * b) < condition * condition * 1e-15);
      CHECK(relative(least_norm.solve_transposed(f), plus.transpose() * f) < condition * condition * 1e-15);
    }
  }
}

TEST_CASE("least norm: reactions of the five-bar parallelogram") {
  const SparseMatrix J = jacobian("five_bar_parallelogram", {});
  const RowDependence dependence = find_dependent_rows(J);
  const MatrixXd plus = witness(J.toDense(), 11);
  VectorXd f = VectorXd::Zero(12);
  for (Eigen::Index body = 0; body < 4; ++body) f[3 * body + 1] = -9.81;  // weights
  const VectorXd lambda = minimum_norm_multipliers(J, f, dependence);
  CHECK(relative(lambda, plus.transpose() * f) < 1e-13);
  CHECK((dependence.null_vectors.transpose() * lambda).norm() < 1e-13 * lambda.norm());  // the least norm
  CHECK((J.transpose() * lambda - f).norm() < 1e-12 * f.norm());                         // hanging: in equilibrium
  const VectorXd ones = VectorXd::Ones(12), x = least_norm_solution(J, J * ones, dependence);
  CHECK(relative(J * x, J * ones) < 1e-13);
  CHECK(x.norm() < 0.999 * ones.norm());  // without the part that turns the links
}

TEST_CASE("least norm: full rank, no rows, and mistakes") {
  const SparseMatrix J = MatrixXd(MatrixXd::Identity(2, 3)).sparseView();
  const RowDependence dependence = find_dependent_rows(J);
  CHECK((least_norm_solution(J, Eigen::Vector2d(1, 2), dependence) - Eigen::Vector3d(1, 2, 0)).norm() < rounding);
  CHECK((minimum_norm_multipliers(J, Eigen::Vector3d(1, 2, 3), dependence) - Eigen::Vector2d(1, 2)).norm() < rounding);

  const SparseMatrix none(0, 3), zeros(2, 3);
  CHECK(least_norm_solution(none, VectorXd(0), find_dependent_rows(none)) == VectorXd::Zero(3));
  CHECK(minimum_norm_multipliers(none, VectorXd::Ones(3), find_dependent_rows(none)).size() == 0);
  CHECK(minimum_norm_multipliers(zeros, VectorXd::Ones(3), find_dependent_rows(zeros)) == VectorXd::Zero(2));
  CHECK(least_norm_solution(zeros, VectorXd::Ones(2), find_dependent_rows(zeros)) == VectorXd::Zero(3));

  CHECK_THROWS_AS(LeastNorm(none, dependence), std::invalid_argument);
  CHECK_THROWS_AS(least_norm_solution(J, VectorXd::Ones(3), dependence), std::invalid_argument);
  const VectorXd not_a_number = VectorXd::Constant(2, std::numeric_limits<double>::quiet_NaN());
  CHECK_THROWS_AS(least_norm_solution(J, not_a_number, dependence), Undecided);
}

TEST_CASE("least norm: a long chain and its flat position, ten thousand loops") {
  for (const double phi : {2.0, 0.0}) {
    const SparseMatrix J = jacobian("four_bar", {{"N", 10000}, {"phi_guess", phi}});
    const RowDependence dependence = find_dependent_rows(J);
    RandomLinkage random(9);
    VectorXd lambda(J.rows());
    for (double& value : lambda) value = random.between(-1, 1);
    const VectorXd f = J.transpose() * lambda;
    const VectorXd found = minimum_norm_multipliers(J, f, dependence);
    CAPTURE(phi);
    CHECK((J.transpose() * found - f).norm() < 1e-12 * f.norm());
    CHECK(found.norm() <= lambda.norm() * (1 + rounding));
    if (dependence.dependent.empty()) CHECK(relative(found, lambda) < 1e-9);  // the condition is about 1e4
  }
}
