// How long something takes, in seconds of wall time.
#pragma once

#include <chrono>

class Stopwatch {
 public:
  /// Seconds since the last call, or since the beginning.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};
