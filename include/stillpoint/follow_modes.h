// Eigenvalues of (s²M + sC + K) x = 0 followed while the matrices change with a parameter p.
//
// Values that are near to each other at one p may be far apart at the next, and exchange their shapes without meeting.
// So a step from p to p' is believed only if the cubics through the values and their exact rates at both ends keep
// every two of them apart, and right and left vectors of both ends agree. Where cubics come near to each other a
// spectrum is computed in between. What happens there is an event:
//
//   crossing     two values are equal but for rounding, and their shapes go on
//   veering      they come near, do not meet, and exchange shapes
//   coalescence  they meet in a defective value and leave at right angles: s ~ s₀ ± √(κ (p − p₀)), as where a pair of
//                conjugate values becomes two real ones
#pragma once

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct QuadraticMatrices {
  Eigen::MatrixXd M, C, K;
};

/// All eigenvalues at one value of the parameter.
struct FollowedSpectrum {
  double parameter = 0;
  Eigen::VectorXcd s, rates;  ///< and ds/dp, infinite where s is defective
  Eigen::MatrixXcd x, y;      ///< right and left vectors in columns, yᴴ (2sM + C) x = 1
  SparseMatrix M, C;
  Eigen::VectorXd errors{};  ///< bounds on |s − exact|; empty if they are not known
};

/// Solves at p, with the derivatives of the matrices with respect to p:
///
///   ds/dp = −yᴴ (s² M' + s C' + K') x                                                                         (14.1)
///
/// Throws Undecided if M is singular.
FollowedSpectrum spectrum_with_rates(double parameter, const QuadraticMatrices& at, const QuadraticMatrices& rates);

struct FollowedEvent {
  enum class Kind { crossing, veering, coalescence };
  Kind kind = Kind::crossing;
  double parameter = 0;
  std::complex<double> s;
  Index first = 0, second = 0;  ///< branches; of a coalescence, those that it ends, which go on as any of the new ones
  double gap = 0;               ///< the least distance of the two values
  double error = 0;             ///< of a coalescence: by how much its place still changed
};

struct FollowedModes {
  std::vector<double> parameters;
  Eigen::MatrixXcd s;                 ///< a row for each branch, a column for each parameter
  std::vector<FollowedEvent> events;  ///< in the order of the parameter
  struct Interval {
    double from = 0, to = 0;
  };
  std::vector<Interval> uncertain;  ///< where it is not certain which value goes on as which
  Index solves = 0;
  std::string ended{};  ///< why it ends before the last parameter value; empty if it does not, or was told to
};

struct FollowOptions {
  /// The lowest at the first parameter, so many beside their conjugates, are followed; 0: all. `at` must find more than
  /// these, so that none of those that may take their place is unknown.
  Index lowest = 0;
  int most_divisions = 24;  ///< of an interval, by halves or more
  Index most_solves = 100;  ///< in an interval; what is not certain then remains so
  /// Asked before each parameter value; the result ends before the first one where it is true.
  std::function<bool()> stop{};
};

/// Follows values over ascending parameters. `at` is called at these and between them, and must find as many values
/// each time if all are followed.
FollowedModes follow_modes(const std::function<FollowedSpectrum(double)>& at, const std::vector<double>& parameters,
                           const FollowOptions& options = {});

}  // namespace stillpoint
