#include "model/validation.h"

#include <cmath>
#include <cstdio>

#include "stillpoint/model.h"

namespace stillpoint {

std::string problem_with(Allowed allowed, std::span<const double> numbers) {
  const auto is = [](double x, const char* wanted) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", x);
    return "is " + std::string(text) + "; it must " + wanted;
  };
  bool all_zero = true;
  for (const double x : numbers) {
    if (!std::isfinite(x)) return is(x, "be a finite number");
    if (allowed == Allowed::positive && x <= 0) return is(x, "be positive");
    if (allowed == Allowed::non_negative && x < 0) return is(x, "not be negative");
    all_zero = all_zero && x == 0;
  }
  return allowed == Allowed::not_all_zero && all_zero ? "is zero; it must not be" : "";
}

void refuse(std::string_view keyword, const Name& name, std::string_view field, const std::string& problem) {
  throw FieldError(std::string(field), stillpoint::describe(keyword, name) + ": " + std::string(field) + " " + problem);
}

void require(std::string_view keyword, const Name& name, std::string_view field, std::initializer_list<double> numbers,
             Allowed allowed) {
  const std::string problem = problem_with(allowed, numbers);
  if (!problem.empty()) refuse(keyword, name, field, problem);
}

void require_rotation(std::string_view keyword, const Name& name, const Rotation<double>& r) {
  require(keyword, name, "rotation", {r.w, r.x, r.y, r.z}, Allowed::not_all_zero);
}

bool asks_for_preload(const ElementInfo& info, const void* element) {
  const Field* const preload = info.field_called("preload");
  return preload && preload->load(element).numbers[0] != 0;
}

std::string describe(std::string_view keyword, const Name& name) {
  if (!name.empty()) return std::string(keyword) + " '" + to_string(name) + "'";
  const bool vowel = std::string_view("aeiou").find(keyword.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(keyword);
}

}  // namespace stillpoint
