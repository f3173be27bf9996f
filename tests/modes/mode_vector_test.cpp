// Vectors of modes: they read as complex columns, whatever is kept of them.

#include "stillpoint/mode_vector.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::VectorXcd;

TEST_CASE("mode vector: multiples and conjugates of real and complex vectors are exact") {
  const Complex c(0.25, -2);
  for (const double imaginary : {0.0, 0.5}) {
    CAPTURE(imaginary);
    VectorXcd x(3);
    x << Complex(1, imaginary), Complex(-2, 3 * imaginary), Complex(0, 0);
    ModeVector kept = x;
    CHECK(kept.size() == 3);
    CHECK(kept == x);
    kept *= c;
    CHECK(kept == c * x);
    CHECK(kept.conjugate() == std::conj(c) * x.conjugate());
    CHECK(kept.conjugate().conjugate() == c * x);
    CHECK(kept.dot(x) == (c * x).eval().dot(x));
    CHECK(VectorXcd(kept / Complex(2)) == 0.5 * c * x);
  }
}

TEST_CASE("mode vector: of two vectors it is known whether one is kept as the conjugate of the other") {
  const VectorXcd x{{Complex(1, 2), Complex(3, -1)}};
  const ModeVector kept = x, same = x;
  CHECK(kept.conjugate().is_kept_as_conjugate_of(kept));
  CHECK(kept.is_kept_as_conjugate_of(kept.conjugate()));
  CHECK_FALSE(kept.is_kept_as_conjugate_of(kept));
  CHECK_FALSE(same.conjugate().is_kept_as_conjugate_of(kept));  // equal, but kept twice
  ModeVector longer = kept.conjugate();
  longer *= Complex(2);
  CHECK_FALSE(longer.is_kept_as_conjugate_of(kept));
  CHECK_FALSE(ModeVector().is_kept_as_conjugate_of(ModeVector()));
  const ModeVector real = VectorXcd(x.real().cast<Complex>());
  CHECK(real.is_kept_as_conjugate_of(real));
}

TEST_CASE("mode vector: an empty one has no entries, and a copy outlives the original") {
  CHECK(ModeVector().size() == 0);
  ModeVector copy;
  {
    const ModeVector kept = VectorXcd(VectorXcd::Constant(2, Complex(0, 1)));
    copy = kept;
  }
  CHECK(copy[1] == Complex(0, 1));
}
