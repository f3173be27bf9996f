// What an output sees of one element: its values, and how they change with the state.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// A value for each component, and its derivatives: one row for each component.
struct Observed {
  Eigen::VectorXd value;
  std::vector<Index> coordinates;    ///< those of the element, in the order of the columns of the next three
  Eigen::MatrixXd by_q, by_v, by_a;  ///< empty where there is no dependence
  Eigen::MatrixXd by_lambda;         ///< by the multipliers of the element
  Index input = -1;                  ///< the element's input, if it has one
  Eigen::VectorXd by_input;
};

}  // namespace stillpoint
