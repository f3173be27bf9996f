// Backward error and condition of many eigenpairs of a dense quadratic problem at once, by products of matrices, which
// are several times as fast as products with single vectors.
#pragma once

#include <complex>
#include <vector>

#include "modes/dense/quadratic_modes.h"
#include "modes/dense/scaled_quadratic.h"
#include "modes/problem/rayleigh_quotient.h"

namespace stillpoint {

struct PairQuality {
  /// The smallest relative change of M̂, Ĉ, K̂ that makes (s, x) an eigenpair ([Tisseur 2000], theory (6.5)).
  double backward_error = 0;
  /// κ of theory (6.6): the largest relative change of s per small relative change of M̂, Ĉ, K̂; infinite for s = 0 and
  /// for a defective s.
  double condition = 0;
};

/// Returns the quality of each pair with the given s in place of its own.
std::vector<PairQuality> qualities(const ScaledQuadratic& P, const std::vector<const Eigenpair*>& pairs,
                                   const std::vector<std::complex<double>>& s);

/// Returns the errors that those of the vectors cause in s, theory (6.7); zero where s is zero. One of each conjugate
/// pair is sufficient.
Eigen::VectorXd errors_of_vectors(const ScaledQuadratic& P, const std::vector<const Eigenpair*>& pairs,
                                  const std::vector<std::complex<double>>& s);

/// Returns |y|ᵀ (magnitudes of M, C, K) |x| for each pair; only the magnitudes of the modal coefficients are set.
std::vector<ModalCoefficients> modal_coefficient_magnitudes(const Quadratic& P,
                                                            const std::vector<const Eigenpair*>& pairs);

}  // namespace stillpoint
