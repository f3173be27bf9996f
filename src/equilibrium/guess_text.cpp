// The coordinates of a state as a text that can be read again as a guess.

#include <fmt/format.h>

#include "stillpoint/assemble.h"
#include "stillpoint/operating_point.h"

namespace stillpoint {

std::string to_guess(const Model& model, const State& state) {
  std::string text =
      fmt::format("# Guess for the coordinates of {}: m and rad, rx, ry, rz are rotation vectors\n", model.name());
  for (Index i = 0; i < model.coordinates(); ++i) {
    text += fmt::format("{} = {}\n", model.coordinate_name(i), coordinate_value(model, state, i));
  }
  return text;
}

}  // namespace stillpoint
