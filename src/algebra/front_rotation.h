// An orthogonal change of those unknowns of a front that no good pivot was found for, when they outnumber its border.
//
//   [D Bᵀ]    [QᵀDQ  QᵀBᵀ]
//   [B  E] →  [BQ      E ] ,   B Q = [lower triangle, 0]
//
// All new unknowns but as many as the border has rows are coupled with nothing outside, so that they can be eliminated
// here, whatever their values. Without this a million nodes that hang on one and that are nearly in resonance, or a
// million constraints of one coordinate, would all wait for the root and fill it. Congruence with Q keeps the signs.
#pragma once

#include <cstdint>

#include "algebra/block_store.h"
#include "algebra/front_pivoting.h"

namespace stillpoint {

/// Q = H₀ H₁ …, reflections I − 2 v vᵀ / vᵀv. From now on the unknowns at `position` are the new ones.
struct FrontRotation {
  Index before = 0;  ///< the front factor that is the first one after the change
  Index size = 0;    ///< unknowns
  Index reflections = 0;
  const Index* position = nullptr;
  const double* vectors = nullptr;  ///< v of reflection k: size − k numbers, zeros before; all zeros: no reflection
  double error = 0;                 ///< estimate of the norm of the rounding errors of the change

  std::int64_t entries() const {
    return std::int64_t{reflections} * size - std::int64_t{reflections} * (reflections - 1) / 2;
  }
};

/// Whether the change would free an unknown of this front, of which nothing has been eliminated.
inline bool worth_rotating(const Front& front) {
  return front.candidates > front.size - front.candidates && front.candidates < front.size;
}

/// Changes the candidates of the front. What is kept is taken from the stores.
FrontRotation rotate(Front& front, BlockStore<double>& numbers, BlockStore<Index>& positions);

/// x ← Qᵀ x in these positions of x, before the factors that follow are applied; numbers of x are `stride` apart.
void apply_transposed(const FrontRotation& rotation, double* x, Index stride = 1);

/// x ← Q x.
void apply(const FrontRotation& rotation, double* x, Index stride = 1);

}  // namespace stillpoint
