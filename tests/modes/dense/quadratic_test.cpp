// Dense quadratic problems: ranks, the number of eigenvalues, condensation, and zeros.

#include "modes/dense/quadratic.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>

#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double rounding = 1e-12;  // projections of order ten

Summed summed(const MatrixXd& A) { return {A, A.cwiseAbs()}; }

Quadratic quadratic(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K) {
  return {summed(M), summed(C), summed(K)};
}

MatrixXd drawn(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

MatrixXd at(const Quadratic& P, double s) { return s * s * P.M.value + s * P.C.value + P.K.value; }

/// Whether det P(s) is the same function of s but for a constant factor.
bool have_same_roots(const Quadratic& P, const Quadratic& Q) {
  const auto ratio = [&](double s) {
    return at(P, s).partialPivLu().determinant() / at(Q, s).partialPivLu().determinant();
  };
  const double first = ratio(0.7);
  for (const double s : {-2.3, 0.1, 3.1, 11.0}) {
    if (!(std::abs(ratio(s) / first - 1) < 1e-9)) return false;
  }
  return true;
}

/// Two coordinates with mass, one with a damper only, one with neither, in a basis of their own; springs everywhere.
Quadratic with_massless(Random& random, bool is_symmetric) {
  const MatrixXd B = drawn(random, 4, 4) + 2 * MatrixXd::Identity(4, 4);
  MatrixXd L = B;
  if (!is_symmetric) L += 0.5 * drawn(random, 4, 4);
  const MatrixXd M = L.transpose() * VectorXd{{2, 1, 0, 0}}.asDiagonal() * B;
  MatrixXd damping = MatrixXd::Zero(4, 4);
  damping.topLeftCorner(3, 3) << 0.3, 0.1, -0.2, 0.1, 0.2, 0.1, -0.2, 0.1, 0.9;
  MatrixXd springs = drawn(random, 4, 4);
  springs = (springs * springs.transpose()).eval() + MatrixXd::Identity(4, 4);
  if (!is_symmetric) springs += 0.3 * drawn(random, 4, 4);
  const MatrixXd magnitude = MatrixXd::Constant(4, 4, 10);  // of the terms of all sums
  return {{M, magnitude}, {L.transpose() * damping * B, magnitude}, {L.transpose() * springs * B, magnitude}};
}

}  // namespace

TEST_CASE("quadratic: with a regular mass there are two eigenvalues for each direction, and nothing is condensed") {
  const MatrixXd K = MatrixXd::Identity(3, 3);
  const Condensed condensed = condense(quadratic(K, 0.1 * K, K));
  CHECK(condensed.eigenvalues() == 6);
  CHECK(condensed.inertial == 3);
  CHECK(condensed.massless == 0);
  CHECK(condensed.X == K);
  CHECK(condensed.Y == K);
  CHECK(condensed.is_symmetric);
  CHECK(!condensed.is_undamped);
  CHECK(condensed.uncertainties.empty());
  CHECK(condense(quadratic(K, 0 * K, K)).is_undamped);
}

TEST_CASE("quadratic: the degree is 2 rank M + the rank of the damping of massless directions; others are condensed") {
  Random random(2);
  for (int draw = 0; draw < 20; ++draw) {
    for (const bool is_symmetric : {true, false}) {
      CAPTURE(draw);
      CAPTURE(is_symmetric);
      const Quadratic P = with_massless(random, is_symmetric);
      const Condensed condensed = condense(P);
      CHECK(condensed.uncertainties.empty());
      CHECK(condensed.inertial == 2);
      CHECK(condensed.massless == 2);
      CHECK(condensed.P.order() == 3);
      CHECK(condensed.eigenvalues() == 5);
      CHECK(condensed.is_symmetric == is_symmetric);
      CHECK(have_same_roots(P, condensed.P));
      // Motions of the condensed problem leave no force in the direction that follows statically.
      const VectorXd z = random.vector(3, -1, 1), force = at(P, 0.8) * (condensed.X * z);
      CHECK((condensed.Y.transpose() * force - at(condensed.P, 0.8) * z).norm() < rounding * 100);
      CHECK(condensed.P.M.value.bottomRows(1).isZero(0));
    }
  }
}

TEST_CASE("quadratic: known numbers of massless directions replace the ranks") {
  Random random(3);
  const Quadratic P = with_massless(random, true);
  const Condensed condensed = condense(P, Massless{.all = 2, .damped = 1});
  CHECK(condensed.eigenvalues() == 5);
  CHECK(have_same_roots(P, condensed.P));
}

TEST_CASE("quadratic: a direction without mass, damping and stiffness is named") {
  const Condensed condensed =
      condense(quadratic(VectorXd{{1, 0, 0}}.asDiagonal(), MatrixXd::Zero(3, 3), VectorXd{{1, 0, 2}}.asDiagonal()));
  REQUIRE(condensed.undetermined.cols() == 1);
  CHECK(condensed.undetermined.col(0).cwiseAbs().normalized() == VectorXd{{0, 1, 0}});
}

