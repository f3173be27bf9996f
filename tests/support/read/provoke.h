// What is thrown when something wrong is asked for.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "stillpoint/error.h"

namespace stillpoint {

/// The Error of an action; nothing if it works.
template <class Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// The text of its Error without the place; "no error" if it works.
template <class Action>
std::string refusal(Action action) {
  const auto error = error_of(action);
  return error ? error->message() : "no error";
}

}  // namespace stillpoint
