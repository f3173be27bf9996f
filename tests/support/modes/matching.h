// Modes against the values that must be among them.
#pragma once

#include <complex>
#include <vector>

#include "stillpoint/modes.h"

namespace stillpoint {

/// Of a pair the nearer one counts.
double distance_of(std::complex<double> s, std::complex<double> centre);

struct Match {
  bool invented = false;  ///< there is a mode too many
  bool missed = false;    ///< there is a value nearer to the centre than the farthest mode that is none of the modes
};
/// Each value counts once. What differs by 1e-6 of the largest is the same: rounding does more to some double ones.
Match match(const std::vector<Mode>& modes, std::vector<std::complex<double>> values, std::complex<double> centre = 0);

/// Finite ones, each so many times.
std::vector<std::complex<double>> values_of(const Spectrum& spectrum, Index copies = 1);

}  // namespace stillpoint
