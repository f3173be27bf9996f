#include "modes/damped/toar_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "modes/problem/real_pairs.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr Index most_beyond = 10;  // modes beyond those wanted that are examined to find such a gap

constexpr double infinite_ratio = 1e-13;      // of the largest |θ|: values without inertia but for rounding
constexpr double zero_tolerance = 1e-7;       // of the typical frequency: K may be singular
constexpr double eigenvalue_at_shift = 1e-8;  // of the centre: one value so near to the shift hides all others
constexpr double least_uncertainty = 1e-3;    // of the distance from the shift
constexpr double at_aim = 1e-2;               // of the distance of the shift: the value at the aim itself
constexpr double rigid_motion_ratio = 1e-5;   // of the shift: values nearer to zero are zero to rounding
constexpr double nearest_shift = 1e-6;        // of the typical frequency

// If fewer values appear than are wanted, rounding may hide the others, and the count must reach at least this far.
constexpr double typical = 2;  // in units of the typical frequency

// A value this much nearer to zero than the shift is most likely a rigid-body motion and needs no better shift; in a
// hard search a better shift is tried.
constexpr double beside_rigid = 1e-2, beside_rigid_if_hard = 3e-5;

}  // namespace

ToarView::ToarView(QuadraticRitz ritz, bool is_complete, Complex shift, Complex centre)
    : sigma_(shift),
      centre_(centre),
      ritz_(std::move(ritz)),
      converged_(ritz_.converged(tolerance::converged_residual)),
      is_complete_(is_complete) {
  const auto has_no_inertia = [&](Index k) { return std::abs(theta(k)) < infinite_ratio * std::abs(theta(0)); };
  while (converged_ > 0 && has_no_inertia(converged_ - 1)) --converged_;
}

// In a complex computation real values come out on both sides of the axis.
bool ToarView::is_upper_but_for(Index k, double rounding) const {
  if (sigma_.imag() == 0) return s(k).imag() >= 0;
  return s(k).imag() >= -rounding * (std::abs(sigma_) + 1 / std::abs(theta(k)));
}

// Allows for the error of a value that has not converged.
bool ToarView::may_be_upper(Index k) const { return is_upper_but_for(k, largest_rounding(1)); }

bool ToarView::is_upper(Index k) const { return is_upper_but_for(k, 1e-10); }

double ToarView::beyond(double radius) { return (1 + tolerance::wide_gap) * radius; }

// Values this near to the centre may lie there by rounding only; a zero, which is often double, is wrong by the root of
// rounding.
double ToarView::largest_zero() const {
  if (sigma_ == centre_) return 0;
  if (centre_ != 0.0) return nearest_shift * std::abs(centre_);
  return std::max(rigid_motion_ratio * std::abs(sigma_), nearest_shift);
}

double ToarView::clear_radius() const {
  if (is_complete_) return std::numeric_limits<double>::infinity();
  if (converged_ == ritz_.size()) return 1 / std::abs(theta(converged_ - 1)) - std::abs(sigma_ - centre_);
  return 1 / (std::abs(theta(converged_)) + ritz_.residuals[converged_]) - std::abs(sigma_ - centre_);
}

// The error bound is the larger of the residual and the distance to the next value, which is about the error. It is
// never zero: both of two copies may be known well, and a shift too near to them is blind to the others.
std::vector<Unconverged> ToarView::unconverged(Complex aim) const {
  std::vector<Unconverged> found;
  const Index most = std::max(converged_ + 4, (converged_ + ritz_.size()) / 2);
  for (Index k = converged_; k < std::min(ritz_.size(), most); ++k) {
    const bool is_beside_zero = std::abs(s(k) - aim) < at_aim * std::abs(sigma_ - aim);
    if (!may_be_upper(k) || is_beside_zero || std::abs(theta(k)) < infinite_ratio * std::abs(theta(0))) continue;
    double next = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < ritz_.size(); ++j) {
      const double apart_by = std::abs(s(j) - s(k));
      if (j != k && std::isfinite(apart_by)) next = std::min(next, apart_by);
    }
    const double of_residual = ritz_.residuals[k] / std::norm(theta(k));
    const double least = least_uncertainty * std::abs(s(k) - sigma_);
    found.push_back({s(k), std::max({least, std::isfinite(next) ? 2 * next : 0, of_residual})});
  }
  std::sort(found.begin(), found.end(),
            [&](const Unconverged& a, const Unconverged& b) { return std::abs(a.s - aim) < std::abs(b.s - aim); });
  return found;
}

bool ToarView::should_come_nearer(Complex aim) const {
  constexpr double is_worth_it = 0.1;
  if (converged_ > 0) return false;
  const std::vector<Unconverged> seen = unconverged(aim);
  const auto distance = [&](const Unconverged& value) { return std::abs(value.s - sigma_); };
  const auto next = std::min_element(
      seen.begin(), seen.end(), [&](const Unconverged& a, const Unconverged& b) { return distance(a) < distance(b); });
  return next != seen.end() && next->error_bound < is_worth_it * distance(*next);
}

