// The Jacobi SVD: decompositions of all shapes, and small singular values of graded matrices to full relative accuracy.

#include "algebra/dense/dense_svd.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-13;  // rotations of some ten columns

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

}  // namespace

TEST_CASE("Jacobi SVD: A = U S V', with orthonormal vectors and descending values, of any shape") {
  Random random(1);
  for (const auto& shape : {std::pair{6, 4}, {4, 6}, {7, 7}, {1, 5}, {5, 1}}) {
    const int rows = shape.first, columns = shape.second;
    CAPTURE(rows);
    CAPTURE(columns);
    const MatrixXd A = drawn(random, rows, columns);
    const DenseSvd svd = dense_svd(A, true);
    const Eigen::Index k = std::min(rows, columns);
    REQUIRE(svd.U.cols() == k);
    REQUIRE(svd.V.cols() == k);
    CHECK((svd.U * svd.values.asDiagonal() * svd.V.transpose() - A).norm() < rounding);
    CHECK((svd.U.transpose() * svd.U - MatrixXd::Identity(k, k)).norm() < rounding);
    CHECK((svd.V.transpose() * svd.V - MatrixXd::Identity(k, k)).norm() < rounding);
    CHECK(std::is_sorted(svd.values.begin(), svd.values.end(), std::greater<>()));
    CHECK((svd.values - dense::singular_values(A)).norm() < rounding);
    const DenseSvd values_only = dense_svd(A, false);
    CHECK(values_only.values == svd.values);
    CHECK(values_only.U.size() == 0);
    CHECK(values_only.V.size() == 0);
  }
}

TEST_CASE("Jacobi SVD: the small value of two graded columns is |det A| / ‖A‖ to all digits") {
  for (const double grade : {1e-5, 1e-10, 1e-20, 1e-100, 1e-140}) {
    CAPTURE(grade);
    const MatrixXd A{{3, grade}, {4, 2 * grade}};
    const VectorXd values = dense_svd(A, false).values;
    const double largest = 5 * (1 + 0.5 * std::pow(2.2 * grade / 5, 2));  // ‖A‖₂ to second order
    CHECK(values[0] == doctest::Approx(largest).epsilon(rounding));
    CHECK(values[1] * largest / (2 * grade) == doctest::Approx(1).epsilon(rounding));
    CHECK((dense_svd(A.transpose(), false).values - values).cwiseQuotient(values).norm() < rounding);
  }
}

TEST_CASE("Jacobi SVD: the product of the values of a graded matrix is its determinant, over sixty decades") {
  Random random(2);
  for (int draw = 0; draw < 10; ++draw) {
    MatrixXd L = drawn(random, 5, 5).triangularView<Eigen::UnitLower>();  // determinant 1
    const VectorXd grades{{1, 1e-8, 1e-15, 1e-16, 1e-20}};
    const VectorXd values = dense_svd(L * grades.asDiagonal(), false).values;
    CHECK(std::log10(values.prod()) == doctest::Approx(-59).epsilon(1e-12));
  }
}

TEST_CASE("Jacobi SVD: values near the ends of the range of numbers do not overflow") {
  for (const double unit : {1e-300, 1e300}) {
    const MatrixXd A = unit * MatrixXd{{0, 2}, {1, 0}};
    const DenseSvd svd = dense_svd(A, true);
    CHECK(svd.values[0] / (2 * unit) == doctest::Approx(1).epsilon(rounding));
    CHECK(svd.values[1] / unit == doctest::Approx(1).epsilon(rounding));
  }
}

TEST_CASE("Jacobi SVD: zero values where the rank is lower, and of zero matrices of any shape") {
  Random random(3);
  const VectorXd u = random.vector(4, 0.5, 1), v = random.vector(3, 0.5, 1);
  const VectorXd values = dense_svd(u * v.transpose(), true).values;
  CHECK(values[0] == doctest::Approx(u.norm() * v.norm()).epsilon(rounding));
  CHECK(values.tail(2).maxCoeff() < rounding);
  for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 2}, {0, 2}, {2, 0}}) {
    const DenseSvd zero = dense_svd(MatrixXd::Zero(rows, columns), true);
    CHECK(zero.values == VectorXd::Zero(std::min(rows, columns)));
    CHECK(zero.U.rows() == rows);
    CHECK(zero.V.rows() == columns);
  }
}
