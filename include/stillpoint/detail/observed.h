// The output of one element: its values, and their derivatives with respect to the state.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The values, one for each component, and their derivatives, one row for each component.
struct Observed {
  Eigen::VectorXd value;
  std::vector<Index> coordinates;    ///< of the element; they correspond to the columns of the next three matrices
  Eigen::MatrixXd by_q, by_v, by_a;  ///< empty where there is no dependence
  Eigen::MatrixXd by_lambda;         ///< with respect to the multipliers of the element
  Index input = -1;                  ///< input of the element, or −1
  Eigen::VectorXd by_input;
};

}  // namespace stillpoint
