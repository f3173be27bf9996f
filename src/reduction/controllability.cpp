// Controllability and observability: the outline. Small systems by their state space, large ones by vectors of modes.
#include "stillpoint/controllability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/dense/lapack.h"
#include "algebra/dense/lyapunov.h"
#include "forms/motion_outputs.h"
#include "forms/prescribed_motion.h"
#include "plants/hidden_modes.h"
#include "plants/plant_parts.h"
#include "reduction/state_space_groups.h"
#include "response/poles.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::MatrixXd, Eigen::VectorXcd;

constexpr double on_imaginary_axis =
    1e-10;  // a pole with a damping ratio below this lies on the imaginary axis to rounding

bool is_damped(Complex s, double error) { return -s.real() > std::max(error, on_imaginary_axis * std::abs(s)); }

// ---------------------------------------------------------------------------------------------------------------------
// By the state space

/// The bound of the pole nearest to the value, and how far it is.
double error_of(Complex s, Complex mean, const std::vector<Plant::Pole>& poles) {
  const Plant::Pole* nearest = nullptr;
  for (const Plant::Pole& pole : poles) {
    if (!nearest || std::abs(pole.s - s) < std::abs(nearest->s - s)) nearest = &pole;
  }
  return nearest ? std::abs(nearest->s - mean) + nearest->error : ModeReach::unset;
}

/// Brings a motion to the form with the largest entry 1; returns that entry.
Complex normalize(VectorXcd& shape) {
  if (shape.size() == 0) return 1;
  Eigen::Index largest = 0;
  if (shape.cwiseAbs().maxCoeff(&largest) == 0) return 1;
  const Complex entry = shape[largest];
  shape /= entry;
  return entry;
}

/// Fills in what is about the motion δq = T x of a group.
void add_motion(const Plant& plant, const StateSpaceGroups& space, const HautusResult& moved, const HautusResult& shown,
                ModeReach& reach) {
  const VectorXcd right = space.scale.asDiagonal() * shown.Q.col(0);
  reach.shape = plant.T * right;
  const Complex entry = normalize(reach.shape);
  if (reach.multiplicity > 1) return;
  const Complex product = (moved.Q.transpose() * shown.Q)(0, 0);
  reach.input_gains = (moved.moved.row(0) * entry / product).transpose();
  reach.output_gains = shown.moved.row(0).transpose() / entry;
}

std::vector<ModeReach> reach_of(const Plant& plant, const StateSpaceGroups& space,
                                const std::function<void(const std::string&)>& progress) {
  const HautusTester by_inputs(space.groups, space.inputs, space.size),
      by_outputs(space.duals, space.outputs, space.size);
  std::vector<ModeReach> reaches;
  for (std::size_t k = 0; k < space.groups.size(); ++k) {
    if (progress) progress(fmt::format("{} of {} eigenvalues examined", k, space.groups.size()));
    const ModeGroup& group = space.groups[k];
    const HautusResult moved = by_inputs.examine(k), shown = by_outputs.examine(k);
    ModeReach reach;
    reach.s = group.s;
    reach.error = 0;
    for (const Complex s : group.values) reach.error = std::fmax(reach.error, error_of(s, group.s, plant.poles));
    reach.multiplicity = static_cast<Index>(group.multiplicity());
    reach.inputs = moved.participation;
    reach.outputs = shown.participation;
    reach.moved = moved.stairs.test;
    reach.shown = shown.stairs.test;
    add_motion(plant, space, moved, shown, reach);
    reaches.push_back(std::move(reach));
  }
  return reaches;
}

/// B₀ + A B₁ + A² B₂: of the state x − B₁ u − B₂ u̇ − A B₂ u, for which no derivative is an input.
MatrixXd without_derivatives(const StateSpaceGroups& space) {
  MatrixXd B = MatrixXd::Zero(space.A.rows(), space.inputs.count);
  for (std::size_t c = 0; c < space.inputs.channels.size(); ++c) {
    Eigen::VectorXd column = space.inputs.B.col(static_cast<Eigen::Index>(c));
    for (int order = 0; order < space.inputs.channels[c].order; ++order) column = (space.A * column).eval();
    B.col(space.inputs.channels[c].input) += column;
  }
  return B;
}

