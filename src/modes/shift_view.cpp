#include "modes/shift_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr double far = 1e-3;    // a nearest neighbour at this part of the distance
constexpr double apart = 1e-6;  // relative: between two neighbours there is room for the end of a region

constexpr double nearest_shift = 1e-12;  // of the square of the typical frequency

// What is so much nearer to zero than the shift is most likely a rigid motion, and needs no better one; if the search
// has turned out to be hard, it is worth a try.
constexpr double beside_rigid = 1e-4, beside_rigid_if_hard = 1e-9;

}  // namespace

double settled_for(Index size) { return std::clamp(2e-15 * size, 1e-12, 1e-9); }

ShiftView::ShiftView(const LanczosBasis& basis, double shift, Index size)
    : shift_(shift),
      pairs_(basis.ritz()),
      converged_(pairs_.converged(settled_for(size))),
      is_complete_(basis.is_complete()) {}

bool ShiftView::is_far(Index k, double nearest) const { return nearest < far * distance(k); }

// The residual is a bound; its square by the distance of the others is one, too (Parlett 1980).
double ShiftView::error(Index k, double theta, double residual) const {
  double gap = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < size(); ++j) {
    if (j != k) gap = std::min(gap, std::abs(pairs_.values[j] - theta) - pairs_.residuals[j]);
  }
  return (gap > 10 * residual ? residual * residual / gap : residual) / (theta * theta);
}

double ShiftView::clear_radius(double centre) const {
  if (converged_ == size()) return is_complete_ ? std::numeric_limits<double>::infinity() : distance(converged_ - 1);
  const double nearest = 1 / (std::abs(pairs_.values[converged_]) + pairs_.residuals[converged_]);
  return nearest - std::abs(shift_ - centre);
}

std::optional<Region> ShiftView::region_of_lowest(Index count) const {
  Index near = 0;
  while (near < converged_ && !is_far(near, distance(0))) ++near;
  const bool is_all = is_complete_ || near < converged_;
  const double clear = near < converged_ ? distance(near) : clear_radius(0);
  std::vector<double> sizes;
  for (Index k = 0; k < near; ++k) {
    if (std::abs(mu(k)) < clear) sizes.push_back(std::abs(mu(k)));
  }
  std::sort(sizes.begin(), sizes.end());
  const auto seen = static_cast<Index>(sizes.size());
  for (Index k = is_all ? std::min(count, seen) : count; k <= seen; ++k) {
    const double last = k > 0 ? sizes[at(k - 1)] : 0, next = k < seen ? sizes[at(k)] : clear;
    if (std::isinf(next)) return Region{0, std::max(2 * last, -beside_zero)};
    if (next < like_zero) continue;  // copies of zero, which rounding has parted
    if (next - last > apart * std::max(next, std::abs(shift_))) return Region{0, 0.5 * (last + next)};
  }
  return {};
}

std::optional<double> ShiftView::end_beyond(Index count, double direction) const {
  std::vector<double> on_way;
  for (Index k = 0; k < converged_; ++k) {
    if (direction * pairs_.values[k] > 0) on_way.push_back(distance(k));
  }
  on_way.push_back(clear_radius(shift_));
  if (std::isinf(on_way.back())) return {};
  std::optional<double> end;
  double widest = apart;
  for (Index k = count; k < static_cast<Index>(on_way.size()); ++k) {
    const double last = k > 0 ? on_way[at(k - 1)] : 0, next = on_way[at(k)];
    if (next - last <= widest * next) continue;
    widest = (next - last) / next;
    end = shift_ + direction * 0.5 * (last + next);
  }
  return end;
}

// The distance of two of them is about what the first is still wrong by, the residual surely is.
std::optional<double> ShiftView::shift_before_next(double direction) const {
  std::optional<Index> first;
  for (Index k = converged_; k < size(); ++k) {
    if (!(direction * pairs_.values[k] > 0)) continue;
    if (!first) {
      first = k;
      continue;
    }
    const double next = distance(*first);
    const double unsure = std::max({2 * (distance(k) - next), pairs_.residuals[*first] * next * next, far * next});
    return shift_ + direction * (next - std::min(0.5 * next, unsure));
  }
  return {};
}

bool ShiftView::should_come_nearer() const {
  constexpr double much_nearer = 0.1;
  if (converged_ > 0 || size() == 0) return false;
  const std::optional<double> before = shift_before_next(pairs_.values[0] > 0 ? 1 : -1);
  return before && std::abs(mu(0) - *before) < much_nearer * distance(0);
}

std::optional<double> ShiftView::better_shift(Index count, bool is_hard) const {
  const double before = std::abs(shift_);
  if (before == 0) return distance(0) < like_zero ? std::optional(beside_zero) : std::nullopt;
  if (size() < count || is_complete_ || before <= nearest_shift) return {};
  const double wanted = std::abs(mu(count - 1)), theta = pairs_.values[count - 1];
  const bool is_vague = converged_ == 0 || pairs_.residuals[count - 1] / (theta * theta) > 0.5 * wanted;
  if (is_vague && !is_hard) return {};
  const bool is_nothing = wanted < (is_hard ? beside_rigid_if_hard : beside_rigid) * before;
  if (before <= 0.5 * wanted || is_nothing) return {};
  return -std::max({0.1 * wanted, beside_rigid * before, nearest_shift});
}

}  // namespace stillpoint
