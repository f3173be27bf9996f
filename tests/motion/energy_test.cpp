// The account of the energy closes on every case: kinetic energy against the work of all forces, of dampers, motors and
// prescribed motions too; and where nothing is damped, driven or a follower force, the sum of both energies is kept.
#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "stillpoint/assemble.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "support/motion/moving_cases.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

constexpr double step_tolerance = 1e-9;
constexpr double allowed_imbalance = 1e3 * step_tolerance;  // of the largest energy
constexpr double largest_time = 1;                          // s
constexpr double radians_of_the_fastest = 100;
constexpr int most_steps = 300;                   // some are accelerated, and would become ever faster
constexpr Index largest_model = draws(1000, 30);  // coordinates

constexpr int knots = 20;  // of the splines of inputs; steps end there, as third derivatives jump

/// All inputs go up and back. Prescribed motions have rates of about 0.1, forces and torques a size of 1.
InputMotion driven(const Model& model, const State& state, double time) {
  if (model.inputs() == 0) return {};
  MotionAssembly assembly(model);
  const MatrixXd G = assembly.at(state).G;
  std::vector<InputTable> tables;
  for (Index input = 0; input < model.inputs(); ++input) {
    const double amplitude = G.rows() > 0 && G.col(input).norm() > 0 ? 0.05 * time : 1;
    InputTable table;
    table.input = input;
    for (int k = -2; k <= knots + 2; ++k) {
      table.times.push_back(time * k / knots);
      table.values.push_back(state.u[input] + amplitude * std::sin(2 * std::numbers::pi * k / knots));
    }
    tables.push_back(table);
  }
  return follow_tables(state.u, tables);
}

bool has_elements(const Model& model, const std::string& keyword) {
  return std::any_of(model.arrays().begin(), model.arrays().end(), [&](const ModelArray& array) {
    return array.elements->info().keyword == keyword && array.elements->size() > 0;
  });
}

/// Small ones that the constraints allow.
VectorXd random_rates(const Model& model, const State& state, Random& random) {
  if (model.constraints() == 0) return random.vector(model.coordinates(), -0.1, 0.1);
  MotionAssembly assembly(model);
  Eigen::FullPivLU<MatrixXd> lu(MatrixXd(assembly.at(state).J));
  lu.setThreshold(1e-9);
  const MatrixXd R = lu.kernel();
  return R * random.vector(R.cols(), -0.1, 0.1);
}

/// Without damping, follower forces and inputs; in a ground that rotates a part of the work is that of inertia forces.
bool keeps_energy(const Model& model, const State& start) {
  if (model.inputs() > 0 || has_elements(model, "rotating_frame")) return false;
  Assembly assembly(model);
  State state = start;
  state.v.resize(0);
  state.lambda = VectorXd::Zero(model.constraints());
  const Matrices& parts = assembly.at(state);
  const MatrixXd C = parts.C, K = parts.K;
  return (C + C.transpose()).norm() <= 1e-12 * (1 + C.norm()) && (K - K.transpose()).norm() <= 1e-9 * (1 + K.norm());
}

struct Checked {
  int moved = 0, kept = 0, driven = 0, damped = 0;
  std::vector<std::string> without_inertia{};
  double worst = 0;  ///< imbalance, of the largest energy
};

Motion check_account(const Model& model, const State& start, const InputMotion& inputs, double time,
                     MotionMethod method, Checked& count) {
  int steps = 0;
  Motion motion = integrate(model, start,
                            {.method = method,
                             .times = times_until(time, time / knots),
                             .tolerance = step_tolerance,
                             .inputs = inputs,
                             .stops = [&](const MotionRecord&) { return ++steps >= most_steps; }});
  CAPTURE(time);
  CAPTURE(name_of(method));
  REQUIRE_MESSAGE((motion.status == MotionStatus::done || motion.status == MotionStatus::stopped), motion.message);
  REQUIRE(motion.largest_energy > 0);
  CHECK(motion.largest_imbalance <= allowed_imbalance * motion.largest_energy);
  count.worst = std::max(count.worst, motion.largest_imbalance / motion.largest_energy);
  return motion;
}

void check_energy(const cases::CaseRun& run, Checked& count) {
  const Model model = read_model(run.folder.string(), run.parameters);
  if (model.coordinates() > largest_model || cases::has_flexible_body(model)) return;
  const AssembledGuess closed = assemble(model, model.initial_state());
  REQUIRE(closed.assembled);
  State state = closed.state;
  const double fastest = choose_method(model, state, largest_time).fastest;
  const double time = std::min(largest_time, radians_of_the_fastest / std::max(fastest, 1e-3));
  const InputMotion inputs = driven(model, state, time);
  Random random(43);
  state.v = random_rates(model, state, random);
  State start;
  try {
    start = consistent_state(model, state, {.inputs = inputs});
  } catch (const Undecided& undecided) {
    CHECK(undecided.message().find("has no inertia") != std::string::npos);
    count.without_inertia.push_back(run.folder.filename().string());
    return;
  }
  const Motion motion = check_account(model, start, inputs, time, MotionMethod::explicit_order_8, count);
  if (!inputs) check_account(model, start, inputs, time, MotionMethod::taylor, count);
  ++count.moved;
  count.driven += model.inputs() > 0;
  if (!keeps_energy(model, start)) {
    count.damped += model.inputs() == 0;
    return;
  }
  ++count.kept;
  for (const double work : motion.work) CHECK(std::abs(work) <= allowed_imbalance * motion.largest_energy);
}

}  // namespace

TEST_CASE("energy: the account closes on every case that can move") {
  Checked count;
  for (const auto& folder : cases::case_folders()) {
    const cases::CaseRun run = cases::runs_of(folder).front();
    CAPTURE(run.name);
    check_energy(run, count);
  }
  MESSAGE(count.moved, " cases: ", count.kept, " keep their energy, ", count.driven, " are driven, ", count.damped,
          " are damped, follow or rotate; the worst imbalance is ", count.worst, " of the energy");
  CHECK(count.moved >= draws(38, 25));
  CHECK(count.without_inertia == std::vector<std::string>{"maxwell_mass", "slider_crank_spatial"});
  CHECK(count.kept >= draws(15, 8));
  CHECK(count.driven >= 4);
  CHECK(count.damped >= draws(6, 3));
}

TEST_CASE("energy: a prescribed motion that follows a table does the work that its mechanism has") {
  const Model model = cases::model_called("base_excited");
  State state = model.initial_state();
  const InputMotion inputs = driven(model, state, 1);
  CHECK(std::abs(inputs(0).rate[0]) > 0.1);
  state.v = VectorXd::Zero(model.coordinates());
  const State start = consistent_state(model, state, {.inputs = inputs});
  CHECK(start.v.norm() > 0.1);
  const Motion motion =
      integrate(model, start, {.times = times_until(1, 1.0 / knots), .tolerance = 1e-10, .inputs = inputs});
  REQUIRE(motion.status == MotionStatus::done);
  CHECK(*std::max_element(motion.work.begin(), motion.work.end()) > 0.01 * motion.largest_energy);
  CHECK(motion.largest_imbalance <= 1e-10 * motion.largest_energy);
}
