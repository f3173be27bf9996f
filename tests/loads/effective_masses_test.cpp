// Effective modal masses: they add up to what can move, that and what is held to the mass, and single modes have the
// values of closed forms.

#include "stillpoint/effective_masses.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "stillpoint/detail/mass_moments.h"
#include "stillpoint/linearize.h"
#include "support/case_runs.h"

using namespace stillpoint;
using Eigen::VectorXd;

namespace {

struct AtRest {
  Model model;
  Equilibrium rest;
  LinearSystem system;
};

AtRest at_rest(const Model& model) {
  Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  LinearSystem system = linearize(model, rest);
  return {model, std::move(rest), std::move(system)};
}

AtRest case_at_rest(const std::string& name, const Parameters& parameters = {}) {
  return at_rest(read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, parameters));
}

EffectiveMasses masses_of(const AtRest& found, const Vec3<double>& about = {}, const ModesOptions& which = {}) {
  return effective_masses(found.model, found.rest.state, found.system, about, which);
}

/// The total from the inertia laws of the elements, without the assembled matrix.
VectorXd total_by_elements(const AtRest& found, const Vec3<double>& about, bool in_space) {
  MassMoments moments;
  const Context context = found.model.context(found.rest.state);
  for (const ModelArray& array : found.model.arrays()) array.elements->add_mass_moments(context, about, moments);
  if (!in_space) return Eigen::Vector3d(moments.mass, moments.mass, moments.second[2].z);
  VectorXd total(6);
  total << moments.mass, moments.mass, moments.mass, moments.second[0].x, moments.second[1].y, moments.second[2].z;
  return total;
}

}  // namespace

// The sums differ by the errors of eigenvectors. These are half of the digits at worst, and squared in a sum; a mode
// that is missing, or taken twice, is off by its mass.
TEST_CASE("effective masses: those of all modes add up to what can move, in every direction of every case") {
  constexpr double tolerance = 1e-9;
  std::set<std::string> refused;
  int compared = 0;
  cases::for_each_run([&](const cases::CaseRun& run) {
    const Model model = read_model(run.folder.string(), run.parameters);
    const Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
    REQUIRE(rest.status == EquilibriumStatus::at_rest);
    const AtRest found{model, rest, linearize(model, rest)};
    const Vec3<double> about{0.3, -0.2, 0.5};
    if (found.system.singular || !structure_of(found.system).symmetric_stiffness) {
      CHECK_THROWS_AS(masses_of(found, about), Error);
      refused.insert(run.folder.filename().string());
      return;
    }
    const EffectiveMasses masses = masses_of(found, about);
    const VectorXd total = total_by_elements(found, masses.base.about, masses.base.names.size() == 6);
    CHECK(masses.all_modes);
    CHECK(masses.certified);
    for (Eigen::Index d = 0; d < total.size(); ++d) {
      CAPTURE(masses.base.names[static_cast<std::size_t>(d)]);
      CHECK(std::abs(masses.total()[d] - total[d]) <= 1e-12 * total[d]);
      CHECK(std::abs(masses.sum[d] - masses.moving[d]) <= tolerance * total[d]);
      CHECK(masses.held()[d] >= -1e-12 * total[d]);
    }
    ++compared;
  });
  CHECK(compared >= 100);
  const std::set<std::string> unsymmetric_or_singular{"beck_column", "dead_torque_body", "four_bar",
                                                      "governor",    "tapered_column",   "ziegler_column"};
  CHECK(refused == unsymmetric_or_singular);
}

TEST_CASE("effective masses: what floats freely is not held, and its rigid-body modes carry all") {
  for (const char* const name : {"free_pair", "free_pair_spatial", "free_beam", "free_beam_spatial"}) {
    CAPTURE(name);
    const AtRest found = case_at_rest(name);
    const EffectiveMasses masses = masses_of(found);
    VectorXd of_free = VectorXd::Zero(masses.total().size());
    for (const EffectiveMasses::OfMode& mode : masses.modes) {
      if (mode.s == 0.0) of_free += mode.mass;
    }
    for (Eigen::Index d = 0; d < masses.total().size(); ++d) {
      CHECK(std::abs(masses.held()[d]) <= 1e-10 * masses.total()[d]);
      CHECK(std::abs(of_free[d] - masses.total()[d]) <= 1e-9 * masses.total()[d]);
    }
  }
}

