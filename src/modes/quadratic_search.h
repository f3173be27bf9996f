// A few eigenvalues of any system of any size, and how many in their region are missing.
//
// A second-order Krylov space at a shift finds those near it; the winding of the determinant around the region says
// whether there are others. Where there are, the search goes on beside what is known from another start: a single one
// leads to one vector only for each multiple eigenvalue.
#pragma once

#include <functional>
#include <string>

#include "modes/quadratic_view.h"

namespace stillpoint {

/// Those of least |s − centre|, a conjugate pair counts once: so many, or all in a distance.
struct QuadraticRequest {
  std::complex<double> centre = 0;  ///< scaled, like all of these; Im ≥ 0
  Index count = 0;
  double distance = 0;
  double from = 0;     ///< of those in the distance nothing nearer is asked for
  Index most = 0;      ///< in the distance; if there are more, these are the nearest and the rest is in doubt
  bool counts = true;  ///< otherwise nothing is said about missing ones
  bool stays = false;  ///< the shift is the centre, also where one eigenvalue is much nearer than the others
  /// Where values that have not converged are looked for: near this.
  std::complex<double> aim = 0;
  std::function<void(const std::string&)> progress{};
};

struct QuadraticPairs {
  /// Scaled; by rising |s − centre|, Im s ≥ 0: the conjugate ones are meant, too. Around a centre that is not real some
  /// may be below the real axis, or off it, by what they are wrong by.
  Eigen::VectorXcd s;
  Eigen::MatrixXcd x;             ///< scaled: coordinates and multipliers, in columns
  double radius = 0;              ///< all |s − centre| in it,
  double inner = 0;               ///< and not in this one
  Index missing = 0;              ///< how many eigenvalues of those in it are not here
  std::optional<Index> inside{};  ///< as many as were counted in it, if none is missing
  double counting_seconds = 0;
  std::string solver = "sparse Krylov";
  std::string doubt;                   ///< empty: what is missing was counted
  bool is_settled = true;              ///< as many converged as were asked for
  std::vector<Unsettled> unsettled{};  ///< otherwise: where others are, by rising |s − aim|

  Index size() const { return static_cast<Index>(s.size()); }
};

/// An inner product like that with the mass, where M ≥ 0, also for directions without.
SparseMatrix with_little_mass(const SparseMatrix& M);

/// From a shift at the centre or beside it.
QuadraticPairs find_around(const BorderedProblem& problem, const QuadraticPencil& pencil,
                           const QuadraticRequest& request);

}  // namespace stillpoint
