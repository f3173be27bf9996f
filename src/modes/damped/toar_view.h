// The eigenvalues that a TOAR basis shows around its shift, s = σ + 1/θ, and the next step of a search around a centre.
//
// Distances are measured from the centre and scaled; a conjugate pair counts once.
#pragma once

#include <optional>
#include <vector>

#include "algebra/krylov/toar.h"
#include "modes/count/damped_inertia.h"

namespace stillpoint {

/// Shift beside zero where K is singular, in units of the typical frequency.
inline constexpr double shift_rate_beside_zero = 1e-2;
/// Shift beside another centre, relative to the centre.
inline constexpr double shift_beside_centre = 1e-5;

/// A place near which there is an eigenvalue that has not converged, with a bound on its distance.
struct Unconverged {
  std::complex<double> s;
  double error_bound = 0;
};

class ToarView {
 public:
  /// If the centre is zero, the shift is real.
  template <class Scalar>
  ToarView(const SecondOrderKrylov<Scalar>& basis, Scalar shift, std::complex<double> centre)
      : ToarView(basis.ritz(), basis.is_complete(), shift, centre) {}

  const QuadraticRitz& ritz() const { return ritz_; }
  Index converged() const { return converged_; }  ///< number of converged values, which come first
  std::complex<double> theta(Index k) const { return ritz_.values[k]; }
  std::complex<double> s(Index k) const { return sigma_ + 1.0 / theta(k); }

  double distance_to_centre(Index k) const { return std::abs(s(k) - centre_); }

  /// Returns the distance from the centre within which everything has converged.
  double clear_radius() const;
  /// Returns the distance up to which everything must have converged for all within the radius to be certain.
  static double beyond(double radius);
  /// Returns the values that have not converged, in the order of |s − aim|, without those at the far end of the
  /// spectrum.
  std::vector<Unconverged> unconverged(std::complex<double> aim) const;
  /// Tells whether nothing has converged and a shift nearer by the certain distance would make it converge.
  bool should_come_nearer(std::complex<double> aim) const;
  /// Returns the number of converged values that are separated from all that have not converged.
  Index apart_from_others() const;
  /// Tells whether the residuals of all within that distance of the centre are at the level of rounding.
  bool is_at_rounding(double radius) const;
  /// Returns the gap between the `count` nearest values, with all within the distance, and the others. The gap must be
  /// wide, as other copies of the next value may not have been seen. Returns nothing while there is none.
  std::optional<Gap> gap_beyond(Index count, double size) const;
  /// Returns the distance from the centre of a shift that separates the `count` nearest values better; nothing if the
  /// present shift does.
  std::optional<double> better_shift(Index count, bool is_hard) const;

 private:
  ToarView(QuadraticRitz ritz, bool is_complete, std::complex<double> shift, std::complex<double> centre);
  double largest_zero() const;
  bool is_upper_but_for(Index k, double rounding) const;
  bool may_be_upper(Index k) const;
  bool is_upper(Index k) const;
  std::vector<double> distances() const;
  std::optional<double> largest_of_nearest(Index count, bool must) const;
  std::optional<double> better_shift_beside_centre(Index count, bool is_hard) const;

  std::complex<double> sigma_, centre_;
  QuadraticRitz ritz_;
  Index converged_ = 0;
  bool is_complete_;
};

}  // namespace stillpoint
