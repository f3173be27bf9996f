// What long work tells while it lasts, and when it has to end.
#pragma once

#include <functional>
#include <string>

#include "stillpoint/deadline.h"

namespace stillpoint {

struct Supervision {
  std::function<void(const std::string&)> progress{};
  Deadline deadline{};

  void say(const std::string& text) const {
    if (progress) progress(text);
  }
  bool is_time_over() const { return deadline.is_over(); }
};

inline constexpr const char* time_over_in_count =
    "the time limit was reached before the eigenvalues in this region were counted";

}  // namespace stillpoint
