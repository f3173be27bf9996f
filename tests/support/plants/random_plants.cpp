#include "support/plants/random_plants.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/read_model.h"
#include "stillpoint/reduce.h"
#include "support/seeded.h"

namespace stillpoint::testing {

namespace {

using Matrix = Eigen::MatrixXd;

LinearSystem from_matrices(const Matrix& M, const Matrix& C, const Matrix& K) {
  LinearSystem system;
  system.M = M.sparseView();
  system.C = C.sparseView();
  system.K = K.sparseView();
  return checked(std::move(system));
}

Matrix springs_between(Random& random, Index n, double lowest, double highest) {
  Matrix K = Matrix::Zero(n, n);
  for (Index i = 0; i + 1 < n; ++i) {
    const double k = random.scaled(lowest, highest);
    K(i, i) += k;
    K(i + 1, i + 1) += k;
    K(i, i + 1) -= k;
    K(i + 1, i) -= k;
  }
  return K;
}

Matrix masses(Random& random, Index n) { return random.vector(n, 0.2, 3).asDiagonal(); }

/// A chain that nothing holds, with a damper to the ground.
LinearSystem free_chain(Random& random) {
  const Index n = random.whole(2, 8);
  Matrix C = Matrix::Zero(n, n);
  const Index damped = random.below(n);
  C(damped, damped) = random.scaled(0.01, 2);
  return from_matrices(masses(random, n), C, springs_between(random, n, 0.1, 1000));
}

/// A held chain, some of whose coordinates have no mass, and some of these a damper.
LinearSystem massless(Random& random) {
  const Index n = random.whole(3, 9);
  Matrix M = masses(random, n), C = Matrix::Zero(n, n), K = springs_between(random, n, 1, 100);
  K(0, 0) += 10;
  for (int k = random.whole(1, 2); k > 0; --k) {
    const Index i = random.below(n);
    M(i, i) = 0;
    if (random.maybe(0.5)) C(i, i) = random.scaled(0.01, 1);
  }
  if (random.maybe(0.5)) C(0, 0) += 0.1;
  // The same in coordinates in which the massless directions are no coordinates.
  if (random.maybe(0.5)) {
    Matrix T = Matrix::Identity(n, n);
    for (double& t : T.reshaped()) t += 0.3 * random.between(-1, 1);
    M = (T.transpose() * M * T).eval();
    C = (T.transpose() * C * T).eval();
    K = (T.transpose() * K * T).eval();
    M = (0.5 * (M + M.transpose())).eval();
    C = (0.5 * (C + C.transpose())).eval();
    K = (0.5 * (K + K.transpose())).eval();
  }
  return from_matrices(M, C, K);
}

LinearSystem damped(Random& random) {
  const Index n = random.whole(1, 12);
  Matrix K = springs_between(random, n, 0.1, 1e4);
  K(0, 0) += random.scaled(1, 100);
  Matrix C = random.scaled(1e-4, 0.1) * K;
  if (random.maybe(0.3)) C.setZero();
  return from_matrices(masses(random, n), C, K);
}

LinearSystem gyroscopic(Random& random) {
  const Index n = random.whole(2, 10);
  Matrix K = springs_between(random, n, 1, 100), C = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) K(i, i) += random.scaled(0.1, 10);
  for (Index i = 0; i + 1 < n; i += 2) {
    C(i, i + 1) = random.entry();
    C(i + 1, i) = -C(i, i + 1);
  }
  if (random.maybe(0.5)) C += 0.01 * K;
  if (random.maybe(0.2)) K(0, n - 1) += 0.5 * random.entry();  // circulatory
  return from_matrices(masses(random, n), C, K);
}

LinearSystem at_rest(const std::string& text) {
  const Model model = read_model_text(text, "random");
  const Equilibrium rest = find_equilibrium(model);
  if (rest.status != EquilibriumStatus::at_rest) throw Error(rest.message);
  return linearize(model, rest);
}

/// Spatial beams in a row with a tip mass, bent by a dead load in any direction; without rotary inertia they twist
/// without inertia.
LinearSystem bent_beams(Random& random) {
  const int beams = random.whole(1, 3);
  std::string text = "stillpoint: 1\ndimension: 3\nname: bent\nmechanism:\n";
  for (int i = 1; i <= beams; ++i) {
    text += fmt::format("  - body: P[{0}]\n    at: {0}, 0, 0\n", i);
    if (i == beams) text += "    mass: 1\n    inertia: 0.1, 0.2, 0.2\n";
  }
  for (int i = 1; i <= beams; ++i) {
    text += fmt::format(
        "  - beam: b[{0}]\n    between: {1}, P[{0}]\n    length: 1\n    axial_stiffness: {2}\n"
        "    torsion_stiffness: {3}\n    bending_stiffness: {4}, {5}\n    mass_per_length: 1\n",
        i, i == 1 ? "ground" : fmt::format("P[{}]", i - 1), random.scaled(1e4, 1e6), random.scaled(30, 300),
        random.scaled(30, 300), random.scaled(30, 300));
    if (random.maybe(0.3)) text += "    rotary_inertia: 0.01, 0.005, 0.005\n";
    if (random.maybe(0.4)) text += "    damping: 0.01, 0.001\n";
  }
  text += fmt::format("  - force: load\n    at: P[{}]\n    vector: {}, {}, {}\n", beams, random.between(-3, 3),
                      random.between(-5, 5), random.between(-5, 5));
  if (random.maybe(0.3)) text += fmt::format("  - rotor: wheel\n    on: P[{}]\n    momentum: 0.5, 0, 0\n", beams);
  return at_rest(text);
}

/// Pendulums in the plane, linked by hinges, with springs and dampers between them.
LinearSystem linkage(Random& random) {
  const int links = random.whole(1, 4);
  std::string text = "stillpoint: 1\nname: linkage\ngravity: 0, -9.81\nmechanism:\n";
  for (int i = 1; i <= links; ++i)
    text += fmt::format(
        "  - body: L[{0}]\n    at: 0, {1}\n    angle: -90*deg\n    mass: {2}\n    inertia: {3}\n    centre: 0.5, 0\n"
        "  - revolute: h[{0}]\n    between: {4}, L[{0}]\n",
        i, 1 - i, random.between(0.5, 2), random.between(0.01, 0.1),
        i == 1 ? "ground" : fmt::format("L[{}](1, 0)", i - 1));
  for (int i = 1; i <= links; ++i) {
    if (random.maybe(0.5))
      text += fmt::format("  - torsion_damper: d[{0}]\n    between: {1}, L[{0}]\n    damping: {2}\n", i,
                          i == 1 ? "ground" : fmt::format("L[{}]", i - 1), random.scaled(1e-3, 1));
  }
  return at_rest(text);
}

using Maker = LinearSystem (*)(Random&);
struct Kind {
  const char* name;
  Maker draw;
};
constexpr Kind kinds[] = {{"free chain", free_chain}, {"massless", massless},     {"damped", damped},
                          {"gyroscopic", gyroscopic}, {"bent beams", bent_beams}, {"linkage", linkage}};

/// Coordinates that have an own value: no increments of an orientation.
std::vector<std::string> channels(Random& random, const LinearSystem& system) {
  std::vector<std::string> names;
  for (int k = random.whole(1, 2); k > 0; --k)
    names.push_back(system.coordinate_name(random.below(system.coordinates())));
  if (names.size() == 2 && names[0] == names[1]) names.pop_back();
  return names;
}

bool is_finite(const SparseMatrix& A) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (!std::isfinite(entry.value())) return false;
    }
  }
  return true;
}

