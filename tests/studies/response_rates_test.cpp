// Derivatives of frequency responses and DC gains, against closed forms and differences of the whole chain.
#include "stillpoint/response_rates.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "stillpoint/frequency_response.h"
#include "stillpoint/linearize.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/sensitivity.h"
#include "studies/studies_cases.h"
#include "support/error_texts.h"
#include "support/stopping.h"

using namespace stillpoint;
using stillpoint::testing::family_of_case;

namespace {

using Complex = std::complex<double>;

struct At {
  explicit At(const ModelFamily& of, EquilibriumRequest request = EquilibriumRequest::stable)
      : family(of), rest(find_equilibrium(family.at(), {.rest = request})), system(linearize(family.at(), rest)) {}

  ModelFamily family;
  Equilibrium rest;
  LinearSystem system;

  ResponseRate rate(const std::string& parameter, const ResponseRequest& request) const {
    const Variation variation = parameter_of(family, parameter);
    return ResponseDifferentiator(system, {request}).rates(variation, rest, system_rates(variation, rest))[0];
  }
  Complex value(const ResponseRequest& request) const { return ResponseDifferentiator(system, {request}).values()[0]; }
};

// The equations and the closed form are exact: what differs is rounding, of matrices, of their rates and of solutions.
void check_closed_form(const ResponseRate& rate, Complex expected) {
  CAPTURE(rate.rate);
  CAPTURE(expected);
  CAPTURE(rate.error);
  CHECK(std::abs(rate.rate - expected) <= 1e-10 * std::abs(expected));
  constexpr double of_equilibrium = 1e-12;  // which is found to that
  CHECK(std::abs(rate.rate - expected) <= rate.error + of_equilibrium * std::abs(expected));
  CHECK(rate.error < 1e-8 * std::abs(expected));
}

ModelFamily oscillator(double c) {
  return ModelFamily::from_text(fmt::format(R"(stillpoint: 1
name: oscillator
parameters:
  m: 2
  c: {}
  k: 50
mechanism:
  - scalar: x
    value: 0
    mass: m
  - scalar_spring: spring
    of: x
    stiffness: k
    damping: c
)",
                                            c),
                                "oscillator.yaml");
}

/// A pendulum in natural coordinates that a constant torque T holds aside: m g l sin θ = T.
ModelFamily held_pendulum() {
  return ModelFamily::from_text(R"(stillpoint: 1
name: held_pendulum
parameters:
  m: 1.5
  l: 0.5
  g: 9.81
  c: 0.1
  T: 4
gravity: 0, -g
mechanism:
  - fixed: A
    at: 0, 0
  - point: B
    at: l*cos(-0.6), l*sin(-0.6)
    mass: m
  - distance: rod
    between: A, B
    length: l
  - scalar: phi
    value: -0.6
  - angle: phi
    of: phi
    between: A, B
  - torsion_damper: hinge
    between: ground, phi
    damping: c
  - scalar_force: torque
    on: phi
    magnitude: T
)",
                                "held_pendulum.yaml");
}

/// The response with another value of the parameter, from the neighbouring equilibrium.
std::optional<Complex> response_at(const Variation& variation, const Equilibrium& rest, double t,
                                   const ResponseRequest& request) {
  const Model model = variation.model_at(variation.value + t);
  State start = rest.state;
  start.u += model.initial_state().u - variation.model_at(variation.value).initial_state().u;
  const Equilibrium there = find_equilibrium(model, start, {.rest = EquilibriumRequest::nearest});
  if (there.status != EquilibriumStatus::at_rest) return {};
  const LinearSystem channels = with_channels(linearize(model, there), {request.input}, {request.output});
  return frequency_response(channels, Eigen::VectorXd::Constant(1, request.omega)).response[0](0, 0);
}

