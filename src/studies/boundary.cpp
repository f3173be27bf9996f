#include "stillpoint/boundary.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "studies/bordered_scalar.h"
#include "studies/equilibrium_path.h"

namespace stillpoint {

const char* to_words(BoundaryMark::Kind kind) {
  switch (kind) {
    case BoundaryMark::Kind::turning:
      return "turns back";
    case BoundaryMark::Kind::double_zero:
      return "flutter meets divergence";
    case BoundaryMark::Kind::another_crosses:
      return "another boundary crosses";
  }
  return "";
}

namespace {

using Complex = std::complex<double>;
using Place = Eigen::Vector2d;  // both parameters, in parts of their ranges
using Kind = CriticalPoint::Kind;

/// A place on the curve, or near to it.
struct TracedPoint {
  Place place;
  Complex s;
  State state;  // an equilibrium near by
};

/// The equation of the curve at a place, e = 0, with its derivatives.
struct CurveEquation {
  double e = 0, rounding = 0;
  Eigen::RowVector2d rates;
  Complex s_change;             // of the critical eigenvalue where the place stays
  Eigen::RowVector2cd s_rates;  // and with the place
  BorderedScalar along, across;
  TracedPoint at;
};

class BoundaryTracer {
 public:
  BoundaryTracer(const PlaneOfModels& plane, Kind kind, bool is_meeting, const BoundaryOptions& options)
      : plane_(plane),
        kind_(kind),
        is_meeting_(is_meeting),
        options_(options),
        from_(options.first_from, options.second_from),
        range_(options.first_to - options.first_from, options.second_to - options.second_from) {}

  Place place_of(double first, double second) const { return (Place(first, second) - from_).cwiseQuotient(range_); }
  double first(const Place& place) const { return from_[0] + place[0] * range_[0]; }
  double second(const Place& place) const { return from_[1] + place[1] * range_[1]; }

  /// From a point next to the curve to both sides.
  BoundaryCurve curve_through(const TracedPoint& start);

 private:
  CurveEquation equation(const TracedPoint& at) const;
  std::optional<CurveEquation> corrected(TracedPoint at, const Eigen::RowVector2d& row, double wanted,
                                         int& steps) const;
  std::optional<CurveEquation> stepped(const CurveEquation& from, const Place& tangent, double step, int& steps) const;
  Place tangent_of(const CurveEquation& at, const Place& before) const;
  std::vector<CurveEquation> side(const CurveEquation& start, Place tangent, std::string& ended, bool& is_closed) const;
  std::optional<CurveEquation> on_edge(const CurveEquation& inside, const CurveEquation& outside) const;
  void add_marks(const std::vector<CurveEquation>& points, BoundaryCurve& curve) const;
  std::optional<BoundaryMark> double_zero_near(const CurveEquation& near) const;
  std::optional<CurveEquation> zero_between_points(const CurveEquation& a, const CurveEquation& b,
                                                   const std::function<double(const CurveEquation&)>& quantity) const;
  std::vector<Complex> others(const CurveEquation& at) const;
  bool is_inside(const Place& place) const {
    constexpr double rounding = 1e-12;
    return place.minCoeff() >= -rounding && place.maxCoeff() <= 1 + rounding;
  }

