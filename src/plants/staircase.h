// The staircase of a small pair (A, B) by orthogonal transformations [Van Dooren 1981]: B is compressed to the rows
// that it reaches, then the block of A by which these reach others, and so on. What is left is not controllable.
#pragma once

#include "stillpoint/controllability.h"

namespace stillpoint {

/// What rounding does to the singular values: of B, and of A.
struct PairNoise {
  double channels = 0, dynamics = 0;
};

struct Staircase {
  Eigen::MatrixXcd hidden;  ///< orthonormal columns X with Xᴴ B = 0 and Xᴴ A = … Xᴴ, to rounding
  HautusTest test;
};

/// A and B are relative to the sizes of A and of the channels, and A has the mean of its eigenvalues taken off.
Staircase staircase(const Eigen::MatrixXcd& A, const Eigen::MatrixXcd& B, const PairNoise& noise);

}  // namespace stillpoint
