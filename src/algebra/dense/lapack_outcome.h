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

namespace detail {

template <class... Matrices>
void require_finite(const char* routine, const char* which, const Matrices&... matrices) {
  const auto check = [&](const auto& matrix) {
    if (!matrix.allFinite()) throw_not_finite(routine, matrix.rows(), which);
  };
  (check(matrices), ...);
}

}  // namespace detail

/// Of what is given to a routine: some give an error for NaN, some compute with it, and some never return.
template <class... Matrices>
void require_finite_input(const char* routine, const Matrices&... given) {
  detail::require_finite(routine, "given to", given...);
}

/// Of what a routine has computed: an overflow in it is not reported by LAPACK.
template <class... Matrices>
void require_finite_result(const char* routine, const Matrices&... result) {
  detail::require_finite(routine, "computed by", result...);
}

}  // namespace stillpoint
