#include "read/time_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string_view>

#include "base/name_list.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Value = TimeValue;

// ---------------------------------------------------------------------------------------------------------------------
// Functions and operators

bool is_constant(const Value& x) { return x.c[1] == 0 && x.c[2] == 0; }

/// f(x(t)) from the derivatives of f: ż = f' ẋ, z̈ = f' ẍ + f'' ẋ². Of a constant they do not matter, and may be
/// infinite.
Value chain(const Value& x, double f, double first, double second) {
  if (is_constant(x)) return f;
  Value z(f, first * x.c[1]);
  z.c[2] = first * x.c[2] + second * x.c[1] * x.c[1] / 2;
  return z;
}

Value exponential(const Value& x) {
  const double f = std::exp(x.c[0]);
  return chain(x, f, f, f);
}

Value logarithm(const Value& x, double base) {
  const double scale = 1 / std::log(base);
  return chain(x, std::log(x.c[0]) * scale, scale / x.c[0], -scale / (x.c[0] * x.c[0]));
}

Value natural_logarithm(const Value& x) { return chain(x, std::log(x.c[0]), 1 / x.c[0], -1 / (x.c[0] * x.c[0])); }

/// x^p for a constant p. A derivative whose factor vanishes is zero also where the power of x has none.
Value power_of(const Value& x, double p) {
  const double first = p == 0 ? 0 : p * std::pow(x.c[0], p - 1);
  const double second = p == 0 || p == 1 ? 0 : p * (p - 1) * std::pow(x.c[0], p - 2);
  return chain(x, std::pow(x.c[0], p), first, second);
}

Value power(const Value& x, const Value& p) {
  return is_constant(p) ? power_of(x, p.c[0]) : exponential(p * natural_logarithm(x));
}

Value square_root(const Value& x) {
  const double f = std::sqrt(x.c[0]);
  return chain(x, f, 1 / (2 * f), -1 / (4 * f * x.c[0]));
}

Value direction(const Value& y, const Value& x) {
  return is_constant(y) && is_constant(x) ? Value(std::atan2(y.c[0], x.c[0])) : atan2(y, x);
}

Value tangent(const Value& x) {
  const double f = std::tan(x.c[0]), slope = 1 + f * f;
  return chain(x, f, slope, 2 * f * slope);
}

Value arc_sine(const Value& x, double f, double sign) {
  const double square = 1 - x.c[0] * x.c[0], slope = sign / std::sqrt(square);
  return chain(x, f, slope, slope * x.c[0] / square);
}

Value hyperbolic_tangent(const Value& x) {
  const double f = std::tanh(x.c[0]), slope = 1 - f * f;
  return chain(x, f, slope, -2 * f * slope);
}

/// The inverse functions of sinh (sign +1) and cosh (−1), with the slope (x² ± 1)^(−1/2).
Value area_function(const Value& x, double f, double sign) {
  const double square = x.c[0] * x.c[0] + sign, slope = 1 / std::sqrt(square);
  return chain(x, f, slope, -slope * x.c[0] / square);
}

Value area_tangent(const Value& x) {
  const double slope = 1 / (1 - x.c[0] * x.c[0]);
  return chain(x, std::atanh(x.c[0]), slope, 2 * x.c[0] * slope * slope);
}

double sign_of(double x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }

Value sum_of(const Value* x, int count) {
  Value sum;
  for (int i = 0; i < count; ++i) sum += x[i];
  return sum;
}

struct KnownFunction {
  std::string_view name;
  int least = 1, most = 1;  ///< numbers of arguments
  TimeExpression::Law law = nullptr;
};

constexpr int any_number = 1000;

