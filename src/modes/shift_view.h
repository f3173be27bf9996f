// What a Lanczos basis shows of the eigenvalues around its shift, θ = 1/(μ − σ), and what follows for the search.
#pragma once

#include <cmath>
#include <optional>

#include "algebra/lanczos.h"

namespace stillpoint {

/// |μ − centre| < radius.
struct Region {
  double centre = 0, radius = 0;

  bool holds(double mu) const { return std::abs(mu - centre) < radius; }
};

/// A shift beside zero, where K is singular: of the square of the typical frequency.
inline constexpr double beside_zero = -1e-4;
/// Of the same: what is nearer to zero may be there but for rounding, as K may be singular.
inline constexpr double like_zero = 1e-13;

/// Of a vector of a system of that size, or its residual, relative: less than 10 n ε (or 1e-12).
/// Values are better by the square.
double settled_for(Index size);

class ShiftView {
 public:
  /// `size`: of the system.
  ShiftView(const LanczosBasis& basis, double shift, Index size);

  double shift() const { return shift_; }
  const RitzPairs& pairs() const { return pairs_; }
  Index size() const { return pairs_.size(); }
  Index converged() const { return converged_; }  ///< the first so many have

  double mu(Index k) const { return shift_ + 1 / pairs_.values[k]; }
  double distance(Index k) const { return 1 / std::abs(pairs_.values[k]); }  ///< of μ from the shift
  /// Rounding of solutions leaves little of it, beside one that is so near.
  bool is_far(Index k, double nearest) const;

  /// Of μ, from θ and its residual.
  double error(Index k, double theta, double residual) const;
  /// What it sees within that distance of the centre has converged.
  double clear_radius(double centre) const;

  /// The region of so many of least |μ|, with room at its end; nothing while that cannot be seen. Of fewer, if nothing
  /// that is farther can be told from this shift.
  std::optional<Region> region_of_lowest(Index count) const;
  /// Where, in a direction (±1) from the shift, so many or more lie on the way and there is room; nothing while they
  /// have not converged.
  std::optional<double> end_beyond(Index count, double direction) const;
  /// A shift shortly before the next in that direction that has not converged. Ritz values are never nearer than what
  /// they stand for. Nothing if no two can be seen.
  std::optional<double> shift_before_next(double direction) const;
  /// Nothing has converged, and such a shift is so much nearer to the next that it is worth a factorisation.
  bool should_come_nearer() const;
  /// A shift from which so many lowest ones are easier to tell apart; nothing if this one does.
  std::optional<double> better_shift(Index count, bool is_hard) const;

 private:
  double shift_;
  RitzPairs pairs_;
  Index converged_ = 0;
  bool is_complete_;
};

}  // namespace stillpoint
