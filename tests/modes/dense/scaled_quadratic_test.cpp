// Scaling of a dense quadratic problem by powers of two.

#include "modes/dense/scaled_quadratic.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>

#include "support/dense_reference.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

bool is_power_of_two(double x) { return std::exp2(std::round(std::log2(x))) == x; }

Summed summed(const MatrixXd& A) { return {A, A.cwiseAbs()}; }

/// Masses and springs in units of their own, at about 1000 rad/s.
Quadratic in_mixed_units(Random& random) {
  constexpr Eigen::Index n = 6;
  VectorXd units(n);
  for (double& unit : units) unit = random.scaled(1e-4, 1e4);
  const auto drawn = [&](double size) -> MatrixXd {
    const MatrixXd A = MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return random.between(-0.1, 0.1); });
    return size * units.asDiagonal() * (MatrixXd::Identity(n, n) + A + A.transpose()) * units.asDiagonal();
  };
  const MatrixXd M = drawn(1), C = drawn(10);
  return {summed(M), summed(C), summed(drawn(1e6))};
}

}  // namespace

TEST_CASE("scaled quadratic: powers of two, so that no entry is rounded, and none is large") {
  Random random(1);
  for (int draw = 0; draw < 10; ++draw) {
    const Quadratic P = in_mixed_units(random);
    const ScaledQuadratic scaled_P = scaled(P);
    CHECK(is_power_of_two(scaled_P.gamma));
    CHECK(scaled_P.gamma == doctest::Approx(1000).epsilon(0.5));
    for (const double d : scaled_P.d) CHECK(is_power_of_two(d));
    const auto in_scale = [&](const MatrixXd& A, double factor) -> MatrixXd {
      return factor * (scaled_P.d.asDiagonal() * A * scaled_P.d.asDiagonal());
    };
    CHECK(scaled_P.M == in_scale(P.M.value, scaled_P.gamma * scaled_P.gamma));
    CHECK(scaled_P.C == in_scale(P.C.value, scaled_P.gamma));
    CHECK(scaled_P.K == in_scale(P.K.value, 1));
    const MatrixXd sum = scaled_P.M.cwiseAbs() + scaled_P.C.cwiseAbs() + scaled_P.K.cwiseAbs();
    CHECK(sum.rowwise().maxCoeff().minCoeff() > 0.2);
    CHECK(sum.maxCoeff() < 2);
  }
}

TEST_CASE("scaled quadratic: the norm bounds that of the scaled matrix, and is reached where one term rules") {
  Random random(2);
  const ScaledQuadratic P = scaled(in_mixed_units(random));
  for (const std::complex<double> s : {std::complex<double>(0, 1000), {-300, 200}, {1e-3, 0}}) {
    const std::complex<double> value = s / P.gamma;
    const Eigen::MatrixXcd at = value * value * P.M + value * P.C + P.K;
    CHECK(at.norm() <= P.norm(s) * (1 + 1e-14));
  }
  CHECK(P.norm(0) == doctest::Approx(P.K.norm()).epsilon(1e-14));
  CHECK(P.norm(1e9) == doctest::Approx(1e18 / (P.gamma * P.gamma) * P.M.norm()).epsilon(1e-4));
}
