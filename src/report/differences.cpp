#include "report/differences.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace stillpoint {

namespace {

bool is_true(const Mode& mode) { return mode.kind == ModeClass::genuine && !mode.is_infinite(); }

std::vector<const Mode*> true_ones(const Spectrum& spectrum) {
  std::vector<const Mode*> modes;
  for (const Mode& mode : spectrum.modes) {
    if (is_true(mode)) modes.push_back(&mode);
  }
  return modes;
}

std::complex<double> best_value(const Mode& mode) {
  return std::isnan(mode.corrected.real()) ? mode.s : mode.corrected;
}
double best_error(const Mode& mode) { return std::isnan(mode.corrected.real()) ? mode.error : mode.corrected_error; }

/// Returns the partner of each reference mode, or null. The modes with the smallest error bounds choose first.
std::vector<const Mode*> matched(const std::vector<const Mode*>& reference, std::vector<const Mode*> others) {
  std::stable_sort(others.begin(), others.end(),
                   [](const Mode* a, const Mode* b) { return best_error(*a) < best_error(*b); });
  std::vector<const Mode*> result(reference.size(), nullptr);
  for (const Mode* const other : others) {
    std::size_t nearest = reference.size();
    for (std::size_t i = 0; i < reference.size(); ++i) {
      if (result[i]) continue;
      const auto distance = [&](std::size_t k) { return std::abs(reference[k]->s - best_value(*other)); };
      if (nearest == reference.size() || distance(i) < distance(nearest)) nearest = i;
    }
    if (nearest < reference.size()) result[nearest] = other;
  }
  return result;
}

double largest_of(const std::vector<double>& values) {
  double largest = Mode::unset;  // fmax ignores NaN
  for (const double value : values) largest = std::fmax(largest, value);
  return largest;
}

}  // namespace

Differences differences_between(const Spectrum& reference, const Spectrum& other) {
  Differences differences;
  differences.within_error_bounds = true;
  const std::vector<const Mode*> modes = true_ones(reference), partners = matched(modes, true_ones(other));
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const Mode *const mode = modes[i], *const same = partners[i];
    const double difference = same ? std::abs(same->s - mode->s) : Mode::unset;
    const double corrected = same ? std::abs(same->corrected - mode->s) : Mode::unset;
    differences.each.push_back(difference);
    differences.corrected.push_back(corrected);
    const bool is_within = same && std::abs(best_value(*same) - mode->s) <= best_error(*same) + mode->error;
    differences.within_error_bounds = differences.within_error_bounds && is_within;
  }
  differences.largest = largest_of(differences.each);
  differences.largest_corrected = largest_of(differences.corrected);
  return differences;
}

}  // namespace stillpoint
