// How long something takes: the median of some runs.
#pragma once

#include <functional>
#include <vector>

#include "base/median.h"
#include "base/stopwatch.h"

namespace stillpoint {

/// Runs the work at least so often, and until so much time has gone.
inline double milliseconds(const std::function<void()>& work, std::size_t often_enough = 15, double long_enough = 0.5) {
  std::vector<double> times;
  const Stopwatch all;
  while (times.size() < often_enough || all.seconds() < long_enough) {
    const Stopwatch watch;
    work();
    times.push_back(1e3 * watch.seconds());
  }
  return median(std::move(times));
}

}  // namespace stillpoint
