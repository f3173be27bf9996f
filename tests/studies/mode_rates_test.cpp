// Derivatives of eigenvalues with respect to parameters, against closed forms and differences of the whole chain.
#include "stillpoint/mode_rates.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;

ModelFamily family_of(const std::string& name, const Parameters& settings = {}) {
  return ModelFamily(std::string(STILLPOINT_SOURCE_DIR) + "/cases/" + name, settings);
}

struct Rates {
  SystemRates system;
  std::vector<Mode> modes;
  std::vector<ModeRate> of_modes;
};

Rates rates_of(const ModelFamily& family, const std::string& name) {
  const Equilibrium rest = find_equilibrium(family.at());
  const LinearSystem system = linearize(family.at(), rest);
  Rates rates{system_rates(parameter_of(family, name), rest, {.frozen = true}), find_modes(system).spectrum.modes, {}};
  rates.of_modes = ModeDifferentiator(system, rates.modes).rates(rates.system);
  return rates;
}

}  // namespace

// Closed forms of the four-bar linkage in 40 digits; with the equilibrium frozen, most of them are wrong by 30 % and
// more, that of k even in its sign.
TEST_CASE("mode rates: of the four-bar linkage agree with the closed forms") {
  struct Expected {
    const char* parameter;
    double ds, dphi;
  };
  for (const Expected& expected : {Expected{"k", -0.080019336404, -0.0628762261},
                                   {"l0", -8.966948040845, -2.9231186280},
                                   {"m", 2.0004834101, 1.5719056531},
                                   {"l", 9.606857803107, 2.5620083550}}) {
    CAPTURE(expected.parameter);
    const Rates rates = rates_of(family_of("four_bar"), expected.parameter);
    const Eigen::Index phi = rates.system.q.size() - 1;
    CHECK(rates.system.q[phi] == doctest::Approx(expected.dphi).epsilon(1e-9));
    CHECK(rates.of_modes[0].s.imag() == doctest::Approx(expected.ds).epsilon(1e-10));
    CHECK(std::abs(rates.of_modes[0].s.real()) < 1e-12);
    CHECK(std::abs(rates.of_modes[0].frozen - rates.of_modes[0].s) > 0.3 * std::abs(expected.ds));
    CHECK(rates.of_modes[0].error < 1e-9);
  }
}

// Where the data are exactly zero, elements and entries of matrices are missing: their rates are not.
TEST_CASE("mode rates: at data that are zero") {
  const Rates damper = rates_of(family_of("pendulum", {{"c", 0}}), "c");
  CHECK(damper.of_modes[0].s.real() == doctest::Approx(-1 / (2 * 1 * 0.25)).epsilon(1e-11));
  CHECK(std::abs(damper.of_modes[0].s.imag()) < 1e-11);
  // ω² = g/l − W²: the rate is zero at rest, and its own rate is not.
  const Rates resting = rates_of(family_of("turning_pendulum", {{"a", 0}, {"W", 0}}), "W");
  CHECK(std::abs(resting.of_modes[0].s) < 1e-9);
  const Rates turning = rates_of(family_of("turning_pendulum", {{"a", 0}, {"W", 1}}), "W");
  CHECK(turning.of_modes[0].s.imag() == doctest::Approx(-1 / std::sqrt(9.81 / 0.8 - 1)).epsilon(1e-10));
  // Off the axis the pendulum leans outwards by W² a / g at first.
  const Rates leaning = rates_of(family_of("turning_pendulum", {{"W", 1}, {"a", 0}}), "a");
  const Eigen::Index theta = leaning.system.q.size() - 1;
  CHECK(std::abs(leaning.system.q[theta]) == doctest::Approx(1 / (9.81 - 0.8)).epsilon(1e-9));
}

