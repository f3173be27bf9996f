#include "support/elements/claims.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

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
// Power series in time

namespace {

constexpr int highest = 7;              // power of the accelerations
constexpr int terms = highest + 4;      // of each variable
constexpr double moment = 0.02;         // far enough for the powers to count, near enough for the rest not to
constexpr double like_the_rest = 1e-3;  // of the powers that are left out, at that time

using Terms = Eigen::Matrix<double, Eigen::Dynamic, terms, Eigen::RowMajor>;

/// A motion from a state, with random accelerations and multipliers.
struct PolynomialMotion {
  Terms q, v, a, lambda;
  Eigen::Matrix<double, Eigen::Dynamic, terms, Eigen::RowMajor> orientations;

  PolynomialMotion(const Model& model, const State& state, Random& random) {
    const Index n = model.coordinates();
    q = v = a = Terms::Zero(n, terms);
    lambda = Terms::Zero(model.constraints(), terms);
    for (Index i = 0; i < model.constraints(); ++i) {
      for (int k = 0; k <= highest; ++k) lambda(i, k) = random.between(-1, 1);
    }
    q.col(0) = state.q;
    v.col(0) = state.v.size() > 0 ? state.v : Eigen::VectorXd::Zero(n);
    for (Index i = 0; i < n; ++i) {
      for (int k = 0; k <= highest; ++k) {
        a(i, k) = random.between(-1, 1);
        v(i, k + 1) = a(i, k) / (k + 1);
      }
      for (int k = 0; k <= highest + 1; ++k) q(i, k + 1) = v(i, k) / (k + 1);
    }
    turn(model, state);
  }

  /// Orientations follow R' = ½ R ∘ (0, ω).
  void turn(const Model& model, const State& state) {
    orientations.setZero(static_cast<Eigen::Index>(4 * state.orientations.size()), terms);
    for (const Block& block : model.blocks()) {
      if (block.kind != BlockKind::space_body) continue;
      const Rotation<double>& R0 = state.orientations[static_cast<std::size_t>(block.orientation)];
      auto R = orientations.middleRows<4>(4 * block.orientation);
      R.col(0) << R0.w, R0.x, R0.y, R0.z;
      for (int k = 1; k < terms - 1; ++k) {
        for (int i = 0; i < k; ++i) {
          const auto w = v.block<3, 1>(block.first + 3, k - 1 - i);
          const auto part =
              Rotation<double>{R(0, i), R(1, i), R(2, i), R(3, i)} * Rotation<double>{0, w[0], w[1], w[2]};
          R.col(k) += 0.5 / k * Eigen::Vector4d(part.w, part.x, part.y, part.z);
        }
      }
    }
  }

  State at(const Model& model, State state, double time) const {
    const auto sum = [&](const Terms& of) {
      Eigen::VectorXd x = Eigen::VectorXd::Zero(of.rows());
      for (int k = terms; k-- > 0;) x = x * time + of.col(k);
      return x;
    };
    state.q = sum(q);
    state.v = sum(v);
    state.a = sum(a);
    state.lambda = sum(lambda);
    const Eigen::VectorXd R = sum(orientations);
    for (const Block& block : model.blocks()) {
      if (block.kind != BlockKind::space_body) continue;
      state.q.segment<3>(block.first + 3).setZero();
      const auto r = R.segment<4>(4 * block.orientation);
      state.orientations[static_cast<std::size_t>(block.orientation)] =
          normalized(Rotation<double>{r[0], r[1], r[2], r[3]});
    }
    return state;
  }
};

/// Puts coefficients, a row for each series, where elements read them: the places stay the same from power to power.
void put(const Terms& of, std::vector<double>& places) {
  places.resize(SeriesPlaces::room(of.rows(), terms));
  for (Eigen::Index i = 0; i < of.rows(); ++i) {
    for (Eigen::Index k = 0; k < terms; ++k)
      places[static_cast<std::size_t>(SeriesPlaces::first(i, terms) + SeriesPlaces::step * k)] = of(i, k);
  }
}

/// What the coefficients sum to at a time, with those of the unknowns put in.
struct SeriesAtTime {
  Eigen::VectorXd applied, opposing, residual;
};
SeriesAtTime sum_of_series(const Model& model, const State& state, const PolynomialMotion& motion, double time) {
  const Index n = model.coordinates(), m = model.constraints();
  State still = state;
  still.v.resize(0);
  const MotionAssembly::Parts parts = MotionAssembly(model).at(still);
  SeriesAtTime sum{Eigen::VectorXd::Zero(n), Eigen::VectorXd::Zero(n), constraint_residual(model, still)};
  sum.residual += time * (parts.J * motion.v.col(0));
  std::vector<SeriesTapes> tapes(model.arrays().size());
  PolynomialMotion known = motion;
  std::vector<double> q, v, a, orientations, lambda;
  for (int k = 0; k <= highest; ++k) {
    // What is not known yet is unlike anything, so that no coefficient can use it.
    known = motion;
    known.a.rightCols(terms - k).setConstant(1e9);
    known.a.col(k).setZero();
    known.lambda.rightCols(terms - k).setConstant(1e9);
    known.v.rightCols(terms - k - 1).setConstant(1e9);
    known.q.rightCols(terms - k - 2).setConstant(1e9);
    known.orientations.rightCols(terms - k - 2).setConstant(1e9);
    put(known.q, q);
    put(known.v, v);
    put(known.a, a);
    put(known.orientations, orientations);
    put(known.lambda, lambda);
    const Expansion expansion{terms, q.data(), v.data(), a.data(), orientations.data()};
    Context context = model.context(still);
    context.expansion = &expansion;
    Eigen::VectorXd applied = Eigen::VectorXd::Zero(n), opposing = Eigen::VectorXd::Zero(n),
                    residual = Eigen::VectorXd::Zero(m);
    for (std::size_t i = 0; i < tapes.size(); ++i) {
      const ModelArray& array = model.arrays()[i];
      array.elements->add_series(context, {0, array.elements->size()},
                                 {k, applied.data(), opposing.data(), residual.data(), lambda.data(), array.first_row},
                                 tapes[i]);
    }
    const double power = std::pow(time, k);
    sum.applied += power * applied;
    sum.opposing += power * (opposing + parts.M * motion.a.col(k) + parts.J.transpose() * motion.lambda.col(k));
    sum.residual += power * time * time / ((k + 1) * (k + 2)) * (residual + parts.J * motion.a.col(k));
  }
  return sum;
}

}  // namespace

