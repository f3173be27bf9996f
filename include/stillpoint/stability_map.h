// Stability over two parameters: for each value of the second one a sweep over the first one, and the curves on which
// stability changes.
//
//   const StabilityMap map = map_stability(study_at, "b1", values, spaced(0, 3, 31));
//
// Where neighbouring rows differ in what happens along them, or a curve goes far from one to the next, rows are added
// in between, so that the ends of curves and the places where they meet are seen.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stillpoint/sweep.h"

namespace stillpoint {

/// What is studied in one row: the first parameter, and the equilibrium at its first value.
struct RowStart {
  Variation variation;
  Equilibrium rest;
};
/// For a value of the second parameter. Throws Error if there is none.
using RowStartAt = std::function<RowStart(double second)>;
/// Starts that are followed along the second parameter from an equilibrium at its value; `first_at` gives the first
/// parameter for a value of the second one.
RowStartAt starts_along(const Variation& second, const Equilibrium& rest, double farthest,
                        std::function<Variation(double second)> first_at);

struct MapRow {
  double value = 0;  ///< of the second parameter
  Sweep sweep;       ///< without points where there is no equilibrium, and then `ended` says why
};

/// A curve on which stability changes.
struct MapBoundary {
  struct Point {
    double first = 0, second = 0;
    double error = 0;          ///< bound on that of `first`
    std::complex<double> s{};  ///< the eigenvalue that passes the imaginary axis
  };
  SweepEvent::Kind kind = SweepEvent::Kind::flutter;
  bool destabilizes = false;  ///< towards larger values of the first parameter
  std::vector<Point> points;  ///< in the order of the second parameter
};

struct StabilityMap {
  std::string model, first, first_unit, second, second_unit;
  Spacing first_spacing = Spacing::linear, second_spacing = Spacing::linear;
  std::vector<MapRow> rows;  ///< in the order of the second parameter
  std::vector<MapBoundary> boundaries;
  bool is_partial = false;
  std::string ended;  ///< why it is
};

/// A part of a row with one verdict, between places where stability changes.
struct MapSegment {
  double from = 0, to = 0;
  const SweepPoint* sample = nullptr;  ///< a point inside; null if none lies there
};
std::vector<MapSegment> segments_of(const Sweep& row);
/// Whether stability changes in the same ways and in the same order along both, and both go as far.
bool have_same_changes(const Sweep& a, const Sweep& b);

struct MapOptions {
  Spacing first_spacing = Spacing::linear, second_spacing = Spacing::linear;  ///< of the values, for pictures
  /// How often the rows on both sides of a change are halved; 0 where values in between are not allowed.
  int most_divisions = 4;
  std::function<void(const std::string&)> progress{};
  std::function<bool()> stop{};  ///< ends the study before the next row
};

/// Rows at the given values of the second parameter, which ascend, with sweeps over those of the first one. Throws
/// Error as sweep_modes does if there is no sweep at any of them.
StabilityMap map_stability(const RowStartAt& start, const std::string& second, const std::vector<double>& second_values,
                           const std::vector<double>& first_values, const MapOptions& options = {});

/// For each row the intervals and where they end, and the boundaries.
std::string to_text(const StabilityMap& map);
/// A line for each point: both parameters, verdict, least stable eigenvalue.
std::string to_csv(const StabilityMap& map);
std::string to_json(const StabilityMap& map);
/// Arrays for NumPy, with an entry for each point of the grid, and those of the boundaries.
std::string to_npz(const StabilityMap& map);
/// Where it is stable, over both parameters.
std::string to_svg(const StabilityMap& map);

}  // namespace stillpoint