TEST_CASE("mode rates: equal eigenvalues separate as the spectrum beside them does") {
  const ModelFamily family = family_of("mass_ring", {{"N", 6}});
  const Equilibrium rest = find_equilibrium(family.at());
  const LinearSystem system = linearize(family.at(), rest);
  const std::vector<Mode> modes = find_modes(system).spectrum.modes;
  const std::vector<ModeRate> rates =
      ModeDifferentiator(system, modes).rates(system_rates(number_of(family.at(), "link[1].stiffness"), rest));
  constexpr double step = 1e-5;
  const Variation spring = number_of(family.at(), "link[1].stiffness");
  const Model changed = spring.model_at(spring.value + step);
  const std::vector<Mode> beside = find_modes(linearize(changed, find_equilibrium(changed, rest.state))).spectrum.modes;
  REQUIRE(beside.size() == modes.size());
  int pairs = 0;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (rates[i].kind != ModeRate::Kind::multiple || modes[i].s.imag() <= 0) continue;
    ++pairs;
    double nearest = 1e300;
    for (const Mode& mode : beside) nearest = std::min(nearest, std::abs(modes[i].s + step * rates[i].s - mode.s));
    CHECK(nearest < 1e-8 * std::abs(modes[i].s));
  }
  CHECK(pairs >= 4);
}

TEST_CASE("mode rates: a defective eigenvalue has none, and says so") {
  // m = 1, c² = 4 k m.
  const ModelFamily family = ModelFamily::from_text(R"(stillpoint: 1
name: critically_damped
parameters:
  k: 4
mechanism:
  - scalar: x
    value: 0
    mass: 1
  - scalar_spring: spring
    of: x
    stiffness: k
    damping: 4
)",
                                                    "critically_damped.yaml");
  const Rates rates = rates_of(family, "k");
  REQUIRE(rates.of_modes.size() == 2);
  for (const ModeRate& rate : rates.of_modes) CHECK(rate.kind == ModeRate::Kind::defective);
}

TEST_CASE("mode rates: inputs and numbers of elements are parameters, too") {
  const ModelFamily family = family_of("four_bar", {{"c", 1}});
  const Equilibrium rest = find_equilibrium(family.at());
  const LinearSystem system = linearize(family.at(), rest);
  const std::vector<Mode> modes = find_modes(system).spectrum.modes;
  const ModeDifferentiator differentiator(system, modes);
  const auto rate_of = [&](const Variation& variation) {
    return differentiator.rates(system_rates(variation, rest))[0].s;
  };
  const Complex of_parameter = rate_of(parameter_of(family, "k")),
                of_number = rate_of(number_of(family.at(), "diagonal[1].stiffness"));
  CHECK(std::abs(of_parameter - of_number) < 1e-11 * std::abs(of_parameter));
  CHECK_THROWS_AS(number_of(family.at(), "diagonal[1].stifness"), Error);
  CHECK_THROWS_AS(number_of(family.at(), "diagonal"), Error);

  const ModelFamily driven = family_of("ziegler_column", {{"P", 1}});
  const Equilibrium held = find_equilibrium(driven.at(), {.rest = EquilibriumRequest::nearest});
  const LinearSystem column = linearize(driven.at(), held);
  const ModeDifferentiator of_column(column, find_modes(column).spectrum.modes);
  if (driven.at().inputs() > 0) {
    const std::string input = driven.at().input_name(0);
    const Complex by_input = of_column.rates(system_rates(input_of(driven.at(), input), held))[0].s;
    const Complex by_parameter = of_column.rates(system_rates(parameter_of(driven, "P"), held))[0].s;
    CHECK(std::abs(by_input - by_parameter) < 1e-10 * std::abs(by_parameter));
  }
}

TEST_CASE(
    "system rates: a parameter that opens a loop, one that drives a free motion, and a singular place are refused") {
  const auto refusal = [](const ModelFamily& family, const std::string& name,
                          EquilibriumRequest request) -> std::string {
    try {
      system_rates(parameter_of(family, name), find_equilibrium(family.at(), {.rest = request}));
    } catch (const Error& refused) {
      return refused.what();
    }
    return {};
  };
  CHECK(refusal(family_of("four_bar_spatial"), "b", EquilibriumRequest::stable).find("opens a closed loop") !=
        std::string::npos);
  CHECK(refusal(family_of("cart_pole"), "gx", EquilibriumRequest::nearest).find("no parameter") != std::string::npos);
  const ModelFamily flat = family_of("four_bar", {{"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}});
  CHECK(refusal(flat, "m", EquilibriumRequest::nearest).find("singular") != std::string::npos);
  const ModelFamily cart = ModelFamily::from_text(R"(stillpoint: 1
name: cart
parameters:
  push: 0
mechanism:
  - scalar: x
    value: 0
    mass: 1
  - scalar_force: push
    on: x
    magnitude: push
)",
                                                  "cart.yaml");
  CHECK(refusal(cart, "push", EquilibriumRequest::nearest).find("begins to drift") != std::string::npos);
}
