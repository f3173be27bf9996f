// The eigenvalues that a Lanczos basis shows around its shift, θ = 1/(μ − σ), and the next step of the search.
#pragma once

#include <cmath>
#include <optional>

#include "algebra/krylov/lanczos.h"

namespace stillpoint {

/// The region |μ − centre| < radius.
struct Region {
  double centre = 0, radius = 0;

  bool holds(double mu) const { return std::abs(mu - centre) < radius; }
};

/// Shift beside zero where K is singular, in units of the square of the typical frequency.
inline constexpr double shift_beside_zero = -1e-4;

/// Returns the tolerance for a vector and its residual, relative, in a system of this size: 10 n ε, at least 1e-12.
/// Eigenvalues are better by the square.
double vector_tolerance(Index size);

class LanczosView {
 public:
  /// `is_complete` tells whether the basis spans an invariant subspace; `size` is that of the system.
  LanczosView(RitzPairs pairs, bool is_complete, double shift, Index size);

  double shift() const { return shift_; }
  const RitzPairs& pairs() const { return pairs_; }
  Index size() const { return pairs_.size(); }
  Index converged() const { return converged_; }  ///< number of converged values, which come first

  double mu(Index k) const { return shift_ + 1 / pairs_.values[k]; }
  double distance(Index k) const { return 1 / std::abs(pairs_.values[k]); }  ///< of μ from the shift
  /// Tells whether rounding of the solutions leaves little of value k beside one as near to the shift as `nearest`.
  bool is_distant(Index k, double nearest) const;

  /// Returns an error bound of μ from θ and its residual.
  double error(Index k, double theta, double residual) const;
  /// Returns the distance from the centre within which all visible values have converged.
  double clear_radius(double centre) const;

  /// Returns the region of the `count` least |μ| with a gap at its end; nothing while there is none. The region holds
  /// fewer values if farther ones cannot be distinguished from this shift.
  std::optional<Region> region_of_lowest(Index count) const;
  /// Returns a place in the direction ±1 from the shift with at least `count` converged values on the way and a gap
  /// there; nothing while they have not converged.
  std::optional<double> end_beyond(Index count, double direction) const;
  /// Returns a shift shortly before the next value in that direction that has not converged, since a Ritz value is
  /// never nearer than the eigenvalue that it approximates. Returns nothing if fewer than two values are visible.
  std::optional<double> shift_before_next(double direction) const;
  /// Tells whether nothing has converged and a nearer shift saves enough work to pay for its factorisation.
  bool should_come_nearer() const;
  /// Returns a shift that separates the `count` lowest values better; nothing if the present one does.
  std::optional<double> better_shift(Index count, bool is_hard) const;

 private:
  double shift_;
  RitzPairs pairs_;
  Index converged_ = 0;
  bool is_complete_;
};

}  // namespace stillpoint