bool is_finite(const Plant& plant) {
  const auto& a = plant.first;
  const auto& b = plant.second;
  for (const SparseMatrix* A :
       {&a.E, &a.A, &a.B, &a.C, &a.D, &b.M, &b.C, &b.K, &b.B, &b.F, &b.G, &b.D, &plant.T, &plant.S}) {
    if (!is_finite(*A)) return false;
  }
  for (const Plant::Pole& pole : plant.poles) {
    if (!std::isfinite(pole.s.real()) || !std::isfinite(pole.s.imag())) return false;
  }
  return true;
}

bool admits(const Plant& plant, const char* word) {
  for (const std::string& note : plant.notes) {
    if (note.find(word) != std::string::npos) return true;
  }
  return false;
}

std::string fault_of(const LinearSystem& system, const Plant& plant, bool is_exact) {
  constexpr double close = 1e-6;
  if (!is_finite(plant)) return "a number is not finite";
  if (!is_exact) return {};
  const ResponseError error = response_error(frequency_response(system, plant.check.omega), plant);
  if (error.relative <= close || admits(plant, "rounding")) return {};
  return fmt::format("the response is off by {:.1e}", error.relative);
}

}  // namespace

ControlledSystem controlled_system(std::uint64_t seed) {
  Random random(seed);
  const Kind& kind = kinds[seed % std::size(kinds)];
  LinearSystem system = kind.draw(random);
  const std::vector<std::string> inputs = channels(random, system), outputs = channels(random, system);
  return {kind.name, with_channels(system, inputs, outputs)};
}

std::vector<PlantOutcome> outcomes_of(const LinearSystem& system) {
  struct Form {
    const char* name;
    bool is_exact;
    std::function<Plant()> make;
  };
  const auto reduced = [&](Reduction method) {
    return [&system, method] { return reduce(system, {.method = method, .order = 4}).plant; };
  };
  const std::vector<Form> forms{{"state-space", true, [&] { return state_space(system); }},
                                {"second-order", true, [&] { return second_order(system); }},
                                {"modal", true, [&] { return modal_form(system); }},
                                {"descriptor", true, [&] { return descriptor(system); }},
                                {"penalty", false, [&] { return explicit_penalty(system); }},
                                {"corrected penalty", false, [&] { return corrected_penalty(system); }},
                                {"reduced, modal", false, reduced(Reduction::modal)},
                                {"reduced, balanced", false, reduced(Reduction::balanced)},
                                {"reduced, craig-bampton", false, reduced(Reduction::craig_bampton)},
                                {"reduced, krylov", false, reduced(Reduction::krylov)}};
  std::vector<PlantOutcome> outcomes;
  for (const Form& form : forms) {
    PlantOutcome outcome{form.name, {}, {}};
    try {
      outcome.fault = fault_of(system, form.make(), form.is_exact);
    } catch (const Error& error) {
      outcome.refusal = error.what();
    } catch (const std::exception& error) {
      outcome.fault = std::string("an exception: ") + error.what();
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace stillpoint::testing
