// Real and complex dense eigenvalue and singular value problems whose solutions are known.

#include "algebra/dense/lapack.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "algebra/dense/complex_lapack.h"
#include "stillpoint/error.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

// Backward stable algorithms on matrices of order up to 20 with norms up to 20.
constexpr double rounding = 1e-12;

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

MatrixXcd drawn_complex(Random& random, Eigen::Index rows, Eigen::Index columns) {
  const MatrixXd real = drawn(random, rows, columns);
  return real + Complex(0, 1) * drawn(random, rows, columns);
}

template <class Matrix>
double departure_from_orthonormal(const Matrix& V) {
  return (V.adjoint() * V - Matrix::Identity(V.cols(), V.cols())).norm();
}

MatrixXd chain(Eigen::Index n) {
  MatrixXd K = 2 * MatrixXd::Identity(n, n);
  K.diagonal(1).setConstant(-1);
  K.diagonal(-1).setConstant(-1);
  return K;
}

}  // namespace

TEST_CASE("lapack: a chain has the eigenvalues 4 sin², in ascending order, and orthonormal vectors") {
  constexpr Eigen::Index n = 12;
  const SymmetricEigen found = solve_symmetric(chain(n));
  for (Eigen::Index j = 0; j < n; ++j) {
    const double sine = std::sin(static_cast<double>(j + 1) * std::numbers::pi / (2 * (n + 1)));
    CHECK(std::abs(found.values[j] - 4 * sine * sine) < rounding);
  }
  CHECK(departure_from_orthonormal(found.vectors) < rounding);
  CHECK((chain(n) * found.vectors - found.vectors * found.values.asDiagonal()).norm() < rounding);
  CHECK((symmetric_values(chain(n)) - found.values).norm() < rounding);
}

TEST_CASE("lapack: only the lower triangle of a symmetric matrix is read") {
  MatrixXd K = chain(5);
  K.triangularView<Eigen::StrictlyUpper>().setConstant(7);
  CHECK((solve_symmetric(K).values - solve_symmetric(chain(5)).values).norm() == 0);
  CHECK((symmetric_values(K) - symmetric_values(chain(5))).norm() == 0);
}

TEST_CASE("lapack: the generalised problem has M-orthonormal vectors, and no solution unless M is positive definite") {
  const MatrixXd K = chain(6);
  const VectorXd m = VectorXd::LinSpaced(6, 1, 3);
  const auto found = solve_symmetric(K, MatrixXd(m.asDiagonal()));
  REQUIRE(found);
  const MatrixXd& X = found->vectors;
  CHECK((X.transpose() * m.asDiagonal() * X - MatrixXd::Identity(6, 6)).norm() < rounding);
  CHECK((K * X - m.asDiagonal() * X * found->values.asDiagonal()).norm() < rounding);
  for (const double bad : {0.0, -1.0}) {
    VectorXd mass = m;
    mass[2] = bad;
    CHECK(!solve_symmetric(K, MatrixXd(mass.asDiagonal())));
  }
}

TEST_CASE("lapack: QZ: right and left vectors solve the pencil, and infinite eigenvalues are known as such") {
  Random random(1);
  for (int draw = 0; draw < 10; ++draw) {
    const MatrixXd A = drawn(random, 9, 9);
    MatrixXd E = drawn(random, 9, 9);
    E.row(4).setZero();  // one infinite eigenvalue
    const PencilEigen found = solve_pencil(A, E);
    REQUIRE(found.size() == 9);
    int infinite = 0;
    for (Eigen::Index i = 0; i < 9; ++i) {
      CAPTURE(i);
      infinite += found.is_infinite(i);
      const VectorXcd x = found.right.col(i), y = found.left.col(i);
      CHECK((found.beta[i] * (A * x) - found.alpha[i] * (E * x)).norm() < rounding);
      CHECK((found.beta[i] * (A.transpose() * y) - std::conj(found.alpha[i]) * (E.transpose() * y)).norm() < rounding);
      CHECK(found.beta[i] >= 0);
      const double largest = x.cwiseAbs().maxCoeff();
      CHECK(largest > 0.5);
      CHECK(largest < 2);
      if (!found.is_infinite(i)) CHECK(found.value(i) == found.alpha[i] / found.beta[i]);
    }
    CHECK(infinite == 1);
  }
}

TEST_CASE("lapack: a rotation has the eigenvalues e^±iφ and conjugate vectors of unit length") {
  constexpr double angle = 0.7;
  const MatrixXd A{{std::cos(angle), -std::sin(angle)}, {std::sin(angle), std::cos(angle)}};
  const GeneralEigen found = solve_unsymmetric(A);
  const VectorXcd x = found.vectors.col(0), y = found.vectors.col(1);
  CHECK(std::abs(found.values[0] - std::polar(1.0, angle)) < rounding);
  CHECK(found.values[1] == std::conj(found.values[0]));
  CHECK(x == y.conjugate());
  CHECK(x.norm() == doctest::Approx(1));
  CHECK((A * x - found.values[0] * x).norm() < rounding);
}

