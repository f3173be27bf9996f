#include "read/time_expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/name_list.h"
#include "read/expression.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using ParameterValues = std::vector<std::pair<std::string, double>>;

std::string unknown_name(const ExpressionFault& fault, const ParameterValues& parameters) {
  std::vector<std::string> quantities{"t", "pi", "deg"};
  for (const auto& [name, value] : parameters) quantities.push_back(name);
  std::vector<std::string> known = quantities;
  for (const KnownFunction& function : known_functions) known.emplace_back(function.name);
  return fmt::format("{}{}; known are {}, and the functions {}", fault.what(), did_you_mean(fault.name, known),
                     name_list(quantities), expression_functions);
}

}  // namespace

TimeExpression::TimeExpression(const std::string& text, const ParameterValues& parameters) : text_(text) {
  const auto refuse = [&](const std::string& message) {
    throw Error(fmt::format("'{}' is not an expression of the time: {}", text, message));
  };
  const auto mean = [&](const std::string& name, ExpressionProgram& program) {
    const auto parameter =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto& pair) { return pair.first == name; });
    const bool is_parameter = parameter != parameters.end();
    if (name == "t" && is_parameter)
      refuse("'t' is the time here, and a parameter of the model has this name, too: rename the parameter");
    if (name == "t") program.push_variable(0);
    else if (is_parameter) program.push_number(parameter->second);
    return name == "t" || is_parameter;
  };
  try {
    program_ = parse_expression(text, mean);
  } catch (const ExpressionFault& fault) {
    refuse(fault.kind == ExpressionFault::Kind::unknown_name ? unknown_name(fault, parameters) : fault.what());
  }
}

SecondOrderSeries TimeExpression::at(double time) const {
  const SecondOrderSeries t(time, 1);
  return program_.series({&t, 1});
}

}  // namespace stillpoint
