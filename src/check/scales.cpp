// Numbers out of proportion: single lengths, and lengths compared with gravity. The usual cause is a wrong unit.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "check/steps.h"

namespace stillpoint::checks {

namespace {

// Millimetres taken for metres are three orders of magnitude off; lengths of one model often differ by two.
constexpr double odd_length = 500;

// If more than a tenth of the lengths are large, they are intended.
constexpr std::size_t few(std::size_t count) { return std::max<std::size_t>(1, count / 10); }

// The range covers the Moon (1.62 m/s²) and Jupiter (24.8 m/s²).
constexpr double least_gravity = 1, most_gravity = 30;

// A model with gravity in m/s² whose usual length exceeds this is probably in millimetres.
constexpr double large_element = 100;

bool warn_of_odd_lengths(const CheckedModel& checked, CheckReport& report) {
  const Lengths& lengths = checked.lengths;
  if (lengths.count < 3 || !(lengths.largest > odd_length * lengths.usual)) return false;
  std::size_t count = 0;
  for_each_number(checked, is_length, [&](ElementId, double l) { count += l > odd_length * lengths.usual; });
  if (count > few(static_cast<std::size_t>(lengths.count))) return false;
  report.warnings.push_back(fmt::format(
      "{} has a length of {:.6g} m, where {:.3g} m is usual in this model{}; is it in mm? Lengths are in m",
      checked.described(lengths.of_largest), lengths.largest, lengths.usual, and_more(static_cast<Index>(count) - 1)));
  return true;
}

/// A place of the model at the guess.
struct Spot {
  Index block;
  Vec3<double> p;
};

std::vector<Spot> spots(const CheckedModel& checked) {
  const Model& model = checked.model;
  std::vector<Spot> all;
  const auto add = [&](FieldKind kind, Index marker, Index block) {
    const bool is_place =
        block == on_ground || model.blocks()[static_cast<std::size_t>(block)].kind != BlockKind::scalar;
    if (is_place) all.push_back({block, *checked.position(kind, marker)});
  };
  for (std::size_t k = 1; k < model.markers().size(); ++k) {  // the first is the origin of the ground
    add(FieldKind::position, static_cast<Index>(k), model.markers()[k].block);
  }
  for (std::size_t k = 1; k < model.space_markers().size(); ++k) {
    add(FieldKind::space_position, static_cast<Index>(k), model.space_markers()[k].block);
  }
  return all;
}

void warn_of_odd_places(const CheckedModel& checked, CheckReport& report) {
  const std::vector<Spot> all = spots(checked);
  if (all.size() < 4) return;
  const auto middle = [&](double Vec3<double>::*component) {
    std::vector<double> values;
    values.reserve(all.size());
    for (const Spot& spot : all) values.push_back(spot.p.*component);
    return median(std::move(values));
  };
  const Vec3<double> centre{middle(&Vec3<double>::x), middle(&Vec3<double>::y), middle(&Vec3<double>::z)};
  std::vector<double> distances;
  distances.reserve(all.size());
  for (const Spot& spot : all) distances.push_back(length(spot.p - centre));
  const double usual = median(distances);
  const auto count = static_cast<std::size_t>(
      std::count_if(distances.begin(), distances.end(), [&](double d) { return d > odd_length * usual; }));
  if (usual == 0 || count == 0 || count > few(all.size())) return;
  const auto farthest =
      static_cast<std::size_t>(std::max_element(distances.begin(), distances.end()) - distances.begin());
  const Vec3<double>& p = all[farthest].p;
  report.warnings.push_back(fmt::format(
      "a place on {} is at ({:.6g}, {:.6g}{}) m, {:.3g} m from the middle of the model, where {:.3g} m is usual{}; is "
      "it in mm? Lengths are in m",
      checked.described_block(all[farthest].block), p.x, p.y, checked.in_space ? fmt::format(", {:.6g}", p.z) : "",
      distances[farthest], usual, and_more(static_cast<Index>(count) - 1)));
}

void warn_of_gravity(const CheckedModel& checked, CheckReport& report) {
  const double g = length(report.gravity);
  if (g == 0) return;
  if (g < least_gravity || g > most_gravity) {
    report.warnings.push_back(fmt::format(
        "gravity is {:.6g} m/s², on Earth it is 9.81 m/s²; if another unit than m/s² is meant, give gravity, "
        "lengths and forces in m, kg and s",
        g));
    return;
  }
  const double usual = checked.lengths.usual;  // NaN if there is none: then no length is too large
  if (!(usual > large_element)) return;
  report.warnings.push_back(fmt::format(
      "gravity is {:.6g} m/s², and a usual length in this model is {:.3g} m; are lengths in mm? They must be in m", g,
      usual));
}

}  // namespace

void warn_of_scales(const CheckedModel& checked, CheckReport& report) {
  if (!warn_of_odd_lengths(checked, report)) warn_of_odd_places(checked, report);
  warn_of_gravity(checked, report);
}

}  // namespace stillpoint::checks
