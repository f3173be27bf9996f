#include "modes/count/disc_count.h"

#include <algorithm>

#include "modes/count/low_rank_determinant.h"

namespace stillpoint {

using Complex = std::complex<double>;

DiscCount::DiscCount(const BorderedProblem& problem, const QuadraticPencil& pencil, Complex centre, const Gap& gap,
                     const UndampedBelow& undamped, const Supervision& supervision)
    : pencil_(pencil),
      centre_(centre),
      radius_(gap.middle()),
      room_((gap.to - gap.from) / gap.middle()),
      supervision_(supervision) {
  if (centre == 0.0) inside_ = count_weakly_damped(problem, pencil, gap, undamped);
  is_weakly_damped_ = inside_.has_value();
  if (centre == 0.0 && !inside_) inside_ = count_gyroscopic(problem, pencil, radius_);
  if (centre.real() == 0 && centre.imag() > radius_)
    inside_ = count_gyroscopic(problem, pencil, FrequencyBand{centre.imag() - radius_, centre.imag() + radius_});
  if (centre == 0.0 && !inside_) by_low_rank_ = log_determinant_of_low_rank(problem, pencil, radius_, supervision);
}

std::optional<Index> DiscCount::unknown(const std::vector<Complex>& known) {
  const auto inside = static_cast<Index>(
      std::count_if(known.begin(), known.end(), [&](Complex s) { return std::abs(s - centre_) < radius_; }));
  const std::optional<Index> unknown = inside_ ? std::optional(*inside_ - inside) : argument_count_around(known);
  const bool is_possible = unknown && *unknown >= 0 && inside + *unknown <= 2 * pencil_.dof();
  return is_possible ? unknown : std::nullopt;
}

std::optional<Index> DiscCount::argument_count_around(const std::vector<Complex>& known) {
  if (by_low_rank_) {
    const std::optional<Index> unknown =
        ArgumentCount(by_low_rank_, centre_, radius_, room_, supervision_).unknown(known);
    if (unknown || supervision_.is_time_over()) return unknown;
    by_low_rank_ = nullptr;
  }
  if (!argument_count_) argument_count_.emplace(log_determinant_of(pencil_), centre_, radius_, room_, supervision_);
  return argument_count_->unknown(known);
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
