// A moment at which long work ends with what is known by then.
#pragma once

#include <chrono>
#include <optional>

namespace stillpoint {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  ///< never
  explicit Deadline(Clock::time_point at) : at_(at) {}
  /// So many seconds from now; a century or more is never.
  static Deadline after(double seconds) {
    constexpr double century = 3.2e9;
    if (!(seconds < century)) return {};
    return Deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)));
  }

  bool is_over() const { return at_ && Clock::now() >= *at_; }

 private:
  std::optional<Clock::time_point> at_;
};

}  // namespace stillpoint
