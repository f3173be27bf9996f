// Rotating unbalance against closed forms of the Jeffcott rotor.

#include "stillpoint/unbalance.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "support/forms/systems.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

// cases/jeffcott_rotor
constexpr double m = 10, k = 4e5, c = 80, It = 0.1, Ip = 0.06, kt = 9000, ct = 1;
constexpr double amount = 2e-4;  // m e (kg m)

const std::vector<std::string> both{"disc.x", "disc.y"};
const std::vector<Orbit> orbit{{"disc.x", "disc.y"}};
const std::vector<Unbalance> forward{{"fx", "fy", amount, 0}};

LinearSystem rotor(const Parameters& parameters = {}) { return system_of_case("jeffcott_rotor", parameters); }

Eigen::VectorXd speeds(double from, double to) { return log_spaced(from, to, 50); }

/// x + i y = Z e^{iΩt}; `coupling` is kc. Forward whirl stiffens the disc against tilting by Ip Ω².
Complex whirl(double Omega, double coupling, double spin, double damping = c) {
  const Complex i(0, 1);
  const Complex tilting = kt - It * Omega * Omega + Ip * spin * Omega + i * Omega * ct;
  return amount * Omega * Omega / (k - m * Omega * Omega + i * Omega * damping - coupling * coupling / tilting);
}

void check_close(Complex found, Complex expected, double tolerance = 1e-11) {
  CHECK(std::abs(found - expected) <= tolerance * std::abs(expected));
}

}  // namespace

TEST_CASE("unbalance: the Jeffcott rotor whirls on circles with the closed form's amplitude and phase") {
  const FrequencyResponse Y = unbalance_response(rotor(), forward, both, orbit, speeds(10, 2000));
  REQUIRE(Y.input_names == std::vector<std::string>{"unbalance"});
  REQUIRE(Y.output_names ==
          std::vector<std::string>{"disc.x", "disc.y", "forward(disc.x,disc.y)", "backward(disc.x,disc.y)"});
  for (std::size_t i = 0; i < Y.response.size(); ++i) {
    const Complex Z = whirl(Y.omega[static_cast<Eigen::Index>(i)], 0, 0);
    check_close(Y.response[i](0, 0), Z);
    check_close(Y.response[i](1, 0), Complex(0, -1) * Z);  // y follows x by a quarter turn
    check_close(Y.response[i](2, 0), Z);
    CHECK(std::abs(Y.response[i](3, 0)) <= 1e-14 * std::abs(Z));
  }
}

TEST_CASE("unbalance: the peak is where the closed form has it, above the natural frequency") {
  const double omega_n = std::sqrt(k / m), zeta = c / (2 * std::sqrt(k * m));
  const double peak = omega_n / std::sqrt(1 - 2 * zeta * zeta);
  Eigen::VectorXd around(3);
  around << peak * (1 - 1e-5), peak, peak * (1 + 1e-5);
  const FrequencyResponse Y = unbalance_response(rotor(), forward, {"disc.x"}, {}, around);
  const auto size = [&](std::size_t i) { return std::abs(Y.response[i](0, 0)); };
  CHECK(size(1) > size(0));
  CHECK(size(1) > size(2));
  CHECK(size(1) == doctest::Approx(amount / m / (2 * zeta * std::sqrt(1 - zeta * zeta))).epsilon(1e-10));
  CHECK(peak > omega_n);
}

TEST_CASE(
    "unbalance: without damping the disc turns over at the resonance, and far above it runs about its mass centre") {
  const Eigen::VectorXd at = Eigen::Vector3d(150, 250, 2e4);
  const FrequencyResponse Y = unbalance_response(rotor({{"c", 0}}), forward, {"disc.x"}, {}, at);
  for (std::size_t i = 0; i < 3; ++i)
    check_close(Y.response[i](0, 0), whirl(at[static_cast<Eigen::Index>(i)], 0, 0, 0), 1e-11);
  CHECK(Y.response[0](0, 0).real() > 0);
  CHECK(Y.response[1](0, 0).real() < 0);
  CHECK(Y.response[2](0, 0).real() == doctest::Approx(-amount / m).epsilon(2e-4));  // (Ω_n/Ω)² = 1e-4
}

TEST_CASE("unbalance: the inputs in the other order rotate backward") {
  const std::vector<Unbalance> backward{{"fy", "fx", amount, 0}};
  const FrequencyResponse Y = unbalance_response(rotor(), backward, both, orbit, speeds(10, 2000));
  for (const Eigen::MatrixXcd& at : Y.response) {
    CHECK(std::abs(at(2, 0)) <= 1e-14 * std::abs(at(3, 0)));
    CHECK(std::abs(at(3, 0)) == doctest::Approx(std::abs(at(0, 0))).epsilon(1e-12));
  }
}

