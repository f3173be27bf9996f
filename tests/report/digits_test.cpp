#include "report/digits.h"

#include <doctest/doctest.h>

#include <limits>

using namespace stillpoint;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("digits: a number ends where its error bound begins") {
  CHECK(rounded(1.23456789012, 1.2, 4e-8) == "1.2345679");
  CHECK(rounded(1.23456789012, 1.2, 1e-7) == "1.2345679");
  CHECK(rounded(123.456789012, 123.0, 1e-6) == "123.456789");
  CHECK(rounded(0.00123456789, 0.0012, 1e-9) == "0.001234568");
}

TEST_CASE("digits: at least the five of published tables, at most ten, and five if the error is not known") {
  CHECK(rounded(2.147654321, 2.1, 0.1) == "2.1477");
  CHECK(rounded(1.23456789012345, 1.2, 1e-16) == "1.234567890");
  CHECK(rounded(1.23456789012345, 1.2, 0) == "1.234567890");
  CHECK(rounded(1.23456789012345, 1.2, unknown) == "1.2346");
  CHECK(rounded(45.6789, 45.0, unknown) == "45.679");
}

TEST_CASE("digits: of what is smaller than its error bound only the magnitude is printed") {
  CHECK(rounded(3.4e-9, 3.4e-9, 1e-8) == "3e-09");
}

TEST_CASE("digits: very large and very small numbers are in powers of ten") {
  CHECK(rounded(1.62345678e14, 1.6e14, 1e10) == "1.6235e+14");
  CHECK(rounded(-2.5e-5, 2.5e-5, 1e-12) == "-2.5000000e-05");
  CHECK(rounded(infinity, infinity, unknown) == "∞");
  CHECK(rounded(-infinity, infinity, unknown) == "-∞");
  CHECK(rounded(unknown, 1, 1) == "-");
}

TEST_CASE("digits: nothing is minus zero") {
  CHECK(rounded(-0.0, 1, 1e-9) == "0");
  CHECK(rounded(-1e-15, 1.5, 1e-9) == "0.000000000");
}

TEST_CASE("digits: both parts of an eigenvalue have the decimals that its magnitude allows") {
  const EigenvalueText text = eigenvalue_text({-0.2424123456, 2.1339876543}, 1e-7);
  CHECK(text.real == "-0.2424123");
  CHECK(text.imaginary == "2.1339877");
}

TEST_CASE("digits: a small part that is known keeps its own digits, as a verdict may rest on it") {
  const EigenvalueText drifting = eigenvalue_text({-1.77123e-7, 52.3456789012}, 6e-12);
  CHECK(drifting.real == "-1.7712e-07");
  CHECK(drifting.imaginary == "52.34567890");
  CHECK(eigenvalue_text({3.2e-10, 1}, 1e-10).real == "3e-10");
  CHECK(eigenvalue_text({3.2e-10, 1}, 1e-9).real == "0.000000000");  // not known
  CHECK(eigenvalue_text({-2.4e-4, 1.5}, 1e-9).real == "-0.000240000");
  CHECK(eigenvalue_in_line({-1.77123e-7, 52.3456789012}, 6e-12, true) == "-1.7712e-07 ± 52.34567890i");
}

TEST_CASE("digits: pairs, real roots and single members in a line") {
  CHECK(eigenvalue_in_line({0, 2.14771234}, 1e-5, true) == "±2.14771i");
  CHECK(eigenvalue_in_line({-0.2424123, 2.1340}, 1e-5, true) == "-0.24241 ± 2.13400i");
  CHECK(eigenvalue_in_line({-3, 0}, 1e-5, false) == "-3.00000");
  CHECK(eigenvalue_in_line({-3, 1}, 1e-4, false) == "-3.0000 + 1.0000i");
  CHECK(eigenvalue_in_line({-3, -1}, 1e-4, false) == "-3.0000 - 1.0000i");
  CHECK(eigenvalue_in_line({0, -1}, 1e-4, false) == "-1.0000i");
  CHECK(eigenvalue_in_line({0, 0}, 1e-4, false) == "0");
  CHECK(eigenvalue_in_line({infinity, 0}, unknown, false) == "∞");
  CHECK(eigenvalue_in_line({unknown, unknown}, unknown, true) == "-");
}

TEST_CASE("digits: magnitudes and durations are short") {
  CHECK(magnitude(3.14159e-16) == "3.1e-16");
  CHECK(magnitude(0) == "0");
  CHECK(magnitude(unknown) == "-");
  CHECK(duration(12.345) == "12.3 s");
  CHECK(duration(0.012345) == "12.3 ms");
  CHECK(duration(1.2345e-5) == "12.3 µs");
  CHECK(duration(unknown) == "-");
}

TEST_CASE("digits: columns line up in characters, not in bytes") {
  CHECK(left("±1", 4) == "±1  ");
  CHECK(right("−1", 4) == "  −1");
  CHECK(right("too long", 3) == "too long");
}