/// Of order six, with the step that comes nearest to the rate; nothing where a value is refused.
std::optional<Complex> difference_of_chain(const Variation& variation, const Equilibrium& rest,
                                           const ResponseRequest& request, Complex rate) {
  constexpr std::array weights{3.0 / 4, -3.0 / 20, 1.0 / 60};
  std::optional<Complex> nearest;
  const double scale = variation.value == 0 ? 1 : std::abs(variation.value);
  for (const double step : {1e-3 * scale, 1e-4 * scale, 1e-5 * scale}) {
    Complex sum = 0;
    try {
      for (std::size_t k = 0; k < weights.size(); ++k) {
        const double t = static_cast<double>(k + 1) * step;
        const auto up = response_at(variation, rest, t, request), down = response_at(variation, rest, -t, request);
        if (!up || !down) return {};
        sum += weights[k] * (*up - *down) / step;
      }
    } catch (const Error&) {  // a damper that would be negative
      return {};
    }
    if (!nearest || std::abs(sum - rate) < std::abs(*nearest - rate)) nearest = sum;
  }
  return nearest;
}

}  // namespace

TEST_CASE("response rates: of an oscillator agree with the closed form, also where its damper is zero") {
  const double m = 2, k = 50;
  for (const double c : {0.0, 0.3}) {
    const At at(oscillator(c));
    for (const double omega : {0.0, 3.0, 4.9, 20.0}) {
      CAPTURE(c);
      CAPTURE(omega);
      const ResponseRequest request{"x", "x", omega};
      const Complex H = 1.0 / Complex(k - m * omega * omega, omega * c);
      CHECK(std::abs(at.value(request) - H) < 1e-14 * std::abs(H));
      check_closed_form(at.rate("k", request), -H * H);
      if (omega == 0) continue;
      check_closed_form(at.rate("m", request), omega * omega * H * H);
      if (c > 0) check_closed_form(at.rate("c", request), -Complex(0, omega) * H * H);
      else CHECK(std::abs(at.rate("c", request).rate + Complex(0, omega) * H * H) < 1e-10 * omega * std::norm(H));
    }
  }
  const Complex H = 1.0 / Complex(32, 0.9), rate = -H * H;
  CHECK(decibel_rate(H, rate) == doctest::Approx(-20 / std::log(10.0) * H.real()));
  CHECK(phase_rate(H, rate) == doctest::Approx(-180 / std::acos(-1.0) * H.imag()));
  CHECK(std::isnan(decibel_rate(0, 1)));
}

// K = m g l cos θ and m g l sin θ = T: without the shift of the equilibrium the rate with T would be zero.
TEST_CASE("response rates: the equilibrium and its multipliers move with the parameter") {
  const At at(held_pendulum());
  const double m = 1.5, l = 0.5, g = 9.81, c = 0.1, T = 4;
  const double K = std::sqrt(m * g * l * m * g * l - T * T);
  for (const double omega : {0.0, 2.0, 9.0}) {
    CAPTURE(omega);
    const ResponseRequest request{"phi", "phi", omega};
    const Complex H = 1.0 / Complex(K - m * l * l * omega * omega, omega * c);
    CHECK(std::abs(at.value(request) - H) < 1e-12 * std::abs(H));
    check_closed_form(at.rate("T", request), H * H * T / K);
    check_closed_form(at.rate("g", request), -H * H * (m * l * m * l * g / K));
    check_closed_form(at.rate("m", request), -H * H * (m * g * l * g * l / K - l * l * omega * omega));
    check_closed_form(at.rate("l", request), -H * H * (m * g * m * g * l / K - 2 * m * l * omega * omega));
  }
}

// The torque of the shaft is H = ±(k + iωd) a/(k + iωd − J₁aω²), a = J₂/(J₁ + J₂).
TEST_CASE("response rates: of an output that depends on the parameter itself") {
  const At at(family_of_case("drive_train"));
  const double J1 = 0.02, J2 = 0.5, k = 400, d = 0.05, omega = 20, a = J2 / (J1 + J2);
  const ResponseRequest request{"motor", "shaft", omega};
  const Complex H = at.value(request), D(k, omega * d), P = D - J1 * a * omega * omega;
  CHECK(std::abs(H) == doctest::Approx(std::abs(D * a / P)).epsilon(1e-12));
  check_closed_form(at.rate("k", request), H * (1.0 / D - 1.0 / P));
  check_closed_form(at.rate("d", request), H * Complex(0, omega) * (1.0 / D - 1.0 / P));
  check_closed_form(at.rate("J1", request), H * (-1 / (J1 + J2) + omega * omega * a * a / P));
}

