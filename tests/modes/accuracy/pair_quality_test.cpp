// Backward errors, condition numbers and magnitudes of many pairs at once.

#include "modes/accuracy/pair_quality.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <vector>

#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

constexpr double rounding = 1e-13;

Summed summed(const MatrixXd& A) { return {A, A.cwiseAbs()}; }

struct Damped {
  Quadratic P;
  QuadraticSpectrum spectrum;

  explicit Damped(const MatrixXd& K) {
    const MatrixXd unit = MatrixXd::Identity(K.rows(), K.rows());
    P = {summed(unit), summed(0.1 * unit + 0.05 * K), summed(K)};
    spectrum = solve_quadratic(condense(P));
  }
  std::vector<const Eigenpair*> pairs() const {
    std::vector<const Eigenpair*> all;
    for (const Eigenpair& pair : spectrum.pairs) all.push_back(&pair);
    return all;
  }
  std::vector<Complex> values() const {
    std::vector<Complex> s;
    for (const Eigenpair& pair : spectrum.pairs) s.push_back(pair.s);
    return s;
  }
};

MatrixXd some_stiffness() {
  Random random(1);
  MatrixXd A = MatrixXd::NullaryExpr(5, 5, [&](auto, auto) { return random.between(-0.3, 0.3); });
  return A + Eigen::VectorXd::LinSpaced(5, 1, 9).asDiagonal().toDenseMatrix();
}

}  // namespace

TEST_CASE("pair quality: computed pairs have the backward error of rounding; a wrong s has one in proportion") {
  const Damped damped(some_stiffness());
  const ScaledQuadratic P = scaled(damped.P);
  for (const PairQuality& quality : qualities(P, damped.pairs(), damped.values())) {
    CHECK(quality.backward_error < rounding);
    CHECK(quality.condition >= 0.5);
    CHECK(quality.condition < 100);
  }
  std::vector<Complex> wrong = damped.values();
  for (Complex& s : wrong) s *= 1 + 1e-6;
  for (const PairQuality& quality : qualities(P, damped.pairs(), wrong)) {
    CHECK(quality.backward_error > 1e-8);
    CHECK(quality.backward_error < 2e-6);
  }
}

TEST_CASE("pair quality: a change of the matrices changes s by no more than the condition number says") {
  const Damped damped(some_stiffness());
  const ScaledQuadratic P = scaled(damped.P);
  const std::vector<PairQuality> quality = qualities(P, damped.pairs(), damped.values());
  constexpr double change = 1e-7;
  for (std::size_t i = 0; i < quality.size(); ++i) {
    CAPTURE(i);
    // The worst change of K̂ to first order: along ŷ x̂ᴴ, where hats are of the scaled problem.
    const Eigenpair& pair = damped.spectrum.pairs[i];
    const VectorXcd x = pair.x.cwiseQuotient(P.d), y = pair.y.cwiseQuotient(P.d);
    const Complex s = pair.s / P.gamma, derivative = y.dot(2.0 * s * (P.M * x) + P.C * x);
    const double moved = change * P.K_norm * x.norm() * y.norm() / std::abs(derivative);
    CHECK(moved / std::abs(s) <= quality[i].condition * change * (1 + rounding));
    CHECK(moved / std::abs(s) >= 0.05 * quality[i].condition * change);
  }
}

TEST_CASE("pair quality: an oscillator has the condition 1, zero and a defective value none") {
  const MatrixXd one{{1}};
  const ScaledQuadratic P = scaled({summed(one), summed(0 * one), summed(4 * one)});
  const Eigenpair pair{{0, 2}, VectorXcd::Ones(1), VectorXcd::Ones(1)};
  CHECK(qualities(P, {&pair}, {pair.s})[0].condition == doctest::Approx(1));
  CHECK(std::isinf(qualities(P, {&pair}, {0})[0].condition));
  const ScaledQuadratic critical = scaled({summed(one), summed(4 * one), summed(4 * one)});
  CHECK(std::isinf(qualities(critical, {&pair}, {-2})[0].condition));
}

TEST_CASE("pair quality: vectors that solve cause no errors in s, disturbed ones some") {
  const Damped damped(some_stiffness());
  const ScaledQuadratic P = scaled(damped.P);
  CHECK(errors_of_vectors(P, damped.pairs(), damped.values()).maxCoeff() < rounding);
  std::vector<Eigenpair> disturbed = damped.spectrum.pairs;
  std::vector<const Eigenpair*> pairs;
  for (Eigenpair& pair : disturbed) {
    pair.x += 1e-4 * VectorXcd::Ones(5);
    pair.y -= 1e-4 * VectorXcd::Ones(5);
    pairs.push_back(&pair);
  }
  const Eigen::VectorXd errors = errors_of_vectors(P, pairs, damped.values());
  CHECK(errors.minCoeff() > 1e-12);
  CHECK(errors.maxCoeff() < 1e-4);
}

TEST_CASE("pair quality: magnitudes are sums of absolute values") {
  const Damped damped(some_stiffness());
  const std::vector<ModalCoefficients> magnitudes = modal_coefficient_magnitudes(damped.P, damped.pairs());
  REQUIRE(magnitudes.size() == 10);
  for (std::size_t i = 0; i < magnitudes.size(); ++i) {
    const Eigen::VectorXd x = damped.spectrum.pairs[i].x.cwiseAbs(), y = damped.spectrum.pairs[i].y.cwiseAbs();
    CHECK(magnitudes[i].m_magnitude == doctest::Approx(y.dot(damped.P.M.magnitude * x)));
    CHECK(magnitudes[i].c_magnitude == doctest::Approx(y.dot(damped.P.C.magnitude * x)));
    CHECK(magnitudes[i].k_magnitude == doctest::Approx(y.dot(damped.P.K.magnitude * x)));
  }
}
