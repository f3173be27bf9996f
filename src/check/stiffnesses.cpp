// Stiffness compared with weight, with other stiffness, and with the mass of a beam. The usual cause of numbers out of
// proportion is a wrong unit: N/mm for N/m, N/mm² for N/m².

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/median.h"
#include "check/steps.h"

namespace stillpoint::checks {

namespace {

// A stiffness in N/mm is a thousand times too small. Those of one machine may well differ by two orders of magnitude.
constexpr double odd_stiffness = 500;

// Gravity stretches the springs that carry a machine by less than their length. In N/mm it would be a thousand times
// as much.
constexpr double odd_sag = 20;

// Waves along a bar: 5000 m/s in steel, 30 m/s in soft rubber. An idealised bar is stiffer than any real one.
constexpr double slowest_wave = 10, fastest_wave = 1e6;

struct Stiffness {
  ElementId id;
  double value;
};

std::vector<Stiffness> stiffnesses(const CheckedModel& checked) {
  std::vector<Stiffness> all;
  for_each_number(
      checked, [](const Field& field) { return field.key == "stiffness" && field.unit == "N/m"; },
      [&](ElementId id, double k) {
        if (k > 0) all.push_back({id, k});
      });
  return all;
}

void warn_of_an_odd_one(const CheckedModel& checked, const std::vector<Stiffness>& all, CheckReport& report) {
  if (all.size() < 3) return;
  std::vector<double> values;
  values.reserve(all.size());
  for (const Stiffness& one : all) values.push_back(one.value);
  const double usual = median(std::move(values));
  const auto softest = std::min_element(all.begin(), all.end(),
                                        [](const Stiffness& a, const Stiffness& b) { return a.value < b.value; });
  const auto odd =
      std::count_if(all.begin(), all.end(), [&](const Stiffness& one) { return one.value * odd_stiffness < usual; });
  if (odd == 0 || odd > std::max<std::ptrdiff_t>(1, std::ssize(all) / 10)) return;
  report.warnings.push_back(fmt::format(
      "{} has a stiffness of {:.6g} N/m, where {:.3g} N/m is usual in this model{}; is it in N/mm? This may be "
      "intended; otherwise write it in N/m",
      checked.described(softest->id), softest->value, usual, and_more(static_cast<Index>(odd) - 1)));
}

void warn_of_sag(const CheckedModel& checked, const std::vector<Stiffness>& all, CheckReport& report) {
  const double usual = checked.lengths.usual;  // NaN if there is none
  double together = 0;
  for (const Stiffness& one : all) together += one.value;
  const double sag = report.weight / together;
  if (!(together > 0 && sag > odd_sag * usual)) return;
  report.warnings.push_back(
      fmt::format("the weight of the model would stretch all its springs together ({}{}) by {:.3g} m, where lengths "
                  "are about {:.3g} "
                  "m; are stiffnesses in N/mm? They must be in N/m",
                  checked.described(all.front().id), and_more(static_cast<Index>(all.size()) - 1), sag, usual));
}

}  // namespace

void warn_of_stiffness(const CheckedModel& checked, CheckReport& report) {
  const std::vector<Stiffness> all = stiffnesses(checked);
  warn_of_an_odd_one(checked, all, report);
  warn_of_sag(checked, all, report);
}

void warn_of_beams(const CheckedModel& checked, CheckReport& report) {
  Index count = 0;
  std::string text;
  for_each_array(checked, [&](Index array, const ElementArrayBase& elements, const ElementInfo& info) {
    const Field *const axial = info.field_called("axial_stiffness"), *const mass = info.field_called("mass_per_length");
    if (!axial || !mass) return;
    for (Index e = 0; e < elements.size(); ++e) {
      const ElementId id{array, e};
      const double EA = checked.value(id, *axial).numbers[0], m = checked.value(id, *mass).numbers[0];
      const double wave = std::sqrt(EA / m);
      if (!(m > 0) || (wave >= slowest_wave && wave <= fastest_wave)) continue;
      if (count++ == 0)
        text = fmt::format("sound would travel along {} at {:.3g} m/s, in steel it does at 5000 m/s",
                           checked.described(id), wave);
    }
  });
  if (count == 0) return;
  report.warnings.push_back(
      text + and_more(count - 1) +
      "; check the units of axial_stiffness (E A in N, with E in N/m²) and mass_per_length (kg/m)");
}

}  // namespace stillpoint::checks
