// How many eigenvalues a disc around zero holds beside those that are known: by signs where the damping is weak (T34),
// by the winding of the determinant otherwise (T32).
#pragma once

#include "modes/weak_damping.h"
#include "modes/winding.h"

namespace stillpoint {

class DiscCount {
 public:
  /// The edge of the disc is somewhere in the gap, between eigenvalues.
  DiscCount(const BorderedProblem& problem, const QuadraticPencil& pencil, const Gap& gap);

  /// Negative, if there are fewer than known. Nothing if that cannot be told. `known`: both of a conjugate pair.
  std::optional<Index> unknown(const std::vector<std::complex<double>>& known);

 private:
  const QuadraticPencil& pencil_;
  double radius_;
  std::optional<Index> inside_;
  std::optional<Winding> winding_;
};

}  // namespace stillpoint
