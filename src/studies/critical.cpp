#include "stillpoint/critical.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "studies/bordered_scalar.h"
#include "studies/equilibrium_path.h"
#include "studies/hermite_root.h"
#include "studies/spectrum_at.h"
#include "studies/study_points.h"

namespace stillpoint {

const char* to_words(CriticalPoint::Kind kind) {
  switch (kind) {
    case CriticalPoint::Kind::divergence:
      return "divergence";
    case CriticalPoint::Kind::flutter:
      return "flutter";
    case CriticalPoint::Kind::coalescence:
      return "coalescence";
  }
  return "";
}

namespace {

using Complex = std::complex<double>;
constexpr double infinite = std::numeric_limits<double>::infinity();

class CriticalSearch {
 public:
  /// The path goes through the points of the study, which it does not leave for another branch in between.
  CriticalSearch(const Variation& variation, const Equilibrium& start, double from, double to, const Sweep& study,
                 const CriticalOptions& options)
      : path_(variation, start, parameters_of(study)), from_(from), to_(to), options_(options) {}

  CriticalPoint located(const SweepEvent& event);

 private:
  void refine_buckling(CriticalPoint& point);
  void refine_meeting(CriticalPoint& point);
  void refine_passage(CriticalPoint& point);
  void count_beside(CriticalPoint& point, Index expected);
  void find_rates(CriticalPoint& point, bool is_meeting);
  double rate_at(double parameter, const CriticalPoint& point, bool is_simple, const Variation& other);

