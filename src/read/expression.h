// Arithmetic over the parameters and loop variables of a model file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "expressions/parse_expression.h"

namespace stillpoint {

/// The visible variables; their values may change between evaluations: those of parameters by `set`. They have rates
/// with respect to those parameters that are chosen before they are defined or set.
class Scope {
 public:
  struct Variable : RatedNumber {
    bool loops = false;  ///< a loop variable, which changes while the model is expanded
  };

  /// Tells whether a name may be used for a variable: it is not taken, and no function or constant of expressions.
  bool is_free(const std::string& name) const;
  /// Defines a parameter with the rates that its expression has; if it is chosen itself, its rate with respect to
  /// itself is greater by 1: each chosen parameter is varied as `--set` would do, and those that follow from it follow.
  Variable& define(const std::string& name, RatedNumber number);
  Variable& define(const std::string& name, double value, bool loops = false);
  /// Gives a parameter another number, as `define` does; expressions compiled before then have other values.
  void set(const std::string& name, RatedNumber number);
  /// Changes whenever a parameter is set.
  std::uint64_t revision() const { return revision_; }
  /// Removes a variable from the scope and returns it: expressions compiled before still point to it.
  std::unique_ptr<Variable> release(const std::string& name);
  const std::map<std::string, std::unique_ptr<Variable>>& variables() const { return variables_; }
  std::vector<std::string> names() const;

  /// Chooses the parameters with respect to which there are rates, in the order of these.
  void choose(std::vector<std::string> parameters) { chosen_ = std::move(parameters); }
  const std::vector<std::string>& chosen() const { return chosen_; }

 private:
  std::vector<std::string> chosen_;
  std::map<std::string, std::unique_ptr<Variable>> variables_;
  std::uint64_t revision_ = 0;
};

/// A compiled expression. It keeps pointers to its scope and the variables there, and what it has computed from
/// parameters, so that one thread at a time can ask for its values.
class Expression {
 public:
  /// Throws Error (without a place) if the text is not an expression over the scope.
  Expression(const std::string& text, const Scope& scope);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  /// The value for the loop variables as they are now. What depends on parameters alone is computed once, and again
  /// after one of them has been set.
  double value() const { return compiled_ ? value_of_compiled() : constant_; }
  /// Whether one of these variables occurs in it.
  bool uses(const std::vector<const Scope::Variable*>& variables) const;
  /// The value for all variables as they are now, with its rates with respect to the parameters that the scope had
  /// chosen when the expression was made. A rate that is infinite or undefined says that there is none:
  /// expressions/program.h tells where.
  RatedNumber value_with_rates() const;
  const std::string& text() const { return text_; }

 private:
  struct Compiled {
    ExpressionProgram program;
    const Scope* scope = nullptr;
    std::vector<const Scope::Variable*> variables;
    std::vector<const double*> values;  ///< of the variables
    std::vector<bool> is_parameter;     ///< tells which of the variables are parameters, and no loop variables
    bool loops = false;                 ///< whether a loop variable is used

    // What has been computed from the parameters.
    bool is_ready = false;
    std::uint64_t revision = 0;  ///< of the scope at that time
    double constant = 0;         ///< the value, if no loop variable is used
    ExpressionProgram repeated;  ///< the program with the values of parameters as numbers, if one is used
  };

  double value_of_compiled() const;
  static void compute_from_parameters(Compiled& compiled);

  std::string text_;
  double constant_ = 0;
  std::size_t parameters_ = 0;          // with respect to which there are rates
  std::unique_ptr<Compiled> compiled_;  // absent if no variable is used
};

/// The words of a text, in which names are looked for: all longest runs of letters, digits and '_'.
std::vector<std::string> words_in(const std::string& text);

/// A value for an error message: "2", "inf", "undefined".
std::string show(double value);

/// The functions of expressions, for the manual.
inline const std::string expression_functions = names_of_functions();

}  // namespace stillpoint