TEST_CASE("lapack: a leading Schur basis spans the chosen invariant subspace, both members of a pair included") {
  Random random(2);
  for (int draw = 0; draw < 10; ++draw) {
    CAPTURE(draw);
    const MatrixXd A = drawn(random, 10, 10);
    std::vector<Complex> wanted;
    const LeadingSchur found = leading_schur(A, [&](const VectorXcd& values) {
      std::vector<bool> marks;
      for (const Complex s : values) {
        marks.push_back(s.real() > 0 && s.imag() >= 0);  // one of each pair
        if (marks.back()) wanted.push_back(s);
        if (marks.back() && s.imag() > 0) wanted.push_back(std::conj(s));
      }
      return marks;
    });
    REQUIRE(found.Z.cols() == static_cast<Eigen::Index>(wanted.size()));
    CHECK(departure_from_orthonormal(found.Z) < rounding);
    CHECK((A * found.Z - found.Z * found.T).norm() < rounding);
    const VectorXcd values = solve_unsymmetric(found.T).values;
    for (const Complex s : wanted) CHECK((values.array() - s).abs().minCoeff() < 1e-10);  // condition numbers up to 100
  }
}

TEST_CASE("complex lapack: eigenpairs and leading Schur bases") {
  Random random(3);
  const MatrixXcd A = drawn_complex(random, 9, 9);
  const GeneralEigen found = solve_unsymmetric(A);
  CHECK((A * found.vectors - found.vectors * found.values.asDiagonal()).norm() < rounding);
  for (Eigen::Index k = 0; k < 9; ++k) CHECK(found.vectors.col(k).norm() == doctest::Approx(1));
  const ComplexLeadingSchur schur = leading_schur(A, [](const VectorXcd& values) {
    std::vector<bool> marks;
    for (const Complex s : values) marks.push_back(s.imag() > 0);
    return marks;
  });
  CHECK(schur.Z.cols() == (found.values.imag().array() > 0).count());
  CHECK(departure_from_orthonormal(schur.Z) < rounding);
  CHECK((A * schur.Z - schur.Z * schur.T).norm() < rounding);
  CHECK(schur.T.diagonal().imag().minCoeff() > 0);
}

TEST_CASE("lapack: singular value decompositions of all shapes, real and complex") {
  Random random(4);
  for (const auto& shape : {std::pair{5, 3}, {3, 5}, {1, 4}, {4, 4}, {0, 3}}) {
    const int rows = shape.first, columns = shape.second;
    CAPTURE(rows);
    CAPTURE(columns);
    const auto check = [](const auto& A, const auto& svd) {
      const Eigen::Index k = std::min(A.rows(), A.cols());
      REQUIRE(svd.values.size() == k);
      CHECK(std::is_sorted(svd.values.begin(), svd.values.end(), std::greater<>()));
      CHECK(departure_from_orthonormal(svd.U) < rounding);
      CHECK(departure_from_orthonormal(svd.V) < rounding);
      CHECK((svd.U.leftCols(k) * svd.values.asDiagonal() * svd.V.leftCols(k).adjoint() - A).norm() < rounding);
    };
    const MatrixXd A = drawn(random, rows, columns);
    check(A, decompose(A));
    CHECK((singular_values(A) - decompose(A).values).norm() < rounding);
    const MatrixXcd B = drawn_complex(random, rows, columns);
    check(B, decompose(B));
  }
}

// NaN eigenvalues of QZ were taken for a pair whose second column lies behind the last one.
TEST_CASE("lapack: what is not finite, before or after, is undecided") {
  MatrixXd bad = MatrixXd::Identity(3, 3);
  bad(2, 1) = std::numeric_limits<double>::quiet_NaN();
  const MatrixXd one = MatrixXd::Identity(3, 3);
  CHECK_THROWS_AS(solve_pencil(bad, one), Undecided);
  CHECK_THROWS_AS(solve_pencil(one, bad), Undecided);
  CHECK_THROWS_AS(solve_symmetric(bad), Undecided);
  CHECK_THROWS_AS(solve_symmetric(one, bad), Undecided);
  CHECK_THROWS_AS(symmetric_values(bad), Undecided);
  CHECK_THROWS_AS(solve_unsymmetric(bad), Undecided);
  CHECK_THROWS_AS(solve_unsymmetric(MatrixXcd(bad)), Undecided);
  CHECK_THROWS_AS(decompose(bad), Undecided);
  CHECK_THROWS_AS(decompose(MatrixXcd(bad)), Undecided);
  CHECK_THROWS_AS(singular_values(bad), Undecided);
  const auto all = [](const Eigen::VectorXcd& s) {
    return std::vector<bool>(static_cast<std::size_t>(s.size()), true);
  };
  CHECK_THROWS_AS(leading_schur(bad, all), Undecided);
  CHECK_THROWS_AS(leading_schur(MatrixXcd(bad), all), Undecided);
  const MatrixXd A{{0, 1}, {-1e-16, -1.7976931348623157e308}}, E{{1, 0}, {0, 0.5}};  // α/β overflows within QZ
  try {
    const PencilEigen found = solve_pencil(A, E);
    CHECK(found.alpha.allFinite());
    CHECK(found.right.allFinite());
  } catch (const Undecided&) {
  }
}

TEST_CASE("lapack: matrices without rows have empty solutions") {
  const MatrixXd none(0, 0);
  CHECK(solve_pencil(none, none).size() == 0);
  CHECK(solve_symmetric(none).values.size() == 0);
  CHECK(solve_unsymmetric(none).values.size() == 0);
  CHECK(solve_unsymmetric(MatrixXcd(0, 0)).values.size() == 0);
  CHECK(symmetric_values(none).size() == 0);
}
