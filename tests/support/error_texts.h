// What errors and other texts say.
#pragma once

#include <string>

#include "stillpoint/error.h"

namespace stillpoint {

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// What the error says that the action throws, or nothing.
template <class Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace stillpoint
