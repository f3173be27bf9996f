// What a second-order Krylov basis shows of the eigenvalues around its real shift, s = σ + 1/θ, and what follows for
// the search. Sizes are |s|, scaled; a conjugate pair counts once.
#pragma once

#include <optional>
#include <vector>

#include "algebra/second_order_krylov.h"
#include "modes/weak_damping.h"

namespace stillpoint {

/// A shift beside zero, where K is singular: of the typical frequency.
inline constexpr double beside_zero_rate = 1e-2;

class QuadraticView {
 public:
  QuadraticView(const SecondOrderKrylov& basis, double shift);

  double shift() const { return sigma_; }
  const QuadraticRitz& ritz() const { return ritz_; }
  Index converged() const { return converged_; }  ///< the first so many have
  std::complex<double> theta(Index k) const { return ritz_.values[k]; }
  std::complex<double> s(Index k) const { return sigma_ + 1.0 / theta(k); }

  /// Within that distance of zero everything has converged.
  double clear_radius() const;
  /// So far it must be clear for all with |s| < radius to be sure.
  static double beyond(double radius);
  /// How many of those that have converged are known apart from all that have not.
  Index apart_from_others() const;
  /// Whether all within that distance of zero are as good as rounding allows.
  bool is_sharp(double radius) const;
  /// What parts the so many lowest from the others, where there is room: other copies of the next may not have been
  /// seen. Nothing while that cannot be said.
  std::optional<Gap> gap_above_lowest(Index count) const;
  /// A shift from which so many lowest ones are easier to tell apart; nothing if this one does.
  std::optional<double> better_shift(Index count, bool is_hard) const;

 private:
  double largest_zero() const;
  std::vector<double> sizes() const;
  std::optional<double> largest_of_nearest(Index count, bool must) const;

  double sigma_;
  QuadraticRitz ritz_;
  Index converged_ = 0;
  bool is_complete_;
};

}  // namespace stillpoint