void check_series(const World& world) {
  constexpr int states = 3;
  // The part that is left out falls with the power highest + 1, down to rounding.
  constexpr double part = 0.25, rounding = 1e-12;
  const double fall = std::pow(part, highest + 0.5);
  const auto apart = [](const Eigen::VectorXd& found, const Eigen::VectorXd& expected) {
    if (found.size() == 0) return 0.0;
    return (found - expected).lpNorm<Eigen::Infinity>() / (1 + expected.lpNorm<Eigen::Infinity>());
  };
  for (const ElementCase& element : world.cases) {
    for (const Specimen& specimen : world.specimens(element)) {
      CAPTURE(specimen.name);
      const Model& model = specimen.model;
      Random random(world.seed);
      for (int i = 0; i < states; ++i) {
        const State state = world.random_state(model, random, Motion::moving);
        const PolynomialMotion motion(model, state, random);
        double before[] = {0, 0, 0};
        for (const double time : {moment, part * moment}) {
          const SeriesAtTime sum = sum_of_series(model, state, motion, time);
          State then = motion.at(model, state, time);
          const Eigen::VectorXd lambda = std::exchange(then.lambda, {});
          const Eigen::VectorXd constraint_forces = MotionAssembly(model).at(then).J.transpose() * lambda;
          const double errors[] = {apart(sum.applied, applied_forces(model, then)),
                                   apart(sum.opposing, inertia_forces(model, then) + constraint_forces),
                                   apart(sum.residual, constraint_residual(model, then))};
          for (std::size_t law = 0; law < 3; ++law) {
            CAPTURE(law);
            if (time == moment) CHECK(errors[law] < like_the_rest);
            else CHECK(errors[law] < std::max(rounding, fall * before[law]));
            before[law] = errors[law];
          }
        }
      }
    }
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

namespace {

/// Of the kinetic energy in coordinates of the chart at a state.
Eigen::VectorXd lagrange_in_chart(const Model& model, const State& state) {
  const auto energy = [&](const Eigen::VectorXd& along, const Eigen::VectorXd& rates) {
    State about = state;
    about.v = rates;
    about.a.resize(0);
    return kinetic_energy(model, in_chart(model, about, along));
  };
  return lagrange(energy, Eigen::VectorXd::Zero(model.coordinates()), state.v, state.a);
}

}  // namespace

void check_inertia(const World& world, int least) {
  constexpr double like_second_differences = 1e-7;
  constexpr int states = 3;
  int met = 0;
  for (const ElementCase& element : world.cases) {
    CAPTURE(element.keyword);
    bool has_inertia = false;
    for (const Specimen& specimen : world.specimens(element)) {
      CAPTURE(specimen.name);
      Random random(world.seed);
      for (int i = 0; i < states; ++i) {
        const State state = world.random_state(specimen.model, random, Motion::moving);
        const Eigen::VectorXd r = inertia_forces(specimen.model, state);
        if (r.isZero(0)) break;
        has_inertia = true;
        CHECK(relative_difference(r, lagrange_in_chart(specimen.model, state)) < like_second_differences);
      }
    }
    met += has_inertia;
  }
  CHECK(met >= least);
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