constexpr std::array functions{
    KnownFunction{"sin", 1, 1, [](const Value* x, int) { return sin(*x); }},
    KnownFunction{"cos", 1, 1, [](const Value* x, int) { return cos(*x); }},
    KnownFunction{"tan", 1, 1, [](const Value* x, int) { return tangent(*x); }},
    KnownFunction{"asin", 1, 1, [](const Value* x, int) { return arc_sine(*x, std::asin(x->c[0]), 1); }},
    KnownFunction{"acos", 1, 1, [](const Value* x, int) { return arc_sine(*x, std::acos(x->c[0]), -1); }},
    KnownFunction{"atan", 1, 1, [](const Value* x, int) { return atan(*x); }},
    KnownFunction{"atan2", 2, 2, [](const Value* x, int) { return direction(x[0], x[1]); }},
    KnownFunction{"sinh", 1, 1,
                  [](const Value* x, int) {
                    const double f = std::sinh(x->c[0]);
                    return chain(*x, f, std::cosh(x->c[0]), f);
                  }},
    KnownFunction{"cosh", 1, 1,
                  [](const Value* x, int) {
                    const double f = std::cosh(x->c[0]);
                    return chain(*x, f, std::sinh(x->c[0]), f);
                  }},
    KnownFunction{"tanh", 1, 1, [](const Value* x, int) { return hyperbolic_tangent(*x); }},
    KnownFunction{"asinh", 1, 1, [](const Value* x, int) { return area_function(*x, std::asinh(x->c[0]), 1); }},
    KnownFunction{"acosh", 1, 1, [](const Value* x, int) { return area_function(*x, std::acosh(x->c[0]), -1); }},
    KnownFunction{"atanh", 1, 1, [](const Value* x, int) { return area_tangent(*x); }},
    KnownFunction{"exp", 1, 1, [](const Value* x, int) { return exponential(*x); }},
    KnownFunction{"log", 1, 1, [](const Value* x, int) { return natural_logarithm(*x); }},
    KnownFunction{"ln", 1, 1, [](const Value* x, int) { return natural_logarithm(*x); }},
    KnownFunction{"log2", 1, 1, [](const Value* x, int) { return logarithm(*x, 2); }},
    KnownFunction{"log10", 1, 1, [](const Value* x, int) { return logarithm(*x, 10); }},
    KnownFunction{"sqrt", 1, 1, [](const Value* x, int) { return square_root(*x); }},
    KnownFunction{"abs", 1, 1, [](const Value* x, int) { return chain(*x, std::abs(x->c[0]), sign_of(x->c[0]), 0); }},
    KnownFunction{"sign", 1, 1, [](const Value* x, int) { return Value(sign_of(x->c[0])); }},
    KnownFunction{"rint", 1, 1, [](const Value* x, int) { return Value(std::floor(x->c[0] + 0.5)); }},
    KnownFunction{"min", 1, any_number,
                  [](const Value* x, int count) {
                    return *std::min_element(x, x + count,
                                             [](const Value& a, const Value& b) { return a.c[0] < b.c[0]; });
                  }},
    KnownFunction{"max", 1, any_number,
                  [](const Value* x, int count) {
                    return *std::max_element(x, x + count,
                                             [](const Value& a, const Value& b) { return a.c[0] < b.c[0]; });
                  }},
    KnownFunction{"sum", 1, any_number, sum_of},
    KnownFunction{"avg", 1, any_number, [](const Value* x, int count) { return sum_of(x, count) / count; }},
};

struct KnownOperator {
  std::string_view name;
  int level = 0;  ///< those of a higher level bind more tightly
  TimeExpression::Law law = nullptr;
};

constexpr int first_level = 0, power_level = 5, minus_level = 4;

// The longer one of two names that begin alike comes first.
constexpr std::array operators{
    KnownOperator{"||", 0, [](const Value* x, int) { return Value(x[0].c[0] != 0 || x[1].c[0] != 0 ? 1 : 0); }},
    KnownOperator{"&&", 1, [](const Value* x, int) { return Value(x[0].c[0] != 0 && x[1].c[0] != 0 ? 1 : 0); }},
    KnownOperator{"<=", 2, [](const Value* x, int) { return Value(x[0].c[0] <= x[1].c[0] ? 1 : 0); }},
    KnownOperator{">=", 2, [](const Value* x, int) { return Value(x[0].c[0] >= x[1].c[0] ? 1 : 0); }},
    KnownOperator{"==", 2, [](const Value* x, int) { return Value(x[0].c[0] == x[1].c[0] ? 1 : 0); }},
    KnownOperator{"!=", 2, [](const Value* x, int) { return Value(x[0].c[0] != x[1].c[0] ? 1 : 0); }},
    KnownOperator{"<", 2, [](const Value* x, int) { return Value(x[0].c[0] < x[1].c[0] ? 1 : 0); }},
    KnownOperator{">", 2, [](const Value* x, int) { return Value(x[0].c[0] > x[1].c[0] ? 1 : 0); }},
    KnownOperator{"+", 3, [](const Value* x, int) { return x[0] + x[1]; }},
    KnownOperator{"-", 3, [](const Value* x, int) { return x[0] - x[1]; }},
    KnownOperator{"*", minus_level, [](const Value* x, int) { return x[0] * x[1]; }},
    KnownOperator{"/", minus_level, [](const Value* x, int) { return x[0] / x[1]; }},
    KnownOperator{"^", power_level, [](const Value* x, int) { return power(x[0], x[1]); }},
};

