// How many eigenvalues a disc holds beside those that are known: by signs where it lies around zero and the damping is
// weak (T34), by the winding of the determinant otherwise (T32).
#pragma once

#include "modes/weak_damping.h"
#include "modes/winding.h"

namespace stillpoint {

class DiscCount {
 public:
  /// The edge of the disc is somewhere in the gap, between eigenvalues; distances from the centre. What is known of the
  /// undamped system saves factorisations.
  DiscCount(const BorderedProblem& problem, const QuadraticPencil& pencil, std::complex<double> centre, const Gap& gap,
            const CountBelow& undamped = {});

  /// Nothing if that cannot be told, or if less were there than is known, or more than can be. `known`: around a real
  /// centre both of a conjugate pair.
  std::optional<Index> unknown(const std::vector<std::complex<double>>& known);

 private:
  std::optional<Index> winding_around(const std::vector<std::complex<double>>& known);

  const QuadraticPencil& pencil_;
  std::complex<double> centre_;
  double radius_, room_;
  std::optional<Index> inside_;
  std::optional<Winding> winding_;
};

/// Of values with Im s ≥ 0 the conjugates as well, each beside its own.
std::vector<std::complex<double>> with_conjugates(const Eigen::VectorXcd& upper);

}  // namespace stillpoint
