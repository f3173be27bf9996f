// A parameter study: equilibria, modes and stability over one parameter, with the modes followed from point to point.
//
//   Sweep sweep = sweep_modes(parameter_of(family, "k"), spaced(1, 100, 50, Spacing::logarithmic));
//
// The equilibrium is followed along its branch, the modes by the rule of follow_modes.h with exact rates. What happens
// between the points is listed as events: crossings, veerings, coalescences, and where stability changes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stillpoint/follow_modes.h"
#include "stillpoint/stability.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

enum class Spacing { linear, logarithmic };
/// So many values from one end to the other, both included. Throws Error for fewer than two, for ends that are equal,
/// and for logarithmic ends that are not positive.
std::vector<double> spaced(double from, double to, Index count, Spacing spacing = Spacing::linear);

struct SweepPoint {
  double parameter = 0;
  Verdict verdict;
  bool certified = false;
  Index structural_zeros = 0;  ///< eigenvalues that are zero by structure, which are not followed
  Eigen::VectorXd q;           ///< coordinates in the user's terms
};

struct SweepEvent {
  enum class Kind {
    crossing,     ///< two eigenvalues are equal, and go on
    veering,      ///< two come near to each other, do not meet, and exchange their shapes
    coalescence,  ///< two meet and leave at right angles
    flutter,      ///< an oscillation begins or ceases to grow
    divergence,   ///< a real eigenvalue passes zero
    zeros_change  ///< the number of eigenvalues that are zero by structure, or that exist, changes
  };
  Kind kind = Kind::crossing;
  double parameter = 0;
  double error = 0;  ///< bound on its error, as far as one is known
  std::complex<double> s;
  std::vector<Index> branches;
  double gap = 0;             ///< the least distance of two values
  bool destabilizes = false;  ///< of a change of stability in the direction of growing parameters
};
const char* to_words(SweepEvent::Kind kind);
/// Flutter and divergence.
bool changes_stability(const SweepEvent& event);

struct Sweep {
  std::string model, parameter, unit;
  Spacing spacing = Spacing::linear;
  std::vector<SweepPoint> points;
  Eigen::MatrixXcd s;  ///< a row for each branch, a column for each point; NaN where a branch does not exist
  std::vector<SweepEvent> events;
  std::vector<FollowedModes::Interval> uncertain;  ///< where it is not certain which mode is which
  bool is_partial = false;
  std::string ended;  ///< why it is
  Index solves = 0;   ///< spectra that were computed
};

struct SweepOptions {
  Spacing spacing = Spacing::linear;  ///< of the values, for pictures
  /// The `count` lowest at the first point are kept; others appear in events only.
  Index count = 10;
  std::function<void(const std::string&)> progress{};
  std::function<bool()> stop{};  ///< ends the sweep before the next point
};

/// `start` is the equilibrium at the value of the variation; from there its branch is followed to all values, which
/// ascend. All modes are followed where there are at most 500 degrees of freedom, and beyond that the lowest ones, of
/// which 200 are the most; then nothing is said of events among the others. Throws Error if more are asked for, and
/// where an equilibrium or a rate does not exist at the first value.
Sweep sweep_modes(const Variation& variation, const Equilibrium& start, const std::vector<double>& values,
                  const SweepOptions& options = {});

/// A table of the points, and the events.
std::string to_text(const Sweep& sweep);
/// A line for each point: parameter, verdict, and for each branch Re s, Im s, frequency and damping ratio.
std::string to_csv(const Sweep& sweep);
/// With the coordinates of each point.
std::string to_json(const Sweep& sweep, const Model& model);
/// Arrays for NumPy: the parameter, "s" with a row for each branch, verdicts, events.
std::string to_npz(const Sweep& sweep);
/// Frequencies and real parts over the parameter, with the events.
std::string to_svg(const Sweep& sweep);
/// The eigenvalues in the complex plane.
std::string to_root_locus_svg(const Sweep& sweep);

}  // namespace stillpoint
