// The independent constraints as numbers without units.
//
//   S = 2^rows J 2^columns,   J δq = g   ⇔   S (2^−columns δq) = 2^rows g
//
// Powers of two cause no rounding. The largest entries of the rows and columns of S are about one, so pivots and
// remainders of columns can be compared.
#pragma once

#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

struct ScaledConstraints {
  SparseMatrix S;                  ///< r × n, with all entries of J
  std::vector<Index> independent;  ///< indices of these rows in J
  std::vector<int> rows, columns;  ///< exponents of two

  Index rank() const { return static_cast<Index>(S.rows()); }
  Index coordinates() const { return static_cast<Index>(S.cols()); }

  /// Returns 2^rows times these rows of G (m × anything).
  SparseMatrix scaled(const SparseMatrix& G) const;
};

ScaledConstraints scale_constraints(const LinearSystem& system);

}  // namespace stillpoint