TEST_CASE("response rates: of cases agree with differences of the whole chain") {
  struct Run {
    const char* name;
    Parameters settings;
    ResponseRequest request;
    EquilibriumRequest rest = EquilibriumRequest::stable;
  };
  int compared = 0;
  for (const Run& run :
       {Run{"four_bar", {}, {"phi", "phi", 0}}, Run{"four_bar", {{"c", 1}}, {"phi", "B[0].x", 3}},
        Run{"four_bar", {{"N", 3}, {"c", 1}}, {"B[1].x", "phi", 1}}, Run{"base_excited", {}, {"", "", 3}},
        Run{"actuated_four_bar", {}, {"", "", 2}}, Run{"turning_pendulum", {}, {"theta", "theta", 1}}}) {
    CAPTURE(run.name);
    const At at(family_of_case(run.name, run.settings), run.rest);
    ResponseRequest request = run.request;
    if (request.input.empty()) request.input = at.system.input_name(0);
    if (request.output.empty()) request.output = at.system.output_name(0);
    const ResponseDifferentiator differentiator(at.system, {request});
    const Complex H = differentiator.values()[0];
    for (const ModelParameter& parameter : at.family.parameters()) {
      if (parameter.is_integer) continue;
      CAPTURE(parameter.name);
      const Variation variation = parameter_of(at.family, parameter.name);
      const ResponseRate rate = differentiator.rates(variation, at.rest, system_rates(variation, at.rest))[0];
      const auto chain = difference_of_chain(variation, at.rest, request, rate.rate);
      if (!chain) continue;
      CAPTURE(rate.rate);
      CAPTURE(*chain);
      const double scale = variation.value == 0 ? 1 : std::abs(variation.value);
      CHECK(std::abs(rate.rate - *chain) <= 1e-6 * std::max(std::abs(*chain), std::abs(H) / scale));
      CHECK(rate.error <= 1e-6 * std::max(std::abs(*chain), std::abs(H) / scale));
      ++compared;
    }
  }
  CHECK(compared >= 30);
}

TEST_CASE("response rates: poles, unknown names and frequencies that are none are refused") {
  const At free(family_of_case("drive_train")), at(oscillator(0));
  const auto refusal = [](const At& of, const ResponseRequest& request) {
    return error_of([&] { ResponseDifferentiator(of.system, {request}); });
  };
  CHECK(contains(refusal(free, {"motor", "load_speed", 0}), "no DC gain from 'motor' to 'load_speed' can be given"));
  CHECK(contains(refusal(at, {"x", "x", 5}), "there is a pole at 5i"));
  CHECK(contains(refusal(at, {"x", "y", 1}), "'y'"));
  CHECK(contains(refusal(at, {"x", "x", -1}), "must be a number, and not negative"));
}

TEST_CASE("rates: of responses and of modes tell their progress, and can be stopped there") {
  const ModelFamily family = family_of_case("four_bar");
  const Model model = family.at();
  const Equilibrium rest = find_equilibrium(model);
  const LinearSystem system = linearize(model, rest);
  const std::vector<Variation> parameters = variations_of(family);
  testing::check_that_it_can_be_stopped([&](const auto& listener) {
    find_response_sensitivity(system, rest, {{"phi", "phi", 1}}, parameters, listener);
  });
  const ModesWithRates modes = lowest_modes(system, 1);
  testing::check_that_it_can_be_stopped(
      [&](const auto& listener) { find_sensitivity(system, rest, modes.modes, parameters, listener); });
}
