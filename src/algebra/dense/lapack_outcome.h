// What every call of LAPACK is checked for: numbers that are finite before and after it, and convergence. Where one is
// missing, the numbers do not decide the question (class Undecided).
#pragma once

#include <Eigen/Core>

namespace stillpoint {

/// Throws Undecided, with the routine's name and the order of the matrix.
[[noreturn]] void throw_not_converged(const char* routine, Eigen::Index order, int info);
[[noreturn]] void throw_not_finite(const char* routine, Eigen::Index order, const char* which);

inline void require_success(int info, const char* routine, Eigen::Index order) {
  if (info != 0) throw_not_converged(routine, order, info);
}

/// Of what is given to a routine: some give an error for NaN, some compute with it, and some never return.
template <class... Matrices>
void require_finite_input(const char* routine, const Matrices&... given) {
  (void(given.allFinite() || (throw_not_finite(routine, given.rows(), "given to"), false)), ...);
}

/// Of what a routine has computed: an overflow in it is not reported by LAPACK.
template <class... Matrices>
void require_finite_result(const char* routine, const Matrices&... result) {
  (void(result.allFinite() || (throw_not_finite(routine, result.rows(), "computed by"), false)), ...);
}

}  // namespace stillpoint
