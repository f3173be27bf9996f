// Claims that hold for every element type in space, whatever it holds on to and however it is turned.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "elements/space_harness.h"

using namespace stillpoint;
using Motion = Assembly::Motion;

namespace {

constexpr int states_each = 30;
constexpr std::uint64_t seed_of_states = 20260303;
constexpr Vec3<double> gravity{0.6, -9.81, 1.3};

// Differences are good to about 1e-10 here: the fifth derivative of a twist grows where the rotation is large. A
// missing term shows at 1e-2 or more.
constexpr double like_differences = 1e-7;

// A few roundings of sums of the order of the terms.
constexpr double like_rounding = 1e-12;

constexpr char letters[] = {'M', 'C', 'K', 'J', 'F', 'G'};

/// What comparing one matrix over many states has shown.
struct Findings {
  double worst = 0;           ///< relative difference
  bool appears = false;       ///< exact and difference have an entry that is clearly not zero
  bool has_own_bits = false;  ///< at one such entry the two are not the same number
  Eigen::MatrixXd largest;    ///< of each entry, over all states

  void take(const Eigen::MatrixXd& exact, const Eigen::MatrixXd& difference) {
    if (largest.size() == 0) largest = Eigen::MatrixXd::Zero(exact.rows(), exact.cols());
    largest = largest.cwiseMax(exact.cwiseAbs());
    worst = std::max(worst, relative_difference(exact, difference));
    for (Eigen::Index i = 0; i < exact.size(); ++i) {
      const double a = exact.data()[i], b = difference.data()[i];
      if (std::abs(a) < 1e-3 || std::abs(b) < 1e-3) continue;
      appears = true;
      if (a != b) has_own_bits = true;
    }
  }
};

/// The pattern of a matrix, ones at its places.
Eigen::MatrixXd pattern_of(SparseMatrix matrix) {
  matrix.coeffs().setOnes();
  return matrix;
}

DenseMatrices patterns_of(const Matrices& at) {
  return {pattern_of(at.M), pattern_of(at.C), pattern_of(at.K), pattern_of(at.J), pattern_of(at.F), pattern_of(at.G)};
}

bool has_axes(const ElementCase& element) {
  for (const EntryType& type : entry_types(Dimension::space)) {
    if (type.info->keyword != element.keyword) continue;
    for (const Field& field : type.info->fields) {
      if (field.kind == FieldKind::space_frame || field.kind == FieldKind::space_orientation) return true;
    }
  }
  return false;
}

/// Where the pattern is known to be larger than the matrix:
/// - both ends on one body: the law sees only what is between them, which does not know that it cancels;
/// - a damper at rest: K = ∂(c l̇ e)/∂q vanishes with l̇;
/// - the frame is that of the body itself: its z axis, say, does not move when the body turns about it, and lies there
///   in the axes in which the increments are (patterns do not depend on where a marker's axes point);
/// - a moment m that turns with its body: K(θ, θ) = ½[m]× has no diagonal, and nothing at all for a force at the
/// origin.
bool may_have_structural_zeros(const ElementCase& element, const Specimen& specimen, char letter, Motion motion) {
  const std::string& keyword = element.keyword;
  const bool is_damper = keyword == "damper" || keyword == "torsion_damper";
  const bool is_follower = keyword == "follower_force" || keyword == "follower_torque";
  return specimen.shares_body || (is_damper && letter == 'K' && motion == Motion::at_rest) ||
         (is_follower && letter == 'K') || (has_axes(element) && specimen.holds_on_to(Hold::body));
}

/// Whether the laws of an element know rates or accelerations at all.
bool knows_motion(const ElementCase& element) { return element.moving.find_first_of("MC") != std::string::npos; }

void compare_with_differences(Motion motion) {
  for (const ElementCase& element : space_element_cases()) {
    const int states = motion == Motion::moving && !knows_motion(element) ? 5 : states_each;
    std::set<char> found;
    for (const Specimen& specimen : space_specimens(element, gravity)) {
      CAPTURE(specimen.name);
      Assembly assembly(specimen.model, motion);
      SpaceDifferences differences(specimen.model);
      Random random(seed_of_states);
      std::map<char, Findings> findings;
      for (int i = 0; i < states; ++i) {
        const State state = random_space_state(specimen.model, random, motion);
        const DenseMatrices exact = exact_matrices(assembly.at(state));
        const DenseMatrices difference = differences.at(state);
        for (const char letter : letters) findings[letter].take(exact[letter], difference[letter]);
      }
      const DenseMatrices patterns = patterns_of(assembly.at(specimen.model.initial_state()));
      for (const char letter : letters) {
        CAPTURE(letter);
        const Findings& of = findings[letter];
        CHECK(of.worst < like_differences);
        // (About v = 0 a linear damper's difference has nothing to round. In motion it does.)
        if (of.appears && !(letter == 'C' && motion == Motion::at_rest)) CHECK(of.has_own_bits);
        if (of.appears) found.insert(letter);
        if (may_have_structural_zeros(element, specimen, letter, motion)) continue;
        const auto zeros = (patterns[letter].array() > 0 && of.largest.array() < 1e-9).count();
        CHECK(zeros == 0);
      }
    }
    CAPTURE(element.keyword);
    std::string expected = motion == Motion::at_rest ? element.at_rest : element.moving;
    std::sort(expected.begin(), expected.end());
    CHECK(std::string(found.begin(), found.end()) == expected);
  }
}

}  // namespace

