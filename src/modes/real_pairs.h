// Real eigenvalues, and pairs near the real axis, among those that came in complex numbers.
#pragma once

#include <array>
#include <optional>

#include "modes/bordered_problem.h"

namespace stillpoint {

/// How far from the real axis a value of this size may have come though it is real.
double largest_rounding(double size);

/// Values near the real axis (scaled) and their vectors (columns of x: coordinates and multipliers) anew, from the real
/// space that these vectors span, so that they are real or have a conjugate one beside them. `size`: of all values.
void make_real(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size);

/// The same, and of pairs only the one with Im s > 0 is left. False if it is in doubt which are real.
bool keep_upper(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size);

/// Right and left vectors of two equal real values.
struct RealTwins {
  std::array<BorderedVector, 2> right, left;
};

/// Of vectors that belong to a pair which only rounding has parted from the real axis. Nothing where these do not span
/// two directions: then the value has one vector.
std::optional<RealTwins> real_twins(double s, const BorderedVector& right, const BorderedVector& left,
                                    const BorderedProblem& problem);

}  // namespace stillpoint
