// Deflation of a rectangular linear pencil to the regular part with its finite eigenvalues, by the staircase algorithm
// [Van Dooren 1979].
//
//   Uᵀ (s E − A) V = [ *     *    ]      E₀ᵀ: the columns of E that V makes zero; A₀ the same columns of A
//                    [ 0  s E₁ − A₁ ]                                                                         (12.7)
//
// As long as E has null vectors, the columns A₀ of A there are compressed by rows; these rows and columns hold only
// infinite elementary divisors and right minimal indices, and are left out. Then the same is done with left null
// vectors, until E is square and regular: no infinite eigenvalue is left that rounding could make finite.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "stillpoint/zeros.h"

namespace stillpoint {

struct RegularPart {
  Eigen::MatrixXd E, A;           ///< square; E is regular
  std::vector<RankOfStep> steps;  ///< the decisions on ranks, in order
};

RegularPart regular_part(Eigen::MatrixXd E, Eigen::MatrixXd A);

/// The ratio of the smallest kept to the largest dropped singular value of a decision, or to the rounding errors.
double gap_of(const RankOfStep& step);

}  // namespace stillpoint
