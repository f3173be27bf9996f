#include "modes/quadratic_view.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "modes/real_pairs.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double settled = 1e-11, sharp = 1e-14;  // of a residual, relative
constexpr double apart = 1e-6;                    // relative: two neighbours are not one
constexpr double roomy = 1e-2;                    // relative: there is room for the edge of a region between them
constexpr Index most_beyond = 10;                 // modes that are looked at besides for the sake of such room

constexpr double like_infinity = 1e-13;  // of the largest 1/(s − σ): what has no inertia but for rounding
constexpr double like_zero = 1e-7;       // of the typical frequency: K may be singular
constexpr double like_centre = 1e-8;     // of the centre: so near to the shift, one value hides all others
constexpr double much_nearer = 1e-3;     // of the distance from the shift
constexpr double like_aim = 1e-2;        // of the distance of the shift: a rigid motion, or what is asked for itself
constexpr double like_rigid = 1e-5;      // of the shift: what is nearer to zero is zero but for rounding
constexpr double nearest_shift = 1e-6;   // of the typical frequency

// Where there seem to be fewer than are wanted, rounding may hide the others, and the count must reach so far.
constexpr double typical = 2;  // of the typical frequency

// What is so much nearer to zero than the shift is most likely a rigid motion, and needs no better one; if the search
// has turned out to be hard, it is worth a try.
constexpr double beside_rigid = 1e-2, beside_rigid_if_hard = 3e-5;

}  // namespace

QuadraticView::QuadraticView(QuadraticRitz ritz, bool is_complete, Complex shift, Complex centre)
    : sigma_(shift),
      centre_(centre),
      ritz_(std::move(ritz)),
      converged_(ritz_.converged(settled)),
      is_complete_(is_complete) {
  const auto has_no_inertia = [&](Index k) { return std::abs(theta(k)) < like_infinity * std::abs(theta(0)); };
  while (converged_ > 0 && has_no_inertia(converged_ - 1)) --converged_;
}

// In complex numbers real values come to both sides of the axis.
bool QuadraticView::is_upper_but_for(Index k, double rounding) const {
  if (sigma_.imag() == 0) return s(k).imag() >= 0;
  return s(k).imag() >= -rounding * (std::abs(sigma_) + 1 / std::abs(theta(k)));
}

// Or real, but for what a value that has not converged may be wrong by.
bool QuadraticView::may_be_upper(Index k) const { return is_upper_but_for(k, largest_rounding(1)); }

bool QuadraticView::is_upper(Index k) const { return is_upper_but_for(k, 1e-10); }

double QuadraticView::beyond(double radius) { return (1 + roomy) * radius; }

// What is no farther from the centre may be there but for rounding, of which zero, often being double, has the root.
double QuadraticView::largest_zero() const {
  if (sigma_ == centre_) return 0;
  if (centre_ != 0.0) return nearest_shift * std::abs(centre_);
  return std::max(like_rigid * std::abs(sigma_), nearest_shift);
}

double QuadraticView::clear_radius() const {
  if (is_complete_) return std::numeric_limits<double>::infinity();
  if (converged_ == ritz_.size()) return 1 / std::abs(theta(converged_ - 1)) - std::abs(sigma_ - centre_);
  return 1 / (std::abs(theta(converged_)) + ritz_.residuals[converged_]) - std::abs(sigma_ - centre_);
}

// Of the residual and the distance to the next one, which is about what it is still wrong by, the larger. Not nothing,
// though: of copies both may be known well, and a shift that is too near to them is blind to the others.
std::vector<Unsettled> QuadraticView::unsettled(Complex aim) const {
  std::vector<Unsettled> found;
  const Index most = std::max(converged_ + 4, (converged_ + ritz_.size()) / 2);
  for (Index k = converged_; k < std::min(ritz_.size(), most); ++k) {
    const bool is_beside_zero = std::abs(s(k) - aim) < like_aim * std::abs(sigma_ - aim);
    if (!may_be_upper(k) || is_beside_zero || std::abs(theta(k)) < like_infinity * std::abs(theta(0))) continue;
    double next = std::numeric_limits<double>::infinity();
    for (Index j = 0; j < ritz_.size(); ++j) {
      const double apart_by = std::abs(s(j) - s(k));
      if (j != k && std::isfinite(apart_by)) next = std::min(next, apart_by);
    }
    const double of_residual = ritz_.residuals[k] / std::norm(theta(k));
    const double least = much_nearer * std::abs(s(k) - sigma_);
    found.push_back({s(k), std::max({least, std::isfinite(next) ? 2 * next : 0, of_residual})});
  }
  std::sort(found.begin(), found.end(),
            [&](const Unsettled& a, const Unsettled& b) { return std::abs(a.s - aim) < std::abs(b.s - aim); });
  return found;
}