  const PlaneOfModels& plane_;
  Kind kind_;
  bool is_meeting_;
  const BoundaryOptions& options_;
  Place from_, range_;
};

// g + g₁δp₁ + g₂δp₂ + g_s δs = 0. At a simple eigenvalue s stays on the axis, and at s = 0 itself it stays; where two
// meet g_s = 0, the phase of g is that of its rates, and δs follows from g_s.
CurveEquation BoundaryTracer::equation(const TracedPoint& at) const {
  Variation along = with_scale(plane_.first_at(second(at.place)), {options_.first_from, options_.first_to});
  Variation across = with_scale(plane_.second_at(first(at.place)), {options_.second_from, options_.second_to});
  along.value = first(at.place);
  across.value = second(at.place);
  const Model model = along.model_at(along.value);
  State guess = at.state;
  guess.u = model.initial_state().u;
  if (along.input) guess.u[*along.input] = along.value;
  if (across.input) guess.u[*across.input] = across.value;
  const Equilibrium rest = find_equilibrium(model, guess, {.rest = EquilibriumRequest::nearest});
  if (rest.status != EquilibriumStatus::at_rest) throw Undecided("there is no equilibrium: " + rest.message);
  const LinearSystem system = linearize(model, rest);
  BorderedFunction function;
  const SystemRates first_rates = system_rates(along, model, rest), second_rates = system_rates(across, model, rest);
  function.at(system, first_rates, at.s);  // the borders
  function.hold_borders();
  CurveEquation result;
  result.along = function.at(system, first_rates, at.s);
  result.across = function.at(system, second_rates, at.s);
  result.at = {at.place, at.s, rest.state};
  const BorderedScalar &p = result.along, &r = result.across;
  const Complex g1 = p.g_p * range_[0], g2 = r.g_p * range_[1];
  Complex unit = 1;
  if (is_meeting_ && at.s != 0.0) {
    const Complex larger = std::abs(g1) > std::abs(g2) ? g1 : g2;
    unit = std::abs(larger) / larger;
    constexpr double same_phase = 1e-6;
    if (std::abs((unit * g1).imag()) + std::abs((unit * g2).imag()) > same_phase * std::abs(larger))
      throw Error(
          "two eigenvalues meet there only as long as nothing is damped: with the other parameter they part, and the "
          "boundary is another one");
    result.s_change = -p.g_s / p.g_ss;
    result.s_rates << -p.g_sp * range_[0] / p.g_ss, -r.g_sp * range_[1] / p.g_ss;
  } else if (at.s != 0.0) {
    unit = 1.0 / p.g_s;
    result.s_change = {0, -(p.g / p.g_s).imag()};
    result.s_rates << Complex(0, -(g1 / p.g_s).imag()), Complex(0, -(g2 / p.g_s).imag());
  }
  result.e = (unit * p.g).real();
  result.rates << (unit * g1).real(), (unit * g2).real();
  result.rounding = std::abs(unit) * p.rounding;
  return result;
}

// Newton's method on e = 0 and row · place = wanted.
std::optional<CurveEquation> BoundaryTracer::corrected(TracedPoint at, const Eigen::RowVector2d& row, double wanted,
                                                       int& steps) const {
  constexpr int most_steps = 8;
  constexpr double settled = 1e-13, far = 0.1;
  for (steps = 0; steps < most_steps; ++steps) {
    CurveEquation here;
    try {
      here = equation(at);
    } catch (const Undecided&) {
      return {};
    }
    Eigen::Matrix2d A;
    A << here.rates, row;
    const Place change = A.fullPivLu().solve(Place(-here.e, wanted - row.dot(at.place.transpose())));
    const Complex s_change = here.s_change + (here.s_rates * change.cast<Complex>())(0);
    const double size = change.norm();
    if (!(size <= far) || !std::isfinite(std::abs(s_change))) return {};
    const double rounding = here.rounding / here.rates.norm();
    if (size <= std::max(settled, 2 * rounding) && std::abs(s_change) <= 1e-9 * std::abs(at.s)) return here;
    at.place += change;
    at.s += s_change;
    at.state = here.at.state;
  }
  return {};
}

Place BoundaryTracer::tangent_of(const CurveEquation& at, const Place& before) const {
  const Place tangent = Place(-at.rates[1], at.rates[0]).normalized();
  return tangent.dot(before) < 0 ? Place(-tangent) : tangent;
}

std::optional<CurveEquation> BoundaryTracer::stepped(const CurveEquation& from, const Place& tangent, double step,
                                                     int& steps) const {
  TracedPoint predicted = from.at;
  predicted.place += step * tangent;
  predicted.s += step * (from.s_rates * tangent.cast<Complex>())(0);
  return corrected(predicted, tangent.transpose(), tangent.dot(predicted.place), steps);
}

std::optional<CurveEquation> BoundaryTracer::on_edge(const CurveEquation& inside, const CurveEquation& outside) const {
  double share = 1;
  Eigen::RowVector2d row = Eigen::RowVector2d::Zero();
  double wanted = 0;
  for (int i = 0; i < 2; ++i) {
    const double edge = std::clamp(outside.at.place[i], 0.0, 1.0), moved = outside.at.place[i] - inside.at.place[i];
    if (edge == outside.at.place[i] || moved == 0) continue;
    const double part = (edge - inside.at.place[i]) / moved;
    if (part > share) continue;
    share = part;
    row = Eigen::RowVector2d::Unit(i);
    wanted = edge;
  }
  TracedPoint there = inside.at;
  there.place += share * (outside.at.place - inside.at.place);
  there.s += share * (outside.at.s - inside.at.s);
  int steps = 0;
  return corrected(there, row, wanted, steps);
}

std::vector<CurveEquation> BoundaryTracer::side(const CurveEquation& start, Place tangent, std::string& ended,
                                                bool& is_closed) const {
  constexpr double least_step = 1e-6, most_turn = 0.97, little_turn = 0.995;
  const Place first_tangent = tangent;
  std::vector<CurveEquation> points{start};
  double step = 0.25 * options_.largest_step;
  while (static_cast<Index>(points.size()) < options_.most_points) {
    if (options_.stop && options_.stop()) break;
    const CurveEquation& here = points.back();
    int steps = 0;
    const auto next = stepped(here, tangent, step, steps);
    const bool is_smooth = next && tangent_of(*next, tangent).dot(tangent) > most_turn;
    if (!is_smooth) {
      step *= 0.5;
      if (step >= least_step) continue;
      const bool is_slow = here.at.s != 0.0 && std::abs(here.s_rates.norm()) * 1e-3 > std::abs(here.at.s);
      ended = is_slow ? "its frequency goes to zero" : "it cannot be followed further";
      return points;
    }
    if (!is_inside(next->at.place)) {
      constexpr double same_place = 1e-9;
      const auto edge = on_edge(here, *next);
      if (edge && (edge->at.place - here.at.place).norm() > same_place) points.push_back(*edge);
      return points;
    }
    const Place back = start.at.place - next->at.place;
    constexpr std::size_t few = 8;
    if (points.size() > few && back.norm() < step && tangent.dot(first_tangent) > 0) {
      is_closed = true;
      points.push_back(start);
      return points;
    }
    const Place turned = tangent_of(*next, tangent);
    if (turned.dot(tangent) > little_turn && steps <= 3) step = std::min(2 * step, options_.largest_step);
    tangent = turned;
    points.push_back(*next);
  }
  ended = options_.stop && options_.stop() ? "it was interrupted" : "it is longer than the number of points allows";
  return points;
}

// The eigenvalues but for the critical ones, those with Im s ≥ 0; where one is zero none that is next to zero.
std::vector<Complex> BoundaryTracer::others(const CurveEquation& at) const {
  constexpr double next_to_zero = 1e-6;
  const Variation along = plane_.first_at(second(at.at.place));
  const Model model = along.model_at(first(at.at.place));
  const Equilibrium rest = find_equilibrium(model, at.at.state, {.rest = EquilibriumRequest::nearest});
  const LinearSystem system = linearize(model, rest);
  const double usual = std::sqrt(system.K.norm() / system.M.norm());
  const bool is_static = at.at.s == 0.0;
  std::vector<Complex> values;
  for (const Mode& mode : find_modes(system).spectrum.modes) {
    if (!mode.is_infinite() && mode.s.imag() >= 0 && !(is_static && std::abs(mode.s) <= next_to_zero * usual))
      values.push_back(mode.s);
  }
  const Complex critical(at.at.s.real(), std::abs(at.at.s.imag()));
  for (int k = 0; k < (is_static ? 0 : is_meeting_ ? 2 : 1) && !values.empty(); ++k)
    values.erase(std::min_element(values.begin(), values.end(), [&](Complex a, Complex b) {
      return std::abs(a - critical) < std::abs(b - critical);
    }));
  return values;
}

// The quantity has another sign at the two neighbouring points; the way in between is halved.
std::optional<CurveEquation> BoundaryTracer::zero_between_points(
    const CurveEquation& a, const CurveEquation& b, const std::function<double(const CurveEquation&)>& quantity) const {
  constexpr int most_steps = 60;
  const Place way = (b.at.place - a.at.place).normalized();
  double left = 0, right = (b.at.place - a.at.place).norm(), at_left = quantity(a), at_right = quantity(b);
  const double length = right;
  std::optional<CurveEquation> found;
  bool was_left = false, was_right = false;
  for (int k = 0; k < most_steps && right - left > 1e-12; ++k) {
    const double secant = left - at_left * (right - left) / (at_right - at_left);
    const double place = secant > left && secant < right ? secant : 0.5 * (left + right);
    TracedPoint predicted = a.at;
    predicted.place += place * way;
    predicted.s += place / length * (b.at.s - a.at.s);
    int steps = 0;
    const auto there = corrected(predicted, way.transpose(), way.dot(predicted.place), steps);
    if (!there) return found;
    const double value = quantity(*there);
    const bool settled = found && (found->at.place - there->at.place).norm() < 1e-12;
    found = there;
    if (value == 0 || settled) break;
    // Where one end stays twice its value is halved (Illinois rule), so that both come near.
    if (value * at_left > 0) {
      left = place;
      at_left = value;
      if (was_left) at_right *= 0.5;
      was_left = true;
      was_right = false;
    } else {
      right = place;
      at_right = value;
      if (was_right) at_left *= 0.5;
      was_right = true;
      was_left = false;
    }
  }
  return found;
}

// g = g_s = 0 at s = 0 in both parameters.
std::optional<BoundaryMark> BoundaryTracer::double_zero_near(const CurveEquation& near) const {
  constexpr int most_steps = 12;
  constexpr double far = 0.2, settled = 1e-12;
  const BoundaryTracer at_zero(plane_, Kind::divergence, false, options_);
  TracedPoint at{near.at.place, 0, near.at.state};
  for (int k = 0; k < most_steps; ++k) {
    CurveEquation here;
    try {
      here = at_zero.equation(at);
    } catch (const Error&) {
      return {};
    }
    Eigen::Matrix2d A;
    A << here.along.g_p.real() * range_[0], here.across.g_p.real() * range_[1], here.along.g_sp.real() * range_[0],
        here.across.g_sp.real() * range_[1];
    const Place change = A.fullPivLu().solve(Place(-here.along.g.real(), -here.along.g_s.real()));
    at.place += change;
    if (!change.allFinite() || (at.place - near.at.place).norm() > far) return {};
    at.state = here.at.state;
    if (change.norm() <= settled)
      return BoundaryMark{BoundaryMark::Kind::double_zero, first(at.place), second(at.place), 0};
  }
  return {};
}

void BoundaryTracer::add_marks(const std::vector<CurveEquation>& points, BoundaryCurve& curve) const {
  const auto mark_at = [&](BoundaryMark::Kind kind, const CurveEquation& at, Complex s) {
    curve.marks.push_back({kind, first(at.at.place), second(at.at.place), s});
  };
  double largest_slope = 0;
  const auto slope_of = [](const CurveEquation& at) { return at.along.g_s.real() / at.rates.norm(); };
  for (const CurveEquation& point : points) largest_slope = std::max(largest_slope, std::abs(slope_of(point)));
  const auto nearest_other = [&](const CurveEquation& at) {
    Complex nearest(std::numeric_limits<double>::infinity(), 0);
    for (const Complex s : others(at)) {
      if (std::abs(s.real()) < std::abs(nearest.real())) nearest = s;
    }
    return nearest;
  };
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::vector<Complex> beside = others(points[k]);
    const double rounding = 1e-9 * std::abs(points[k].at.s);
    for (const Complex s : beside) {
      if (s.real() > rounding + 1e-9 * std::abs(s)) curve.points[k].unstable_beside += s.imag() > 0 ? 2 : 1;
    }
    if (k == 0) continue;
    const CurveEquation &a = points[k - 1], &b = points[k];
    // The sign of g is that of its borders: what is compared has that of the way from one point to the other.
    const Place way = b.at.place - a.at.place, across(-way[1], way[0]);
    const auto turning = [&](const CurveEquation& at) { return tangent_of(at, way)[1]; };
    const auto slope = [&](const CurveEquation& at) { return at.rates.dot(across) < 0 ? -slope_of(at) : slope_of(at); };
    if (turning(a) * turning(b) < 0) {
      if (const auto found = zero_between_points(a, b, turning)) mark_at(BoundaryMark::Kind::turning, *found, {});
    }
    constexpr double counts = 1e-6;
    if (kind_ == Kind::divergence && slope(a) * slope(b) < 0 &&
        std::max(std::abs(slope(a)), std::abs(slope(b))) > counts * largest_slope) {
      if (const auto found = double_zero_near(std::abs(slope(a)) < std::abs(slope(b)) ? a : b))
        curve.marks.push_back(*found);
    }
    if (curve.points[k - 1].unstable_beside != curve.points[k].unstable_beside && !is_meeting_) {
      const auto passes = [&](const CurveEquation& at) { return nearest_other(at).real(); };
      if (passes(a) * passes(b) < 0) {
        if (const auto found = zero_between_points(a, b, passes))
          mark_at(BoundaryMark::Kind::another_crosses, *found, {0, nearest_other(*found).imag()});
      }
    }
  }
}

BoundaryCurve BoundaryTracer::curve_through(const TracedPoint& start) {
  BoundaryCurve curve;
  curve.kind = kind_;
  int steps = 0;
  const auto first_point = corrected(start, Eigen::RowVector2d(0, 1), start.place[1], steps);
  if (!first_point) throw Undecided("Newton's method does not converge to the curve from there");
  const Place tangent = tangent_of(*first_point, Place(0, 1));
  std::string ended_forward, ended_backward;
  std::vector<CurveEquation> forward = side(*first_point, tangent, ended_forward, curve.is_closed), backward;
  if (!curve.is_closed) backward = side(*first_point, -tangent, ended_backward, curve.is_closed);
  std::vector<CurveEquation> points(backward.rbegin(), backward.rend());
  points.insert(points.end(), forward.begin() + (backward.empty() ? 0 : 1), forward.end());
  for (const CurveEquation& point : points)
    curve.points.push_back(
        {first(point.at.place), second(point.at.place), range_[0] * point.rounding / point.rates.norm(), point.at.s});
  add_marks(points, curve);
  for (const auto& [ended, end] :
       {std::pair(ended_backward, points.front()), std::pair(ended_forward, points.back())}) {
    if (ended.empty()) continue;
    const auto zero = end.at.s != 0.0 ? double_zero_near(end) : std::nullopt;
    if (zero && (place_of(zero->first, zero->second) - end.at.place).norm() < options_.largest_step) {
      curve.marks.push_back(*zero);
      continue;
    }
    curve.ended += (curve.ended.empty() ? "" : "; ") + ended;
  }
  return curve;
}

// Whether a place is on the curve: beside the chord of two of its points, by no more than the curve may bend there.
bool passes(const BoundaryCurve& curve, const CriticalPoint& point, double second, const BoundaryOptions& options) {
  constexpr double bend = 0.05, rounding = 1e-6;  // parts of a chord, and of the ranges
  if (curve.kind != point.kind) return false;
  const Place range(options.first_to - options.first_from, options.second_to - options.second_from);
  const Place there = Place(point.parameter, second).cwiseQuotient(range);
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    const BoundaryPoint &a = curve.points[k], &b = curve.points[k > 0 ? k - 1 : 0];
    const Place from = Place(a.first, a.second).cwiseQuotient(range),
                chord = Place(b.first, b.second).cwiseQuotient(range) - from;
    const double length = chord.norm(),
                 along = length > 0 ? std::clamp(chord.dot(there - from) / (length * length), 0.0, 1.0) : 0;
    if ((there - from - along * chord).norm() <= bend * length + rounding) return true;
  }
  return false;
}

}  // namespace

