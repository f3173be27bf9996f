// The blocks of controllers, compared with their transfer functions.

#include "stillpoint/controller.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <complex>

#include "support/error_texts.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

Complex response(const Controller& one, Complex s) {
  const Eigen::Index order = one.A.rows();
  if (order == 0) return one.D(0, 0);
  const Eigen::MatrixXcd resolvent = s * Eigen::MatrixXcd::Identity(order, order) - one.A;
  const Eigen::MatrixXcd B = one.B;
  return one.D(0, 0) + (one.C * resolvent.partialPivLu().solve(B))(0, 0);
}

const Complex points[] = {{0, 0.3}, {0, 4}, {1, 7}, {-0.5, 2}};

}  // namespace

TEST_CASE("controller: PID blocks have the transfer function of their gains") {
  for (const PidGains& gains : {PidGains{3, 0, 0, 0}, PidGains{3, 5, 0, 0}, PidGains{3, 0, 2, 0.1},
                                PidGains{0, 5, 0, 0}, PidGains{3, 5, 2, 0.1}}) {
    const Controller one = pid(gains);
    CHECK(one.A.rows() == (gains.ki != 0) + (gains.kd != 0));
    CHECK(one.state_names.size() == static_cast<std::size_t>(one.A.rows()));
    for (const Complex s : points) {
      const Complex expected = gains.kp + gains.ki / s + gains.kd * s / (1.0 + gains.filter_time * s);
      CHECK(std::abs(response(one, s) - expected) < 1e-14 * (1 + std::abs(expected)) * 100);
    }
  }
  CHECK(contains(error_of([] { pid({1, 0, 1, 0}); }), "a derivative of the error needs a filter: filter_time is 0"));
}

TEST_CASE("controller: transfer functions are realised, and improper ones refused") {
  const Controller one = transfer_function(Eigen::Vector4d(0, 2, 3, 4), Eigen::Vector3d(5, 6, 7));
  CHECK(one.A.rows() == 2);
  for (const Complex s : points) {
    const Complex expected = (2.0 * s * s + 3.0 * s + 4.0) / (5.0 * s * s + 6.0 * s + 7.0);
    CHECK(std::abs(response(one, s) - expected) < 1e-14 * 10);
  }
  CHECK(transfer_function(Eigen::VectorXd::Constant(1, 6), Eigen::VectorXd::Constant(1, 3)).D(0, 0) == 2);
  CHECK(contains(error_of([] { transfer_function(Eigen::Vector2d(1, 0), Eigen::VectorXd::Constant(1, 1)); }),
                 "improper: its numerator has degree 1 and its denominator only 0"));
  CHECK(
      contains(error_of([] { transfer_function(Eigen::Vector2d(1, 0), Eigen::Vector2d(0, 0)); }), "must not be zero"));
}

TEST_CASE("controller: a delay keeps the magnitude, and its phase to the accuracy that the header states") {
  const double T = 0.02;
  const double reach[] = {0.49, 1.52, 2.81, 4.24};
  for (int order = 1; order <= 20; ++order) {
    CAPTURE(order);
    const Controller one = pade_delay(T, order);
    CHECK(one.A.rows() == order);
    for (const double x : {0.1, 1.0, 10.0}) {
      CHECK(std::abs(std::abs(response(one, Complex(0, x / T))) - 1) < 1e-10);
    }
    if (order > 4) continue;
    const double x = reach[order - 1];
    CHECK(std::abs(std::arg(response(one, Complex(0, x / T)) * std::exp(Complex(0, x)))) < 1e-2);
    CHECK(std::abs(std::arg(response(one, Complex(0, 1.02 * x / T)) * std::exp(Complex(0, 1.02 * x)))) > 1e-2);
  }
  // At high order the approximation is exact to rounding where ωT is moderate.
  CHECK(std::abs(response(pade_delay(T, 8), Complex(0, 2 / T)) - std::exp(Complex(0, -2))) < 1e-12);
  CHECK(contains(error_of([] { pade_delay(0, 2); }), "a delay is 0 s; it must be a positive time"));
  CHECK(contains(error_of([] { pade_delay(1, 21); }), "is 21; it must be 1 to 20"));
}

TEST_CASE("controller: a delayed block is the block times the delay, in each of its signals") {
  const Controller one = with_delay(pid({3, 5, 2, 0.1}), 0.2, 3);
  CHECK(one.state_names.back() == "delay[3]");
  for (const Complex s : points) {
    const Complex expected = response(pid({3, 5, 2, 0.1}), s) * response(pade_delay(0.2, 3), s);
    CHECK(std::abs(response(one, s) - expected) < 1e-13 * (1 + std::abs(expected)) * 10);
  }
  const Controller two = with_delay(gain(Eigen::Matrix2d{{1, 2}, {3, 4}}), 0.2, 2);
  CHECK(two.A.rows() == 4);
  CHECK(two.state_names.back() == "delay[2,2]");
}

TEST_CASE("controller: matrices that do not fit together are refused by name") {
  const Eigen::MatrixXd one = Eigen::MatrixXd::Constant(1, 1, 1), wide = Eigen::MatrixXd::Ones(1, 2);
  CHECK(contains(error_of([&] { state_space_block(wide, one, one, one); }), "A is 1 x 2; it must be 1 x 1"));
  CHECK(contains(error_of([&] { state_space_block(one, wide, one, one); }), "B is 1 x 2; it must be 1 x 1"));
  CHECK(contains(error_of([&] { state_space_block(one, one, wide, one); }), "C is 1 x 2; it must be 1 x 1"));
  CHECK(contains(error_of([&] { state_space_block(one, one, one, one, {"a", "b"}); }), "2 names for 1 states"));
  CHECK(contains(error_of([&] { gain(one / 0.0); }), "must be finite"));
}