// Gyroscopic torque: a synchronous forward force meets kt − (It − Ip) Ω², so the disc has one critical speed fewer or
// more than at rest; at a constant spin the same force meets another stiffness.
TEST_CASE("unbalance: a gyroscopic disc is linearized at each speed, and differs from the one at a fixed speed") {
  const double kc = -30000;
  const auto system_at = [&](double Omega) { return rotor({{"Omega", Omega}, {"kc", kc}}); };
  const FrequencyResponse Y = unbalance_response(system_at, forward, both, orbit, speeds(20, 1500));
  const FrequencyResponse fixed = unbalance_response(system_at(100), forward, both, orbit, speeds(20, 1500));
  REQUIRE(Y.omega.size() == 50);
  double difference = 0;
  for (std::size_t i = 0; i < Y.response.size(); ++i) {
    const double Omega = Y.omega[static_cast<Eigen::Index>(i)];
    const Complex synchronous = whirl(Omega, kc, Omega);
    check_close(Y.response[i](0, 0), synchronous, 1e-10);
    check_close(Y.response[i](2, 0), synchronous, 1e-10);
    check_close(fixed.response[i](2, 0), whirl(Omega, kc, 100), 1e-10);
    difference = std::max(difference, std::abs(fixed.response[i](2, 0) / synchronous - 1.0));
  }
  CHECK(difference > 0.1);
}

TEST_CASE("unbalance: a gyroscopic rotor answers a forward and a backward force differently") {
  const double kc = -30000, spin = 300;
  const LinearSystem system = rotor({{"Omega", spin}, {"kc", kc}});
  const Eigen::VectorXd at = Eigen::VectorXd::Constant(1, 240);
  const FrequencyResponse ahead = unbalance_response(system, forward, both, orbit, at);
  const FrequencyResponse back = unbalance_response(system, {{"fy", "fx", amount, 0}}, both, orbit, at);
  CHECK(std::abs(ahead.response[0](2, 0)) == doctest::Approx(std::abs(whirl(240, kc, spin))).epsilon(1e-10));
  CHECK(std::abs(back.response[0](3, 0)) == doctest::Approx(std::abs(whirl(240, kc, -spin))).epsilon(1e-10));
}

TEST_CASE("unbalance: speeds are added near the peak until it is found") {
  const double kc = -30000;
  const auto system_at = [&](double Omega) { return rotor({{"Omega", Omega}, {"kc", kc}}); };
  const Eigen::VectorXd coarse = log_spaced(50, 400, 12);
  const FrequencyResponse Y = unbalance_response(system_at, forward, {"disc.x"}, {}, coarse, 12);
  double highest = 0, peak = 0;
  for (int i = 0; i < 200'000; ++i)
    highest = std::max(highest, std::abs(whirl(50 + 350e-5 / 2 * i, kc, 50 + 350e-5 / 2 * i)));
  for (const Eigen::MatrixXcd& at : Y.response) peak = std::max(peak, std::abs(at(0, 0)));
  CHECK(Y.omega.size() > coarse.size());
  CHECK(std::is_sorted(Y.omega.begin(), Y.omega.end()));
  CHECK(peak == doctest::Approx(highest).epsilon(1e-3));
}

TEST_CASE("unbalance: several are added with their phases, and opposite ones cancel") {
  const Eigen::VectorXd at = speeds(50, 500);
  const FrequencyResponse one = unbalance_response(rotor(), forward, both, {}, at);
  const FrequencyResponse quarter =
      unbalance_response(rotor(), {{"fx", "fy", amount, std::numbers::pi / 2}}, both, {}, at);
  const FrequencyResponse twice = unbalance_response(
      rotor(), {{"fx", "fy", amount, 0}, {"disc.x", "disc.y", amount, 0}}, both, {}, at);  // forces on the coordinates
  const FrequencyResponse none = unbalance_response(
      rotor(), {{"fx", "fy", amount, 0.3}, {"fx", "fy", amount, 0.3 + std::numbers::pi}}, both, {}, at);
  for (std::size_t i = 0; i < one.response.size(); ++i) {
    const Complex Y = one.response[i](0, 0);
    check_close(quarter.response[i](0, 0), Complex(0, 1) * Y);
    check_close(twice.response[i](0, 0), 2.0 * Y);
    CHECK(std::abs(none.response[i](0, 0)) <= 1e-15 * std::abs(Y));
  }
}

TEST_CASE("unbalance: requests that make no sense are refused") {
  const Eigen::VectorXd at = Eigen::VectorXd::Constant(1, 100);
  CHECK_THROWS_WITH_AS(unbalance_response(rotor(), {}, both, {}, at), doctest::Contains("needs an unbalance"), Error);
  CHECK_THROWS_WITH_AS(unbalance_response(rotor(), {{"fx", "fx", 1, 0}}, both, {}, at),
                       doctest::Contains("needs two inputs"), Error);
  CHECK_THROWS_WITH_AS(unbalance_response(rotor(), {{"fx", "fy", std::nan(""), 0}}, both, {}, at),
                       doctest::Contains("not finite"), Error);
  CHECK_THROWS_WITH_AS(unbalance_response(rotor(), {{"fx", "fz", 1, 0}}, both, {}, at),
                       doctest::Contains("there is no input or coordinate 'fz'"), Error);
  CHECK_THROWS_WITH_AS(unbalance_response(rotor(), forward, {}, {{"disc.x", "disc.w"}}, at),
                       doctest::Contains("there is no output or coordinate 'disc.w'"), Error);
  CHECK_THROWS_WITH_AS(unbalance_response([](double) { return rotor(); }, forward, both, {}, Eigen::VectorXd()),
                       doctest::Contains("needs a speed"), Error);
}
