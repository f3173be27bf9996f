#include "studies/line_of_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "stillpoint/error.h"
#include "studies/large_models.h"

namespace stillpoint {

LineOfModels::LineOfModels(const Variation& variation, Model here, const State& state)
    : variation_(variation), state_(state), here_(std::move(here)), inputs_here_(here_.initial_state().u) {}

// Large models are made anew where they are needed again: more than two at once would take the memory.
const Model& LineOfModels::at(double t) {
  const auto known = models_.find(t);
  if (known != models_.end()) return known->second;
  const Model there = variation_.model_at(variation_.value + t);
  require_same_parts(there);
  ++evaluated_;
  if (is_large(there) && models_.size() > 1) models_.clear();
  return models_.emplace(t, there).first->second;
}

// Of large models one assembly is kept at a time.
const Matrices& LineOfModels::matrices(double t, const State& state) {
  auto known = assemblies_.find(t);
  if (known == assemblies_.end()) {
    const Model& there = at(t);
    if (is_large(there)) assemblies_.clear();
    known = assemblies_.try_emplace(t, there).first;
  }
  return known->second.at(state);
}

// Models with other numbers share what does not depend on them.
bool LineOfModels::has_same_constraints(double t, const State& state) {
  const Model& there = at(t);
  const auto is_same = [](const ModelArray& a, const ModelArray& b) {
    return a.elements == b.elements || a.elements->rows() == 0;
  };
  return &there.blocks() == &here_.blocks() && (state.u.array() == state_.u.array()).all() &&
         std::equal(there.arrays().begin(), there.arrays().end(), here_.arrays().begin(), here_.arrays().end(),
                    is_same);
}

State LineOfModels::state(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& lambda) {
  State moved = q.size() > 0 ? at(t).displaced(state_, t * q) : state_;
  if (lambda.size() > 0) moved.lambda = state_.lambda + t * lambda;
  moved.u += at(t).initial_state().u - inputs_here_;
  if (variation_.input) moved.u[*variation_.input] += t;
  return moved;
}

// Elements may come and go, as those of a rotating frame do that begins to turn; coordinates may not.
void LineOfModels::require_same_parts(const Model& there) const {
  const auto same_block = [](const Block& a, const Block& b) { return a.kind == b.kind && a.first == b.first; };
  if (here_.constraints() == there.constraints() && here_.inputs() == there.inputs() &&
      std::equal(here_.blocks().begin(), here_.blocks().end(), there.blocks().begin(), there.blocks().end(),
                 same_block))
    return;
  throw Error(fmt::format("'{}' changes what the model consists of, so nothing has a derivative with respect to it",
                          variation_.name));
}

}  // namespace stillpoint
