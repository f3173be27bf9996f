// Real eigenvalues, and pairs near the real axis, among those that came in complex numbers.
#pragma once

#include "modes/bordered_problem.h"

namespace stillpoint {

/// How far from the real axis a value of this size may have come though it is real.
double largest_rounding(double size);

/// Values near the real axis (scaled) and their vectors (columns of x: coordinates and multipliers) anew, from the real
/// space that these vectors span, so that they are real or have a conjugate one beside them. `size`: of all values.
void make_real(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size);

/// The same, and of pairs only the one with Im s > 0 is left. False if it is in doubt which are real.
bool keep_upper(Eigen::VectorXcd& s, Eigen::MatrixXcd& x, const BorderedProblem& problem, double size);

}  // namespace stillpoint
