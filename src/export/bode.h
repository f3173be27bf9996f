// Magnitude and phase of one pair of input and output.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/frequency_response.h"

namespace stillpoint {

struct BodeCurve {
  std::string input, output;
  std::vector<std::complex<double>> value;
  std::vector<double> decibels;  ///< −∞ of zero; NaN where there is a pole
  std::vector<double> degrees;   ///< unwrapped: from one frequency to the next less than 180 apart
};

/// Of each pair: all inputs of the first output, then of the next.
std::vector<BodeCurve> bode_curves(const FrequencyResponse& response);

}  // namespace stillpoint
