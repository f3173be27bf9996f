// Curves in the plane of two parameters on which stability changes, by pseudo-arc-length continuation [Keller 1977].
//
//   BoundaryCurves curves = trace_boundaries(plane, starts, {.first_from = 0, .first_to = 3, .second_to = 1});
//
// On the curve an eigenvalue lies on the imaginary axis, or two meet. With the bordered scalar g(s, p₁, p₂) of theory
// (15.5) that is one real equation e(p₁, p₂) = 0 with exact derivatives,
//
//   flutter:     Re(g/g_s) = 0,  s = iω follows        divergence:  g(0) = 0        coalescence:  g = g_s = 0   (15.10)
//
// and the length of the path is prescribed, so that nothing special happens where a curve turns back. Where it begins
// must be known: critical points at some values of the second parameter are.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stillpoint/critical.h"
#include "stillpoint/stability_map.h"

namespace stillpoint {

/// The models for two parameters: each as a variation where the other one has a value.
struct PlaneOfModels {
  std::string first, first_unit, second, second_unit;
  std::function<Variation(double second)> first_at;
  std::function<Variation(double first)> second_at;
};

struct BoundaryPoint {
  double first = 0, second = 0;
  double error = 0;  ///< bound on the distance from the curve, in the first parameter, from rounding of the matrices
  std::complex<double> s;     ///< the critical eigenvalue
  Index unstable_beside = 0;  ///< eigenvalues with a positive real part, without the critical ones
};

/// A place of codimension two.
struct BoundaryMark {
  enum class Kind {
    turning,         ///< the curve turns back in the second parameter
    double_zero,     ///< flutter meets divergence: the frequency is zero, a curve of flutter ends or begins there
    another_crosses  ///< another eigenvalue passes the imaginary axis: two boundaries cross
  };
  Kind kind = Kind::turning;
  double first = 0, second = 0;
  std::complex<double> s;  ///< of another that crosses: that of the other one
};
const char* to_words(BoundaryMark::Kind kind);

struct BoundaryCurve {
  CriticalPoint::Kind kind = CriticalPoint::Kind::flutter;
  std::vector<BoundaryPoint> points;  ///< along the curve
  std::vector<BoundaryMark> marks;    ///< along the curve
  bool is_closed = false;
  std::string ended;  ///< why it ends inside the plane; empty if it does not
};

struct BoundaryCurves {
  std::string model, first, first_unit, second, second_unit;
  double first_from = 0, first_to = 0, second_from = 0, second_to = 0;
  std::vector<BoundaryCurve> curves;
  std::vector<std::string> notes;  ///< starts from which no curve could be followed
  bool is_partial = false;
};

struct BoundaryOptions {
  double first_from = 0, first_to = 1, second_from = 0, second_to = 1;
  Index points = 21;  ///< of the studies that bracket the starts
  Index rows = 5;     ///< values of the second parameter at which starts are sought, both ends of its range among them
  double largest_step = 0.02;  ///< of the path, in parts of both ranges
  Index most_points = 1000;    ///< of a curve
  std::function<void(const std::string&)> progress{};
  std::function<bool()> stop{};
};

/// The curves through the critical points at some values of the second parameter: one between two of them is not seen.
/// `start` gives the equilibrium at the lower end of the first one. Throws Error if there is none. The matrices are
/// dense.
BoundaryCurves trace_boundaries(const PlaneOfModels& plane, const RowStartAt& start, const BoundaryOptions& options);

/// Where each curve runs, and what is on it.
std::string to_text(const BoundaryCurves& curves);
/// A line for each point of the curves.
std::string to_csv(const BoundaryCurves& curves);
std::string to_json(const BoundaryCurves& curves);
std::string to_svg(const BoundaryCurves& curves);

}  // namespace stillpoint
