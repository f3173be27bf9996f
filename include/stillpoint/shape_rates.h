// Derivatives of eigenvectors with respect to a parameter, theory (15.9), by one bordered solution [Nelson 1976]:
//
//   [P(s), Jᵀ, P'(s)x; J, 0, 0; e_kᵀ, 0, 0] (x', λ', s') = −((s²M' + sC' + K') x + J'ᵀ λ, J'x, 0)
//
// An eigenvector has a derivative only once it is normalized. Here its largest entry, the first one if several are
// equally large, is one, and stays so.
#pragma once

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "stillpoint/mode_rates.h"

namespace stillpoint {

struct ShapeRate {
  Eigen::VectorXcd shape;  ///< dx/dp, zero in the entry that is held; empty if it is refused
  std::complex<double> s;  ///< ds/dp, which the same equations give
  double error = 0;        ///< estimate of the largest error of an entry
  std::string refused{};   ///< why there is none; empty if there is
};

class ShapeDifferentiator {
 public:
  /// The same modes as those of the ModeDifferentiator; they need right vectors.
  ShapeDifferentiator(const LinearSystem& system, const std::vector<Mode>& modes);
  ~ShapeDifferentiator();

  /// One rate for each mode. `of_modes` are the rates of the eigenvalues with respect to the same parameter: a vector
  /// that belongs to a multiple or a defective eigenvalue, or to one that is zero by structure, is refused.
  std::vector<ShapeRate> rates(const SystemRates& of_system, const std::vector<ModeRate>& of_modes) const;

 private:
  struct Bordered;
  std::unique_ptr<const LinearSystem> system_;
  std::vector<std::unique_ptr<Bordered>> bordered_;
};

/// The vector of unit energy, xᴴMx = 1, whose largest entry is real and positive, with its rate.
struct UnitEnergyShape {
  Eigen::VectorXcd shape, rate;
};
/// Throws Error if the motion has no mass.
UnitEnergyShape with_unit_energy(const LinearSystem& system, const SystemRates& of_system, const Mode& mode,
                                 const ShapeRate& rate);

}  // namespace stillpoint
