// The result of a construction, and its proof: the residual of all constraints.

#include "stillpoint/closing.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/at.h"
#include "base/name_list.h"
#include "equilibrium/closing/construction.h"
#include "equilibrium/scales.h"
#include "equilibrium/statics.h"
#include "stillpoint/assembly.h"
#include "stillpoint/topology.h"

namespace stillpoint {

namespace {

constexpr double rounding_of_steps = 100;  // residual that is accepted, in units of the rounding of the coordinates
constexpr Index most_named = 6;

using Act = ConstructionStep::Act;

std::string list_of(const std::vector<std::string>& names) {
  return name_list(names, static_cast<Index>(names.size()), most_named);
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

ClosedGroup::Kind kind_of(const std::vector<Locus>& loci, bool is_direction) {
  if (is_direction) return ClosedGroup::Kind::directions;
  const auto spheres =
      std::count_if(loci.begin(), loci.end(), [](const Locus& locus) { return locus.shape == Locus::Shape::sphere; });
  return spheres >= 2   ? ClosedGroup::Kind::two_lengths
         : spheres == 1 ? ClosedGroup::Kind::length_and_line
                        : ClosedGroup::Kind::lines;
}

/// Turns steps into groups; a body belongs to the group after which it follows.
std::vector<ClosedGroup> groups_of(const Model& model, const Figure& figure, Construction& construction) {
  std::vector<ClosedGroup> groups;
  for (std::size_t k = 0; k < construction.steps().size(); ++k) {
    const ConstructionStep& step = construction.steps()[k];
    if (step.is_chosen) continue;
    if (step.act == Act::place && !groups.empty()) add_once(groups.back().bodies, model.block_name(step.which - 1));
    const bool is_direction = step.act == Act::meet_direction;
    if (step.act != Act::meet_point && !is_direction) continue;
    const std::vector<Locus> loci = construction.loci_of(static_cast<int>(k));
    ClosedGroup group{.kind = kind_of(loci, is_direction), .branch = step.branch};
    group.joint = is_direction ? node_name(model, figure.directions[at(step.which)].on.back().body)
                               : figure.points[at(step.which)].name;
    for (const Locus& locus : loci) add_once(group.links, construction.name_of(locus.link));
    groups.push_back(std::move(group));
  }
  return groups;
}

std::string chosen_name(const Model& model, const ConstructionStep& step) {
  if (step.act == Act::give) return model.coordinate_name(step.which);
  const Index block = step.which - 1;
  if (step.act == Act::keep_place) return "place of " + model.block_name(block);
  const Block& owner = model.blocks()[at(block)];
  return owner.kind == BlockKind::body ? model.coordinate_name(owner.first + 2)
                                       : "orientation of " + model.block_name(block);
}

void name_independent(const Model& model, const std::vector<Index>& given, const Construction& construction,
                      Closing& closing) {
  for (const Index coordinate : given) closing.independent.push_back(model.coordinate_name(coordinate));
  for (const ConstructionStep& step : construction.steps()) {
    if (!step.is_chosen) continue;
    closing.independent.push_back(chosen_name(model, step));
    ++closing.chosen;
  }
}

/// The constraint residual relative to lengths, as the assembly problem measures it.
struct Violation {
  double largest = 0, allowed = 0;
  Index worst = nothing;
};

Violation violation_at(const Model& model, const State& state, const Scales& scales) {
  Violation violation;
  if (model.constraints() == 0) return violation;
  const Eigen::VectorXd phi = scales.w.cwiseProduct(constraint_residual(model, state)).cwiseAbs();
  violation.largest = phi.allFinite() ? phi.maxCoeff(&violation.worst) : std::numeric_limits<double>::infinity();
  violation.allowed = rounding_of_steps * position_noise(state.q.cwiseQuotient(scales.s));
  return violation;
}

void explain_what_is_open(const Model& model, const Construction& construction, const Violation& violation,
                          Closing& closing) {
  if (!construction.failure().empty()) {
    closing.message = closing.independent.empty() ? construction.failure()
                                                  : fmt::format("with {} as in the guess, {}",
                                                                list_of(closing.independent), construction.failure());
    closing.gap = construction.gap();
  } else if (violation.worst != nothing) {
    closing.message = fmt::format(
        "the constraints do not close in closed form: '{}' keeps a residual of {:.3g} of the typical length",
        model.constraint_name(violation.worst), violation.largest);
  } else {
    closing.message = "the constraints have no value at the positions found";
  }
}

}  // namespace

Closing close_explicitly(const Model& model, const State& guess, const std::vector<Index>& independent) {
  Closing closing{.state = guess};
  const Figure figure = figure_of(model, guess);
  Construction construction(model, figure, guess, independent);
  const bool is_constructed = construction.run();
  State found = construction.state();
  for (const Index coordinate : independent) found.q[coordinate] = guess.q[coordinate];

  const Scales scales = find_scales(model, guess, MotionAssembly(model).at(guess).J);
  const Violation before = violation_at(model, guess, scales), after = violation_at(model, found, scales);
  closing.closed = is_constructed && after.largest <= after.allowed;
  name_independent(model, independent, construction, closing);
  if (closing.closed) closing.groups = groups_of(model, figure, construction);
  else explain_what_is_open(model, construction, after, closing);
  const bool is_satisfied = before.largest <= before.allowed;
  const bool is_found = closing.closed ? !(is_satisfied && closing.groups.empty()) : after.largest < before.largest;
  if (is_found) closing.state = std::move(found);
  closing.constraint_residual = is_found ? after.largest : before.largest;
  return closing;
}

std::vector<ClosedGroup> closing_conditions(const Model& model, const State& guess,
                                            const std::vector<Index>& independent) {
  return close_explicitly(model, guess, independent).groups;
}

std::string to_text(const Closing& closing) {
  if (!closing.closed) return closing.message;
  std::vector<std::string> joints;
  for (const ClosedGroup& group : closing.groups) {
    joints.push_back(fmt::format("{}'{}'{}", group.kind == ClosedGroup::Kind::directions ? "axis of " : "", group.joint,
                                 group.branch > 0   ? " +"
                                 : group.branch < 0 ? " −"
                                                    : ""));
  }
  const std::size_t count = closing.groups.size();
  return fmt::format("{} closing condition{} in closed form (independent: {}): {}", count, count == 1 ? "" : "s",
                     closing.independent.empty() ? "none" : list_of(closing.independent), list_of(joints));
}

}  // namespace stillpoint
