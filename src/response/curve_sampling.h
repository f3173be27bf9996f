// Frequencies at which the curves of a response are seen as smooth, from 0 and from −1, and the exact response between
// them.
#pragma once

#include <complex>
#include <functional>
#include <vector>

#include "stillpoint/frequency_response.h"

namespace stillpoint {

/// Returns the matrices of a response at frequencies (rad/s).
using ResponseAt = std::function<std::vector<Eigen::MatrixXcd>(const Eigen::VectorXd&)>;

struct CurveSamples {
  std::vector<double> omega;  ///< ascending, rad/s
  std::vector<Eigen::MatrixXcd> response;
  std::vector<double> axis_poles;  ///< ω ≥ 0 of poles on the imaginary axis; none of `omega` is closer than
                                   ///< `indentation` times ω to one
  bool is_complete = true;         ///< whether the curves are as smooth as they should be

  static constexpr double indentation = 1e-5;
};

struct SamplingRange {
  double from = 0.1, to = 100;
  bool may_grow = true;  ///< until crossings are inside
  Index most_points = 20000;
};

CurveSamples sample_curves(const ResponseAt& response, const std::vector<Plant::Pole>& poles,
                           const SamplingRange& range);

/// Whether a pole lies on the imaginary axis, as far as can be told.
bool is_on_axis(const Plant::Pole& pole);

}  // namespace stillpoint
