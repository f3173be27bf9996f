// A compiled expression: a list of instructions for a stack, which computes with plain numbers, with rates with respect
// to any number of parameters (the forward mode), or with second derivatives along one variable [Griewank & Walther
// 2008], chapters 3 and 13.
//
// The derivatives are exact. Comparisons, sign and rint have the rate zero; min, max and ?: have that of what they
// take, abs that of ±x (zero at 0). Where an argument that depends on a parameter meets an infinite or undefined
// derivative, as in sqrt(k) at k = 0, the rate is infinite or undefined, also if that of the argument happens to be
// zero. It stays so in all that is computed from it, except by steps and branches that do not take it: whoever needs
// finite rates asks once, at the end.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "expressions/operations.h"
#include "stillpoint/authoring/series.h"

namespace stillpoint {

/// The rate of a number with respect to one parameter.
struct ParameterRate {
  double value = 0;
  bool depends = false;  ///< false: the number does not depend on the parameter; if true, the rate may still be zero
};

struct RatedNumber {
  double value = 0;
  std::vector<ParameterRate> rates;  ///< one for each parameter; none: it depends on no parameter

  /// False where the value or a rate is infinite or undefined.
  bool is_finite() const;
};

/// A value with its first derivative and half its second one.
using SecondOrderSeries = Series<2>;

class ExpressionProgram {
 public:
  // --- To write it. What only holds numbers is computed at once.

  void push_number(double number);
  void push_variable(int variable);
  /// Puts the result of an operation in the place of its one or two arguments.
  void apply(Operation operation);
  /// Marks in `condition ? one : other`: between condition and one, between one and other, and behind other.
  std::size_t begin_choice();
  std::size_t begin_other(std::size_t choice);
  void end_choice(std::size_t other);

  /// The program with some of its variables replaced by their values: what only depends on these is computed at once,
  /// and the others keep their places in the arrays. Its values are the same, to the last bit.
  ExpressionProgram with_numbers(const double* const* variables, const std::vector<bool>& is_replaced) const;

  // --- To run it. The arrays have an item for each variable.

  bool has_variables() const { return has_variables_; }
  double value(const double* const* variables) const;
  /// The result has `parameters` rates; each variable has as many, or none.
  RatedNumber value_with_rates(std::span<const RatedNumber* const> variables, std::size_t parameters) const;
  /// All variables may depend on what the series are in.
  SecondOrderSeries series(std::span<const SecondOrderSeries> variables) const;

 private:
  struct Instruction {
    Operation operation;
    int index = 0;  ///< the variable, or how many instructions to skip
    double number = 0;
  };

  double value_on(double* stack, const double* const* variables) const;
  template <class Stack>
  void carry_out(Stack& stack) const;
  bool ends_in_numbers(std::size_t count) const;
  std::size_t add_skip(Operation operation);
  void skip_to_here(std::size_t skip);

  std::vector<Instruction> instructions_;
  std::size_t joint_ = 0;                // instructions before it are not changed any more: a skip ends there
  std::size_t depth_ = 0, deepest_ = 0;  // of the stack
  bool has_variables_ = false;
};

}  // namespace stillpoint
