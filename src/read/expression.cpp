#include "read/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// Reads a plain number, the most frequent case.
bool read_number(const std::string& text, double& value) {
  const char* const end = text.data() + text.size();
  const char* begin = text.data();
  const bool is_signed = begin != end && (*begin == '-' || *begin == '+');
  if (is_signed) ++begin;
  if (read_decimal(begin, end, value) != end || begin == end) return false;
  if (is_signed && text.front() == '-') value = -value;
  return true;
}

// Detects '=', which other languages take for an assignment.
bool assigns(const std::string& text) {
  for (std::size_t i = text.find('='); i != std::string::npos; i = text.find('=', i + 1)) {
    const char before = i > 0 ? text[i - 1] : ' ';
    if (text[i + 1] == '=') ++i;
    else if (before != '<' && before != '>' && before != '!') return true;
  }
  return false;
}

// The first character outside ASCII, as "'−' (U+2212)"; empty if there is none. The text is UTF-8.
std::string odd_character(const std::string& text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  std::size_t i = 0;
  while (i < text.size() && byte(i) < 0x80) ++i;
  if (i == text.size()) return "";
  std::size_t size = 1;
  while ((byte(i + size) & 0xc0) == 0x80) ++size;
  unsigned point = byte(i) & (0x7fU >> size);
  for (std::size_t k = 1; k < size; ++k) point = point << 6 | (byte(i + k) & 0x3f);
  return fmt::format("'{}' (U+{:04X})", text.substr(i, size), point);
}

// Advice on a text that continues after a leading number: "2 kg", "2l", "1 2".
std::string advice_on_number(const std::string& text, const std::vector<std::string>& known) {
  const std::size_t begin = text.find_first_not_of("+-. ");
  if (begin == std::string::npos || !is_digit(text[begin])) return "";
  double number = 0;
  const char* const behind = read_decimal(text.data() + begin, text.data() + text.size(), number);
  const auto end = static_cast<std::size_t>(behind - text.data());
  const std::size_t next = text.find_first_not_of(' ', end);
  if (next == std::string::npos) return "";
  if (next > end && is_digit(text[next])) return "two numbers need a ',' between them";
  std::size_t after = next;
  while (after < text.size() && is_letter(text[after]) && text[after] != '_') ++after;
  if (after == next) return "";
  const std::string word = text.substr(next, after - next);
  if (std::find(known.begin(), known.end(), word) != known.end()) return "a product needs its '*', as in 2*" + word;
  return fmt::format("'{}' cannot stand behind a number; quantities are in SI units, which are not written", word);
}

// Advice on frequent mistakes for which the parser's message does not help; empty if there is none.
std::string advice_on(const std::string& text, const std::vector<std::string>& known) {
  if (const std::string odd = odd_character(text); !odd.empty()) {
    return odd + " cannot stand here; write plain characters, as in -2*l^2 or 90*deg";
  }
  if (text.front() == '(' && text.back() == ')' && text.find(',') != std::string::npos) {
    return "several numbers are written 1, 2 or [1, 2]";
  }
  return advice_on_number(text, known);
}

// Returns "P.x" where the name P begins in "2*P.x^3", and "B[1].x" for a name with indices; empty if no '.' follows.
std::string quantity_at(const std::string& text, std::size_t begin) {
  const auto is_part = [&](std::size_t i) { return i < text.size() && (is_letter(text[i]) || is_digit(text[i])); };
  if (begin == text.size() || !is_letter(text[begin])) return "";
  std::size_t dot = begin;
  while (is_part(dot)) ++dot;
  if (dot < text.size() && text[dot] == '[') dot = std::min(text.find(']', dot), text.size() - 1) + 1;
  if (dot + 1 >= text.size() || text[dot] != '.' || !is_letter(text[dot + 1])) return "";
  std::size_t end = dot + 1;
  while (is_part(end)) ++end;
  return text.substr(begin, end - begin);
}

// Where the word begins that ends before a place.
std::size_t begin_of_word(const std::string& text, std::size_t place) {
  while (place > 0 && (is_letter(text[place - 1]) || is_digit(text[place - 1]))) --place;
  return place;
}

// The unknown name: also ".inf" and the "..2" of "N..2", which are neither numbers nor names.
std::string unknown_in(const ExpressionFault& fault, const std::string& text) {
  if (fault.kind == ExpressionFault::Kind::unknown_name) return fault.name;
  std::size_t end = fault.place;
  if (end == text.size() || text[end] != '.') return "";
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]) || text[end] == '.')) ++end;
  const std::string word = text.substr(fault.place, end - fault.place);
  double number = 0;
  return read_number(word, number) ? "" : word;
}

