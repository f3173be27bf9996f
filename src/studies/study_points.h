// The values of the parameter at the points of a study.
#pragma once

#include <vector>

#include "stillpoint/sweep.h"

namespace stillpoint {

inline std::vector<double> parameters_of(const Sweep& study) {
  std::vector<double> values;
  for (const SweepPoint& point : study.points) values.push_back(point.parameter);
  return values;
}

}  // namespace stillpoint
