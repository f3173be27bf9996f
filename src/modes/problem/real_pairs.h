// Recovery of real eigenvalues, and of conjugate pairs near the real axis, from results of a complex computation.
//
// Rounding gives real eigenvalues small imaginary parts and makes the members of a pair slightly different. A Galerkin
// projection onto the real space that real and imaginary parts of the vectors span restores both.
#pragma once

#include <array>
#include <optional>

#include "modes/problem/bordered_problem.h"

namespace stillpoint {

/// Returns the distance from the real axis up to which a computed eigenvalue of this magnitude may be real.
double largest_rounding(double size);

/// Returns the real vector of which x is a complex multiple.
Eigen::VectorXd real_part(const Eigen::VectorXcd& x);

/// Recomputes the eigenvalues near the real axis (scaled) and their vectors (columns of x: coordinates and multipliers)
/// in the real space that these vectors span. They come out real or as conjugate pairs. `size` is the magnitude of all
/// values.
void make_real(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size);

/// Does the same and keeps only the values with Im s ≥ 0. Returns false if it is uncertain which values are real.
bool keep_upper(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size);

/// Right and left vectors of two equal real eigenvalues.
struct RealPair {
  std::array<BorderedVector, 2> right, left;
};

/// Splits the vectors of a pair that only rounding has moved off the real axis into those of two real eigenvalues.
/// Returns nothing if they do not span two directions, which means that the eigenvalue is defective.
std::optional<RealPair> real_pair(double s, const BorderedVector& right, const BorderedVector& left,
                                  const BorderedProblem& problem);

}  // namespace stillpoint