TEST_CASE("every element type in space has a case") {
  std::set<std::string> cases, types;
  for (const ElementCase& element : space_element_cases()) cases.insert(element.keyword);
  for (const EntryType& type : entry_types(Dimension::space)) {
    if (type.stage == EntryType::Stage::elements) types.insert(std::string(type.info->keyword));
  }
  CHECK(types.size() >= 29);
  CHECK(cases == types);
}

TEST_CASE("every element type in space: all matrices equal central differences along the chart, at rest") {
  compare_with_differences(Motion::at_rest);
}

TEST_CASE("every element type in space: in motion, too, all matrices equal central differences along the chart") {
  compare_with_differences(Motion::moving);
}

// ---------------------------------------------------------------------------------------------------------------------
// The chart itself, without which the claims above would say little

TEST_CASE("the chart of the differences: it is the library's retraction, to rounding and at any size") {
  ModelBuilder build;
  build.space_body("b", {0, 0, 0});
  build.space_point("p", {1, 2, 3});
  const Model model = build.model();
  Random random(seed_of_states);
  for (int i = 0; i < states_each; ++i) {
    const State state = random_space_state(model, random, Motion::at_rest);
    const Eigen::VectorXd along = random.vector(9, -2, 2);
    const State mine = in_chart(model, state, along), theirs = model.displaced(state, along);
    CHECK(mine.q == theirs.q);
    CHECK(length(rotation_vector(inverse(mine.orientations[0]) * theirs.orientations[0])) < 1e-14);
  }
}

