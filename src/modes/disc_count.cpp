#include "modes/disc_count.h"

#include <algorithm>

namespace stillpoint {

DiscCount::DiscCount(const BorderedProblem& problem, const QuadraticPencil& pencil, const Gap& gap)
    : pencil_(pencil), radius_(gap.middle()), inside_(count_weakly_damped(problem, pencil, gap)) {}

std::optional<Index> DiscCount::unknown(const std::vector<std::complex<double>>& known) {
  if (inside_) {
    const auto inside = std::count_if(known.begin(), known.end(), [&](const auto& s) { return std::abs(s) < radius_; });
    return *inside_ - static_cast<Index>(inside);
  }
  if (!winding_) winding_.emplace(pencil_, radius_);
  return winding_->unknown(known);
}

}  // namespace stillpoint