std::string explain(const ExpressionFault& fault, const std::string& text, const Scope& scope) {
  std::vector<std::string> known = scope.names();
  for (const KnownFunction& function : known_functions) known.emplace_back(function.name);
  if (fault.kind == ExpressionFault::Kind::several) {
    return fmt::format("'{}' holds {} numbers; one is allowed here (decimals have a point)", text, fault.count);
  }
  if (const std::string advice = advice_on(text, known); !advice.empty()) {
    return fmt::format("'{}' is not an expression: {}", text, advice);
  }
  if (const std::string quantity = quantity_at(text, begin_of_word(text, fault.place)); !quantity.empty()) {
    return fmt::format(
        "'{}' in '{}' is unknown: expressions know parameters and loop variables, not coordinates or "
        "data of elements",
        quantity, text);
  }
  if (const std::string unknown = unknown_in(fault, text); !unknown.empty()) {
    const std::string where = unknown == text ? "" : fmt::format(" in '{}'", text);
    return fmt::format("'{}'{} is unknown{}", unknown, where, did_you_mean(unknown, known));
  }
  return fmt::format("'{}' is not an expression: {}", text, fault.what());
}

}  // namespace

bool Scope::is_free(const std::string& name) const {
  return !variables_.contains(name) && name != "pi" && name != "deg" &&
         std::none_of(known_functions.begin(), known_functions.end(),
                      [&](const KnownFunction& function) { return function.name == name; });
}

Scope::Variable& Scope::define(const std::string& name, RatedNumber number) {
  Variable& variable = *(variables_[name] = std::make_unique<Variable>());
  set(name, std::move(number));
  return variable;
}

void Scope::set(const std::string& name, RatedNumber number) {
  const auto chosen = std::find(chosen_.begin(), chosen_.end(), name);
  if (chosen != chosen_.end()) {
    number.rates.resize(chosen_.size());
    ParameterRate& rate = number.rates[static_cast<std::size_t>(chosen - chosen_.begin())];
    rate = {rate.value + 1, true};
  }
  static_cast<RatedNumber&>(*variables_.at(name)) = std::move(number);
  ++revision_;
}

Scope::Variable& Scope::define(const std::string& name, double value, bool loops) {
  Variable& variable = define(name, RatedNumber{value, {}});
  variable.loops = loops;
  return variable;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> names{"pi", "deg"};
  for (const auto& [name, variable] : variables_) names.push_back(name);
  return names;
}

std::unique_ptr<Scope::Variable> Scope::release(const std::string& name) {
  auto variable = std::move(variables_.at(name));
  variables_.erase(name);
  return variable;
}

Expression::Expression(const std::string& text, const Scope& scope) : text_(text), parameters_(scope.chosen().size()) {
  if (read_number(text, constant_)) return;
  if (text.empty()) throw Error("a number is missing");
  if (assigns(text)) throw Error(fmt::format("'{}' is not an expression: '=' assigns, use '==' to compare", text));

  auto compiled = std::make_unique<Compiled>();
  const auto push = [&](const std::string& name, ExpressionProgram& program) {
    const auto found = scope.variables().find(name);
    if (found == scope.variables().end()) return false;
    const Scope::Variable& variable = *found->second;
    program.push_variable(static_cast<int>(compiled->variables.size()));
    compiled->variables.push_back(&variable);
    compiled->values.push_back(&variable.value);
    compiled->is_parameter.push_back(!variable.loops);
    compiled->loops = compiled->loops || variable.loops;
    return true;
  };
  try {
    compiled->program = parse_expression(text, push);
  } catch (const ExpressionFault& fault) {
    throw Error(explain(fault, text, scope));
  }
  if (compiled->variables.empty()) {
    constant_ = compiled->program.value(nullptr);
  } else {
    compiled->scope = &scope;
    compiled_ = std::move(compiled);
  }
}

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

void Expression::compute_from_parameters(Compiled& compiled) {
  if (!compiled.loops) {
    compiled.constant = compiled.program.value(compiled.values.data());
  } else {
    compiled.repeated = compiled.program.with_numbers(compiled.values.data(), compiled.is_parameter);
  }
  compiled.revision = compiled.scope->revision();
  compiled.is_ready = true;
}

double Expression::value_of_compiled() const {
  Compiled& compiled = *compiled_;
  if (!compiled.is_ready || compiled.revision != compiled.scope->revision()) compute_from_parameters(compiled);
  return compiled.loops ? compiled.repeated.value(compiled.values.data()) : compiled.constant;
}

bool Expression::uses(const std::vector<const Scope::Variable*>& variables) const {
  return compiled_ && std::any_of(compiled_->variables.begin(), compiled_->variables.end(), [&](const auto* variable) {
           return std::find(variables.begin(), variables.end(), variable) != variables.end();
         });
}

RatedNumber Expression::value_with_rates() const {
  if (!compiled_) return {constant_, std::vector<ParameterRate>(parameters_)};
  std::vector<const RatedNumber*> numbers;
  for (const Scope::Variable* const variable : compiled_->variables) numbers.push_back(variable);
  return compiled_->program.value_with_rates(numbers, parameters_);
}

std::vector<std::string> words_in(const std::string& text) {
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c); };
  std::vector<std::string> words;
  for (auto begin = text.begin();;) {
    begin = std::find_if(begin, text.end(), is_part);
    if (begin == text.end()) return words;
    const auto end = std::find_if_not(begin, text.end(), is_part);
    words.emplace_back(begin, end);
    begin = end;
  }
}

std::string show(double value) { return std::isnan(value) ? "undefined" : fmt::format("{}", value); }

}  // namespace stillpoint