  EquilibriumPath path_;
  double from_, to_;
  const CriticalOptions& options_;
};

// At s = 0, where s and −s meet, g = 0 in p alone. The equilibrium loses its last stiffness there, so that values some
// way off are used.
void CriticalSearch::refine_buckling(CriticalPoint& point) {
  constexpr double beside = 1e-3;
  BorderedFunction function;
  double rounding = 0;
  const auto evaluated = [&](double parameter) {
    const auto here = path_.at(std::clamp(parameter, from_, to_));
    const BorderedScalar at = function.at(linearize(here->model, here->rest), here->rates, 0);
    rounding = at.rounding / std::abs(at.g_p);
    return ValueAndRate{at.g.real(), at.g_p.real()};
  };
  evaluated(point.parameter);
  evaluated(point.parameter);
  point.shape = function.shape();
  function.hold_borders();
  const HermiteRoot root = hermite_root(evaluated, point.parameter, beside * (to_ - from_));
  if (!root.found) return;  // free motions make B singular everywhere: the place stays as it was found
  // The rounding of equilibria that are hardly stiff adds to that of the matrices.
  constexpr double safety = 4, of_equilibrium = 1e-12;
  point.parameter = root.place;
  point.error = safety * std::max(root.error, rounding) + of_equilibrium * std::abs(root.place);
}

// Newton's method on g = 0, ∂g/∂s = 0 in (s, p).
void CriticalSearch::refine_meeting(CriticalPoint& point) {
  constexpr int most_steps = 12;
  constexpr double settled = 1e-15, farthest = 0.1;
  BorderedFunction function;
  const CriticalPoint found = point;
  for (int k = 0; k < most_steps; ++k) {
    const auto here = path_.at(point.parameter);
    const LinearSystem system = linearize(here->model, here->rest);
    if (k == 0) function.at(system, here->rates, point.s);  // the borders
    const BorderedScalar at = function.at(system, here->rates, point.s);
    Eigen::Matrix2cd derivatives;
    derivatives << at.g_s, at.g_p, at.g_ss, at.g_sp;
    const Eigen::Vector2cd change = -derivatives.fullPivLu().solve(Eigen::Vector2cd(at.g, at.g_s));
    point.s += change[0];
    const double step = change[1].real();
    point.error = at.rounding / std::abs(at.g_p);
    if (!std::isfinite(step) || std::abs(step) > farthest * (to_ - from_)) {
      point.parameter = found.parameter;
      point.s = found.s;
      point.error = found.error;
      return;
    }
    point.parameter = std::clamp(point.parameter + step, from_, to_);
    if (std::abs(step) <= std::max(settled * std::abs(point.parameter), 0.1 * point.error)) break;
  }
  point.shape = function.shape();
}

// A simple eigenvalue on the imaginary axis is located already; its vector belongs to the answer.
void CriticalSearch::refine_passage(CriticalPoint& point) {
  const SpectrumAt found = spectrum_at(path_, point.parameter);
  Eigen::Index nearest = 0;
  if (found.followed.s.size() == 0) return;
  (found.followed.s.array() - point.s).abs().minCoeff(&nearest);
  if (point.kind != CriticalPoint::Kind::divergence) {
    point.s = {0, found.followed.s[nearest].imag()};
    point.slope = found.followed.rates[nearest];
  }
  point.shape = found.followed.x.col(nearest);
}

void CriticalSearch::count_beside(CriticalPoint& point, Index expected) {
  // Where the equilibrium loses its last stiffness, it is found on the right branch some way off only.
  const double beside = point.kind == CriticalPoint::Kind::divergence ? 1e-3 : 1e-6;
  const double distance = std::max(beside * (to_ - from_), 100 * point.error);  // rounding hides nothing there
  const double before = std::max(from_, point.parameter - distance), after = std::min(to_, point.parameter + distance);
  const SpectrumAt left = spectrum_at(path_, before), right = spectrum_at(path_, after);
  point.unstable_before = left.verdict.unstable_roots;
  point.unstable_after = right.verdict.unstable_roots;
  const auto is_decided = [](const SpectrumAt& at) {
    return at.certified && at.verdict.stability != Stability::undecided && at.verdict.hidden_roots == 0;
  };
  point.certified = before < point.parameter && point.parameter < after && is_decided(left) && is_decided(right) &&
                    std::abs(point.unstable_after - point.unstable_before) == expected;
}

// g(s, p, θ) = 0 stays, and where eigenvalues meet ∂g/∂s = 0, so that p' = −g_θ/g_p; a simple eigenvalue stays on the
// imaginary axis.
double CriticalSearch::rate_at(double parameter, const CriticalPoint& point, bool is_simple, const Variation& other) {
  const auto here = path_.at(parameter);
  const LinearSystem system = linearize(here->model, here->rest);
  BorderedFunction function;
  function.at(system, here->rates, point.s);  // the borders
  function.hold_borders();
  const BorderedScalar along = function.at(system, here->rates, point.s),
                       across = function.at(system, system_rates(other, here->rest), point.s);
  const Complex unit = is_simple ? along.g_s : Complex(1, 0);
  return -(across.g_p / unit).real() / (along.g_p / unit).real();
}

// Where the equilibrium loses its last stiffness it has no derivative: rates beside that place are interpolated.
void CriticalSearch::find_rates(CriticalPoint& point, bool is_meeting) {
  const double beside = 1e-3 * (to_ - from_);
  const bool is_static = point.s == 0.0;
  const auto rates_at = [&](double parameter) {
    std::vector<CriticalRate> rates;
    for (const Variation& other : options_.parameters(parameter)) {
      CriticalRate rate{other.name, other.value};
      try {
        rate.rate = rate_at(parameter, point, !is_meeting && !is_static, other);
      } catch (const Error& reason) {
        rate.refused = reason.what();
      }
      rates.push_back(rate);
    }
    return rates;
  };
  if (!is_static) {
    point.rates = rates_at(point.parameter);
    return;
  }
  for (const auto& [steps, weight] :
       {std::pair(1, 2.0 / 3), std::pair(-1, 2.0 / 3), std::pair(2, -1.0 / 6), std::pair(-2, -1.0 / 6)}) {
    const std::vector<CriticalRate> there = rates_at(point.parameter + steps * beside);
    if (point.rates.empty()) {
      point.rates = there;
      for (CriticalRate& rate : point.rates) rate.rate = 0;
    }
    for (std::size_t i = 0; i < there.size(); ++i) {
      point.rates[i].rate += weight * there[i].rate;
      if (!there[i].refused.empty()) point.rates[i].refused = there[i].refused;
    }
  }
}

CriticalPoint CriticalSearch::located(const SweepEvent& event) {
  CriticalPoint point{
      .parameter = event.parameter, .error = event.error, .s = event.s, .slope = {infinite, 0}, .shape = {}};
  const bool is_meeting = event.branches.size() == 2;
  point.kind = event.kind == SweepEvent::Kind::divergence ? CriticalPoint::Kind::divergence
               : event.kind == SweepEvent::Kind::flutter  ? CriticalPoint::Kind::flutter
                                                          : CriticalPoint::Kind::coalescence;
  if (point.kind == CriticalPoint::Kind::divergence) point.s = 0;
  // Values of pairs, ±: an oscillation counts twice.
  const Index expected = point.kind == CriticalPoint::Kind::coalescence ? 0
                         : point.kind == CriticalPoint::Kind::flutter   ? 2
                                                                        : 1;
  try {
    if (is_meeting && point.s == 0.0) refine_buckling(point);
    else if (is_meeting) refine_meeting(point);
    else refine_passage(point);
    count_beside(point, expected);
    if (options_.parameters) find_rates(point, is_meeting);
  } catch (
      const Error& reason) {  // beside it there is no equilibrium, or no spectrum: the point is as the study found it
    point.note = reason.what();
  }
  return point;
}

// What the points in an interval add to the number of unstable eigenvalues.
Index explained(const std::vector<CriticalPoint>& points, double from, double to) {
  Index sum = 0;
  for (const CriticalPoint& point : points) {
    if (point.parameter > from && point.parameter <= to) sum += point.unstable_after - point.unstable_before;
  }
  return sum;
}

// One that lies at a point of the study is found from both sides.
bool are_same(const CriticalPoint& a, const CriticalPoint& b, double range) {
  constexpr double rounding = 1e-9;
  return a.kind == b.kind && std::abs(a.parameter - b.parameter) <= a.error + b.error + rounding * range &&
         std::abs(a.s - b.s) <= 1e-6 * std::abs(a.s);
}

bool is_decided(const SweepPoint& point) {
  return point.verdict.stability != Stability::undecided && point.verdict.hidden_roots == 0;
}

}  // namespace

CriticalPoints find_critical_points(const Variation& variation, const Equilibrium& start, double from, double to,
                                    const CriticalOptions& options) {
  const Sweep sweep =
      sweep_modes(variation, start, spaced(from, to, options.points),
                  {.count = std::numeric_limits<Index>::max(), .progress = options.progress, .stop = options.stop});
  CriticalPoints result{sweep.model, sweep.parameter, sweep.unit,       from,       to,
                        {},          sweep.uncertain, sweep.is_partial, sweep.ended};
  CriticalSearch search(variation, start, from, to, sweep, options);
  for (const SweepEvent& event : sweep.events) {
    using Kind = SweepEvent::Kind;
    if (event.kind != Kind::flutter && event.kind != Kind::divergence && event.kind != Kind::coalescence) continue;
    const CriticalPoint point = search.located(event);
    if (std::none_of(result.points.begin(), result.points.end(),
                     [&](const CriticalPoint& other) { return are_same(point, other, to - from); }))
      result.points.push_back(point);
  }
  std::stable_sort(result.points.begin(), result.points.end(),
                   [](const CriticalPoint& a, const CriticalPoint& b) { return a.parameter < b.parameter; });
  const SweepPoint* last = nullptr;
  const auto is_beside_critical = [&](const SweepPoint& point) {
    constexpr double beside = 1e-9;
    return std::any_of(result.points.begin(), result.points.end(), [&](const CriticalPoint& critical) {
      return std::abs(critical.parameter - point.parameter) <= beside * (to - from);
    });
  };
  for (const SweepPoint& point : sweep.points) {
    if (!is_decided(point) || is_beside_critical(point)) continue;
    if (last && point.verdict.unstable_roots - last->verdict.unstable_roots !=
                    explained(result.points, last->parameter, point.parameter))
      result.unexplained.push_back({last->parameter, point.parameter});
    last = &point;
  }
  if (!sweep.points.empty() && !(is_decided(sweep.points.front()) && is_decided(sweep.points.back())))
    result.unexplained.push_back({from, to});
  return result;
}

}  // namespace stillpoint
