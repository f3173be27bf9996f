// The curves of a Bode plot: magnitude and phase of one pair of input and output.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/frequency_response.h"

namespace stillpoint {

struct BodeCurve {
  std::string input, output;
  std::vector<std::complex<double>> value;
  std::vector<double> decibels;  ///< −∞ for a zero value; NaN at a pole
  std::vector<double> degrees;   ///< unwrapped: steps between frequencies are less than 180
};

/// Returns the curves of all pairs: all inputs of the first output, then of the next.
std::vector<BodeCurve> bode_curves(const FrequencyResponse& response);

}  // namespace stillpoint
