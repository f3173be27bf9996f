// Equilibration by powers of two: the largest entry of each row and each column becomes one, to within a factor of 2.
//
//   S = 2^rows J 2^columns      J, S: m × n
//
// The logarithmic scaling comes first (log_scaling.h: [Curtis & Reid 1972]), then Ruiz iterations on the largest
// entries [Ruiz 2001]. Both work on exponents, so that nothing is rounded and nothing overflows.
//
// Entries below 64 ε times the largest entry of their row are dropped: they are what rounding leaves of a zero, and
// scaling would lift a column that has no other entries to one. Where the columns are in consistent units they are not
// scaled, and entries below the stated noise are dropped as well. Otherwise the noise is removed after the columns have
// been scaled. Rows and columns without entries keep the exponent 0.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct PowerScaled {
  SparseMatrix S;
  std::vector<int> rows, columns;  ///< exponents of two
};

/// Returns one scaling, or two if small entries may be either noise or in other units. J must be finite; `noise` is its
/// relative precision.
std::vector<PowerScaled> scale_by_powers_of_two(const SparseMatrix& J, double noise);

/// Scales the rows alone to a largest entry of one and leaves the columns as they are.
PowerScaled scale_rows_by_powers_of_two(const SparseMatrix& J, double noise = 0);

}  // namespace stillpoint
