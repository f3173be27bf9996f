// The time of a computation that is short enough to be repeated.
#pragma once

#include <limits>
#include <vector>

#include "base/median.h"
#include "base/stopwatch.h"

namespace stillpoint {

/// Runs a computation up to five times, but not again once it has taken a fifth of a second, and returns the median
/// time in seconds; NaN if `run` returns false.
template <class Run>
double median_time(const Run& run) {
  constexpr std::size_t most_runs = 5;
  constexpr double enough = 0.2;
  std::vector<double> seconds;
  double total = 0;
  while (seconds.size() < most_runs && total < enough) {
    const Stopwatch watch;
    if (!run()) return std::numeric_limits<double>::quiet_NaN();
    seconds.push_back(watch.seconds());
    total += seconds.back();
  }
  return median(std::move(seconds));
}

}  // namespace stillpoint
