// One eigenvalue that is followed over the parameter, and where a quantity of it has a given value.
#pragma once

#include <complex>
#include <functional>

#include "stillpoint/follow_modes.h"
#include "studies/hermite_root.h"

namespace stillpoint {

struct FollowedValue {
  double parameter = 0;
  std::complex<double> s, rate;
  double error = 0;  ///< bound on |s − exact|; 0 if it is not known
};

/// The eigenvalue nearest to s.
FollowedValue nearest_to(std::complex<double> s, const FollowedSpectrum& spectrum);

/// Whether the imaginary part is rounding.
bool is_real(std::complex<double> s);

using SpectrumOf = std::function<FollowedSpectrum(double parameter)>;
using QuantityOf = std::function<ValueAndRate(const FollowedValue&)>;

/// The place between both where the quantity vanishes, which it must not do at either end with the same sign: by
/// Newton's method, kept within the bracket by bisection.
FollowedValue zero_between(FollowedValue left, FollowedValue right, const SpectrumOf& at, const QuantityOf& quantity);

}  // namespace stillpoint
