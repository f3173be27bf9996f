// The least change of some quantities that balances the forces at a configuration,
//
//   P B x = −P r,     P the projection onto null(J),
//
// in the least-squares sense, by a complete orthogonal decomposition [Golub & Van Loan 2013].
#pragma once

#include "equilibrium/statics.h"

namespace stillpoint {

struct LeastChange {
  Eigen::VectorXd x;
  Index choices = 0;  ///< the number of quantities beyond those needed
};

/// Each column of B is the change of the forces with a quantity; r is the scaled force residual of the point, whose
/// matrices are `at`. Returns nothing if the constraints in use depend on each other.
std::optional<LeastChange> least_change(Statics& statics, const Matrices& at, const Eigen::VectorXd& r,
                                        const SparseMatrix& B);

/// The coordinate with the largest unbalanced force at a point; empty if there is none.
std::string worst_coordinate(const Statics& statics, const Point& point);

}  // namespace stillpoint
