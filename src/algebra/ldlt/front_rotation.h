// Orthogonal transformation (by Householder reflections) of those unknowns of a front for which no acceptable pivot was
// found, if they outnumber the border.
//
//   [D Bᵀ]    [QᵀDQ  QᵀBᵀ]
//   [B  E] →  [BQ      E ] ,   B Q = [lower triangle, 0]      D: size × size,  B: border × size,  Q orthogonal
//
// All new unknowns, except as many as the border has rows, are decoupled from the border and can be eliminated in this
// front, whatever their values. Without this transformation a million nodes that are attached to one and nearly in
// resonance, or a million constraints of one coordinate, would all be delayed up to the root and fill it. A congruence
// with Q preserves the inertia.
#pragma once

#include <cstdint>

#include "algebra/ldlt/block_store.h"
#include "algebra/ldlt/front_pivoting.h"

namespace stillpoint {

/// The transformation Q = H₀ H₁ …, with reflections I − 2 v vᵀ / vᵀv. From here on, the unknowns at `position` are the
/// transformed ones.
struct FrontRotation {
  Index before = 0;  ///< index of the first front factor after the transformation
  Index size = 0;    ///< number of transformed unknowns
  Index reflections = 0;
  const Index* position = nullptr;
  const double* vectors =
      nullptr;  ///< v of reflection k: the last size − k entries, the others are zero; all zeros mean no reflection
  double error = 0;  ///< estimate of the norm of the rounding errors of the transformation

  std::int64_t entries() const {
    return std::int64_t{reflections} * size - std::int64_t{reflections} * (reflections - 1) / 2;
  }
};

/// Whether the transformation would decouple an unknown of this front, of which nothing has been eliminated.
inline bool worth_rotating(const Front& front) {
  return front.candidates > front.size - front.candidates && front.candidates < front.size;
}

/// Transforms the candidates of the front. The memory of the result is taken from the stores.
FrontRotation rotate(Front& front, BlockStore<double>& numbers, BlockStore<Index>& positions);

/// Computes x ← Qᵀ x at these positions, before the factors that follow are applied; the entries of x are `stride`
/// apart.
void apply_transposed(const FrontRotation& rotation, double* x, Index stride = 1);

/// Computes x ← Q x.
void apply(const FrontRotation& rotation, double* x, Index stride = 1);

}  // namespace stillpoint
