// Claims that hold for every element type, whatever it holds on to.

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "elements/element_harness.h"

using namespace stillpoint;
using Motion = Assembly::Motion;

namespace {

constexpr int states_each = 100;
constexpr std::uint64_t seed_of_states = 20260101;
constexpr Vec2<double> gravity{0.6, -9.81};

// Differences are good to about 1e-11 here (see central_difference); a missing term shows at 1e-2 or more.
constexpr double like_differences = 1e-7;

// A few roundings of sums of the order of the terms.
constexpr double like_rounding = 1e-12;

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

constexpr char letters[] = {'M', 'C', 'K', 'J', 'F', 'G'};

const SparseMatrix& sparse(const Matrices& matrices, char letter) {
  switch (letter) {
    case 'M':
      return matrices.M;
    case 'C':
      return matrices.C;
    case 'K':
      return matrices.K;
    case 'J':
      return matrices.J;
    case 'F':
      return matrices.F;
    default:
      return matrices.G;
  }
}

/// Places in the pattern that were zero at every state.
int structural_zeros(const SparseMatrix& pattern, const Eigen::MatrixXd& largest) {
  int count = 0;
  for (Index column = 0; column < pattern.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(pattern, column); entry; ++entry) {
      if (largest(entry.row(), entry.col()) < 1e-9) ++count;
    }
  }
  return count;
}

/// Where the pattern is known to be larger than the matrix:
/// - both ends on one body: the law sees only what is between them, which does not know that it cancels;
/// - a damper at rest: K = ∂(c l̇ e)/∂q vanishes with l̇;
/// - off the origin of a turning body, a moment about the origin that is a sum of two terms which cancel: that of a
///   centrifugal force, which points to the origin, in C(φ, φ); that of a follower force, which turns with its arm, in
///   K(φ, φ).
bool may_have_structural_zeros(const Specimen& specimen, const std::string& keyword, char letter, Motion motion) {
  const bool is_mass = keyword == "point_mass" || keyword == "rigid_mass" || keyword == "rod";
  return specimen.shares_body || (keyword == "damper" && letter == 'K' && motion == Motion::at_rest) ||
         (is_mass && letter == 'C') || (keyword == "follower_force" && letter == 'K');
}

void compare_with_differences(Motion motion) {
  for (const ElementCase& element : element_cases()) {
    std::set<char> found;

    for (const Specimen& specimen : specimens(element, gravity)) {
      CAPTURE(specimen.name);
      Assembly assembly(specimen.model, motion);
      Differences differences(specimen.model);
      Random random(seed_of_states);
      std::map<char, Findings> findings;
      for (int i = 0; i < states_each; ++i) {
        const State state = random_state(specimen.model, random, motion);
        const DenseMatrices exact = exact_matrices(assembly.at(state));
        const DenseMatrices difference = differences.at(state);
        for (const char letter : letters) findings[letter].take(exact[letter], difference[letter]);
      }
      const Matrices& pattern = assembly.at(specimen.model.initial_state());
      for (const char letter : letters) {
        CAPTURE(letter);
        const Findings& of = findings[letter];
        CHECK(of.worst < like_differences);
        // (About v = 0 a linear damper's difference has nothing to round. In motion it does.)
        if (of.appears && !(letter == 'C' && motion == Motion::at_rest)) CHECK(of.has_own_bits);
        if (of.appears) found.insert(letter);
        if (may_have_structural_zeros(specimen, element.keyword, letter, motion)) continue;
        CHECK(structural_zeros(sparse(pattern, letter), of.largest) == 0);
      }
    }
    CAPTURE(element.keyword);
    std::string expected = motion == Motion::at_rest ? element.at_rest : element.moving;
    std::sort(expected.begin(), expected.end());
    CHECK(std::string(found.begin(), found.end()) == expected);
  }
}

}  // namespace

TEST_CASE("every element type has a case") {
  std::set<std::string> cases, types;
  for (const ElementCase& element : element_cases()) cases.insert(element.keyword);
  for (const EntryType& type : entry_types()) {
    if (type.stage == EntryType::Stage::elements) types.insert(std::string(type.info->keyword));
  }
  CHECK(types.size() >= 20);
  for (const std::string& type : types) {
    CAPTURE(type);
    CHECK(cases.count(type) == 1);
  }
}

TEST_CASE(
    "every element type: Jacobian and Hessian equal central differences at 100 states, and so do all other matrices") {
  compare_with_differences(Motion::at_rest);
}

TEST_CASE("every element type: in motion, too, all matrices equal central differences at 100 states") {
  compare_with_differences(Motion::moving);
}

