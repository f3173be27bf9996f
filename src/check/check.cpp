#include "stillpoint/check.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "stillpoint/assembly.h"

namespace stillpoint {

namespace {

constexpr Index most_names = 200;

void count_things(const Model& model, CheckReport& report) {
  for (const Block& block : model.blocks()) {
    if (block.kind == BlockKind::body) ++report.bodies;
    if (block.kind == BlockKind::point) ++report.points;
    if (block.kind == BlockKind::scalar) ++report.scalars;
  }
  for (const ModelArray& array : model.arrays()) {
    const ElementArrayBase& elements = *array.elements;
    report.elements.push_back(
        {std::string(elements.info().keyword), elements.size(), elements.size() * elements.rows()});
  }
}

MassMoments mass_moments(const Model& model, const Context& context, const Vec2<double>& about) {
  MassMoments total;
  for (const ModelArray& array : model.arrays()) array.elements->add_mass_moments(context, about, total);
  return total;
}

// The moment of inertia is summed about the centre of mass itself: a difference of large sums would lose its digits.
void sum_mass(const Model& model, const Context& context, CheckReport& report) {
  const MassMoments about_origin = mass_moments(model, context, {0, 0});
  report.mass = about_origin.mass;
  const double over_mass = report.mass > 0 ? 1 / report.mass : std::numeric_limits<double>::quiet_NaN();
  report.centre = over_mass * about_origin.first;
  report.inertia = report.mass > 0 ? mass_moments(model, context, report.centre).second : over_mass;
}

void find_worst_constraint(const Model& model, const State& state, CheckReport& report) {
  if (model.constraints() == 0) return;
  Eigen::Index worst = 0;
  report.residual = constraint_residual(model, state).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&worst);
  report.worst = model.constraint_name(static_cast<Index>(worst));
  if (!std::isfinite(report.residual)) {
    report.warnings.push_back(
        fmt::format("constraint '{}' has no value at the guess: two of its points coincide", report.worst));
  }
}

// A row of M is zero where accelerations ask for no force. No row cancels by chance: the accelerations are irregular.
void find_massless(const Model& model, State state, CheckReport& report) {
  state.a.resize(model.coordinates());
  for (Eigen::Index i = 0; i < state.a.size(); ++i) {
    state.a[i] = 1 + std::fmod(0.6180339887498949 * static_cast<double>(i), 1.0);
  }
  const Eigen::VectorXd forces = inertia_forces(model, state);
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (forces[i] != 0) continue;
    if (report.massless_count++ < most_names) report.massless.push_back(model.coordinate_name(i));
  }
}

void find_forces_without_value(const Model& model, const State& state, CheckReport& report) {
  const Eigen::VectorXd f = applied_forces(model, state);
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (std::isfinite(f[i])) continue;
    report.warnings.push_back(fmt::format(
        "the force on '{}' has no value at the guess: the two ends of a spring, damper or actuator coincide",
        model.coordinate_name(i)));
    return;
  }
}

}  // namespace

CheckReport check_model(const Model& model) {
  const State state = model.initial_state();
  CheckReport report;
  report.name = model.name();
  report.parameters = model.parameters();
  report.coordinates = model.coordinates();
  report.constraints = model.constraints();
  report.inputs = model.inputs();
  report.gravity = model.gravity();
  count_things(model, report);
  sum_mass(model, model.context(state), report);
  find_worst_constraint(model, state, report);
  find_massless(model, state, report);
  find_forces_without_value(model, state, report);
  return report;
}

}  // namespace stillpoint
