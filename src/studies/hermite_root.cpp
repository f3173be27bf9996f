#include "studies/hermite_root.h"

#include <cmath>
#include <optional>

#include "modes/following/step_between.h"

namespace stillpoint {

namespace {

std::optional<double> root_between(const std::function<ValueAndRate(double)>& at, double from, double to) {
  const ValueAndRate left = at(from), right = at(to);
  if (!(left.value * right.value < 0)) return {};
  const double h = to - from;
  return from + h * root_of_cubic(left.value, h * left.rate, right.value, h * right.rate);
}

}  // namespace

HermiteRoot hermite_root(const std::function<ValueAndRate(double)>& at, double near, double distance) {
  const auto far = root_between(at, near - distance, near + distance);
  if (!far) return {};
  const auto closer = root_between(at, *far - 0.5 * distance, *far + 0.5 * distance);
  if (!closer) return {};
  return {*closer, std::abs(*closer - *far), true};
}

}  // namespace stillpoint
