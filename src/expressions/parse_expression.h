// The grammar of expressions, for all who read them. From loosely to tightly binding:
//
//   condition ? one : other      from right to left
//   ||
//   &&
//   < <= == != >= >
//   + -
//   * /
//   + - as signs
//   ^                            from right to left: -2^2 is -4, and 2^-1 is 0.5
//   numbers, names, functions, brackets
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "expressions/program.h"

namespace stillpoint {

/// What is wrong with a text that is no expression.
struct ExpressionFault : std::runtime_error {
  enum class Kind { syntax, unknown_name, several };

  ExpressionFault(Kind fault, std::size_t where, const std::string& message, const std::string& unknown = "",
                  int expressions = 1)
      : std::runtime_error(message), kind(fault), place(where), name(unknown), count(expressions) {}

  Kind kind;
  std::size_t place;  ///< the byte where it was found; an unknown name begins there
  std::string name;   ///< the unknown name
  int count;          ///< how many expressions the text holds, with commas between them
};

/// Puts what a name means into the program; false if the name is unknown. The constants pi and deg, and the functions,
/// need no meaning.
using MeaningOfName = std::function<bool(const std::string& name, ExpressionProgram& program)>;

/// Throws ExpressionFault, whose message says at which character the text is wrong.
ExpressionProgram parse_expression(const std::string& text, const MeaningOfName& mean);

/// Reads an unsigned decimal number and returns its end, or `begin` if there is none; beyond the range of double
/// precision it is infinite or zero. The locale does not matter.
const char* read_decimal(const char* begin, const char* end, double& value);

/// The position of a byte in characters, the first being 1; the text is UTF-8.
std::ptrdiff_t character_at(const std::string& text, std::size_t place);

/// The names of all functions, with a space between them.
std::string names_of_functions();

/// Letters, digits and '_' of ASCII, in any locale.
bool is_letter(char c);
bool is_digit(char c);

}  // namespace stillpoint
