#include "report/differences.h"

#include <algorithm>
#include <cmath>

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

/// The nearest of those that are left; null if there is none.
const Mode* take_nearest(std::vector<const Mode*>& left, const Mode& mode) {
  const auto nearest = std::min_element(left.begin(), left.end(), [&](const Mode* a, const Mode* b) {
    return std::abs(a->s - mode.s) < std::abs(b->s - mode.s);
  });
  if (nearest == left.end()) return nullptr;
  const Mode* const taken = *nearest;
  left.erase(nearest);
  return taken;
}

double largest_of(const std::vector<double>& values) {
  double largest = Mode::unset;  // of none; fmax passes over what is not a number
  for (const double value : values) largest = std::fmax(largest, value);
  return largest;
}

}  // namespace

Differences differences_between(const Spectrum& reference, const Spectrum& other) {
  Differences differences;
  differences.within_error_bars = true;
  std::vector<const Mode*> left = true_ones(other);
  for (const Mode* const mode : true_ones(reference)) {
    const Mode* const same = take_nearest(left, *mode);
    const double difference = same ? std::abs(same->s - mode->s) : Mode::unset;
    const double corrected = same ? std::abs(same->corrected - mode->s) : Mode::unset;
    differences.each.push_back(difference);
    differences.corrected.push_back(corrected);
    const bool is_within = same && (std::isnan(corrected) ? difference <= same->error + mode->error
                                                          : corrected <= same->corrected_error + mode->error);
    differences.within_error_bars = differences.within_error_bars && is_within;
  }
  differences.largest = largest_of(differences.each);
  differences.largest_corrected = largest_of(differences.corrected);
  return differences;
}

}  // namespace stillpoint