TEST_CASE("the chart of the differences: ω and α are the rates of the rotation that exp[θ(t)]× makes") {
  ModelBuilder build;
  build.space_body("b", {0, 0, 0});
  const Model model = build.model();
  Random random(seed_of_states);
  for (int i = 0; i < states_each; ++i) {
    State state = random_space_state(model, random, Motion::moving);
    const Eigen::VectorXd along = random.vector(6, -1.5, 1.5);
    const State here = in_chart(model, state, along);
    // θ(t) = θ + θ̇ t + ½ θ̈ t²: where it turns from `here`, as a rotation vector, has the derivative ω at t = 0, …
    const auto displaced = [&](double t) {
      return in_chart(model, state, along + t * state.v + (t * t / 2) * state.a);
    };
    const Eigen::VectorXd omega = central_difference([&](double t) {
      const Vec3<double> turn = rotation_vector(inverse(here.orientations[0]) * displaced(t).orientations[0]);
      return Eigen::Vector3d(turn.x, turn.y, turn.z).eval();
    });
    CHECK(relative_difference(omega, here.v.tail<3>()) < like_differences);
    // … and ω(t) the derivative α.
    const Eigen::VectorXd alpha = central_difference([&](double t) {
      State moving = state;
      moving.v += t * state.a;
      return in_chart(model, moving, along + t * state.v + (t * t / 2) * state.a).v.tail<3>().eval();
    });
    CHECK(relative_difference(alpha, here.a.tail<3>()) < like_differences);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Forces, potentials and symmetry

TEST_CASE("every conservative element in space: at rest its forces are minus the gradient of its potential energy") {
  for (const ElementCase& element : space_element_cases()) {
    double largest = 0;
    for (const Specimen& specimen : space_specimens(element, gravity)) {
      CAPTURE(specimen.name);
      const Model& model = specimen.model;
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        const State state = random_space_state(model, random, Motion::at_rest);
        const Eigen::VectorXd f = applied_forces(model, state);
        const Eigen::VectorXd slope = chart_derivative(model, state, [&](const State& at, const Eigen::VectorXd&) {
                                        return Eigen::VectorXd::Constant(1, potential_energy(model, at)).eval();
                                      }).transpose();
        if (element.conservative) REQUIRE(relative_difference(f, -slope) < like_differences);
        if (f.size() > 0) largest = std::max(largest, f.cwiseAbs().maxCoeff());
        if (!element.conservative) REQUIRE(slope.isZero(0));
      }
    }
    CAPTURE(element.keyword);
    // What has no potential and no damping has forces by its law only: then this claim says something.
    const bool is_force =
        element.at_rest.find_first_of("KF") != std::string::npos && element.at_rest.find('J') == std::string::npos;
    if (is_force) CHECK(largest > 1);
  }
}

TEST_CASE(
    "every conservative element in space: with multipliers K is symmetric at any state; that of the others is not") {
  for (const ElementCase& element : space_element_cases()) {
    double skew = 0;
    for (const Specimen& specimen : space_specimens(element, gravity)) {
      if (specimen.shares_body) continue;  // there K may be nothing but what rounding leaves of zero
      CAPTURE(specimen.name);
      Assembly assembly(specimen.model);
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        const State state = random_space_state(specimen.model, random, Motion::at_rest);
        const DenseMatrices matrices = exact_matrices(assembly.at(state));
        skew = std::max(skew, relative_difference(matrices.K, matrices.K.transpose()));
        REQUIRE(relative_difference(matrices.M, matrices.M.transpose()) < like_rounding);
        REQUIRE(relative_difference(matrices.C, matrices.C.transpose()) < like_rounding);
      }
    }
    CAPTURE(element.keyword);
    if (element.conservative) CHECK(skew < like_rounding);
    else CHECK(skew > 0.1);
  }
}

TEST_CASE("every element in space between places on the ground: it does nothing to a body beside it") {
  int count = 0;
  for (const ElementCase& element : space_element_cases()) {
    for (const Specimen& specimen : space_specimens(element, gravity)) {
      const bool all_fixed = std::all_of(specimen.holds.begin(), specimen.holds.end(), [](Hold hold) {
        return hold == Hold::fixed || hold == Hold::input || hold == Hold::none;
      });
      if (!all_fixed) continue;
      CAPTURE(specimen.name);
      REQUIRE(specimen.model.coordinates() == 6);
      ++count;
      Random random(seed_of_states);
      const State state = random_space_state(specimen.model, random, Motion::moving);
      CHECK(applied_forces(specimen.model, state).isZero(0));
      CHECK(inertia_forces(specimen.model, state).isZero(0));
      Assembly assembly(specimen.model, Motion::moving);
      const Matrices& at = assembly.at(state);
      CHECK(at.M.nonZeros() + at.C.nonZeros() + at.K.nonZeros() + at.J.nonZeros() + at.F.nonZeros() == 0);
    }
  }
  CHECK(count >= 29);
}

// ---------------------------------------------------------------------------------------------------------------------
// Rigid motions of the whole

