#include "read/expression.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <sstream>

#include "stillpoint/error.h"

namespace stillpoint {

namespace {

std::vector<std::string> words_of(const char* text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Reads a plain number, the most frequent case; "inf", "nan" and hexadecimal numbers are refused.
bool read_number(const std::string& text, double& value) {
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string::npos) return false;
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return *end == '\0';
}

// Detects '=', which muParser would execute as an assignment.
bool assigns(const std::string& text) {
  for (std::size_t i = text.find('='); i != std::string::npos; i = text.find('=', i + 1)) {
    const char before = i > 0 ? text[i - 1] : ' ';
    if (text[i + 1] == '=') ++i;
    else if (before != '<' && before != '>' && before != '!') return true;
  }
  return false;
}

// The word that ends at a position of a text, such as the function before a bracket.
std::string word_before(const std::string& text, int place) {
  const auto end = text.begin() + std::clamp(place, 0, static_cast<int>(text.size()));
  auto begin = end;
  while (begin != text.begin() && (std::isalnum(static_cast<unsigned char>(begin[-1])) || begin[-1] == '_')) --begin;
  return std::string(begin, end);
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
  const auto is_digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(text[i])) != 0; };
  const std::size_t begin = text.find_first_not_of("+-. ");
  if (begin == std::string::npos || !is_digit(begin)) return "";
  char* behind = nullptr;
  std::strtod(text.c_str() + begin, &behind);
  const auto end = static_cast<std::size_t>(behind - text.c_str());
  const std::size_t next = text.find_first_not_of(' ', end);
  if (next == std::string::npos) return "";
  if (next > end && is_digit(next)) return "two numbers need a ',' between them";
  std::size_t after = next;
  while (after < text.size() && std::isalpha(static_cast<unsigned char>(text[after]))) ++after;
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

// Returns "P.x" for the unknown ".x^3" in "P.x^3"; empty if the unknown is not the end of a name with a dot.
std::string quantity_in(const std::string& text, const std::string& unknown) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  if (unknown.size() < 2 || unknown.front() != '.' || !std::isalpha(static_cast<unsigned char>(unknown[1]))) return {};
  const std::size_t dot = text.find(unknown);
  if (dot == std::string::npos) return {};
  std::size_t begin = dot, end = dot + 1;
  while (begin > 0 && (is_part(text[begin - 1]) || text[begin - 1] == '[' || text[begin - 1] == ']')) --begin;
  while (end < text.size() && is_part(text[end])) ++end;
  return begin == dot ? "" : text.substr(begin, end - begin);
}

std::string explain(const mu::Parser::exception_type& error, const std::string& text, const Scope& scope) {
  std::vector<std::string> known = scope.names();
  for (const std::string& word : words_of(expression_functions)) known.push_back(word);
  if (const std::string advice = advice_on(text, known); !advice.empty()) {
    return fmt::format("'{}' is not an expression: {}", text, advice);
  }
  std::string unknown;
  if (error.GetCode() == mu::ecUNASSIGNABLE_TOKEN) unknown = error.GetToken();
  if (error.GetCode() == mu::ecUNEXPECTED_PARENS) unknown = word_before(text, error.GetPos());
  unknown.resize(unknown.find_last_not_of(' ') + 1);
  const bool is_number = !unknown.empty() && std::isdigit(static_cast<unsigned char>(unknown.front()));
  if (const std::string quantity = quantity_in(text, unknown); !quantity.empty()) {
    return fmt::format(
        "'{}' in '{}' is unknown: expressions know parameters and loop variables, not coordinates or "
        "data of elements",
        quantity, text);
  }
  if (!unknown.empty() && !is_number && std::find(known.begin(), known.end(), unknown) == known.end()) {
    const std::string where = unknown == text ? "" : fmt::format(" in '{}'", text);
    return fmt::format("'{}'{} is unknown{}", unknown, where, did_you_mean(unknown, known));
  }
  std::string what = error.GetMsg();
  if (!what.empty() && what.back() == '.') what.pop_back();
  return fmt::format("'{}' is not an expression: {}", text, what);
}

}  // namespace

bool Scope::is_free(const std::string& name) const {
  const auto functions = words_of(expression_functions);
  return !variables_.contains(name) && name != "pi" && name != "deg" &&
         std::find(functions.begin(), functions.end(), name) == functions.end();
}

Scope::Variable& Scope::define(const std::string& name, double value, bool loops) {
  return *(variables_[name] = std::make_unique<Variable>(Variable{value, loops}));
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

Expression::Expression(const std::string& text, const Scope& scope) : text_(text) {
  if (read_number(text, constant_)) return;
  if (text.empty()) throw Error("a number is missing");
  if (assigns(text)) throw Error(fmt::format("'{}' is not an expression: '=' assigns, use '==' to compare", text));

  auto program = std::make_unique<mu::Parser>();
  try {
    program->ClearConst();  // muParser's own constants have other names
    program->DefineConst("pi", std::numbers::pi);
    program->DefineConst("deg", std::numbers::pi / 180);
    for (const std::string& word : words_in(text)) {
      const auto found = scope.variables().find(word);
      if (found != scope.variables().end()) program->DefineVar(word, &found->second->value);
    }
    program->SetExpr(text);
    bool changes = false;
    for (const auto& [name, pointer] : program->GetUsedVar()) {
      const auto found = scope.variables().find(name);
      if (found == scope.variables().end()) {
        throw mu::ParserError(mu::ecUNASSIGNABLE_TOKEN, name, text);
      }
      changes = changes || found->second->loops;
    }
    int values = 0;
    program->Eval(values);
    if (values != 1)
      throw Error(fmt::format("'{}' holds {} numbers; one is allowed here (decimals have a point)", text, values));
    constant_ = program->Eval();
    if (changes) program_ = std::move(program);
  } catch (const mu::Parser::exception_type& error) {
    throw Error(explain(error, text, scope));
  }
}

std::vector<std::string> words_in(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::vector<std::string> words;
  for (auto begin = text.begin();;) {
    begin = std::find_if(begin, text.end(), is_letter);
    if (begin == text.end()) return words;
    const auto end = std::find_if_not(begin, text.end(), is_letter);
    words.emplace_back(begin, end);
    begin = end;
  }
}

std::string show(double value) { return std::isnan(value) ? "undefined" : fmt::format("{}", value); }

Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

double Expression::value() const { return program_ ? program_->Eval() : constant_; }

}  // namespace stillpoint
