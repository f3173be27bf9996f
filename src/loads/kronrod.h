// Adaptive quadrature of several functions at once by the rule of Gauss and Kronrod, 7 and 15 points [Piessens 1983].
// All points of a round are evaluated together, so that whoever evaluates can share work among them.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct Quadrature {
  Eigen::VectorXd value;  ///< an integral for each function
  Eigen::VectorXd error;  ///< sum of the differences between both rules, an estimate on the safe side
  Index evaluations = 0;
  bool converged = true;  ///< all errors are within the tolerance
};

/// The values of all functions (rows) at some points (columns).
using Integrand = std::function<Eigen::MatrixXd(const std::vector<double>& points)>;

/// Integrates over the panels between ascending limits, which are halved until the error of each of the first `counted`
/// functions is below the tolerance, relative to its integral.
Quadrature integrate_adaptively(const Integrand& integrand, const std::vector<double>& limits, double tolerance,
                                Eigen::Index counted);

}  // namespace stillpoint
