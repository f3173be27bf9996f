#include "stillpoint/plane_start.h"

#include <fmt/format.h>

#include "stillpoint/error.h"

namespace stillpoint {

void require_two_parameters(const std::string& first, const std::string& second) {
  const bool is_number = first.find('.') != std::string::npos;
  if (is_number || second.find_first_of(".:") != std::string::npos)
    throw Error("of two parameters the second one must be one of the model file, and the first one that or an input");
  if (first == second) throw Error(fmt::format("'{}' is varied twice", first));
}

PlaneStart start_plane(const ModelFamily& family, const Variation& first, const Equilibrium& rest,
                       const std::string& second, double from, double to) {
  const bool is_input = first.input.has_value();
  const auto second_at = [family, second, is_input, name = first.name](double value) {
    return parameter_of(family, second, is_input ? Parameters{} : Parameters{{name, value}});
  };
  const auto first_at = [family, second, is_input, name = first.name, begin = first.value](double value) {
    const Parameters there{{second, value}};
    Variation variation = is_input ? input_of(family.at(there), name) : parameter_of(family, name, there);
    variation.value = begin;
    return variation;
  };
  Variation along = second_at(first.value);
  along.value = from;
  return {{first.name, first.unit, second, along.unit, first_at, second_at}, starts_along(along, rest, to, first_at)};
}

}  // namespace stillpoint
