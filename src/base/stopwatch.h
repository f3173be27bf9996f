// How long something takes, in seconds of wall time.
#pragma once

#include <chrono>

namespace stillpoint {

class Stopwatch {
 public:
  /// Since the beginning.
  double seconds() const { return between(start_, Clock::now()); }

  /// Since the last lap, or since the beginning.
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
