// Scaling by powers of two that makes the largest entry of every row and every column one (to within a factor of 2).
//
//   S = 2^rows J 2^columns
//
// First the scales that do not depend on units (log_scaling.h), then Ruiz' iteration on the largest entries. Both work
// on exponents, so that nothing is rounded and nothing overflows.
// Entries below 64 ε of the largest in their row are left out: they are what rounding leaves of a zero, and scaling a
// column that has no others would lift it to one. Columns in units that go together stay as they are, and then entries
// below the stated noise are left out as well; otherwise that is done once units are out of the way. Rows and columns
// without entries keep the exponent 0.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct PowerScaled {
  SparseMatrix S;
  std::vector<int> rows, columns;  ///< exponents of two
};

/// J must be finite; `noise`: its relative precision. One way of scaling, or two if entries that are small might be
/// noise or might be in other units.
std::vector<PowerScaled> scale_by_powers_of_two(const SparseMatrix& J, double noise);

/// Columns as they are; rows alone scaled to a largest entry of one.
PowerScaled scale_rows_by_powers_of_two(const SparseMatrix& J, double noise = 0);

}  // namespace stillpoint
