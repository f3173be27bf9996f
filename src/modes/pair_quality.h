// How well many pairs solve a dense quadratic problem, all at once: products of matrices are several times as fast as
// one vector after the other.
#pragma once

#include <complex>
#include <vector>

#include "modes/quadratic_modes.h"
#include "modes/rayleigh.h"
#include "modes/scaled_quadratic.h"

namespace stillpoint {

struct PairQuality {
  /// The smallest relative change of M̂, Ĉ, K̂ that makes (s, x) an eigenpair (Tisseur 2000; T21).
  double backward_error = 0;
  /// κ of (T22): the largest relative change of s by a small relative change of M̂, Ĉ, K̂; infinite for s = 0 and
  /// defective s.
  double condition = 0;
};

/// Of each pair, with these s in place of its own.
std::vector<PairQuality> qualities(const ScaledQuadratic& P, const std::vector<const Eigenpair*>& pairs,
                                   const std::vector<std::complex<double>>& s);

/// What errors of their vectors leave in these s (T22a), of conjugate pairs one being there; nothing where s is zero.
Eigen::VectorXd errors_of_vectors(const ScaledQuadratic& P, const std::vector<const Eigenpair*>& pairs,
                                  const std::vector<std::complex<double>>& s);

/// Of each pair |y|ᵀ (sizes of M, C, K) |x|: only the sizes of a sandwich.
std::vector<Sandwich> sandwich_sizes(const Quadratic& P, const std::vector<const Eigenpair*>& pairs);

}  // namespace stillpoint
