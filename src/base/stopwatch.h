// Measures elapsed wall time in seconds.
#pragma once

#include <chrono>

namespace stillpoint {

class Stopwatch {
 public:
  /// Returns the time since construction.
  double seconds() const { return between(start_, Clock::now()); }

  /// Returns the time since the last call of lap(), or since construction.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = between(lap_, now);
    lap_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
  }

  Clock::time_point start_ = Clock::now(), lap_ = start_;
};

}  // namespace stillpoint
