// The minimal realisation [Kalman 1963] of a state space: for each group of eigenvalues the left subspace that no input
// moves is split off, and of what remains the right subspace that no output shows, both by orthogonal transformations
// within the group. What rounding cannot decide stays.
#include <fmt/format.h>

#include <Eigen/Core>

#include "base/at.h"
#include "base/name_list.h"
#include "reduction/reductions.h"
#include "reduction/state_space_groups.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr Index most_removed = 6;

/// What is left of a group, and how much was taken off.
struct MinimalGroup {
  ModeGroup rest;
  Index unmoved = 0, unshown = 0;
  bool undecided = false;
};

MinimalGroup minimal_group(const StateSpaceGroups& space, std::size_t k, const HautusTester& by_inputs,
                           const HautusTester& by_outputs) {
  const HautusResult moved = by_inputs.examine(k);
  MinimalGroup result{without(space.groups[k], moved.hidden_rows), moved.stairs.test.hidden, 0,
                      moved.stairs.test.undecided};
  if (result.rest.A.rows() == 0) return result;
  const ModeGroup dual = transposed(result.rest);
  const HautusResult shown = by_outputs.examine(k, dual);
  result.rest = transposed(without(dual, shown.hidden_rows));
  result.unshown = shown.stairs.test.hidden;
  result.undecided = result.undecided || shown.stairs.test.undecided;
  return result;
}

/// "2 at -0.1 ± 3i rad/s, moving arm.phi".
std::string named(Index count, const ModeGroup& group, const Plant& plant, const Eigen::VectorXd& scale) {
  const Eigen::VectorXd motion = (plant.T * scale.asDiagonal() * group.V).rowwise().norm();
  Eigen::Index largest = 0;
  if (motion.size() > 0) motion.maxCoeff(&largest);
  const std::string value = group.is_pair ? fmt::format("{:.4g} ± {:.6g}i", group.s.real(), group.s.imag())
                                          : fmt::format("{:.6g}", group.s.real());
  return fmt::format("{}{} rad/s{}", count > 1 ? fmt::format("{} at ", count) : "", value,
                     motion.size() > 0 ? " (" + plant.coordinate_names[at(largest)] + ")" : "");
}

/// The modes that are left out, and those that stay although nothing may move or show them.
struct Removed {
  std::vector<std::string> unmoved, unshown, undecided;

  void take(const MinimalGroup& group, const ModeGroup& whole, const Plant& plant, const Eigen::VectorXd& scale) {
    if (group.unmoved > 0) unmoved.push_back(named(group.unmoved, whole, plant, scale));
    if (group.unshown > 0) unshown.push_back(named(group.unshown, whole, plant, scale));
    if (group.undecided) undecided.push_back(named(1, whole, plant, scale));
  }
};

void add_note(std::vector<std::string>& notes, const char* what, const std::vector<std::string>& modes) {
  if (modes.empty()) return;
  notes.push_back(fmt::format("{}: {}", what, name_list(modes, static_cast<Index>(modes.size()), most_removed)));
}

/// The plant in the coordinates of what is left. States keep the numbers of the modes of the whole.
Plant of_groups(const Plant& full, const StateSpaceGroups& space, const std::vector<MinimalGroup>& groups) {
  const Eigen::Index states = space.A.rows();
  Eigen::MatrixXd V(states, states), W(states, states), A = Eigen::MatrixXd::Zero(states, states);
  std::vector<ModalPart> parts;
  Eigen::Index size = 0;
  for (const MinimalGroup& group : groups) {
    const Eigen::Index own = group.rest.A.rows();
    V.middleCols(size, own) = space.scale.asDiagonal() * group.rest.V;
    W.middleCols(size, own) = space.scale.cwiseInverse().asDiagonal() * group.rest.W;
    A.block(size, size, own, own) = group.rest.A;
    parts.push_back({size, own, group.rest.values});
    size += own;
  }
  return in_coordinates(full, V.leftCols(size), W.leftCols(size), A.topLeftCorner(size, size), modal_names(parts));
}

}  // namespace

ReducedPlant minimal_realisation(const LinearSystem& system, const Plant& full, const ReduceOptions& options) {
  if (options.order > 0)
    throw Error(
        "option 'order': a minimal realisation has as many states as inputs move and outputs show; leave order out");
  const SilentChannels silent = silent_channels(system, minimal_form(system, options.plant.minimal));
  const StateSpaceGroups space = groups_of(full, Derivatives::independent, silent);
  const HautusTester by_inputs(space.groups, space.inputs, space.size),
      by_outputs(space.duals, space.outputs, space.size);
  std::vector<MinimalGroup> groups;
  Removed removed;
  for (std::size_t k = 0; k < space.groups.size(); ++k) {
    groups.push_back(minimal_group(space, k, by_inputs, by_outputs));
    removed.take(groups.back(), space.groups[k], full, space.scale);
  }
  ReducedPlant reduced;
  reduced.plant = of_groups(full, space, groups);
  reduced.kept_exactly = static_cast<Index>(reduced.plant.first.A.rows());
  add_note(reduced.plant.notes, "left out, because no input moves it", removed.unmoved);
  add_note(reduced.plant.notes, "left out, because no output shows it", removed.unshown);
  add_note(reduced.plant.notes, "kept, because rounding hides whether inputs move and outputs show it",
           removed.undecided);
  return reduced;
}

}  // namespace stillpoint
