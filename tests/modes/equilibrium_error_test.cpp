// Error bars know how well the rest position is known: rounding of positions is a load, too.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/read_model.h"
#include "support/modes/random_mechanisms.h"

using namespace stillpoint;
using stillpoint::testing::random_mechanism;

namespace {

constexpr double wire[] = {1e3, 1e6, 1e9};  // N/m
constexpr const char* hanging = R"(
stillpoint: 1
parameters: {k: 1000, m: 0.001}
gravity: 0, -9.81
mechanism:
  - point: p
    at: 0, 0
    mass: m
  - spring: left
    between: ground(-1, 0), p
    stiffness: k
    free_length: 1
  - spring: right
    between: ground(1, 0), p
    stiffness: k
    free_length: 1
)";

// With the sag y: the springs are longer by e, and 2 k e y / (1 + e) = m g.
long double slowest(long double k, long double m) {
  const long double g = 9.81L;
  long double y = std::cbrt(m * g / k), stiffness = 0;
  for (int step = 0; step < 50; ++step) {
    const long double l = std::sqrt(1 + y * y), e = y * y / (1 + l);
    stiffness = 2 * k * (e / l + y * y / (l * l * l));
    y -= (2 * k * e * y / l - m * g) / stiffness;
  }
  return std::sqrt(stiffness / m);
}

void check_slowest(const Spectrum& spectrum, double k) {
  CAPTURE(spectrum.method);
  CAPTURE(k);
  REQUIRE(!spectrum.modes.empty());
  const Mode& mode = spectrum.modes.front();
  const double exact = static_cast<double>(slowest(static_cast<long double>(k), 0.001L));
  CHECK(std::abs(mode.s - std::complex<double>(0, exact)) <= mode.error);
  CHECK(mode.error < 1e-7 * exact);
}

struct Value {
  std::complex<double> s;
  double error;
};

std::vector<Value> values_at(const Model& model, const Equilibrium& rest) {
  const LinearSystem system = linearize(model, rest);
  std::vector<Value> values;
  for (const Mode& mode : solve_modes(system, minimal_form(system)).modes) values.push_back({mode.s, mode.error});
  std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) { return a.error < b.error; });
  return values;
}

struct Disagreement {
  int compared = 0, beyond = 0;
};

// The surest first: the vaguest may take what is left.
void compare(const std::vector<Value>& one, std::vector<Value> other, Disagreement& account) {
  for (const Value& value : one) {
    const auto nearest = std::min_element(other.begin(), other.end(), [&](const Value& a, const Value& b) {
      return std::abs(a.s - value.s) < std::abs(b.s - value.s);
    });
    ++account.compared;
    account.beyond += std::abs(nearest->s - value.s) > nearest->error + value.error;
    other.erase(nearest);
  }
}

State shaken(const Model& model, State state, std::mt19937_64& random) {
  std::uniform_real_distribution<double> some(-1e-5, 1e-5);
  Eigen::VectorXd by(model.coordinates());
  for (double& x : by) x = some(random);
  return model.displaced(std::move(state), by);
}

}  // namespace

TEST_CASE("modes: of a wire with little sag, to the digits that rounding of positions leaves") {
  for (const double k : wire) {
    const Model model = read_model_text(hanging, "wire.yaml", {{"k", k}});
    const LinearSystem system = linearize(model, find_equilibrium(model));
    check_slowest(solve_modes(system, minimal_form(system)), k);
    check_slowest(solve_modes(system, descriptor_form(system), count_true(system, minimal_form(system))), k);
    check_slowest(solve_conservative(system, {.which = Lowest{1}}), k);
    check_slowest(solve_general(system, {.which = Lowest{1}}), k);
  }
}

TEST_CASE("modes: a mechanism that is put down twice has the same eigenvalues, within error bars") {
  std::mt19937_64 random(7);
  Disagreement account;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const auto mechanism = random_mechanism(seed);
    if (mechanism.at_zero > 0) continue;
    const EquilibriumOptions options{.rest = EquilibriumRequest::nearest};
    const Model& model = mechanism.model;
    const Equilibrium first = find_equilibrium(model, shaken(model, mechanism.state, random), options);
    const Equilibrium second = find_equilibrium(model, shaken(model, mechanism.state, random), options);
    if (first.status != EquilibriumStatus::at_rest || second.status != EquilibriumStatus::at_rest) continue;
    if ((first.state.q - second.state.q).lpNorm<Eigen::Infinity>() > 1e-6) continue;  // not at the same place
    const auto one = values_at(model, first), other = values_at(model, second);
    INFO(seed);
    REQUIRE(one.size() == other.size());
    const int before = account.beyond;
    compare(one, other, account);
    if (account.beyond > before) fmt::print("seed {}: {} of {} differ\n", seed, account.beyond - before, one.size());
  }
  CHECK(account.compared > 1000);
  CHECK(account.beyond == 0);
}
