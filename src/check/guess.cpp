// Constraint residuals and forces at the guess, and elements that have no value or no direction there.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "check/steps.h"
#include "stillpoint/assembly.h"

namespace stillpoint::checks {

namespace {

// A residual beyond this share of the usual scale means that the guess is not even rough: another position of the
// mechanism may be nearer than the intended one. For a length l the scale is l², so 0.7 l and 1.2 l are accepted.
constexpr double far_off = 0.5;

// Constraints whose residual has no common scale: their coordinates may be lengths, angles or anything else.
constexpr std::array scaleless{"coupling", "prescribed"};

// Rows that compare directions, by sines or angles. All other rows are lengths.
constexpr std::array directions{".angle", ".tilt_x", ".tilt_y", ".rx", ".ry", ".rz", ".cross", ".twist"};

template <class Words>
bool is_among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void warn_of_a_far_guess(const CheckedModel& checked, const Eigen::VectorXd& phi, CheckReport& report) {
  const double usual = checked.lengths.usual;  // NaN if there is none: then no residual counts as large
  double worst = far_off;
  std::string text;
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    if (elements.rows() == 0 || is_among(scaleless, info.keyword)) return;
    const Field* const own_length = info.field_called("length");
    for (int r = 0; r < elements.rows(); ++r) {
      const bool direction = info.keyword == "angle" || is_among(directions, elements.row_name(r));
      for (Index e = 0; e < elements.size(); ++e) {
        const Index row = checked.model.arrays()[static_cast<std::size_t>(array)].first_row + e * elements.rows() + r;
        double scale = direction ? 1 : usual;
        if (own_length) {
          const double l = checked.value({array, e}, *own_length).numbers[0];
          scale = l * l;
        }
        if (!(std::abs(phi[row]) > worst * scale)) continue;
        worst = std::abs(phi[row]) / scale;
        text = fmt::format("the guess violates {} by {:.3g} {}", checked.described({array, e}) + elements.row_name(r),
                           std::abs(phi[row]),
                           own_length  ? fmt::format("m², its length squared is {:.3g} m²", scale)
                           : direction ? "rad, where small angles are usual"
                                       : fmt::format("m, where lengths are about {:.3g} m", usual));
      }
    }
  });
  if (text.empty()) return;
  report.warnings.push_back(
      text +
      "; the position found from there may not be the intended one: correct 'at' or the angles of the bodies it joins");
}

}  // namespace

void find_worst_constraint(const CheckedModel& checked, CheckReport& report) {
  const Model& model = checked.model;
  if (model.constraints() == 0) return;
  Eigen::Index worst = 0;
  const Eigen::VectorXd phi = constraint_residual(model, checked.guess);
  report.residual = phi.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&worst);
  report.worst = model.constraint_name(static_cast<Index>(worst));
  if (std::isfinite(report.residual)) return warn_of_a_far_guess(checked, phi, report);
  report.warnings.push_back(fmt::format(
      "constraint '{}' has no value at the guess: two of its points coincide; move one of them", report.worst));
}

namespace {

// Elements that act along the line between two points. (The points of a revolute joint are meant to coincide.)
constexpr std::array along_a_line{"spring", "damper", "actuator", "rod", "distance", "angle"};

// Points closer than this share of their distance from the origin differ by rounding only.
constexpr double rounding = 1e-14;

/// Tells whether an element needs no direction although its ends coincide: the force of such a spring is k times the
/// difference of two positions.
bool works_at_zero_length(const CheckedModel& checked, ElementId id, const ElementInfo& info) {
  const Field* const free_length = info.field_called("free_length");
  const Field* const damping = info.field_called("damping");
  return free_length && damping && checked.value(id, *free_length).numbers[0] == 0 &&
         checked.value(id, *damping).numbers[0] == 0;
}

bool ends_coincide(const CheckedModel& checked, ElementId id, const Field& between) {
  const FieldValue value = checked.value(id, between);
  const auto a = checked.position(between.kind, value.references[0]);
  const auto b = checked.position(between.kind, value.references[1]);
  return a && b && length(*b - *a) <= rounding * (length(*a) + length(*b));
}

// The first coordinate whose force is not a number.
Index coordinate_without_force(const CheckedModel& checked) {
  const Eigen::VectorXd f = applied_forces(checked.model, checked.guess);
  for (Index i = 0; i < checked.model.coordinates(); ++i) {
    if (!std::isfinite(f[i])) return i;
  }
  return nothing;
}

}  // namespace

void find_zero_lengths(const CheckedModel& checked, CheckReport& report) {
  std::string first_force, first_constraint;
  Index forces = 0, constraints = 0;
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    const Field* const between = info.field_called("between");
    if (!between || between->most != 2 || !is_among(along_a_line, info.keyword)) return;
    const bool constrains = elements.rows() > 0;
    for (Index e = 0; e < elements.size(); ++e) {
      const ElementId id{array, e};
      if (!ends_coincide(checked, id, *between) || works_at_zero_length(checked, id, info)) continue;
      const std::string name = checked.described(id);
      if (report.zero_length_count++ < CheckReport::most_names) report.zero_length.push_back(name);
      if ((constrains ? constraints : forces)++ == 0) (constrains ? first_constraint : first_force) = name;
    }
  });
  if (const Index coordinate = coordinate_without_force(checked); coordinate != nothing) {
    report.warnings.push_back(fmt::format(
        "the force on '{}' has no value at the guess: {}", checked.model.coordinate_name(coordinate),
        forces > 0 ? fmt::format("the two ends of {} coincide{}; move one of them", first_force, and_more(forces - 1))
                   : "an element divides by zero there; move the places of its elements"));
  }
  if (constraints > 0) {
    report.warnings.push_back(
        fmt::format("{} has no direction at the guess, its two points coincide{}; move one of them", first_constraint,
                    and_more(constraints - 1)));
  }
}

}  // namespace stillpoint::checks