BoundaryCurves trace_boundaries(const PlaneOfModels& plane, const RowStartAt& start, const BoundaryOptions& options) {
  BoundaryCurves result{{},
                        plane.first,
                        plane.first_unit,
                        plane.second,
                        plane.second_unit,
                        options.first_from,
                        options.first_to,
                        options.second_from,
                        options.second_to,
                        {},
                        {},
                        false};
  for (const double second : spaced(options.second_from, options.second_to, options.rows)) {
    const RowStart row = start(second);
    const CriticalPoints found =
        find_critical_points(row.variation, row.rest, options.first_from, options.first_to,
                             {.points = options.points, .progress = options.progress, .stop = options.stop});
    result.model = found.model;
    result.is_partial = result.is_partial || found.is_partial;
    EquilibriumPath path(row.variation, row.rest, spaced(options.first_from, options.first_to, options.points));
    for (const CriticalPoint& point : found.points) {
      if (point.kind == Kind::coalescence) continue;  // stability does not change there
      if (std::any_of(result.curves.begin(), result.curves.end(),
                      [&](const BoundaryCurve& curve) { return passes(curve, point, second, options); }))
        continue;
      if (options.progress) options.progress(fmt::format("a curve from {:.6g}, {:.6g}", point.parameter, second));
      const bool is_meeting = !std::isfinite(point.slope.real()) && point.s != 0.0;
      try {
        // At the very place of divergence an equilibrium may have no stiffness: the state beside it serves as a guess.
        constexpr double beside = 1e-6;
        const double near = point.parameter + beside * (options.first_to - options.first_from);
        const State state = path.at(std::min(near, options.first_to))->rest.state;
        BoundaryTracer tracer(plane, point.kind, is_meeting, options);
        result.curves.push_back(tracer.curve_through({tracer.place_of(point.parameter, second), point.s, state}));
      } catch (const Error& reason) {
        result.notes.push_back(fmt::format("no curve from the {} at {} = {:.8g}, {} = {:.8g}: {}", to_words(point.kind),
                                           plane.first, point.parameter, plane.second, second, reason.what()));
      }
    }
    if (options.stop && options.stop()) {
      result.is_partial = true;
      break;
    }
  }
  return result;
}

}  // namespace stillpoint
