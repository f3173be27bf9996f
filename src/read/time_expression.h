// Expressions of the time, in the language of expressions of model files, with their exact derivatives.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stillpoint/authoring/series.h"

namespace stillpoint {

/// A value with its first derivative and half its second one.
using TimeValue = Series<2>;

/// A compiled expression in t and the parameters of a model. (muparser, which reads those of model files, computes
/// with plain numbers only: its expressions have no derivatives.)
class TimeExpression {
 public:
  /// Throws Error with the position, the first character being 1, and with the names that are known.
  TimeExpression(const std::string& text, const std::vector<std::pair<std::string, double>>& parameters);

  TimeValue at(double time) const;
  const std::string& text() const { return text_; }

  /// The law of a function or of an operator.
  using Law = TimeValue (*)(const TimeValue* arguments, int count);

 private:
  friend class TimeParser;

  /// What to do next with a stack of values: put a number or the time on it, or replace arguments by a result.
  struct Instruction {
    Law law = nullptr;
    int arguments = 0;
    double number = 0;
    bool is_time = false;
  };

  std::string text_;
  std::vector<Instruction> program_;
};

}  // namespace stillpoint
