// Critical points: the values of a parameter at which stability changes, each to the accuracy of the matrices.
//
//   CriticalPoints found = find_critical_points(parameter_of(family, "P"), start, 0, 3);
//
// A study of the interval (sweep.h) brackets them, and Newton's method locates each, the equilibrium moving along: on
// the real part of an eigenvalue that crosses the imaginary axis, and on the bordered scalar of theory (15.5) where
// eigenvalues meet. The unstable eigenvalues are counted on both sides.
#pragma once

#include "stillpoint/sweep.h"

namespace stillpoint {

/// How a critical value moves with another parameter.
struct CriticalRate {
  std::string parameter;
  double value = 0;       ///< of the other parameter
  double rate = 0;        ///< d(critical value)/d(parameter)
  std::string refused{};  ///< why there is none; empty if there is
};

struct CriticalPoint {
  enum class Kind {
    divergence,  ///< a real eigenvalue passes zero: static instability, buckling
    flutter,     ///< an oscillation begins to grow, or ceases to
    coalescence  ///< two eigenvalues meet away from the imaginary axis, without a change of stability
  };
  Kind kind = Kind::divergence;
  double parameter = 0;
  double error = 0;            ///< bound on the error of the parameter, to first order, from rounding of the matrices
  std::complex<double> s;      ///< the critical eigenvalue
  std::complex<double> slope;  ///< ds/dp; infinite where eigenvalues meet
  Eigen::VectorXcd shape;      ///< the critical mode, the largest entry 1
  Index unstable_before = 0, unstable_after = 0;  ///< eigenvalues with Re s > 0 beside it
  bool certified = false;             ///< both counts are, and their difference is what happens at the point
  std::vector<CriticalRate> rates{};  ///< with respect to the parameters asked for
  std::string note{};                 ///< why it could not be refined, or counted beside; empty if it was
};
const char* to_words(CriticalPoint::Kind kind);

struct CriticalPoints {
  std::string model, parameter, unit;
  double from = 0, to = 0;
  std::vector<CriticalPoint> points;  ///< in the order of the parameter
  /// Where the counts of unstable eigenvalues differ by more, or less, than the points found explain.
  std::vector<FollowedModes::Interval> unexplained;
  bool is_partial = false;
  std::string ended;  ///< why it is
};

struct CriticalOptions {
  /// The other parameters whose rates are wanted, for a value of the one that is varied.
  std::function<std::vector<Variation>(double value)> parameters{};
  Index points = 21;  ///< of the study that brackets them
  std::function<void(const std::string&)> progress{};
  std::function<bool()> stop{};
};

/// All critical points in the interval that the study brackets. `start` is the equilibrium at the value of the
/// variation.
CriticalPoints find_critical_points(const Variation& variation, const Equilibrium& start, double from, double to,
                                    const CriticalOptions& options = {});

/// What a mode is to have.
struct ModeTarget {
  enum class Quantity {
    frequency_hz,
    damping_ratio,
    /// The frequency in multiples of the parameter, which is a speed of rotation: |Im s| = order · speed. Of a rotor
    /// these are its critical speeds. A speed in rpm, 1/min, Hz, rev/s or deg/s is converted; any other unit counts as
    /// rad/s.
    order_of_speed
  } quantity = Quantity::frequency_hz;
  double value = 0;
  Index mode = 0;  ///< of those that are followed, the lowest at the beginning of the interval first, from 1; 0: any
};

struct TargetPoint {
  double parameter = 0;
  double error = 0;  ///< bound on its error, to first order, from that of the eigenvalue
  Index mode = 0;
  std::complex<double> s, slope;
};

struct TargetPoints {
  CriticalPoints search;            ///< without points: what was searched, and whether the path ended early
  std::vector<TargetPoint> points;  ///< in the order of the parameter
};

/// The inverse question: for which values of the parameter has a mode this frequency, this damping ratio, or this
/// frequency in multiples of the parameter?
TargetPoints find_targets(const Variation& variation, const Equilibrium& start, double from, double to,
                          const ModeTarget& target, const CriticalOptions& options = {});

std::string to_text(const TargetPoints& found);
std::string to_json(const TargetPoints& found);

std::string to_text(const CriticalPoints& found, const Model& model);
std::string to_json(const CriticalPoints& found, const Model& model);

}  // namespace stillpoint