TEST_CASE("quadratic: a mass between zero and rounding leaves the rank uncertain") {
  Quadratic P = quadratic(VectorXd{{1, 1e-12}}.asDiagonal(), MatrixXd::Zero(2, 2), MatrixXd::Identity(2, 2));
  CHECK(condense(P).uncertainties.empty());  // an exact entry, small as it is
  P.M.magnitude(1, 1) = 1;                   // a sum of terms of size one
  const Condensed condensed = condense(P);
  REQUIRE(condensed.uncertainties.size() == 1);
  CHECK(contains(condensed.uncertainties[0], "the rank of the reduced mass matrix is uncertain"));
}

TEST_CASE("quadratic: damping that couples massless directions without resisting them is left out, and said so") {
  const Condensed condensed =
      condense(quadratic(VectorXd{{1, 0}}.asDiagonal(), MatrixXd{{0, 1}, {1, 0}}, MatrixXd::Identity(2, 2)));
  REQUIRE(condensed.uncertainties.size() == 1);
  CHECK(contains(condensed.uncertainties[0], "damping couples massless directions"));
}

TEST_CASE("null spaces: right and left null vectors, completed to bases") {
  Random random(4);
  const MatrixXd U = drawn(random, 6, 4), V = drawn(random, 6, 4);
  const NullSpaces found = null_spaces(summed(U * V.transpose()));
  CHECK(found.rank == 4);
  CHECK(found.uncertainty().empty());
  CHECK((U * V.transpose() * found.null_right.value).norm() < rounding);
  CHECK((V * U.transpose() * found.null_left.value).norm() < rounding);
  MatrixXd basis(6, 6);
  basis << found.null_right.value, found.rest_right.value;
  CHECK(dense::rank(basis) == 6);
  basis << found.null_left.value, found.rest_left.value;
  CHECK(dense::rank(basis) == 6);
  CHECK((found.null_right.magnitude - found.null_right.value.cwiseAbs()).minCoeff() >= 0);
}

TEST_CASE("null spaces: coordinates without entries are null vectors exactly, and units do not matter") {
  MatrixXd A = MatrixXd::Zero(4, 4);
  A(1, 1) = 1e-9;
  A(3, 3) = 1e9;
  const NullSpaces found = null_spaces(summed(A));
  CHECK(found.rank == 2);
  CHECK(found.uncertainty().empty());
  CHECK(found.null_right.value.cwiseAbs().rowwise().sum() == VectorXd{{1, 0, 1, 0}});
  CHECK(found.null_right.magnitude == found.null_right.value);
}

TEST_CASE("null spaces: a given rank is taken") {
  const NullSpaces found = null_spaces(summed(VectorXd{{1, 2, 3}}.asDiagonal()), 2);
  CHECK(found.rank == 2);
  CHECK(found.null_right.value.cols() == 1);
  CHECK(std::isinf(found.gap));
}

TEST_CASE("quadratic: symmetric and zero are so up to the rounding of the terms") {
  Summed A = summed(MatrixXd{{1, 2}, {2, 1}});
  CHECK(is_symmetric(A));
  A.value(0, 1) += 1e-11;
  CHECK(!is_symmetric(A));
  A.magnitude(0, 1) = 1000;
  CHECK(is_symmetric(A));
  CHECK(is_zero({MatrixXd{{1e-15}}, MatrixXd{{1}}}));
  CHECK(!is_zero({MatrixXd{{1e-15}}, MatrixXd{{1e-3}}}));
}

TEST_CASE("zeros: two for a motion that nothing resists, one if it is damped, none if it is held") {
  const MatrixXd one = MatrixXd::Ones(1, 1), none = MatrixXd::Zero(1, 1);
  const auto zeros = [](const Quadratic& P) { return find_zero_roots(condense(P)); };
  CHECK(zeros(quadratic(one, none, none)).multiplicity == 2);
  CHECK(zeros(quadratic(one, one, none)).multiplicity == 1);
  CHECK(zeros(quadratic(none, one, none)).multiplicity == 1);
  CHECK(zeros(quadratic(one, one, one)).multiplicity == 0);
  MatrixXd K(3, 3);  // a free chain, of which one end is damped
  K << 1, -1, 0, -1, 2, -1, 0, -1, 1;
  const ZeroRoots free = zeros(quadratic(MatrixXd::Identity(3, 3), MatrixXd::Zero(3, 3), K));
  CHECK(free.multiplicity == 2);
  CHECK(free.uncertainty.empty());
  CHECK(free.of_K.null_right.value.normalized().cwiseAbs().isConstant(1 / std::sqrt(3), rounding));
  CHECK(zeros(quadratic(MatrixXd::Identity(3, 3), VectorXd{{1, 0, 0}}.asDiagonal(), K)).multiplicity == 1);
}

TEST_CASE("zeros: a stiffness between zero and rounding leaves their number uncertain") {
  Quadratic P = quadratic(MatrixXd::Identity(2, 2), MatrixXd::Zero(2, 2), VectorXd{{1, 1e-12}}.asDiagonal());
  CHECK(find_zero_roots(condense(P)).uncertainty.empty());
  P.K.magnitude(1, 1) = 1;
  CHECK(contains(find_zero_roots(condense(P)).uncertainty, "free or held by a very small stiffness"));
}