TEST_CASE("effective masses: a mass on a rail takes all along it, and the ground holds the rest") {
  const EffectiveMasses masses = masses_of(case_at_rest("base_excited"));  // 2 kg at (0, 0.3) on y, 0.5 kg held at 0
  REQUIRE(masses.modes.size() == 1);
  const auto& mode = masses.modes[0];
  CHECK(mode.modal_mass == doctest::Approx(2).epsilon(1e-14));
  CHECK(std::abs(mode.participation[1]) == doctest::Approx(1).epsilon(1e-14));
  CHECK(mode.mass[0] == 0);
  CHECK(mode.mass[1] == doctest::Approx(2).epsilon(1e-14));
  CHECK(masses.held()[0] == doctest::Approx(2.5).epsilon(1e-12));
  CHECK(masses.held()[1] == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(masses.total()[2] == doctest::Approx(2 * 0.09).epsilon(1e-14));
  CHECK(masses.moving[2] <= 1e-14);
  REQUIRE(masses.warnings.size() == 1);
  CHECK(masses.warnings[0] == "effective masses are those of the undamped modes: damping is left out");
}

// A cantilever of Euler and Bernoulli: across 4σ²/λ² with cos λ cosh λ = −1, σ = (sinh λ − sin λ)/(cosh λ + cos λ),
// along 8/((2k − 1)² π²). Sixteen elements have the first modes to the square or the fourth power of their length.
TEST_CASE("effective masses: a uniform cantilever has those of the continuum") {
  const EffectiveMasses masses = masses_of(case_at_rest("cantilever"));
  const double mass = masses.total()[0];
  std::vector<double> across, along;
  for (const auto& mode : masses.modes) {
    if (mode.mass[1] > 1e-6 * mass) across.push_back(mode.mass[1] / mass);
    if (mode.mass[0] > 1e-6 * mass) along.push_back(mode.mass[0] / mass);
  }
  REQUIRE(across.size() >= 3);
  REQUIRE(along.size() >= 2);
  const double lambdas[] = {1.8751040687, 4.6940911330, 7.8547574382};
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = lambdas[k], sigma = (std::sinh(x) - std::sin(x)) / (std::cosh(x) + std::cos(x));
    CHECK(across[k] == doctest::Approx(4 * sigma * sigma / (x * x)).epsilon(1e-3));
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double odd = 2 * static_cast<double>(k) + 1;
    CHECK(along[k] == doctest::Approx(8 / std::pow(odd * std::numbers::pi, 2)).epsilon(1e-2));
  }
}

// A rigid pendulum: L = m l for x, and I for a rotation about the pivot, which is all of it.
TEST_CASE("effective masses: a pendulum takes (m l)²/I of its mass across, and all of its inertia about the pivot") {
  const AtRest found = at_rest(read_model_text(R"(
stillpoint: 1
gravity: 0, -9.81
mechanism:
  - body: rod
    at: 1, 2
    angle: -pi/2
    mass: 3
    centre: 0.4, 0
    inertia: 0.07
  - revolute: pivot
    between: ground(1, 2), rod
)",
                                               "pendulum"));
  const double m = 3, l = 0.4, inertia = 0.07 + m * l * l;
  const EffectiveMasses about_pivot = masses_of(found, {1, 2, 0});
  REQUIRE(about_pivot.modes.size() == 1);
  CHECK(about_pivot.modes[0].mass[0] == doctest::Approx(m * l * m * l / inertia).epsilon(1e-12));
  CHECK(about_pivot.modes[0].mass[1] < 1e-20);
  CHECK(about_pivot.modes[0].mass[2] == doctest::Approx(inertia).epsilon(1e-12));
  CHECK(std::abs(about_pivot.held()[2]) < 1e-12);
  const Vec3<double> centre = centre_of_mass(found.model, found.rest.state);
  CHECK(centre.x == doctest::Approx(1).epsilon(1e-12));
  CHECK(centre.y == doctest::Approx(1.6).epsilon(1e-12));
  // About its centre: the momentum of the mode is that of the rotation alone, J.
  const EffectiveMasses about_centre = masses_of(found, centre);
  CHECK(about_centre.total()[2] == doctest::Approx(0.07).epsilon(1e-12));
  CHECK(about_centre.modes[0].mass[2] == doctest::Approx(0.07 * 0.07 / inertia).epsilon(1e-12));
}

TEST_CASE("effective masses: the centre of a body in space has three coordinates") {
  const AtRest found = at_rest(read_model_text(R"(
stillpoint: 1
dimension: 3
mechanism:
  - fixed: wall
    at: 0, 0, 0
  - body: block
    at: 1, 2, 3
    rotation: 0, 0, pi/2
    mass: 5
    centre: 0.1, 0.2, 0.3
    inertia: 1, 2, 3
  - bushing: mount
    between: wall, block
    at: 1, 2, 3
    stiffness: 100, 200, 300, 10, 20, 30
)",
                                               "block"));
  const Vec3<double> centre = centre_of_mass(found.model, found.rest.state);
  CHECK(centre.x == doctest::Approx(1 - 0.2).epsilon(1e-12));
  CHECK(centre.y == doctest::Approx(2 + 0.1).epsilon(1e-12));
  CHECK(centre.z == doctest::Approx(3 + 0.3).epsilon(1e-12));
  const EffectiveMasses masses = masses_of(found, centre);
  const double inertia[] = {2, 1, 3};  // turned by 90° about z
  for (int axis = 0; axis < 3; ++axis) {
    CHECK(masses.total()[axis] == doctest::Approx(5).epsilon(1e-12));
    CHECK(masses.total()[3 + axis] == doctest::Approx(inertia[axis]).epsilon(1e-12));
    CHECK(std::abs(masses.held()[3 + axis]) < 1e-10);
  }
}

