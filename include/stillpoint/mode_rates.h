// Derivatives of eigenvalues with respect to a parameter, theory (15.3):
//
//   ds/dp = −[yᴴ (s² M' + s C' + K') x + yᴴ J'ᵀ λ + μᴴ J' x] / [yᴴ (2sM + C) x]
//
// with the total derivatives of the matrices, see system_rates.h. Several equal eigenvalues with independent vectors
// split up as the eigenvalues of a small matrix say, and a defective one leaves like the square root of the change.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "stillpoint/modes.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

class BorderedProblem;

struct ModeRate {
  enum class Kind {
    single,    ///< the eigenvalue has a derivative
    multiple,  ///< equal eigenvalues: this is one of the rates with which they separate
    defective  ///< s ~ s₀ ± √(κ (p − p₀)): there is no derivative
  };
  Kind kind = Kind::single;
  std::complex<double> s;  ///< ds/dp
  double error = 0;        ///< estimate of its error by that of the derivatives of the matrices
  std::complex<double> frozen{Mode::unset, Mode::unset};  ///< with the equilibrium held where it is, if that is known
  Eigen::Index copies = 1;                                ///< number of equal eigenvalues
};

/// Whether two eigenvalues are equal but for their error bounds, or so close that rounding mixes their vectors: then
/// they have rates together only.
bool are_copies(const Mode& a, const Mode& b);

/// d/dp of |Im s|/2π (Hz) and of −Re s/|s|.
double frequency_rate(const Mode& mode, std::complex<double> rate);
double damping_ratio_rate(const Mode& mode, std::complex<double> rate);

/// The rates of some modes with respect to any number of parameters; what these share is computed once.
class ModeDifferentiator {
 public:
  /// The modes need both vectors, and all copies of each must be among them; infinite and spurious ones have no rates
  /// and must not be among them.
  ModeDifferentiator(const LinearSystem& system, const std::vector<Mode>& modes);
  /// The same with the bordered problem of the system, if that has been made already.
  ModeDifferentiator(const LinearSystem& system, const std::vector<Mode>& modes, const BorderedProblem& problem);
  ~ModeDifferentiator();

  /// Finds by one adjoint solution for each mode how it depends on the place of the equilibrium, theory (15.11). The
  /// rates of further parameters then need derivatives of the matrices without the shift only. The problem is that of
  /// the system. Throws Error where there is no such solution: the equilibrium is neutral, or bodies turn in space.
  void find_adjoints(const Model& model, const Equilibrium& rest, const BorderedProblem& problem);

  /// One rate for each mode. Rates of a system without the shift of its equilibrium need the adjoint solutions.
  std::vector<ModeRate> rates(const SystemRates& of_system) const;

 private:
  struct Vectors;
  std::unique_ptr<Vectors> vectors_;
};

}  // namespace stillpoint
