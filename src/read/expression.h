// Arithmetic over the parameters and loop variables of a model file. The parser is muParser.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mu {
class Parser;
}

namespace stillpoint {

/// The visible variables; their values may change between evaluations.
class Scope {
 public:
  struct Variable {
    double value = 0;
    bool loops = false;  ///< a loop variable, which changes while the model is expanded
  };

  /// Tells whether a name may be used for a variable: it is not taken, and no function or constant of expressions.
  bool is_free(const std::string& name) const;
  Variable& define(const std::string& name, double value, bool loops = false);
  /// Removes a variable from the scope and returns it: expressions compiled before still point to it.
  std::unique_ptr<Variable> release(const std::string& name);
  const std::map<std::string, std::unique_ptr<Variable>>& variables() const { return variables_; }
  std::vector<std::string> names() const;

 private:
  std::map<std::string, std::unique_ptr<Variable>> variables_;
};

/// A compiled expression; it keeps pointers to the variables of its scope.
class Expression {
 public:
  /// Throws Error (without a place) if the text is not an expression over the scope.
  Expression(const std::string& text, const Scope& scope);
  ~Expression();
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;

  double value() const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  double constant_ = 0;
  std::unique_ptr<mu::Parser> program_;  // absent if the value is constant
};

/// The words of a text, in which names are looked for: all longest runs of letters, digits and '_'.
std::vector<std::string> words_in(const std::string& text);

/// A value for an error message: "2", "inf", "undefined".
std::string show(double value);

/// The functions of expressions, for the manual.
constexpr const char* expression_functions =
    "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp log log2 log10 ln sqrt abs sign rint min "
    "max "
    "sum avg";

}  // namespace stillpoint
