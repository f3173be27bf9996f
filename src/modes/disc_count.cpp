#include "modes/disc_count.h"

#include <algorithm>

namespace stillpoint {

using Complex = std::complex<double>;

DiscCount::DiscCount(const BorderedProblem& problem, const QuadraticPencil& pencil, Complex centre, const Gap& gap,
                     const CountBelow& undamped)
    : pencil_(pencil), centre_(centre), radius_(gap.middle()), room_((gap.to - gap.from) / gap.middle()) {
  if (centre == 0.0) inside_ = count_weakly_damped(problem, pencil, gap, undamped);
}

std::optional<Index> DiscCount::unknown(const std::vector<Complex>& known) {
  if (inside_) {
    const auto inside = std::count_if(known.begin(), known.end(), [&](Complex s) { return std::abs(s) < radius_; });
    return *inside_ - static_cast<Index>(inside);
  }
  if (!winding_) winding_.emplace(pencil_, centre_, radius_, room_);
  return winding_->unknown(known);
}

std::vector<Complex> with_conjugates(const Eigen::VectorXcd& upper) {
  std::vector<Complex> both;
  for (const Complex s : upper) {
    both.push_back(s);
    if (s.imag() != 0) both.push_back(std::conj(s));
  }
  return both;
}

}  // namespace stillpoint
