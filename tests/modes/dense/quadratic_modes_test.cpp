// All eigenvalues of small dense problems: closed forms, the method that finds them, and both vectors.

#include "modes/dense/quadratic_modes.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

// QZ and symmetric solvers are backward stable; the matrices have order ten and condition numbers up to a hundred.
constexpr double rounding = 1e-12;

constexpr Eigen::Index n = 6;

Summed summed(const MatrixXd& A) { return {A, A.cwiseAbs()}; }

Quadratic quadratic(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K) {
  return {summed(M), summed(C), summed(K)};
}

QuadraticSpectrum spectrum_of(const Quadratic& P) {
  const Condensed condensed = condense(P);
  return solve_quadratic(condensed, find_zero_roots(condensed));
}

MatrixXd chain(bool is_free = false) {
  MatrixXd K = 2 * MatrixXd::Identity(n, n);
  K.diagonal(1).setConstant(-1);
  K.diagonal(-1).setConstant(-1);
  if (is_free) K(0, 0) = K(n - 1, n - 1) = 1;
  return K;
}

const MatrixXd unit = MatrixXd::Identity(n, n), none = MatrixXd::Zero(n, n);

void check_pairs(const Quadratic& P, const std::vector<Eigenpair>& pairs) {
  for (const auto& pair : pairs) {
    CAPTURE(pair.s.real());
    CAPTURE(pair.s.imag());
    const MatrixXcd at = pair.s * pair.s * P.M.value + pair.s * P.C.value + P.K.value;
    const double size = std::norm(pair.s) * P.M.value.norm() + std::abs(pair.s) * P.C.value.norm() + P.K.value.norm();
    CHECK((at * pair.x).norm() < rounding * size * pair.x.norm());
    CHECK((at.adjoint() * pair.y).norm() < rounding * size * pair.y.norm());
  }
}

/// The distance of the nearest eigenvalue.
double distance(Complex s, const std::vector<Eigenpair>& pairs) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Eigenpair& pair : pairs) nearest = std::min(nearest, std::abs(pair.s - s));
  return nearest;
}

double chain_frequency(Eigen::Index j) { return 2 * std::sin(static_cast<double>(j) * std::numbers::pi / (2 * n + 2)); }

}  // namespace

TEST_CASE("quadratic modes: an undamped chain has exactly imaginary eigenvalues, by the symmetric solver") {
  const Quadratic P = quadratic(unit, none, chain());
  const QuadraticSpectrum found = spectrum_of(P);
  CHECK(found.solver == "dense generalized symmetric");
  REQUIRE(found.pairs.size() == 2 * n);
  for (Eigen::Index j = 1; j <= n; ++j) {
    CHECK(distance({0, chain_frequency(j)}, found.pairs) < rounding);
    CHECK(distance({0, -chain_frequency(j)}, found.pairs) < rounding);
  }
  for (const Eigenpair& pair : found.pairs) {
    CHECK(pair.s.real() == 0);
    CHECK(pair.x == pair.y);
  }
  check_pairs(P, found.pairs);
}

TEST_CASE("quadratic modes: proportional damping, by QZ") {
  constexpr double a = 0.02, b = 0.05;
  const Quadratic P = quadratic(unit, a * unit + b * chain(), chain());
  const QuadraticSpectrum found = spectrum_of(P);
  CHECK(found.solver == "dense QZ");
  REQUIRE(found.pairs.size() == 2 * n);
  for (Eigen::Index j = 1; j <= n; ++j) {
    const double omega = chain_frequency(j), half = 0.5 * (a + b * omega * omega);
    CHECK(distance({-half, std::sqrt(omega * omega - half * half)}, found.pairs) < rounding);
  }
  check_pairs(P, found.pairs);
}

TEST_CASE("quadratic modes: circulatory forces and indefinite masses need QZ of K and M") {
  const MatrixXd K{{1, 0.5}, {-0.5, 1}}, two = MatrixXd::Identity(2, 2);  // s² = −1 ± i/2: flutter
  const QuadraticSpectrum flutter = spectrum_of(quadratic(two, 0 * two, K));
  CHECK(flutter.solver == "dense QZ of K and M");
  REQUIRE(flutter.pairs.size() == 4);
  for (const double sign : {1, -1}) {
    CHECK(distance(std::sqrt(Complex(-1, 0.5 * sign)), flutter.pairs) < rounding);
    CHECK(distance(-std::sqrt(Complex(-1, 0.5 * sign)), flutter.pairs) < rounding);
  }
  check_pairs(quadratic(two, 0 * two, K), flutter.pairs);
  const QuadraticSpectrum indefinite = spectrum_of(quadratic(VectorXd{{1, -1}}.asDiagonal(), 0 * two, two));
  CHECK(indefinite.solver == "dense QZ of K and M");
  for (const Complex s : {Complex(0, 1), Complex(0, -1), Complex(1, 0), Complex(-1, 0)})
    CHECK(distance(s, indefinite.pairs) < rounding);
}

