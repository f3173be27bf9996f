// Derivatives of eigenvectors, against closed forms and differences of the whole chain.
#include "stillpoint/shape_rates.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "studies/studies_cases.h"
#include "support/error_texts.h"

using namespace stillpoint;
using stillpoint::testing::family_of_case;

namespace {

using Complex = std::complex<double>;

struct Shapes {
  explicit Shapes(const ModelFamily& of, EquilibriumRequest request = EquilibriumRequest::stable)
      : family(of),
        rest(find_equilibrium(family.at(), {.rest = request})),
        system(linearize(family.at(), rest)),
        modes(find_modes(system).spectrum.modes) {}

  ModelFamily family;
  Equilibrium rest;
  LinearSystem system;
  std::vector<Mode> modes;

  struct Rates {
    SystemRates of_system;
    std::vector<ModeRate> of_modes;
    std::vector<ShapeRate> of_shapes;
  };
  Rates rates(const std::string& parameter) const {
    Rates found{system_rates(parameter_of(family, parameter), rest), {}, {}};
    found.of_modes = ModeDifferentiator(system, modes).rates(found.of_system);
    found.of_shapes = ShapeDifferentiator(system, modes).rates(found.of_system, found.of_modes);
    return found;
  }
};

/// Two masses between springs.
ModelFamily two_masses(double coupling) {
  return ModelFamily::from_text(fmt::format(R"(stillpoint: 1
name: two_masses
parameters:
  m: 1
  k: 3
  j: {}
mechanism:
  - scalar: a
    value: 0
    mass: m
  - scalar: b
    value: 0
    mass: 2
  - scalar_spring: one
    of: a
    stiffness: k
  - scalar_spring: two
    of: a
    against: b
    stiffness: j
)",
                                            coupling),
                                "two_masses.yaml");
}

/// The vector of the mode next to s, with one in this entry, at another value of the parameter.
Eigen::VectorXcd shape_at(const Variation& variation, const Equilibrium& rest, double t, Complex s, Eigen::Index held) {
  const Model model = variation.model_at(variation.value + t);
  State start = rest.state;
  start.u = model.initial_state().u;
  const Equilibrium there = find_equilibrium(model, start, {.rest = EquilibriumRequest::nearest});
  const std::vector<Mode> modes = find_modes(linearize(model, there)).spectrum.modes;
  const Mode* nearest = &modes.front();
  for (const Mode& mode : modes) {
    if (std::abs(mode.s - s) < std::abs(nearest->s - s)) nearest = &mode;
  }
  return nearest->shape / nearest->shape[held];
}

Eigen::VectorXcd difference_of_chain(const Variation& variation, const Equilibrium& rest, Complex s, Eigen::Index held,
                                     double step) {
  constexpr std::array weights{3.0 / 4, -3.0 / 20, 1.0 / 60};
  Eigen::VectorXcd sum;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const double t = static_cast<double>(k + 1) * step;
    const Eigen::VectorXcd change = shape_at(variation, rest, t, s, held) - shape_at(variation, rest, -t, s, held);
    if (k == 0) sum = weights[k] / step * change;
    else sum += weights[k] / step * change;
  }
  return sum;
}

}  // namespace

// ω² = μ solves 2m μ² − (2(k + j) + m j) μ + k j = 0, and a/b = (j − 2μ)/j.
TEST_CASE("shape rates: of two masses agree with the closed form") {
  const double m = 1, k = 3, j = 1;
  const Shapes at(two_masses(j));
  const auto rates = at.rates("k");
  int compared = 0;
  for (std::size_t i = 0; i < at.modes.size(); ++i) {
    const double mu = std::norm(at.modes[i].s);
    const double mu_rate = (2 * mu - j) / (4 * m * mu - (2 * (k + j) + m * j));
    const double ratio = (j - 2 * mu) / j, ratio_rate = -2 * mu_rate / j;
    const ShapeRate& rate = rates.of_shapes[i];
    REQUIRE(rate.refused.empty());
    const bool holds_a = std::abs(ratio) > 1;
    const double expected = holds_a ? -ratio_rate / (ratio * ratio) : ratio_rate;
    CHECK(std::abs(rate.shape[holds_a ? 1 : 0] - expected) < 1e-10 * std::abs(expected));
    constexpr double of_closed_form = 1e-14;  // which is evaluated at the computed eigenvalue
    CHECK(std::abs(rate.shape[holds_a ? 1 : 0] - expected) <= rate.error + of_closed_form * std::abs(expected));
    CHECK(rate.shape[holds_a ? 0 : 1] == 0.0);
    CHECK(rate.error < 1e-9);
    CHECK(std::abs(rate.s - rates.of_modes[i].s) < 1e-12 * std::abs(rate.s));
    ++compared;
  }
  CHECK(compared == 4);
}

