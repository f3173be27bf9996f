#include "modes/undamped/lanczos_view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/at.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

constexpr double distant_ratio = 1e-3;  // distance of the nearest value from the shift, relative

constexpr double nearest_shift = 1e-12;  // of the square of the typical frequency

// A value this much nearer to zero than the shift is most likely a rigid-body motion and needs no better shift; in a
// hard search a better shift is tried.
constexpr double beside_rigid = 1e-4, beside_rigid_if_hard = 1e-9;

}  // namespace

double vector_tolerance(Index size) { return std::clamp(2e-15 * size, 1e-12, 1e-9); }

LanczosView::LanczosView(RitzPairs pairs, bool is_complete, double shift, Index size)
    : shift_(shift),
      pairs_(std::move(pairs)),
      converged_(pairs_.converged(vector_tolerance(size))),
      is_complete_(is_complete) {}

bool LanczosView::is_distant(Index k, double nearest) const { return nearest < distant_ratio * distance(k); }

// The residual is an error bound, and so is its square divided by the distance of the others [Parlett 1980].
double LanczosView::error(Index k, double theta, double residual) const {
  double gap = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < size(); ++j) {
    if (j != k) gap = std::min(gap, std::abs(pairs_.values[j] - theta) - pairs_.residuals[j]);
  }
  return (gap > 10 * residual ? residual * residual / gap : residual) / (theta * theta);
}

double LanczosView::clear_radius(double centre) const {
  if (converged_ == size()) return is_complete_ ? std::numeric_limits<double>::infinity() : distance(converged_ - 1);
  const double nearest = 1 / (std::abs(pairs_.values[converged_]) + pairs_.residuals[converged_]);
  return nearest - std::abs(shift_ - centre);
}

std::optional<Region> LanczosView::region_of_lowest(Index count) const {
  Index near = 0;
  while (near < converged_ && !is_distant(near, distance(0))) ++near;
  const bool is_all = is_complete_ || near < converged_;
  const double clear = near < converged_ ? distance(near) : clear_radius(0);
  std::vector<double> distances;
  for (Index k = 0; k < near; ++k) {
    if (std::abs(mu(k)) < clear) distances.push_back(std::abs(mu(k)));
  }
  std::sort(distances.begin(), distances.end());
  const auto seen = static_cast<Index>(distances.size());
  for (Index k = is_all ? std::min(count, seen) : count; k <= seen; ++k) {
    const double last = k > 0 ? distances[at(k - 1)] : 0, next = k < seen ? distances[at(k)] : clear;
    if (std::isinf(next)) return Region{0, std::max(2 * last, -shift_beside_zero)};
    if (next < tolerance::zero_mu) continue;  // copies of zero that rounding has separated
    if (next - last > tolerance::distinct * std::max(next, std::abs(shift_))) return Region{0, 0.5 * (last + next)};
  }
  return {};
}

std::optional<double> LanczosView::end_beyond(Index count, double direction) const {
  std::vector<double> on_way;
  for (Index k = 0; k < converged_; ++k) {
    if (direction * pairs_.values[k] > 0) on_way.push_back(distance(k));
  }
  on_way.push_back(clear_radius(shift_));
  if (std::isinf(on_way.back())) return {};
  std::optional<double> end;
  double widest = tolerance::distinct;
  for (Index k = count; k < static_cast<Index>(on_way.size()); ++k) {
    const double last = k > 0 ? on_way[at(k - 1)] : 0, next = on_way[at(k)];
    if (next - last <= widest * next) continue;
    widest = (next - last) / next;
    end = shift_ + direction * 0.5 * (last + next);
  }
  return end;
}

// The distance of two Ritz values estimates the error of the first one; its residual is a bound.
std::optional<double> LanczosView::shift_before_next(double direction) const {
  std::optional<Index> first;
  for (Index k = converged_; k < size(); ++k) {
    if (!(direction * pairs_.values[k] > 0)) continue;
    if (!first) {
      first = k;
      continue;
    }
    const double next = distance(*first);
    const double error_bound =
        std::max({2 * (distance(k) - next), pairs_.residuals[*first] * next * next, distant_ratio * next});
    return shift_ + direction * (next - std::min(0.5 * next, error_bound));
  }
  return {};
}

bool LanczosView::should_come_nearer() const {
  constexpr double required_gain = 0.1;
  if (converged_ > 0 || size() == 0) return false;
  const std::optional<double> before = shift_before_next(pairs_.values[0] > 0 ? 1 : -1);
  return before && std::abs(mu(0) - *before) < required_gain * distance(0);
}

std::optional<double> LanczosView::better_shift(Index count, bool is_hard) const {
  const double before = std::abs(shift_);
  if (before == 0) return distance(0) < tolerance::zero_mu ? std::optional(shift_beside_zero) : std::nullopt;
  if (size() < count || is_complete_ || before <= nearest_shift) return {};
  const double wanted = std::abs(mu(count - 1)), theta = pairs_.values[count - 1];
  const bool is_loosely_bounded = converged_ == 0 || pairs_.residuals[count - 1] / (theta * theta) > 0.5 * wanted;
  if (is_loosely_bounded && !is_hard) return {};
  const bool is_rigid = wanted < (is_hard ? beside_rigid_if_hard : beside_rigid) * before;
  if (before <= 0.5 * wanted || is_rigid) return {};
  return -std::max({0.1 * wanted, beside_rigid * before, nearest_shift});
}

}  // namespace stillpoint