TEST_CASE("quadratic modes: with massless directions there are as many as the degree says, with vectors of all") {
  Random random(1);
  for (int draw = 0; draw < 10; ++draw) {
    CAPTURE(draw);
    MatrixXd A = MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return random.between(-1, 1); });
    const MatrixXd K = chain() + 0.2 * A;  // circulatory
    MatrixXd M = unit, C = none;
    M(2, 2) = M(4, 4) = 0;
    C(2, 2) = 0.7;
    C(0, 0) = 0.3;
    const Quadratic P = quadratic(M, C, K);
    const QuadraticSpectrum found = spectrum_of(P);
    CHECK(found.pairs.size() == 2 * 4 + 1);
    check_pairs(P, found.pairs);
  }
}

TEST_CASE("quadratic modes: zeros by structure are exactly zero, as often as the ranks say") {
  for (const double damping : {0.0, 0.3}) {
    MatrixXd C = none;
    C(0, 0) = C(1, 1) = damping;
    C(0, 1) = C(1, 0) = -damping;  // between the first two: the free motion is not damped
    const QuadraticSpectrum found = spectrum_of(quadratic(unit, C, chain(true)));
    int zeros = 0;
    for (const Eigenpair& pair : found.pairs) {
      CHECK(pair.at_zero == (pair.s == 0.0));
      if (!pair.at_zero) continue;
      ++zeros;
      CHECK(pair.found < 1e-6);  // the root of rounding
      CHECK((chain(true) * pair.x).norm() < rounding * pair.x.norm());
    }
    CHECK(zeros == 2);
    CHECK(found.pairs.size() == 2 * n);
  }
}

TEST_CASE("quadratic modes: where nothing can move there is nothing") {
  const MatrixXd empty(0, 0);
  const QuadraticSpectrum found = spectrum_of(quadratic(empty, empty, empty));
  CHECK(found.pairs.empty());
  CHECK(found.solver == "none: nothing can move");
}

TEST_CASE("pairing: vectors of coinciding eigenvalues become biorthogonal in P'(s)") {
  const Quadratic P = quadratic(unit, none, 4 * unit);
  const Complex s(0, 2);
  std::vector<Eigenpair> pairs;
  Random random(2);
  for (int k = 0; k < 3; ++k) {
    const VectorXd x = random.vector(n, -1, 1), y = random.vector(n, -1, 1);
    pairs.push_back({s, x.cast<Complex>(), y.cast<Complex>()});
  }
  pairs.push_back({{0, 3}, VectorXcd::Unit(n, 0), VectorXcd::Unit(n, 0)});  // stays by itself
  pair_up(P, pairs);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Complex product = pairs[i].y.dot(2.0 * s * pairs[j].x);
      CHECK(std::abs(product - (i == j ? 1.0 : 0.0)) < rounding);
    }
  }
  CHECK(pairs[3].y == VectorXcd::Unit(n, 0));
}

TEST_CASE("pairing: vectors of a defective eigenvalue are left as they are") {
  const MatrixXd two = MatrixXd::Identity(2, 2);
  const VectorXcd x = VectorXcd::Unit(2, 0), nearly = VectorXcd{{1, 1e-6}}, y = VectorXcd::Unit(2, 1);
  std::vector<Eigenpair> pairs{{{0, 1}, x, y}, {{0, 1}, nearly, y}};
  pair_up(quadratic(two, 0 * two, MatrixXd{{1, 1}, {0, 1}}), pairs);
  CHECK(pairs[0].x == x);
  CHECK(pairs[1].x == nearly);
  CHECK(pairs[1].y == y);
}

TEST_CASE("pairing: the conjugate of the pair before is marked, and left out on request") {
  const Quadratic P = quadratic(unit, none, chain());
  std::vector<Eigenpair> pairs = spectrum_of(P).pairs;
  REQUIRE(pairs.size() == 2 * n);
  pairs[3].s *= 1 + 1e-15;  // no exact conjugate any more
  pair_up(P, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) CHECK(pairs[i].is_conjugate_copy == (i % 2 == 1 && i != 3));
  CHECK(without_conjugate_copies(pairs).size() == n + 1);
}
