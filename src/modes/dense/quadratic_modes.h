// All finite eigenvalues of a dense quadratic problem with right and left vectors, by the symmetric solver, by QZ
// [Moler & Stewart 1973] of a linearization, or by low-rank damping, theory (6.3).
#pragma once

#include <complex>
#include <functional>
#include <memory>

#include "modes/dense/low_rank_damping.h"
#include "modes/dense/quadratic.h"

namespace stillpoint {

/// (s²M + sC + K) x = 0, yᴴ (s²M + sC + K) = 0.
struct Eigenpair {
  std::complex<double> s;
  Eigen::VectorXcd x, y;
  bool at_zero = false;            ///< by structure: no stiffness resists x
  bool is_undamped_zero = false;   ///< nor does damping, so that 0 is a double eigenvalue
  double found = 0;                ///< |s| of the computed eigenvalue that this zero replaces
  double coupling = 0;             ///< stiffness on a motion at zero by coupling with others
  bool is_conjugate_copy = false;  ///< conjugate of the pair before it, whose results hold for it too
};

struct QuadraticSpectrum {
  std::vector<Eigenpair> pairs;  ///< as many as the degree says; fewer if rounding hides a mass
  std::string solver;
  std::shared_ptr<const LowRankDamping>
      low_rank_damping;  ///< set if they come from low-rank damping: each root directly followed by its conjugate
};

/// In an undamped problem s = ±√−μ with K x = μ M x, so oscillations have no real part at all. `zero` holds the
/// eigenvalues that are zero by structure.
QuadraticSpectrum solve_quadratic(const Condensed& condensed, const ZeroRoots& zero = {});

/// P'(s) x = (2sM + C) x.
using PencilDerivative = std::function<Eigen::VectorXcd(std::complex<double> s, const Eigen::VectorXcd& x)>;

/// Makes the vectors of coinciding eigenvalues biorthogonal, Y ← Y (Yᴴ P'(s) X)⁻ᴴ, unless the eigenvalue is defective.
void pair_up(const PencilDerivative& derivative, std::vector<Eigenpair>& pairs);
/// Does the same for a given P, and marks conjugate copies. The pairs must not change after this.
void pair_up(const Quadratic& P, std::vector<Eigenpair>& pairs);

std::vector<const Eigenpair*> without_conjugate_copies(const std::vector<Eigenpair>& pairs);

}  // namespace stillpoint