Value negative(const Value* x, int) { return -*x; }
Value chosen(const Value* x, int) { return x[0].c[0] != 0 ? x[1] : x[2]; }

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Parsing, by recursive descent: each function reads what its name says and adds the instructions for it.

class TimeParser {
 public:
  TimeParser(TimeExpression& to, const std::vector<std::pair<std::string, double>>& parameters)
      : to_(to), text_(to.text_), parameters_(parameters) {}

  void parse() {
    if (at_end()) refuse("an expression is missing");
    choice();
    if (!at_end()) refuse_here("an operator is missing before");
  }

 private:
  using Instruction = TimeExpression::Instruction;

  struct Depth {
    explicit Depth(TimeParser& parser) : parser_(parser) {
      constexpr int deepest = 200;
      if (++parser_.depth_ > deepest) parser_.refuse(fmt::format("it is nested more than {} levels deep", deepest));
    }
    ~Depth() { --parser_.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    TimeParser& parser_;
  };

  /// condition ? one : other
  void choice() {
    const Depth depth(*this);
    operation(first_level);
    if (!take("?")) return;
    choice();
    if (!take(":")) refuse_here("a ':' is missing before");
    choice();
    add(chosen, 3);
  }

  /// Operators of this level and of higher ones, from left to right.
  void operation(int level) {
    if (level == minus_level) return product();
    operation(level + 1);
    while (const KnownOperator* const found = take_operator(level)) {
      operation(level + 1);
      add(found->law, 2);
    }
  }

  void product() {
    signed_power();
    while (const KnownOperator* const found = take_operator(minus_level)) {
      signed_power();
      add(found->law, 2);
    }
  }

  /// A sign binds less tightly than a power: −2^2 is −4.
  void signed_power() {
    const Depth depth(*this);
    if (take("-")) {
      signed_power();
      return add(negative, 1);
    }
    if (take("+")) return signed_power();
    operand();
    if (const KnownOperator* const found = take_operator(power_level)) {
      signed_power();  // from right to left
      add(found->law, 2);
    }
  }

  void operand() {
    if (at_end()) refuse("a number, a name or a bracket is missing at its end");
    if (take("(")) {
      choice();
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
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse_here("a number cannot be");
    place_ += static_cast<std::size_t>(end - begin);
    if (place_ < text_.size() && (is_letter(text_[place_]) || text_[place_] == '.'))
      refuse_here("an operator is missing before");
    to_.program_.push_back({.number = value});
  }

  void name() {
    const std::size_t begin = place_;
    while (place_ < text_.size() && (is_letter(text_[place_]) || is_digit(text_[place_]))) ++place_;
    const std::string word = text_.substr(begin, place_ - begin);
    const auto function = std::find_if(functions.begin(), functions.end(),
                                       [&](const KnownFunction& known) { return known.name == word; });
    if (function != functions.end()) return call(*function);
    const auto parameter =
        std::find_if(parameters_.begin(), parameters_.end(), [&](const auto& pair) { return pair.first == word; });
    if (word == "t") {
      if (parameter != parameters_.end())
        refuse("'t' is the time here, and a parameter of the model has this name, too: rename the parameter");
      to_.program_.push_back({.is_time = true});
    } else if (parameter != parameters_.end()) {
      to_.program_.push_back({.number = parameter->second});
    } else if (word == "pi" || word == "deg") {
      to_.program_.push_back({.number = word == "pi" ? std::numbers::pi : std::numbers::pi / 180});
    } else {
      refuse_name(word, begin);
    }
  }

  void call(const KnownFunction& function) {
    if (!take("(")) refuse_here(fmt::format("a '(' is missing after '{}', before", function.name));
    int count = 0;
    if (!take(")")) {
      do {
        choice();
        ++count;
      } while (take(","));
      if (!take(")")) refuse_here("a ')' is missing before");
    }
    if (count < function.least || count > function.most)
      refuse(fmt::format("'{}' takes {}{}, not {}", function.name, function.least == function.most ? "" : "at least ",
                         function.least == 1 ? "1 argument" : fmt::format("{} arguments", function.least), count));
    add(function.law, count);
  }

  // ----- The text

  bool at_end() {
    while (place_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[place_])) != 0) ++place_;
    return place_ == text_.size();
  }

