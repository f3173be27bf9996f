// Exceptions for mistakes in the user's model or request.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace stillpoint {

/// A position in a model file. Line and column count from 1; 0 means unknown.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;
};

/// Returns "file:line:column: ", or as much of it as is known; empty if nothing is.
std::string to_string(const SourcePlace& place);

/// The user's model or request is wrong. The message states what was found and what is allowed.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message), message_(message) {}
  Error(const SourcePlace& place, const std::string& message)
      : std::runtime_error(to_string(place) + message), message_(message), place_(place) {}

  /// The message without its source position.
  const std::string& message() const { return message_; }
  const SourcePlace& place() const { return place_; }

 private:
  std::string message_;
  SourcePlace place_;
};

/// The request may be valid, but the numbers do not determine a quantity that the answer requires.
class Undecided : public Error {
 public:
  using Error::Error;
};

/// The value of an element's field is not allowed; `field` is its key in the model file.
class FieldError : public Error {
 public:
  FieldError(std::string field, const std::string& message) : Error(message), field_(std::move(field)) {}
  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

/// Returns " (did you mean 'crank'?)" for the nearest of the known words, or nothing if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace stillpoint
