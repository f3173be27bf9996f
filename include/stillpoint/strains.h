// K in two parts, one of them factored:
//
//   K = rest + Bᵀ D B                                                                                          (T46)
//
// Strains B δq of an element are small differences of motions that may be large. Entries of K are rounded by the size
// of what is subtracted; a product with B and then with D is exact to the size of the strains.
#pragma once

#include <Eigen/Core>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct Strains {
  SparseMatrix B;     ///< strains × n
  Eigen::VectorXd D;  ///< their stiffnesses, more than 0
  SparseMatrix rest;  ///< n × n: of all else, and of the stresses that are there

  bool empty() const { return D.size() == 0; }
};

}  // namespace stillpoint
