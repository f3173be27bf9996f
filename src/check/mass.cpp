// Total mass, centre of mass and inertia, and the coordinates without inertia.

#include <cmath>
#include <limits>

#include "check/steps.h"
#include "stillpoint/assembly.h"
#include "stillpoint/detail/mass_moments.h"

namespace stillpoint::checks {

namespace {

MassMoments mass_moments(const CheckedModel& checked, const Vec3<double>& about) {
  MassMoments total;
  for (const ModelArray& array : checked.model.arrays()) {
    array.elements->add_mass_moments(checked.context, about, total);
  }
  return total;
}

}  // namespace

// The moments of inertia are summed about the centre of mass itself: the parallel-axis theorem would subtract large
// numbers and lose digits.
void sum_mass(const CheckedModel& checked, CheckReport& report) {
  const MassMoments about_origin = mass_moments(checked, {});
  report.mass = about_origin.mass;
  report.weight = report.mass * length(report.gravity);
  if (report.mass <= 0) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    report.centre = {none, none, none};
    report.inertia.fill(none);
    return;
  }
  report.centre = (1 / report.mass) * about_origin.first;
  const auto [x, y, z] = mass_moments(checked, report.centre).second;  // columns
  report.inertia = {x.x, y.y, z.z, y.x, z.x, z.y};
  if (!report.in_space) report.inertia = {0, 0, z.z, 0, 0, 0};
}

// A row of M is zero where accelerations need no force. Irregular accelerations exclude that the terms of a row cancel.
std::vector<char> find_massless(const CheckedModel& checked, CheckReport& report) {
  const Model& model = checked.model;
  State state = checked.guess;
  state.a.resize(model.coordinates());
  for (Eigen::Index i = 0; i < state.a.size(); ++i) {
    state.a[i] = 1 + std::fmod(0.6180339887498949 * static_cast<double>(i), 1.0);
  }
  const Eigen::VectorXd forces = inertia_forces(model, state);
  std::vector<char> massless(static_cast<std::size_t>(model.coordinates()), 0);
  for (Index i = 0; i < model.coordinates(); ++i) {
    if (forces[i] != 0) continue;
    massless[static_cast<std::size_t>(i)] = 1;
    if (report.massless_count++ < CheckReport::most_names) report.massless.push_back(model.coordinate_name(i));
  }
  return massless;
}

}  // namespace stillpoint::checks