TEST_CASE("shape rates: of cases agree with differences of the whole chain") {
  struct Run {
    const char* name;
    Parameters settings;
    std::vector<std::string> parameters;
    EquilibriumRequest rest = EquilibriumRequest::stable;
  };
  int compared = 0;
  for (const Run& run : {Run{"four_bar", {{"N", 2}, {"c", 1}}, {"k", "l0", "m", "l", "c"}},
                         Run{"ziegler_column", {{"P", 1}, {"b1", 0.1}}, {"P", "b1"}, EquilibriumRequest::nearest},
                         Run{"double_pendulum", {}, {"g"}}}) {
    CAPTURE(run.name);
    const Shapes at(family_of_case(run.name, run.settings), run.rest);
    for (const std::string& parameter : run.parameters) {
      CAPTURE(parameter);
      const auto rates = at.rates(parameter);
      const Variation variation = parameter_of(at.family, parameter);
      for (std::size_t i = 0; i < at.modes.size(); ++i) {
        const ShapeRate& rate = rates.of_shapes[i];
        if (at.modes[i].s.imag() < 0) continue;
        REQUIRE(rate.refused.empty());
        Eigen::Index held = 0;
        at.modes[i].shape.cwiseAbs().maxCoeff(&held);
        const Eigen::VectorXcd here = at.modes[i].shape / at.modes[i].shape[held],
                               scaled = rate.shape / at.modes[i].shape[held];
        const Eigen::VectorXcd held_rate = scaled - here * scaled[held];
        double wrong = 1e300;
        for (const double step : {1e-3, 1e-4, 1e-5})
          wrong = std::min(
              wrong, (difference_of_chain(variation, at.rest, at.modes[i].s, held, step * variation.value) - held_rate)
                         .lpNorm<Eigen::Infinity>());
        CHECK(wrong <= 1e-6 * std::max(rate.shape.lpNorm<Eigen::Infinity>(), 1 / variation.value));
        CHECK(std::abs(rate.s - rates.of_modes[i].s) <
              1e-10 * std::max(std::abs(rate.s), std::abs(at.modes[i].s) / variation.value));
        ++compared;
      }
    }
  }
  CHECK(compared >= 10);
}

TEST_CASE("shape rates: of unit energy keep it, and their phase") {
  const Shapes at(family_of_case("four_bar", {{"N", 2}, {"c", 1}}));
  const auto rates = at.rates("m");
  for (std::size_t i = 0; i < at.modes.size(); ++i) {
    const UnitEnergyShape unit = with_unit_energy(at.system, rates.of_system, at.modes[i], rates.of_shapes[i]);
    CHECK(unit.shape.dot(at.system.M * unit.shape).real() == doctest::Approx(1).epsilon(1e-13));
    const double change =
        2 * unit.shape.dot(at.system.M * unit.rate).real() + unit.shape.dot(rates.of_system.M.rate * unit.shape).real();
    CHECK(std::abs(change) < 1e-12);
    Eigen::Index largest = 0;
    unit.shape.cwiseAbs().maxCoeff(&largest);
    CHECK(std::abs(unit.shape[largest].imag()) < 1e-14);
    CHECK(std::abs(unit.rate[largest].imag()) < 1e-12);
  }
}

TEST_CASE("shape rates: vectors of multiple, defective and structurally zero eigenvalues are refused by a sentence") {
  const auto ring = Shapes(family_of_case("mass_ring", {{"N", 6}})).rates("k");
  int multiple = 0, zero = 0;
  for (const ShapeRate& rate : ring.of_shapes) {
    multiple += contains(rate.refused, "the eigenvalue is multiple");
    zero += contains(rate.refused, "zero by structure");
  }
  CHECK(multiple >= 4);
  CHECK(zero >= 1);
  const ModelFamily critical = ModelFamily::from_text(R"(stillpoint: 1
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
  const auto defective = Shapes(critical).rates("k");
  for (const ShapeRate& rate : defective.of_shapes) CHECK(contains(rate.refused, "the eigenvalue is defective"));
  const Shapes at(critical);
  const std::string refused =
      error_of([&] { with_unit_energy(at.system, defective.of_system, at.modes[0], defective.of_shapes[0]); });
  CHECK(contains(refused, "the vector has no derivative: the eigenvalue is defective"));
}
