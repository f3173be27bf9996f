// Expressions of the time, in the language of expressions of model files, with their exact derivatives.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "expressions/program.h"

namespace stillpoint {

/// A compiled expression in t and the parameters of a model.
class TimeExpression {
 public:
  /// Throws Error with the position, the first character being 1, and with the names that are known.
  TimeExpression(const std::string& text, const std::vector<std::pair<std::string, double>>& parameters);

  SecondOrderSeries at(double time) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  ExpressionProgram program_;
};

}  // namespace stillpoint