/// Names the poles that are not asymptotically stable; empty if there is none.
std::string unstable_poles(const std::vector<ModeReach>& modes) {
  Index zero = 0, axis = 0, right = 0;
  for (const ModeReach& mode : modes) {
    if (is_damped(mode.s, 0)) continue;
    if (mode.s == 0.0) zero += mode.multiplicity;
    else if (mode.s.real() > on_imaginary_axis * std::abs(mode.s)) right += mode.multiplicity;
    else axis += mode.multiplicity;
  }
  std::vector<std::string> parts;
  const auto add = [&](Index count, const char* what) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, what));
  };
  add(zero, "at zero");
  add(axis, "undamped");
  add(right, "unstable");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void add_gramians(const StateSpaceGroups& space, Controllability& found) {
  const std::string unstable = unstable_poles(found.modes);
  if (!unstable.empty()) {
    found.no_gramians = fmt::format(
        "Gramians and Hankel singular values exist only where all modes are asymptotically stable: {}", unstable);
    return;
  }
  const MatrixXd controllable = gramian_factor(space.A, without_derivatives(space)),
                 observable = gramian_factor(space.A.transpose(), space.outputs.B);
  found.hankel = singular_values(observable.transpose() * controllable);
}

Controllability by_state_space(const LinearSystem& system, const ControllabilityOptions& options) {
  const auto say = [&](const char* text) {
    if (options.progress) options.progress(text);
  };
  say("all modes");
  const Spectrum modes = modes_of(system, options.minimal);
  say("state space");
  const PlantOptions making{
      .minimal = options.minimal, .minimum_norm_reactions = options.minimum_norm_reactions, .modes = &modes};
  const Plant plant = whole_state_space(system, making);
  const SilentChannels silent = silent_channels(system, minimal_form(system, options.minimal));
  const StateSpaceGroups space = groups_of(plant, Derivatives::of_inputs, silent);
  Controllability found;
  found.solver = "state space, block-diagonal form";
  found.modes = reach_of(plant, space, options.progress);
  say("Gramians");
  add_gramians(space, found);
  return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// By vectors of modes

Controllability by_vectors(const LinearSystem& system, const ControllabilityOptions& options) {
  LinearSystem determined = system;
  Controllability found;
  determined.Hl = determined_reactions(system, options.minimum_norm_reactions, found.warnings);
  const AnalysisOptions how{.minimal = options.minimal,
                            .modes = {.which = options.which.value_or(Lowest{}), .progress = options.progress}};
  const FoundModes modes = find_modes(system, Method::mcs, how);
  found.solver = "left and right vectors of the modes";
  found.modes = reach_by_vectors(determined, modes.spectrum.modes);
  found.all_modes = options.which && std::holds_alternative<All>(*options.which);
  found.no_gramians = "Gramians and Hankel singular values are computed with the state space of small systems";
  found.warnings.insert(found.warnings.end(), modes.spectrum.warnings.begin(), modes.spectrum.warnings.end());
  return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// Both

void add_energies(ModeReach& mode) {
  if (mode.multiplicity > 1 || mode.input_gains.size() + mode.output_gains.size() == 0) return;
  if (!is_damped(mode.s, mode.error)) return;
  const double decay = -2 * mode.s.real();
  if (mode.moved.hidden == 0) mode.energy_to_move = decay / mode.input_gains.squaredNorm();
  else mode.energy_to_move = std::numeric_limits<double>::infinity();
  mode.energy_shown = mode.shown.hidden == 0 ? mode.output_gains.squaredNorm() / decay : 0;
}

void count_hidden(Controllability& found) {
  for (const ModeReach& mode : found.modes) {
    found.count += mode.multiplicity;
    found.unmoved += mode.moved.hidden;
    found.unshown += mode.shown.hidden;
    if (mode.moved.is_barely() && !mode.moved.undecided) ++found.barely_moved;
    if (mode.shown.is_barely() && !mode.shown.undecided) ++found.barely_shown;
    if (mode.moved.undecided || mode.shown.undecided) ++found.undecided;
  }
}

}  // namespace

Controllability find_controllability(const LinearSystem& system, const ControllabilityOptions& options) {
  require_consistent_motion(system);
  const bool is_whole = !options.which && system.dof() <= options.largest_dense;
  Controllability found = is_whole ? by_state_space(system, options) : by_vectors(system, options);
  if (system.singular)
    found.warnings.emplace_back(
        "the configuration is singular: motions branch here, and these modes belong to none of the branches");
  for (ModeReach& mode : found.modes) add_energies(mode);
  count_hidden(found);
  return found;
}

}  // namespace stillpoint
