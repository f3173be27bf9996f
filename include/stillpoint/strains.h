// The stiffness matrix in partly factored form.
//
//   K = K₀ + Bᵀ D B      K, K₀: n × n (K₀ = rest),  B: strains × n,  D diagonal                                  (11.3)
//
// The strains B δq of an element are small differences of displacements that may be large. The entries of K have
// rounding errors relative to the terms that are subtracted; products with B and then with D are accurate relative to
// the strains.
#pragma once

#include <Eigen/Core>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct Strains {
  SparseMatrix B;     ///< strains × n
  Eigen::VectorXd D;  ///< stiffnesses of the strains, D > 0
  SparseMatrix rest;  ///< K₀, n × n: of all other elements, and of the existing stresses (geometric stiffness)

  bool empty() const { return D.size() == 0; }
};

}  // namespace stillpoint
