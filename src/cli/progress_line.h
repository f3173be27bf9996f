// A line on the terminal that shows the progress of long work and is erased at its end.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace stillpoint::cli {

class ProgressLine {
 public:
  /// The line appears on stderr if that is a terminal and `is_wanted`.
  explicit ProgressLine(bool is_wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Returns the function that the work calls with its progress; empty if no line is shown. It must not outlive the
  /// line.
  std::function<void(const std::string&)> sink();
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void say(const std::string& text);

  bool is_wanted_;
  bool is_shown_ = false;
  std::string plan_;  ///< printed above the line when it is first shown
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace stillpoint::cli
