// Roots of the quadratic of modal coefficients, and the bounds of their errors.

#include "modes/problem/rayleigh_quotient.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

#include "modes/tolerances.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

/// m (s − a)(s − b), with terms as large as their sums.
ModalCoefficients with_roots(Complex m, Complex a, Complex b) {
  const Complex c = -m * (a + b), k = m * a * b;
  return {m, c, k, std::abs(m), std::abs(c), std::abs(k)};
}

}  // namespace

TEST_CASE("Rayleigh quotient: value, derivative and magnitude of the quadratic") {
  const ModalCoefficients at = with_roots(2, {-1, 3}, {-1, -3});  // 2s² + 4s + 20
  CHECK(std::abs(at.value({-1, 3})) < 1e-14);
  CHECK(std::abs(at.value(2) - 36.0) < 1e-14);
  CHECK(std::abs(at.derivative(2) - 12.0) < 1e-14);
  CHECK(at.magnitude({0, 2}) == doctest::Approx(8 + 8 + 20));
}

TEST_CASE("Rayleigh quotient: from nearby the root is found to rounding, and the bounds tell how near it was") {
  Random random(1);
  for (int draw = 0; draw < 100; ++draw) {
    CAPTURE(draw);
    const double real = -random.between(0.01, 2), imag = random.between(1, 5);
    const Complex root(real, imag), away = std::polar(random.scaled(1e-10, 1e-2), random.between(0, 6));
    const ModalCoefficients at = with_roots(std::polar(random.scaled(0.1, 10), 1.0), root, std::conj(root));
    const RayleighValue found = rayleigh_value(at, root + away);
    CHECK(std::abs(found.s - root) <= found.rounding);
    CHECK(found.rounding < 1e-13);
    CHECK(std::abs(found.change - std::abs(away)) <= found.rounding + 1e-15);
  }
}

TEST_CASE("Rayleigh quotient: coefficients that are sums of larger terms have a larger rounding") {
  ModalCoefficients at = with_roots(1, {0, 1}, {0, -1});
  const double exact_terms = rayleigh_value(at, {0, 1}).rounding;
  at.k_magnitude = 1e6;
  const double with_cancellation = rayleigh_value(at, {0, 1}).rounding;
  CHECK(with_cancellation > 1e5 * exact_terms);
  CHECK(with_cancellation == doctest::Approx(tolerance::rounding_of_sums * 1e6 / 2).epsilon(1e-3).scale(0));
}

TEST_CASE("Rayleigh quotient: a double root keeps the value that is near it, with a bound of the root of rounding") {
  const ModalCoefficients at = with_roots(1, -3, -3);
  const Complex near(-3 + 1e-9, 0);
  const RayleighValue found = rayleigh_value(at, near);
  CHECK(std::abs(found.s + 3.0) <= found.rounding);
  CHECK(found.rounding < 1e-6);
  CHECK(found.rounding > 1e-9);
}

TEST_CASE("root displacement: u/d for a simple root, √(u/m) for a double one, exact where both roots meet") {
  CHECK(root_displacement(0, 0, 1) == 0);
  CHECK(root_displacement(1e-10, 2, 3) / 0.5e-10 == doctest::Approx(1).epsilon(1e-8));
  CHECK(root_displacement(1e-10, 0, 4) / 0.5e-5 == doctest::Approx(1).epsilon(1e-12));
  // δ² − 5δ + 4 = 0 has the roots 1 and 4
  CHECK(root_displacement(4, 5, 1) == doctest::Approx(1).epsilon(1e-14));
  // δ² − 4δ + 4 = 0 has the double root 2
  CHECK(root_displacement(4, 4, 1) == doctest::Approx(2).epsilon(1e-14));
  CHECK(root_displacement(16, 4, 1) == doctest::Approx(4).epsilon(1e-14));  // complex roots of this magnitude
}