  bool take(std::string_view word) {
    if (at_end() || text_.compare(place_, word.size(), word) != 0) return false;
    place_ += word.size();
    return true;
  }

  const KnownOperator* take_operator(int level) {
    if (at_end()) return nullptr;
    for (const KnownOperator& known : operators) {
      if (text_.compare(place_, known.name.size(), known.name) != 0) continue;
      if (known.level != level) return nullptr;
      place_ += known.name.size();
      return &known;
    }
    return nullptr;
  }

  void add(TimeExpression::Law law, int arguments) { to_.program_.push_back({.law = law, .arguments = arguments}); }

  // ----- Errors

  /// The position in characters; the text is UTF-8.
  std::ptrdiff_t position(std::size_t place) const {
    const auto begin = text_.begin();
    return 1 + std::count_if(begin, begin + static_cast<std::ptrdiff_t>(place),
                             [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
  }

  [[noreturn]] void refuse(const std::string& message) const {
    throw Error(fmt::format("'{}' is not an expression of the time: {}", text_, message));
  }

  [[noreturn]] void refuse_here(const std::string& message) {
    if (at_end()) {
      const std::string what = message.substr(0, message.rfind(' '));
      refuse(fmt::format("{} at its end", what.substr(0, what.find_last_not_of(" ,") + 1)));
    }
    std::size_t end = place_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0U) == 0x80U) ++end;
    const bool is_word = is_letter(text_[place_]) || is_digit(text_[place_]);
    while (is_word && end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    const bool assigns = text_[place_] == '=';
    refuse(fmt::format("{} '{}' at character {}{}", message, text_.substr(place_, end - place_), position(place_),
                       assigns ? "; '==' compares" : ""));
  }

  [[noreturn]] void refuse_name(const std::string& word, std::size_t place) const {
    std::vector<std::string> quantities{"t", "pi", "deg"}, known;
    for (const auto& [name, value] : parameters_) quantities.push_back(name);
    known = quantities;
    std::string list;
    for (const KnownFunction& function : functions) {
      known.emplace_back(function.name);
      list += (list.empty() ? "" : " ") + std::string(function.name);
    }
    refuse(fmt::format("'{}' at character {} is unknown{}; known are {}, and the functions {}", word, position(place),
                       did_you_mean(word, known), name_list(quantities), list));
  }

  TimeExpression& to_;
  const std::string& text_;
  const std::vector<std::pair<std::string, double>>& parameters_;
  std::size_t place_ = 0;
  int depth_ = 0;
};

TimeExpression::TimeExpression(const std::string& text, const std::vector<std::pair<std::string, double>>& parameters)
    : text_(text) {
  TimeParser(*this, parameters).parse();
}

TimeValue TimeExpression::at(double time) const {
  std::vector<TimeValue> stack;
  for (const Instruction& next : program_) {
    if (!next.law) {
      stack.push_back(next.is_time ? TimeValue(time, 1) : TimeValue(next.number));
      continue;
    }
    const TimeValue* const arguments = stack.data() + stack.size() - static_cast<std::size_t>(next.arguments);
    const TimeValue result = next.law(arguments, next.arguments);
    stack.resize(stack.size() - static_cast<std::size_t>(next.arguments));
    stack.push_back(result);
  }
  return stack.back();
}

}  // namespace stillpoint
