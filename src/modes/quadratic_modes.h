// All finite eigenvalues of a dense quadratic problem, with vectors on both sides.
#pragma once

#include <complex>
#include <functional>
#include <memory>

#include "modes/few_dampers.h"
#include "modes/quadratic.h"

namespace stillpoint {

/// (s²M + sC + K) x = 0, yᴴ (s²M + sC + K) = 0.
struct Eigenpair {
  std::complex<double> s;
  Eigen::VectorXcd x, y;
  bool at_zero = false;      ///< by structure: no stiffness resists x
  double found = 0;          ///< then: in place of which |s|
  bool is_mirrored = false;  ///< conjugate to the one before it: what is known of that need not be found again
};

struct QuadraticSpectrum {
  std::vector<Eigenpair> pairs;  ///< as many as the degree says, or fewer if rounding hides what mass there is
  std::string solver;
  std::shared_ptr<const FewDampers> few_dampers;  ///< if they came from there: each root, and at once its conjugate
};

/// If nothing is damped, s = ±√−μ of K x = μ M x: oscillations have no real part at all then. `zero`: the eigenvalues
/// that are zero by structure.
QuadraticSpectrum solve_quadratic(const Condensed& condensed, const ZeroRoots& zero = {});

/// P'(s) x = (2sM + C) x.
using Slope = std::function<Eigen::VectorXcd(std::complex<double> s, const Eigen::VectorXcd& x)>;

/// Vectors of coinciding eigenvalues are told apart only by chance: Y ← Y (Yᴴ P'(s) X)⁻ᴴ makes them fit, unless the
/// eigenvalue is defective.
void pair_up(const Slope& slope, std::vector<Eigenpair>& pairs);
/// The same for a P that is known in numbers; which pairs are mirrored is found out, too. They may not change any more
/// then.
void pair_up(const Quadratic& P, std::vector<Eigenpair>& pairs);

std::vector<const Eigenpair*> without_mirrored(const std::vector<Eigenpair>& pairs);

}  // namespace stillpoint
