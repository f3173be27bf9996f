// Validators of numbers. (The messages of those in CLI11 contain the largest double.)
#pragma once

#include <CLI/CLI.hpp>
#include <cmath>

namespace stillpoint::cli {

inline CLI::Validator number_that(bool (*is_good)(double), const std::string& what) {
  return {[is_good, what](std::string& word) {
            double value = 0;
            const bool good = CLI::detail::lexical_cast(word, value) && is_good(value);
            return good ? std::string() : word + " is not " + what;
          },
          ""};
}

inline CLI::Validator above_zero() {
  return number_that([](double value) { return value > 0 && std::isfinite(value); }, "a number above zero");
}

inline CLI::Validator zero_or_above() {
  return number_that([](double value) { return value >= 0 && std::isfinite(value); }, "zero or a number above it");
}

}  // namespace stillpoint::cli