namespace {

/// The work of forces in rates of the coordinates, relative to the sum of what each component does.
double relative_work(const Eigen::VectorXd& f, const Eigen::VectorXd& rates) {
  const double parts = f.cwiseAbs().dot(rates.cwiseAbs());
  return parts > 0 ? std::abs(f.dot(rates)) / parts : 0;
}

struct Work {
  double of_forces = 0;
  double of_constraints = 0;
  double largest_force = 0;
};

/// The most work that the element does in translations of everything along the axes and in rotations about them.
Work most_work(const Specimen& specimen) {
  const Model& model = specimen.model;
  Work most;
  Assembly assembly(model);
  Random random(seed_of_states);
  for (int i = 0; i < 10; ++i) {  // fewer: each must first be brought together
    State state = random_space_state(model, random, Motion::at_rest);
    bring_together_in_space(model, state);
    const Eigen::MatrixXd J = assembly.at(state).J;
    state.v = random.vector(model.coordinates(), -2, 2);
    const Eigen::VectorXd f = applied_forces(model, state);
    const Eigen::VectorXd reaction = J.transpose() * state.lambda;
    for (int k = 0; k < 6; ++k) {
      const auto one = [k](int which) { return k == which ? 1.0 : 0.0; };
      const Eigen::VectorXd motion = rigid_velocity(model, state, {one(0), one(1), one(2)}, {one(3), one(4), one(5)});
      most.of_forces = std::max(most.of_forces, relative_work(f, motion));
      most.of_constraints = std::max(most.of_constraints, relative_work(reaction, motion));
    }
    most.largest_force = std::max({most.largest_force, f.cwiseAbs().maxCoeff(), reaction.cwiseAbs().maxCoeff()});
  }
  return most;
}

/// Calls claim(specimen) for everything that acts between moving bodies and nowhere else.
template <class Claim>
void for_each_inside(const Claim& claim) {
  std::set<std::string> met;
  for (const ElementCase& element : space_element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    for (const Specimen& specimen : space_specimens(element, {0, 0, 0})) {
      if (!floats_in_space(specimen)) continue;
      CAPTURE(specimen.name);
      met.insert(element.keyword);
      claim(specimen);
    }
  }
  CHECK(met.size() >= 21);
}

}  // namespace

// Not among them are: forces and torques which somebody outside exerts; weights, in which the Earth takes part; and
// what acts on single coordinates (coupling, prescribed), for a coupling of x to x is a wish about the axes of the
// ground.
TEST_CASE("every element in space between moving bodies: it does no work in a rigid motion of the whole") {
  const double no_work = 1e-11;  // the sums of random states cancel a digit or two
  for_each_inside([&](const Specimen& specimen) {
    if (specimen.shares_body) return;  // there forces may be nothing but what rounding leaves of zero
    const Work work = most_work(specimen);
    CHECK(work.of_forces < no_work);
    CHECK(work.of_constraints < no_work);
    CHECK(work.largest_force > 0.1);
  });
}

TEST_CASE("in space forces from outside do work in a rigid motion of the whole, so that the claim above can fail") {
  for (const ElementCase& element : space_element_cases()) {
    if (element.reacts != Reacts::outside) continue;
    for (const Specimen& specimen : space_specimens(element, gravity)) {
      if (!floats_in_space(specimen)) continue;
      CAPTURE(specimen.name);
      CHECK(most_work(specimen).of_forces > 0.1);
    }
  }
}

TEST_CASE("every element in space between moving bodies: its forces are those at rest while the whole moves rigidly") {
  for_each_inside([](const Specimen& specimen) {
    Random random(seed_of_states);
    for (int i = 0; i < states_each; ++i) {
      State state = random_space_state(specimen.model, random, Motion::at_rest);
      const Eigen::VectorXd at_rest = applied_forces(specimen.model, state);
      state.v = rigid_velocity(specimen.model, state, {1.5, -0.7, 0.4}, {2.3, 0.8, -1.1});
      const Eigen::VectorXd change = applied_forces(specimen.model, state) - at_rest;
      REQUIRE(change.cwiseAbs().maxCoeff() < 1e-11);  // of forces of up to 100
    }
  });
}

TEST_CASE(
    "every element in space between moving bodies: its energy and its constraint do not change when the whole is "
    "moved") {
  for_each_inside([](const Specimen& specimen) {
    const Model& model = specimen.model;
    Random random(seed_of_states);
    for (int i = 0; i < states_each; ++i) {
      const State state = random_space_state(model, random, Motion::at_rest);
      const Rotation<double> turn = random_rotation(random);
      const Vec3<double> by{random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)};
      const State moved = moved_rigidly(model, state, turn, by);
      const double energy = potential_energy(model, state), gap = constraint_residual(model, state).norm();
      REQUIRE(potential_energy(model, moved) == doctest::Approx(energy).epsilon(like_rounding));
      REQUIRE(constraint_residual(model, moved).norm() == doctest::Approx(gap).epsilon(like_rounding));
    }
  });
}
