// Cases in motion: their models, and the states at which they start.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/error.h"
#include "stillpoint/motion.h"
#include "support/case_runs.h"
#include "support/seeded.h"

namespace stillpoint::cases {

inline Model model_called(const std::string& name, const Parameters& parameters = {}) {
  return read_model((root() / "cases" / name).string(), parameters);
}

inline Index coordinate_of(const Model& model, const std::string& name) {
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (model.coordinate_name(i) == name) return i;
  }
  throw std::invalid_argument("no coordinate " + name);
}

inline Index output_of(const Model& model, const std::string& name) {
  for (Index i = 0; i < model.outputs(); ++i) {
    if (model.output_name(i) == name) return i;
  }
  throw std::invalid_argument("no output " + name);
}

/// From the guess with these rates, and the others as small as the constraints allow: what `--rate` does.
inline State started(const Model& model, const std::vector<std::pair<std::string, double>>& rates = {}) {
  State start = model.initial_state();
  start.v = Eigen::VectorXd::Zero(model.coordinates());
  ConsistentOptions how;
  for (const auto& [name, rate] : rates) {
    how.held.push_back(coordinate_of(model, name));
    start.v[how.held.back()] = rate;
  }
  return consistent_state(model, start, how);
}

/// Flexible bodies from matrices are known at rest only.
inline bool has_flexible_body(const Model& model) {
  return std::any_of(model.arrays().begin(), model.arrays().end(), [](const ModelArray& array) {
    return array.elements->info().keyword == "flexible_body" && array.elements->size() > 0;
  });
}

}  // namespace stillpoint::cases

namespace stillpoint::cases {

/// The first run of each case with at most so many coordinates that can be set in motion.
struct MovingCase {
  std::string name;
  Model model;
};
inline std::vector<MovingCase> moving_cases(Index most_coordinates) {
  std::vector<MovingCase> found;
  for (const auto& folder : case_folders()) {
    const CaseRun run = runs_of(folder).front();
    Model model = read_model(folder, run.parameters);
    if (model.coordinates() <= most_coordinates && !has_flexible_body(model))
      found.push_back({run.name, std::move(model)});
  }
  return found;
}

}  // namespace stillpoint::cases

namespace stillpoint {

/// The largest difference of positions, orientations and rates.
inline double apart(const State& a, const State& b) {
  double largest = std::max((a.q - b.q).lpNorm<Eigen::Infinity>(), (a.v - b.v).lpNorm<Eigen::Infinity>());
  for (std::size_t k = 0; k < a.orientations.size(); ++k) {
    const Rotation<double> turn = inverse(a.orientations[k]) * b.orientations[k];
    largest = std::max(largest, 2 * std::hypot(turn.x, turn.y, turn.z));
  }
  return largest;
}

/// A state near the guess, on the constraints, in motion; nothing if none is found there.
inline std::optional<State> random_moving_state(const Model& model, Random& random) {
  State state = model.displaced(model.initial_state(), random.vector(model.coordinates(), -0.1, 0.1));
  state.v = random.vector(model.coordinates(), -1, 1);
  try {
    return consistent_state(model, state);
  } catch (const Error&) {
    return {};
  }
}

}  // namespace stillpoint

namespace stillpoint::cases {

/// Follows each small case from a random start by the usual method, and hands over where that led to the end; stiff
/// ones it does not. Returns how many there were.
inline int for_each_usual_motion(
    Index most_coordinates, const MotionOptions& options,
    const std::function<void(const MovingCase& one, const State& start, const Motion& usual)>& compare) {
  int count = 0;
  for (const MovingCase& one : moving_cases(most_coordinates)) {
    CAPTURE(one.name);
    Random random(5);
    const auto start = random_moving_state(one.model, random);
    if (!start) continue;
    const Motion usual = integrate(one.model, *start, options);
    if (usual.status != MotionStatus::done) continue;
    compare(one, *start, usual);
    ++count;
  }
  return count;
}

}  // namespace stillpoint::cases
