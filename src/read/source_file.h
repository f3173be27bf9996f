// A model file by its name: errors that point into it, and the lists in it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "read/tree.h"

namespace stillpoint {

class SourceFile {
 public:
  explicit SourceFile(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  [[noreturn]] void fail(const Tree& where, const std::string& message) const;

  /// Runs an action, and adds the position in the file and the subject to its errors.
  template <class Action>
  auto at(const Tree& where, Action action, const std::string& of_what = "") const {
    try {
      return action();
    } catch (const Error& error) {
      fail(where, of_what.empty() ? error.message() : of_what + ": " + error.message());
    }
  }

  void require(const Tree& tree, Tree::Kind kind, const char* wanted, const std::string& of_what) const;

  /// The items of a YAML list, or of one text with commas.
  std::vector<std::string> parts_of(const Tree& tree, const std::string& of_what) const;

 private:
  std::string name_;
};

}  // namespace stillpoint
