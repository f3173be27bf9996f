// What a second-order Krylov basis shows of the eigenvalues around its shift, s = σ + 1/θ, and what follows for the
// search of those nearest to a centre. Sizes are distances from there, scaled; a conjugate pair counts once.
#pragma once

#include <optional>
#include <vector>

#include "algebra/second_order_krylov.h"
#include "modes/weak_damping.h"

namespace stillpoint {

/// A shift beside zero, where K is singular: of the typical frequency.
inline constexpr double beside_zero_rate = 1e-2;
/// A shift beside another centre: of its size.
inline constexpr double beside_centre = 1e-5;

/// Somewhere near there is an eigenvalue that has not converged, by so much.
struct Unsettled {
  std::complex<double> s;
  double unsure = 0;
};

class QuadraticView {
 public:
  /// Beside a centre that is zero the shift is real.
  template <class Scalar>
  QuadraticView(const SecondOrderKrylov<Scalar>& basis, Scalar shift, std::complex<double> centre)
      : QuadraticView(basis.ritz(), basis.is_complete(), shift, centre) {}

  const QuadraticRitz& ritz() const { return ritz_; }
  Index converged() const { return converged_; }  ///< the first so many have
  std::complex<double> theta(Index k) const { return ritz_.values[k]; }
  std::complex<double> s(Index k) const { return sigma_ + 1.0 / theta(k); }

  double size(Index k) const { return std::abs(s(k) - centre_); }

  /// Within that distance of the centre everything has converged.
  double clear_radius() const;
  /// So far it must be clear for all of less size than that to be sure.
  static double beyond(double radius);
  /// By rising |s − aim|; of what the basis shows of the far side of the spectrum nothing.
  std::vector<Unsettled> unsettled(std::complex<double> aim) const;
  /// Nothing has converged, and from a shift that is nearer by so much as is sure it would.
  bool should_come_nearer(std::complex<double> aim) const;
  /// How many of those that have converged are known apart from all that have not.
  Index apart_from_others() const;
  /// Whether all within that distance of the centre are as good as rounding allows.
  bool is_sharp(double radius) const;
  /// What parts the so many nearest, and all of no more than that size, from the others, where there is room: other
  /// copies of the next may not have been seen. Nothing while that cannot be said.
  std::optional<Gap> gap_beyond(Index count, double size) const;
  /// How far from the centre a shift is from which so many nearest ones are easier to tell apart; nothing if this one
  /// does.
  std::optional<double> better_shift(Index count, bool is_hard) const;

 private:
  QuadraticView(QuadraticRitz ritz, bool is_complete, std::complex<double> shift, std::complex<double> centre);
  double largest_zero() const;
  bool is_upper_but_for(Index k, double rounding) const;
  bool may_be_upper(Index k) const;
  bool is_upper(Index k) const;
  std::vector<double> sizes() const;
  std::optional<double> largest_of_nearest(Index count, bool must) const;
  std::optional<double> better_shift_beside_centre(Index count, bool is_hard) const;

  std::complex<double> sigma_, centre_;
  QuadraticRitz ritz_;
  Index converged_ = 0;
  bool is_complete_;
};

}  // namespace stillpoint
