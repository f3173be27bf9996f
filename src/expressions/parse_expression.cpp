// By recursive descent: each function reads what its name says, and writes the instructions for it.
#include "expressions/parse_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <numbers>
#include <string_view>

namespace stillpoint {

namespace {

struct KnownOperator {
  std::string_view name;
  int level = 0;  ///< those of a higher level bind more tightly
  Operation operation = Operation::add;
};

constexpr int first_level = 0;

// The longer one of two names that begin alike comes first. A power belongs to its operand: see signed_power.
constexpr std::array known_operators{
    KnownOperator{"||", 0, Operation::either},  KnownOperator{"&&", 1, Operation::both},
    KnownOperator{"<=", 2, Operation::at_most}, KnownOperator{">=", 2, Operation::at_least},
    KnownOperator{"==", 2, Operation::equal},   KnownOperator{"!=", 2, Operation::unequal},
    KnownOperator{"<", 2, Operation::less},     KnownOperator{">", 2, Operation::greater},
    KnownOperator{"+", 3, Operation::add},      KnownOperator{"-", 3, Operation::subtract},
    KnownOperator{"*", 4, Operation::multiply}, KnownOperator{"/", 4, Operation::divide},
};

constexpr int most_levels = 200;  // of nesting: each takes part of the stack

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// A decimal that no double holds is infinite or zero: the power of ten of its first digit tells.
double beyond_range(std::string_view decimal) {
  const std::size_t mark = std::min(decimal.find_first_of("eE"), decimal.size());
  const std::string_view digits = decimal.substr(0, mark);
  const auto point = static_cast<std::ptrdiff_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::ptrdiff_t>(digits.find_first_not_of("0."));
  std::string_view power = decimal.substr(std::min(mark + 1, decimal.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  std::ptrdiff_t exponent = 0;
  const std::errc error = std::from_chars(power.data(), power.data() + power.size(), exponent).ec;
  const bool is_small = error == std::errc::result_out_of_range ? power.starts_with('-') : point - first + exponent < 0;
  return is_small ? 0 : std::numeric_limits<double>::infinity();
}

class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, const MeaningOfName& mean) : text_(text), mean_(mean) {}

  ExpressionProgram parse() {
    if (at_end()) refuse(place_, "an expression is missing");
    choice();
    if (!at_end() && text_[place_] == ',') refuse_several();
    if (!at_end()) refuse_here("an operator is missing before");
    return std::move(program_);
  }

 private:
  using Kind = ExpressionFault::Kind;

  /// Parses what stands one level deeper.
  template <class Part>
  void nested(Part part) {
    if (++levels_ > most_levels) refuse(place_, fmt::format("it is nested more than {} levels deep", most_levels));
    (this->*part)();
    --levels_;
  }

  void choice() {
    operation(first_level);
    if (!take("?")) return;
    const std::size_t choice = program_.begin_choice();
    nested(&ExpressionParser::choice);
    if (!take(":")) refuse_here("a ':' is missing before");
    const std::size_t other = program_.begin_other(choice);
    nested(&ExpressionParser::choice);
    program_.end_choice(other);
  }

  /// Operators of this level and of higher ones, from left to right.
  void operation(int level) {
    signed_power();
    while (const KnownOperator* const found = take_operator(level)) {
      operation(found->level + 1);
      program_.apply(found->operation);
    }
  }

  void signed_power() {
    if (take("-")) {
      nested(&ExpressionParser::signed_power);
      return program_.apply(Operation::negative);
    }
    if (take("+")) return nested(&ExpressionParser::signed_power);
    operand();
    if (!take("^")) return;
    nested(&ExpressionParser::signed_power);
    program_.apply(Operation::power);
  }

  void operand() {
    if (at_end()) refuse(place_, "a number, a name or a bracket is missing at its end");
    if (take("(")) {
      nested(&ExpressionParser::choice);
      if (!take(")")) refuse_here("a ')' is missing before");
    } else if (is_digit(text_[place_]) || text_[place_] == '.') {
      number();
    } else if (is_letter(text_[place_])) {
      name();
    } else {
      refuse_here("a number, a name or a bracket is missing before");
    }
  }

  void number() {
    double value = 0;
    const char* const begin = text_.data() + place_;
    const char* const end = read_decimal(begin, text_.data() + text_.size(), value);
    const auto size = static_cast<std::size_t>(end - begin);
    if (size == 0) refuse_here("a number cannot be");
    if (value > std::numeric_limits<double>::max())
      refuse(place_, fmt::format("a number cannot be '{}' at character {}, which is beyond the range of numbers",
                                 text_.substr(place_, size), character_at(text_, place_)));
    place_ += size;
    if (place_ < text_.size() && (is_letter(text_[place_]) || text_[place_] == '.'))
      refuse_here("an operator is missing before");
    program_.push_number(value);
  }

  void name() {
    const std::size_t begin = place_;
    while (place_ < text_.size() && (is_letter(text_[place_]) || is_digit(text_[place_]))) ++place_;
    const std::string word = text_.substr(begin, place_ - begin);
    const auto function = std::find_if(known_functions.begin(), known_functions.end(),
                                       [&](const KnownFunction& known) { return known.name == word; });
    if (function != known_functions.end()) return call(*function);
    if (word == "pi") return program_.push_number(std::numbers::pi);
    if (word == "deg") return program_.push_number(std::numbers::pi / 180);
    if (mean_(word, program_)) return;
    throw ExpressionFault(Kind::unknown_name, begin,
                          fmt::format("'{}' at character {} is unknown", word, character_at(text_, begin)), word);
  }

  void call(const KnownFunction& function) {
    if (!take("(")) refuse_here(fmt::format("a '(' is missing after '{}', before", function.name));
    const int count = arguments(function);
    if (count < function.least || count > function.most)
      refuse(place_,
             fmt::format("'{}' takes {}{}, not {}", function.name, function.least == function.most ? "" : "at least ",
                         function.least == 1 ? "1 argument" : fmt::format("{} arguments", function.least), count));
    if (function.most == 1) program_.apply(function.operation);
    if (!function.averages) return;
    program_.push_number(count);
    program_.apply(Operation::divide);
  }

  /// Counts them; those of functions of two arguments are combined as they come.
  int arguments(const KnownFunction& function) {
    if (take(")")) return 0;
    int count = 0;
    do {
      nested(&ExpressionParser::choice);
      if (++count > 1 && takes_two(function.operation)) program_.apply(function.operation);
    } while (take(","));
    if (!take(")")) refuse_here("a ')' is missing before");
    return count;
  }

  // ----- The text

  bool at_end() {
    while (place_ < text_.size() && is_space(text_[place_])) ++place_;
    return place_ == text_.size();
  }

  bool take(std::string_view word) {
    if (at_end() || text_.compare(place_, word.size(), word) != 0) return false;
    place_ += word.size();
    return true;
  }

  /// The operator that stands here, if it is of this level or of a higher one.
  const KnownOperator* take_operator(int level) {
    if (at_end()) return nullptr;
    for (const KnownOperator& known : known_operators) {
      if (text_.compare(place_, known.name.size(), known.name) != 0) continue;
      if (known.level < level) return nullptr;
      place_ += known.name.size();
      return &known;
    }
    return nullptr;
  }

  // ----- Errors

  [[noreturn]] static void refuse(std::size_t place, const std::string& message) {
    throw ExpressionFault(Kind::syntax, place, message);
  }

  [[noreturn]] void refuse_here(const std::string& message) {
    if (at_end()) {
      const std::string what = message.substr(0, message.rfind(' '));
      refuse(place_, fmt::format("{} at its end", what.substr(0, what.find_last_not_of(" ,") + 1)));
    }
    std::size_t end = place_ + 1;
    while (end < text_.size() && continues_character(text_[end])) ++end;
    const bool is_word = is_letter(text_[place_]) || is_digit(text_[place_]);
    while (is_word && end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const bool assigns = text_[place_] == '=';
    refuse(place_, fmt::format("{} '{}' at character {}{}", message, text_.substr(place_, end - place_),
                               character_at(text_, place_), assigns ? "; '==' compares" : ""));
  }

  [[noreturn]] void refuse_several() {
    const std::size_t comma = place_;
    int count = 1;
    for (; take(","); ++count) choice();
    if (!at_end()) refuse_here("an operator is missing before");
    throw ExpressionFault(Kind::several, comma,
                          fmt::format("an operator is missing before ',' at character {}", character_at(text_, comma)),
                          "", count);
  }

  const std::string& text_;
  const MeaningOfName& mean_;
  ExpressionProgram program_;
  std::size_t place_ = 0;
  int levels_ = 0;
};

}  // namespace

ExpressionProgram parse_expression(const std::string& text, const MeaningOfName& mean) {
  return ExpressionParser(text, mean).parse();
}

const char* read_decimal(const char* begin, const char* end, double& value) {
  if (begin == end || !(is_digit(*begin) || *begin == '.')) return begin;
  const auto [behind, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) value = beyond_range({begin, behind});
  return behind;
}

std::ptrdiff_t character_at(const std::string& text, std::size_t place) {
  const auto begin = text.begin();
  return 1 + std::count_if(begin, begin + static_cast<std::ptrdiff_t>(place),
                           [](char c) { return !continues_character(c); });
}

std::string names_of_functions() {
  std::string names;
  for (const KnownFunction& function : known_functions)
    names += (names.empty() ? "" : " ") + std::string(function.name);
  return names;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace stillpoint
