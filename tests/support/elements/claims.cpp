#include "support/elements/claims.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace stillpoint {

using Motion = Assembly::Motion;

// ---------------------------------------------------------------------------------------------------------------------
// Matrices

namespace {

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

/// On one body there is nothing but what rounding leaves of large forces that cancel.
double differing_like(const Specimen& specimen) { return (specimen.shares_body ? 10 : 1) * like_differences; }

/// The pattern of a matrix, ones at its places.
Eigen::MatrixXd pattern_of(SparseMatrix matrix) {
  matrix.coeffs().setOnes();
  return matrix;
}

DenseMatrices patterns_of(const Matrices& at) {
  return {pattern_of(at.M), pattern_of(at.C), pattern_of(at.K), pattern_of(at.J), pattern_of(at.F), pattern_of(at.G)};
}

/// Whether the laws of an element know rates or accelerations at all.
bool knows_motion(const ElementCase& element) { return element.moving.find_first_of("MC") != std::string::npos; }

/// Compares the matrices of one specimen, and adds those that appear to `found`.
void check_specimen(const World& world, const ElementCase& element, const Specimen& specimen, Motion motion,
                    std::set<char>& found) {
  Assembly assembly(specimen.model, motion);
  CentralDifferences differences(specimen.model);
  Random random(world.seed);
  std::map<char, Findings> findings;
  const int states = motion == Motion::moving && !knows_motion(element) ? world.states_unmoved : world.states;
  for (int i = 0; i < states; ++i) {
    const State state = world.random_state(specimen.model, random, motion);
    const DenseMatrices exact = exact_matrices(assembly.at(state));
    const DenseMatrices difference = differences.at(state);
    for (const char letter : letters) findings[letter].take(exact[letter], difference[letter]);
  }
  const DenseMatrices patterns = patterns_of(assembly.at(specimen.model.initial_state()));
  for (const char letter : letters) {
    CAPTURE(letter);
    const Findings& of = findings[letter];
    CHECK(of.worst < differing_like(specimen));
    // (About v = 0 a linear damper's difference has nothing to round. In motion it does.)
    if (of.appears && !(letter == 'C' && motion == Motion::at_rest)) CHECK(of.has_own_bits);
    if (of.appears) found.insert(letter);
    if (world.may_have_structural_zeros(element, specimen, letter, motion)) continue;
    const auto zeros = (patterns[letter].array() > 0 && of.largest.array() < 1e-9).count();
    CHECK(zeros == 0);
  }
}

}  // namespace

void check_matrices(const World& world, Motion motion) {
  for (const ElementCase& element : world.cases) {
    std::set<char> found;
    for (const Specimen& specimen : world.specimens(element)) {
      CAPTURE(specimen.name);
      check_specimen(world, element, specimen, motion, found);
    }
    CAPTURE(element.keyword);
    std::string expected = motion == Motion::at_rest ? element.at_rest : element.moving;
    std::sort(expected.begin(), expected.end());
    CHECK(std::string(found.begin(), found.end()) == expected);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Potentials and symmetry

void check_potentials(const World& world) {
  for (const ElementCase& element : world.cases) {
    double largest = 0;
    for (const Specimen& specimen : world.specimens(element)) {
      CAPTURE(specimen.name);
      const Model& model = specimen.model;
      Random random(world.seed);
      for (int i = 0; i < world.states; ++i) {
        const State state = world.random_state(model, random, Motion::at_rest);
        const Eigen::VectorXd f = applied_forces(model, state);
        const Eigen::VectorXd slope = chart_derivative(model, state, [&](const State& at, const Eigen::VectorXd&) {
                                        return Eigen::VectorXd::Constant(1, potential_energy(model, at)).eval();
                                      }).transpose();
        if (element.conservative) REQUIRE(relative_difference(f, -slope) < differing_like(specimen));
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

void check_symmetry(const World& world) {
  for (const ElementCase& element : world.cases) {
    double skew = 0;
    for (const Specimen& specimen : world.specimens(element)) {
      if (specimen.shares_body) continue;  // there K may be nothing but what rounding leaves of zero
      CAPTURE(specimen.name);
      Assembly assembly(specimen.model);
      Random random(world.seed);
      for (int i = 0; i < world.states; ++i) {
        const State state = world.random_state(specimen.model, random, Motion::at_rest);
        const DenseMatrices matrices = exact_matrices(assembly.at(state));
        skew = std::max(skew, relative_difference(matrices.K, matrices.K.transpose()));
        REQUIRE(relative_difference(matrices.M, matrices.M.transpose()) < like_rounding);
        const Eigen::MatrixXd mirrored = (element.gyroscopic ? -1 : 1) * matrices.C.transpose();
        REQUIRE(relative_difference(matrices.C, mirrored) < like_rounding);
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

double relative_work(const Eigen::VectorXd& f, const Eigen::VectorXd& rates) {
  const double parts = f.cwiseAbs().dot(rates.cwiseAbs());
  return parts > 0 ? std::abs(f.dot(rates)) / parts : 0;
}

}  // namespace

Work most_work(const World& world, const Specimen& specimen) {
  const Model& model = specimen.model;
  Work most;
  Assembly assembly(model);
  Random random(world.seed);
  for (int i = 0; i < world.states_connected; ++i) {
    State state = world.random_state(model, random, Motion::at_rest);
    bring_together(model, state);
    const Eigen::MatrixXd J = assembly.at(state).J;
    state.v = random.vector(model.coordinates(), -2, 2);
    const Eigen::VectorXd f = applied_forces(model, state);
    const Eigen::VectorXd reaction = J.transpose() * state.lambda;
    const Eigen::MatrixXd motions = world.rigid_motions(model, state);
    for (const auto& rates : motions.colwise()) {
      most.of_forces = std::max(most.of_forces, relative_work(f, rates));
      most.of_constraints = std::max(most.of_constraints, relative_work(reaction, rates));
    }
    most.largest_force = std::max({most.largest_force, f.cwiseAbs().maxCoeff(), reaction.cwiseAbs().maxCoeff()});
  }
  return most;
}

}  // namespace stillpoint
