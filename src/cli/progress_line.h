// One line on the terminal that says how far long work is, and vanishes with it.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace stillpoint::cli {

class ProgressLine {
 public:
  /// On stderr, if that is a terminal and `is_wanted`.
  explicit ProgressLine(bool is_wanted);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// What the work is to call; empty where nobody looks. It must not outlive the line.
  std::function<void(const std::string&)> sink();
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  void say(const std::string& text);

  bool is_wanted_;
  bool is_shown_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace stillpoint::cli
