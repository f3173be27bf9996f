// Springs that an equilibrium compresses to less than half their free length. Where such a spring stands for a cable,
// or for a slender coil, it would be slack or buckle: no element of a model only pulls.

#include <fmt/format.h>

#include <string>

#include "equilibrium/search.h"
#include "stillpoint/elements/spring.h"

namespace stillpoint {

namespace {

constexpr double short_spring = 0.5;  // of the free length

struct Shortest {
  double share = short_spring;
  std::string name;
  Index count = 0;
};

/// Looks at the springs of one type; false if the elements are of another.
template <class Spring>
bool look_at(const Model& model, std::size_t array, const Context& context, Shortest& shortest) {
  const ElementArrayBase& elements = *model.arrays()[array].elements;
  for (Index i = 0; i < elements.size(); ++i) {
    const Spring* const spring = element_as<Spring>(elements, i);
    if (!spring) return false;
    const double l = length(lift<double>(context, spring->b, {}) - lift<double>(context, spring->a, {}));
    if (!(l < short_spring * spring->free_length)) continue;
    ++shortest.count;
    if (l >= shortest.share * spring->free_length) continue;
    shortest.share = l / spring->free_length;
    shortest.name = model.element_name(array, i);
  }
  return true;
}

}  // namespace

void warn_of_compressed_springs(const Model& model, const State& state, std::vector<std::string>& warnings) {
  const Context context = model.context(state);
  Shortest shortest;
  for (std::size_t k = 0; k < model.arrays().size(); ++k) {
    if (!look_at<Spring>(model, k, context, shortest)) look_at<space::Spring>(model, k, context, shortest);
  }
  if (shortest.count == 0) return;
  warnings.push_back(fmt::format(
      "spring '{}'{} is compressed to {:.0f} % of its free length: if it is a cable, it would be slack (elements that "
      "only pull do not exist), and a slender coil would buckle",
      shortest.name, shortest.count > 1 ? fmt::format(" (and {} more)", shortest.count - 1) : "",
      100 * shortest.share));
}

}  // namespace stillpoint