bool QuadraticView::should_come_nearer(Complex aim) const {
  constexpr double is_worth_it = 0.1;
  if (converged_ > 0) return false;
  const std::vector<Unsettled> seen = unsettled(aim);
  const auto distance = [&](const Unsettled& value) { return std::abs(value.s - sigma_); };
  const auto next = std::min_element(seen.begin(), seen.end(),
                                     [&](const Unsettled& a, const Unsettled& b) { return distance(a) < distance(b); });
  return next != seen.end() && next->unsure < is_worth_it * distance(*next);
}

Index QuadraticView::apart_from_others() const {
  Index count = converged_;
  const auto nearness = [&](Index k) { return std::abs(theta(k)); };
  while (count > 0 && count < ritz_.size() && nearness(count - 1) - nearness(count) < apart * nearness(count - 1))
    --count;
  return count;
}

std::vector<double> QuadraticView::sizes() const {
  std::vector<double> found;
  const double clear = clear_radius();
  for (Index k = 0; k < converged_; ++k) {
    if (is_upper(k) && size(k) < clear) found.push_back(size(k));
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool QuadraticView::is_sharp(double radius) const {
  for (Index k = 0; k < converged_; ++k) {
    if (size(k) < radius && ritz_.residuals[k] > sharp * std::abs(theta(k))) return false;
  }
  return true;
}

std::optional<Gap> QuadraticView::gap_beyond(Index count, double size) const {
  const std::vector<double> found = sizes();
  const double clear = clear_radius();
  const auto seen = static_cast<Index>(found.size());
  const auto within = std::upper_bound(found.begin(), found.end(), size) - found.begin();
  const Index least = std::max(count, static_cast<Index>(within));
  double widest = apart;
  std::optional<Gap> best;
  for (Index k = std::isinf(clear) ? std::min(least, seen) : least; k <= seen; ++k) {
    const double last = std::max(k > 0 ? found[at(k - 1)] : 0, size), next = k < seen ? found[at(k)] : clear;
    if (std::isinf(next)) return best ? best : Gap{last, std::max(3 * last, seen < count ? typical : beside_zero_rate)};
    if (next < largest_zero()) continue;
    const double width = 1 - last / next;
    if (width > roomy) return Gap{last, next};
    if (width > widest && k < seen) {
      widest = width;
      best = Gap{last, next};
    }
  }
  return seen > least + most_beyond ? best : std::nullopt;
}

// Nothing while they are not sure to a tenth, unless it must be said. What a value is still wrong by is the root of its
// residual, if it is double and has one vector, such as zero.
std::optional<double> QuadraticView::largest_of_nearest(Index count, bool must) const {
  Index seen = 0;
  double largest = 0;
  for (Index k = 0; k < ritz_.size() && seen < count; ++k) {
    const double distance = 1 / std::abs(theta(k));
    if (!must && distance * std::sqrt(ritz_.residuals[k] * distance) > 0.1 * size(k)) return {};
    if (!is_upper(k)) continue;
    largest = std::max(largest, size(k));
    ++seen;
  }
  return seen == count ? std::optional(largest) : std::nullopt;
}

// First so far that the others can be seen, then as far as they allow.
std::optional<double> QuadraticView::better_shift_beside_centre(Index count, bool is_hard) const {
  const double off = std::abs(sigma_ - centre_);
  if (off == 0) {
    const bool is_on_one = ritz_.size() > 0 && size(0) < like_centre * std::abs(centre_);
    return is_on_one ? std::optional(beside_centre * std::abs(centre_)) : std::nullopt;
  }
  const std::optional<double> wanted = largest_of_nearest(count, is_hard);
  if (wanted) return off < 0.03 * *wanted ? std::optional(0.1 * *wanted) : std::nullopt;
  // Where few vectors seem to be all, the others may still be hidden.
  return is_complete_ && off < 0.1 * std::abs(centre_) ? std::optional(30 * off) : std::nullopt;
}

// From a shift that is far beyond all that is wanted, these look alike.
std::optional<double> QuadraticView::better_shift(Index count, bool is_hard) const {
  if (centre_ != 0.0) return better_shift_beside_centre(count, is_hard);
  const double sigma = std::abs(sigma_);
  if (sigma == 0) {
    const bool is_singular = ritz_.size() > 0 && std::abs(s(0)) < like_zero;
    return is_singular ? std::optional(beside_zero_rate) : std::nullopt;
  }
  if (is_complete_ || sigma <= nearest_shift) return {};
  const std::optional<double> wanted = largest_of_nearest(count, is_hard);
  const double nothing = std::max(nearest_shift, (is_hard ? beside_rigid_if_hard : beside_rigid) * sigma);
  if (!wanted || *wanted > 0.3 * sigma || *wanted < nothing) return {};
  return std::max({0.3 * *wanted, beside_rigid * sigma, nearest_shift});
}

}  // namespace stillpoint
