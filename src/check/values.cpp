// Single numbers that are unusual: a mass, a stiffness, an angle.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "check/steps.h"

namespace stillpoint::checks {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// --- Masses

// Grams or tonnes taken for kilograms are three orders of magnitude off. The masses of one machine rarely differ by as
// much, so a warning is justified.
constexpr double odd_mass = 1000;

struct Masses {
  double largest = 0, second_largest = 0;
  double smallest = infinite, second_smallest = infinite;
  ElementId of_largest, of_smallest;
  Index count = 0;

  void add(ElementId id, double mass) {
    if (mass <= 0) return;  // a zero mass is an idealisation
    ++count;
    if (mass > largest) {
      second_largest = largest;
      largest = mass;
      of_largest = id;
    } else {
      second_largest = std::max(second_largest, mass);
    }
    if (mass < smallest) {
      second_smallest = smallest;
      smallest = mass;
      of_smallest = id;
    } else {
      second_smallest = std::min(second_smallest, mass);
    }
  }
};

}  // namespace

void warn_of_masses(const CheckedModel& checked, CheckReport& report) {
  Masses masses;
  for_each_number(
      checked, [](const Field& field) { return field.key == "mass" && field.unit == "kg"; },
      [&](ElementId id, double mass) { masses.add(id, mass); });
  if (masses.count < 2) return;
  const char* const advice = "this may be intended; otherwise check its unit (kg)";
  if (masses.largest >= odd_mass * masses.second_largest) {
    report.warnings.push_back(fmt::format("{} has a mass of {:.6g} kg, all others have at most {:.6g} kg; {}",
                                          checked.described(masses.of_largest), masses.largest, masses.second_largest,
                                          advice));
  }
  if (masses.count > 2 &&
      masses.smallest * odd_mass <= masses.second_smallest) {  // for two masses one warning is enough
    report.warnings.push_back(fmt::format("{} has a mass of {:.6g} kg, all others have at least {:.6g} kg; {}",
                                          checked.described(masses.of_smallest), masses.smallest,
                                          masses.second_smallest, advice));
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Stiffness and angles

namespace {

/// The smallest number of the field, or the smallest diagonal entry if the field is a matrix.
double least_on_diagonal(const FieldValue& value) {
  if (value.count != 36) return *std::min_element(value.numbers.begin(), value.numbers.begin() + value.count);
  double least = infinite;
  for (std::size_t i = 0; i < 6; ++i) least = std::min(least, value.numbers[7 * i]);
  return least;
}

}  // namespace

void warn_of_negative_stiffness(const CheckedModel& checked, CheckReport& report) {
  for (const char* const key : {"stiffness", "damping"}) {
    Index count = 0;
    std::string text;
    for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
      const Field* const field = info.field_called(key);
      if (!field || field->kind != FieldKind::numbers) return;
      for (Index e = 0; e < elements.size(); ++e) {
        const double least = least_on_diagonal(checked.value({array, e}, *field));
        if (least >= 0 || count++ > 0) continue;
        text = fmt::format("{} has a negative {} of {:.6g}", checked.described({array, e}), key, least);
      }
    });
    if (count == 0) continue;
    report.warnings.push_back(text + and_more(count - 1) +
                              "; it drives the motion away from equilibrium: correct the sign unless that is intended");
  }
}

namespace {

// Full turns are multiples of 2π; a round number beyond one turn is probably in degrees.
constexpr double round_angle = 5;

bool looks_like_degrees(double angle) {
  return std::abs(angle) > 2 * std::numbers::pi && std::abs(std::remainder(angle, round_angle)) < 1e-9;
}

}  // namespace

void warn_of_degrees(const CheckedModel& checked, CheckReport& report) {
  const Model& model = checked.model;
  Index count = 0;
  std::string text;
  const auto look_at = [&](double angle, const auto& what) {
    if (looks_like_degrees(angle) && count++ == 0) text = fmt::format("{} is {:.6g} rad", what(), angle);
  };
  for (Index b = 0; b < static_cast<Index>(model.blocks().size()); ++b) {
    const Block& block = model.blocks()[at(b)];
    if (block.kind != BlockKind::body) continue;
    look_at(checked.guess.q[block.first + 2], [&] { return "the angle of " + checked.described_block(b); });
  }
  for (const Marker& marker : model.markers()) {
    look_at(marker.angle, [&] { return "the angle of a place on " + checked.described_block(marker.block); });
  }
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    if (info.keyword == "angle") {  // the scalar of an `angle` element is an angle
      for (Index e = 0; e < elements.size(); ++e) {
        const Index block = elements.block(checked.context, e, 0);
        if (block == on_ground || model.blocks()[at(block)].kind != BlockKind::scalar) continue;
        look_at(checked.guess.q[model.blocks()[at(block)].first],
                [&] { return "the guess of " + checked.described_block(block); });
      }
    }
    for (const Field& field : info.fields) {
      if (field.unit != "rad" || field.kind != FieldKind::numbers || field.most != 1) continue;
      for (Index e = 0; e < elements.size(); ++e) {
        look_at(checked.value({array, e}, field).numbers[0], [&] {
          return fmt::format("{} of {}", field.key, checked.described({array, e}));
        });
      }
    }
  });
  if (count == 0) return;
  report.warnings.push_back(
      text + and_more(count - 1) +
      ", more than a whole turn; angles are in radians: for degrees write 90*deg in a model file");
}

}  // namespace stillpoint::checks
