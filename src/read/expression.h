// Arithmetic over the parameters and loop variables of a model file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mu {
class Parser;
}

namespace stillpoint {

/// The variables in sight, each with a value that may change between evaluations.
class Scope {
 public:
  struct Variable {
    double value = 0;
    bool loops = false;  ///< changes while the model is expanded
  };

  /// Whether a name is free for a variable: not taken, and not a function or constant of expressions.
  bool is_free(const std::string& name) const;
  Variable& define(const std::string& name, double value, bool loops = false);
  /// Takes a variable out of sight and hands it over: expressions compiled so far still point to it.
  std::unique_ptr<Variable> release(const std::string& name);
  const std::map<std::string, std::unique_ptr<Variable>>& variables() const { return variables_; }
  std::vector<std::string> names() const;

 private:
  std::map<std::string, std::unique_ptr<Variable>> variables_;
};

/// A compiled expression; it keeps pointers to the variables of its scope.
class Expression {
 public:
  /// Throws Error (without place) if the text is not an expression over the scope.
  Expression(const std::string& text, const Scope& scope);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  double value() const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  double constant_ = 0;
  std::unique_ptr<mu::Parser> program_;  // absent where the value never changes
};

/// A value for an error text: "2", "inf", "undefined".
std::string show(double value);

/// What expressions know besides variables, for the manual.
constexpr const char* expression_functions =
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log log2 log10 ln sqrt abs sign rint min "
    "max "
    "sum avg";

}  // namespace stillpoint