TEST_CASE("effective masses: of some modes the rest is told, and it is what the others carry") {
  const AtRest found = case_at_rest("cantilever");
  const EffectiveMasses all = masses_of(found), some = masses_of(found, {}, {.which = Lowest{4}});
  CHECK_FALSE(some.all_modes);
  CHECK(some.certified);
  REQUIRE(some.modes.size() == 4);
  for (Eigen::Index d = 0; d < 3; ++d) {
    double others = 0;
    for (std::size_t k = 4; k < all.modes.size(); ++k) others += all.modes[k].mass[d];
    CHECK(std::abs(some.moving[d] - some.sum[d] - others) <= 1e-9 * all.total()[d]);
  }
  CHECK(to_text(some).find("modes not asked for") != std::string::npos);
  CHECK(to_text(all).find("modes not asked for") == std::string::npos);
}

TEST_CASE("effective masses: what has none is refused by a sentence") {
  const AtRest follower = case_at_rest("beck_column", {{"P", 1.0}});
  CHECK_THROWS_WITH_AS(masses_of(follower), doctest::Contains("the stiffness is not symmetric"), Error);
  const AtRest flat = case_at_rest("four_bar", {{"N", 1}, {"k", 0}, {"gx", 9.81}, {"gy", 0}, {"phi_guess", 0}});
  CHECK_THROWS_WITH_AS(masses_of(flat), doctest::Contains("the configuration is singular"), Error);
  const AtRest rail = case_at_rest("base_excited");
  CHECK_THROWS_WITH_AS(masses_of(rail, {}, {.which = Unstable{}}), doctest::Contains("not for unstable ones"), Error);
  BaseMotions wrong = base_motions(rail.model, rail.rest.state);
  wrong.names.pop_back();
  CHECK_THROWS_WITH_AS(effective_masses(rail.system, wrong), doctest::Contains("2 names, 3 units and 3 totals"), Error);
  const Model light = read_model_text("stillpoint: 1\nmechanism:\n  - point: P\n    at: 0, 0\n", "light");
  CHECK_THROWS_WITH_AS(centre_of_mass(light, light.initial_state()), doctest::Contains("has no centre of mass"), Error);
}

// A rod of mass m between the ground and a point: the motion relative to the base has p = m/2 of what M alone, m/3,
// would give, since the end on the ground moves, too.
TEST_CASE("effective masses: a rod that ends on the ground takes 3/4 of its mass across, and all of its inertia") {
  const AtRest found = at_rest(read_model_text(R"(
stillpoint: 1
gravity: 0, -9.81
mechanism:
  - point: B
    at: 1, 0
  - rod: bar
    between: ground(1, 2), B
    length: 2
    mass: 3
)",
                                               "hanging rod"));
  const EffectiveMasses masses = masses_of(found, {1, 2, 0});
  REQUIRE(masses.modes.size() == 1);
  CHECK(masses.total()[0] == doctest::Approx(3).epsilon(1e-12));
  CHECK(masses.modes[0].mass[0] == doctest::Approx(0.75 * 3).epsilon(1e-12));  // (m l/2)² / (m l²/3)
  CHECK(masses.modes[0].mass[1] < 1e-20);
  CHECK(masses.modes[0].mass[2] == doctest::Approx(3 * 4 / 3.0).epsilon(1e-12));
  CHECK(masses.held()[0] == doctest::Approx(0.25 * 3).epsilon(1e-12));
}

// A flywheel behind a gear is a mass on a coordinate: nothing says where it is, or about which axis it turns.
TEST_CASE("effective masses: inertia without a place is named, and counts nowhere") {
  const AtRest found = at_rest(read_model_text(R"(
stillpoint: 1
mechanism:
  - scalar: wheel
    value: 0
    mass: 2
  - scalar_spring: spring
    of: wheel
    stiffness: 50
  - point: bob
    at: 1, 0
    mass: 3
  - spring: across
    between: ground, bob
    stiffness: 100
    free_length: 1
  - spring: up
    between: ground(1, 1), bob
    stiffness: 100
    free_length: 1
)",
                                               "wheel"));
  const EffectiveMasses masses = masses_of(found);
  CHECK(masses.total()[0] == doctest::Approx(3).epsilon(1e-14));
  REQUIRE(masses.warnings.size() == 1);
  CHECK(masses.warnings[0].find("the inertia of wheel: it has no place") != std::string::npos);
}