TEST_CASE("every conservative element: at rest its forces are minus the gradient of its potential energy") {
  for (const ElementCase& element : element_cases()) {
    double largest = 0;
    for (const Specimen& specimen : specimens(element, gravity)) {
      CAPTURE(specimen.name);
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        State state = random_state(specimen.model, random, Motion::at_rest);
        const Eigen::VectorXd f = applied_forces(specimen.model, state);
        Eigen::VectorXd slope(f.size());
        for (Eigen::Index k = 0; k < f.size(); ++k) {
          const double here = state.q[k];
          slope[k] = central_difference([&](double h) {
            state.q[k] = here + h;
            return Eigen::VectorXd::Constant(1, potential_energy(specimen.model, state)).eval();
          })[0];
          state.q[k] = here;
        }
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

TEST_CASE("every conservative element: at rest, with multipliers, K is symmetric; a follower force's K is not") {
  for (const ElementCase& element : element_cases()) {
    double skew = 0;
    for (const Specimen& specimen : specimens(element, gravity)) {
      if (specimen.shares_body) continue;  // there K may be nothing but what rounding leaves of zero
      CAPTURE(specimen.name);
      Assembly assembly(specimen.model);
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        const State state = random_state(specimen.model, random, Motion::at_rest);
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

// ---------------------------------------------------------------------------------------------------------------------
// Rigid motions of the whole

namespace {

/// Newton's method from where the state is to the nearest place where the constraints hold.
void bring_together(const Model& model, State& state) {
  Assembly assembly(model);
  for (int i = 0; i < 50; ++i) {
    const Eigen::VectorXd phi = constraint_residual(model, state);
    if (phi.size() == 0 || phi.cwiseAbs().maxCoeff() < 1e-14) return;
    const Eigen::MatrixXd J = assembly.at(state).J;
    state.q -= J.completeOrthogonalDecomposition().solve(phi);
  }
}

/// The work of forces in a velocity, relative to the sum of what each component does.
double relative_work(const Eigen::VectorXd& f, const Eigen::VectorXd& velocity) {
  const double parts = f.cwiseAbs().dot(velocity.cwiseAbs());
  return parts > 0 ? std::abs(f.dot(velocity)) / parts : 0;
}

bool floats(const Specimen& specimen) {
  return !specimen.holds_on_to(Hold::fixed) && !specimen.holds_on_to(Hold::scalar);
}

struct Work {
  double of_forces = 0;
  double of_constraints = 0;
  double largest_force = 0;
};

/// The most work that the element does in translations of everything along x and y and in a rotation.
Work most_work(const Specimen& specimen) {
  Work most;
  Assembly assembly(specimen.model);
  Random random(seed_of_states);
  for (int i = 0; i < states_each; ++i) {
    State state = random_state(specimen.model, random, Motion::at_rest);
    bring_together(specimen.model, state);
    const Eigen::MatrixXd J = assembly.at(state).J;
    state.v = random.vector(specimen.model.coordinates(), -2, 2);
    const Eigen::VectorXd f = applied_forces(specimen.model, state);
    const Eigen::VectorXd reaction = J.transpose() * state.lambda;
    for (int k = 0; k < 3; ++k) {
      const Eigen::VectorXd motion = rigid_velocity(specimen.model, state, k == 0, k == 1, k == 2);
      most.of_forces = std::max(most.of_forces, relative_work(f, motion));
      most.of_constraints = std::max(most.of_constraints, relative_work(reaction, motion));
    }
    most.largest_force = std::max({most.largest_force, f.cwiseAbs().maxCoeff(), reaction.cwiseAbs().maxCoeff()});
  }
  return most;
}

}  // namespace

// Not among them are: force and follower_force, which somebody outside exerts; weights, in which the Earth takes part;
// and what acts on single coordinates (coupling, prescribed, an angle held in a scalar), for a scalar has no place in
// space, and a coupling of x to x is a wish about the axes of the ground.
TEST_CASE("every element between moving bodies: it does no work in a rigid motion of the whole") {
  const double no_work = 1e-11;  // the sums of random states cancel a digit or two
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    double largest_force = 0;
    for (const Specimen& specimen : specimens(element, {0, 0})) {
      if (!floats(specimen) || specimen.shares_body) continue;
      CAPTURE(specimen.name);
      const Work work = most_work(specimen);
      CHECK(work.of_forces < no_work);
      CHECK(work.of_constraints < no_work);
      CHECK(work.largest_force > 0.1);
      largest_force = std::max(largest_force, work.largest_force);
    }
    CAPTURE(element.keyword);
    CHECK(largest_force > 0.1);
  }
}

TEST_CASE("forces from outside do work in a rigid motion of the whole, so that the claim above can fail") {
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::outside) continue;
    for (const Specimen& specimen : specimens(element, gravity)) {
      if (!floats(specimen)) continue;
      CAPTURE(specimen.name);
      CHECK(most_work(specimen).of_forces > 0.1);
    }
  }
}

TEST_CASE("every element between moving bodies: its forces are those at rest while the whole moves rigidly") {
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    for (const Specimen& specimen : specimens(element, {0, 0})) {
      if (!floats(specimen)) continue;
      CAPTURE(specimen.name);
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        State state = random_state(specimen.model, random, Motion::at_rest);
        const Eigen::VectorXd at_rest = applied_forces(specimen.model, state);
        state.v = rigid_velocity(specimen.model, state, 1.5, -0.7, 2.3);
        REQUIRE((applied_forces(specimen.model, state) - at_rest).cwiseAbs().maxCoeff() < like_rounding);
      }
    }
  }
}

TEST_CASE("every element between moving bodies: its energy and its constraint do not change when the whole is moved") {
  for (const ElementCase& element : element_cases()) {
    if (element.reacts != Reacts::inside) continue;
    for (const Specimen& specimen : specimens(element, {0, 0})) {
      if (!floats(specimen)) continue;
      CAPTURE(specimen.name);
      Random random(seed_of_states);
      for (int i = 0; i < states_each; ++i) {
        State state = random_state(specimen.model, random, Motion::at_rest);
        const double energy = potential_energy(specimen.model, state);
        const double gap = constraint_residual(specimen.model, state).norm();
        const double turn = random.between(-3, 3), x = random.between(-2, 2), y = random.between(-2, 2);
        for (const Block& block : specimen.model.blocks()) {
          double* const q = state.q.data() + block.first;
          const Vec2<double> e = direction(turn);
          const Vec2<double> p = q[0] * e + q[1] * perpendicular(e);
          q[0] = p.x + x;
          q[1] = p.y + y;
          if (block.kind == BlockKind::body) q[2] += turn;
        }
        REQUIRE(potential_energy(specimen.model, state) == doctest::Approx(energy).epsilon(like_rounding));
        REQUIRE(constraint_residual(specimen.model, state).norm() == doctest::Approx(gap).epsilon(like_rounding));
      }
    }
  }
}