Index ToarView::apart_from_others() const {
  Index count = converged_;
  const auto nearness = [&](Index k) { return std::abs(theta(k)); };
  while (count > 0 && count < ritz_.size() &&
         nearness(count - 1) - nearness(count) < tolerance::distinct * nearness(count - 1))
    --count;
  return count;
}

std::vector<double> ToarView::distances() const {
  std::vector<double> found;
  const double clear = clear_radius();
  for (Index k = 0; k < converged_; ++k) {
    if (is_upper(k) && distance_to_centre(k) < clear) found.push_back(distance_to_centre(k));
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool ToarView::is_at_rounding(double radius) const {
  for (Index k = 0; k < converged_; ++k) {
    if (distance_to_centre(k) < radius && ritz_.residuals[k] > tolerance::residual_at_rounding * std::abs(theta(k)))
      return false;
  }
  return true;
}

std::optional<Gap> ToarView::gap_beyond(Index count, double size) const {
  const std::vector<double> found = distances();
  const double clear = clear_radius();
  const auto seen = static_cast<Index>(found.size());
  const auto within = std::upper_bound(found.begin(), found.end(), size) - found.begin();
  const Index least = std::max(count, static_cast<Index>(within));
  double widest = tolerance::distinct;
  std::optional<Gap> best;
  for (Index k = std::isinf(clear) ? std::min(least, seen) : least; k <= seen; ++k) {
    const double last = std::max(k > 0 ? found[at(k - 1)] : 0, size), next = k < seen ? found[at(k)] : clear;
    if (std::isinf(next))
      return best ? best : Gap{last, std::max(3 * last, seen < count ? typical : shift_rate_beside_zero)};
    if (next < largest_zero()) continue;
    const double width = 1 - last / next;
    if (width > tolerance::wide_gap) return Gap{last, next};
    if (width > widest && k < seen) {
      widest = width;
      best = Gap{last, next};
    }
  }
  return seen > least + most_beyond ? best : std::nullopt;
}

// Returns nothing while the values are not certain to a tenth, unless a number is required. The error of a value that
// is double and defective, such as zero, is the root of its residual.
std::optional<double> ToarView::largest_of_nearest(Index count, bool must) const {
  Index seen = 0;
  double largest = 0;
  for (Index k = 0; k < ritz_.size() && seen < count; ++k) {
    const double distance = 1 / std::abs(theta(k));
    if (!must && distance * std::sqrt(ritz_.residuals[k] * distance) > 0.1 * distance_to_centre(k)) return {};
    if (!is_upper(k)) continue;
    largest = std::max(largest, distance_to_centre(k));
    ++seen;
  }
  return seen == count ? std::optional(largest) : std::nullopt;
}

// The shift moves first so far that the other values appear, then as far as they allow.
std::optional<double> ToarView::better_shift_beside_centre(Index count, bool is_hard) const {
  const double off = std::abs(sigma_ - centre_);
  if (off == 0) {
    const bool is_on_one = ritz_.size() > 0 && distance_to_centre(0) < eigenvalue_at_shift * std::abs(centre_);
    return is_on_one ? std::optional(shift_beside_centre * std::abs(centre_)) : std::nullopt;
  }
  const std::optional<double> wanted = largest_of_nearest(count, is_hard);
  if (wanted) return off < 0.03 * *wanted ? std::optional(0.1 * *wanted) : std::nullopt;
  // Few vectors may seem to be all while the other values are still hidden.
  return is_complete_ && off < 0.1 * std::abs(centre_) ? std::optional(30 * off) : std::nullopt;
}

// From a shift far beyond all wanted values these have nearly equal θ.
std::optional<double> ToarView::better_shift(Index count, bool is_hard) const {
  if (centre_ != 0.0) return better_shift_beside_centre(count, is_hard);
  const double sigma = std::abs(sigma_);
  if (sigma == 0) {
    const bool is_singular = ritz_.size() > 0 && std::abs(s(0)) < zero_tolerance;
    return is_singular ? std::optional(shift_rate_beside_zero) : std::nullopt;
  }
  if (is_complete_ || sigma <= nearest_shift) return {};
  const std::optional<double> wanted = largest_of_nearest(count, is_hard);
  const double nothing = std::max(nearest_shift, (is_hard ? beside_rigid_if_hard : beside_rigid) * sigma);
  if (!wanted || *wanted > 0.3 * sigma || *wanted < nothing) return {};
  return std::max({0.3 * *wanted, beside_rigid * sigma, nearest_shift});
}

}  // namespace stillpoint
