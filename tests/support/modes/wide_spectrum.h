// Eigenvalues in long double. Eigen's solvers in that precision are compiled here once: each costs a compiler some ten
// seconds.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint::testing {

using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using WideVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
using WideValue = std::complex<long double>;

Wide wide(const SparseMatrix& A);

/// Orthonormal columns that span null(J), by a QR of Jᵀ. J has full row rank.
Wide wide_null_space(const Wide& J);

/// All 1/(s − σ) of det(s²M + sC + K) = 0; infinite s give zeros. σ is no eigenvalue.
std::vector<WideValue> inverted_eigenvalues(const Wide& M, const Wide& C, const Wide& K, long double sigma);

}  // namespace stillpoint::testing
