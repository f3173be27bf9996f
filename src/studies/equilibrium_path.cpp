#include "studies/equilibrium_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "equilibrium/statics.h"
#include "model/displacement.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "studies/large_models.h"
#include "studies/rates_nearby.h"

namespace stillpoint {

Variation with_scale(Variation variation, const std::vector<double>& values) {
  constexpr double part = 1e-3;
  if (!values.empty()) variation.scale = part * (values.back() - values.front());
  return variation;
}

EquilibriumPath::EquilibriumPath(const Variation& variation, const Equilibrium& first, RatesDigits digits)
    : variation_(variation), digits_(digits) {
  const auto start = point(variation.value, variation.model_at(variation.value), {first, {}, {}}).point;
  scales_ = find_scales(start->model, first.state, MotionAssembly(start->model).at(first.state).J).s;
  known_.emplace(variation.value, start);
}

EquilibriumPath::EquilibriumPath(const Variation& variation, const Equilibrium& first,
                                 const std::vector<double>& through)
    : EquilibriumPath(with_scale(variation, through), first) {
  for (const double parameter : through) at(parameter);
  holds_starts_ = true;
}

EquilibriumPath::Reached EquilibriumPath::point(double parameter, Model model, CorrectedEquilibrium found) const {
  Variation here = variation_;
  here.value = parameter;
  auto matrices = std::make_shared<EvaluatedAssembly>(model, found.rest.state);
  SystemRates rates = rates_nearby(here, model, found.rest, {.digits = digits_}, {found.statics, matrices});
  return {std::make_shared<PathPoint>(PathPoint{parameter, std::move(model), std::move(found.rest), std::move(rates),
                                                std::move(found.known.rank)}),
          std::move(matrices)};
}

EquilibriumPath EquilibriumPath::from(const std::shared_ptr<const PathPoint>& point) const {
  EquilibriumPath path = *this;
  path.known_ = {{point->parameter, point}};
  path.last_ = point;
  path.analysis_.reset();  // another thread may use it
  path.partition_.reset();
  path.motions_ = {};
  return path;
}

double EquilibriumPath::distance(const PathPoint& a, const PathPoint& b) const {
  return largest(displacement_between(a.model, a.rest.state, b.rest.state).cwiseQuotient(scales_));
}

State EquilibriumPath::predicted(const PathPoint& from, const Model& model, double step) const {
  State state = model.displaced(from.rest.state, step * from.rates.q);
  state.lambda = from.rest.state.lambda + step * from.rates.lambda;
  state.u += model.initial_state().u - from.model.initial_state().u;
  if (variation_.input) state.u[*variation_.input] += step;
  return state;
}

// By the trapezoidal rule: half the way with either tangent.
bool EquilibriumPath::is_explained(const PathPoint& from, const PathPoint& to) const {
  constexpr double share = 0.1, small = 1e-3;
  const Eigen::VectorXd moved = displacement_between(from.model, from.rest.state, to.rest.state),
                        by_tangents = 0.5 * (to.parameter - from.parameter) * (from.rates.q + to.rates.q);
  const double way = largest(moved.cwiseQuotient(scales_));
  return largest((moved - by_tangents).cwiseQuotient(scales_)) <= std::max(share * way, small);
}

EquilibriumPath::Reached EquilibriumPath::followed(const PathPoint& from, double parameter, int halvings) {
  constexpr int most_halvings = 20;
  const double step = parameter - from.parameter;
  const Model model = variation_.model_at(parameter);
  CorrectedEquilibrium next =
      corrected_equilibrium(model, predicted(from, model, step), from.rest, {from.rank, analysis_});
  const Equilibrium& rest = next.rest;
  if (rest.status == EquilibriumStatus::at_rest && rest.kind != ConfigurationType::singular &&
      rest.kind != ConfigurationType::isolated) {
    keep_analysis(next.known.analysis, model);
    Reached found = point(parameter, model, std::move(next));
    if (is_explained(from, *found.point)) return found;
  }
  if (halvings >= most_halvings)
    throw Undecided(
        fmt::format("the equilibrium cannot be followed beyond {} = {:.6g}: its branch ends or turns back there",
                    variation_.name, from.parameter));
  const auto middle = followed(from, from.parameter + 0.5 * step, halvings + 1).point;
  keep_as_start(middle);
  return followed(*middle, parameter, halvings + 1);
}

// Next to a place where the equilibrium loses its last stiffness another branch may be as near, so that nothing starts
// from points that came close to one.
void EquilibriumPath::keep_as_start(const std::shared_ptr<const PathPoint>& point) {
  if (holds_starts_) return;
  const auto above = known_.lower_bound(point->parameter);
  const bool is_close = (above != known_.end() && above->first - point->parameter < variation_.scale) ||
                        (above != known_.begin() && point->parameter - std::prev(above)->first < variation_.scale);
  if (!is_close && point->rest.neutral_directions <= 0) known_.emplace(point->parameter, point);
  if (is_large(point->model)) keep_nearest(point->parameter);
}

// It is used by one correction after the other. The factors of very large models would take the memory of the modes.
void EquilibriumPath::keep_analysis(const std::shared_ptr<BorderedAnalysis>& analysis, const Model& model) {
  constexpr Index very_large = 500'000;  // coordinates
  analysis_ = model.coordinates() > very_large ? nullptr : analysis;
}

// Many large models would take the memory.
void EquilibriumPath::keep_nearest(double parameter) {
  constexpr std::size_t kept = 3;
  while (known_.size() > kept) {
    const bool is_first = parameter - known_.begin()->first > std::prev(known_.end())->first - parameter;
    known_.erase(is_first ? known_.begin() : std::prev(known_.end()));
  }
}

EquilibriumPath::Reached EquilibriumPath::reached(double parameter) {
  if (last_ && last_->parameter == parameter) return {last_, {}};
  const auto above = known_.lower_bound(parameter);
  if (above != known_.end() && above->first == parameter) return {above->second, {}};
  auto nearest = above;
  if (above == known_.end()) nearest = std::prev(above);
  else if (above != known_.begin() && parameter - std::prev(above)->first < above->first - parameter)
    nearest = std::prev(above);
  Reached found = followed(*nearest->second, parameter, 0);
  last_ = found.point;
  keep_as_start(last_);
  return found;
}

}  // namespace stillpoint
