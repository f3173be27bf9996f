#include "stillpoint/follow_modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "modes/following/assignment.h"
#include "modes/following/step_between.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

FollowedSpectrum permuted(FollowedSpectrum spectrum, const std::vector<Eigen::Index>& order) {
  spectrum.s = spectrum.s(order).eval();
  spectrum.rates = spectrum.rates(order).eval();
  spectrum.x = spectrum.x(Eigen::all, order).eval();
  spectrum.y = spectrum.y(Eigen::all, order).eval();
  if (spectrum.errors.size() > 0) spectrum.errors = spectrum.errors(order).eval();
  return spectrum;
}

// The end of the range of the lowest values in an order by size: a conjugate pair counts once and stays together.
std::size_t end_of_lowest(const Eigen::VectorXcd& s, const std::vector<Eigen::Index>& order, Index lowest) {
  std::size_t end = 0;
  for (Index taken = 0; end < order.size() && taken < lowest; ++taken) {
    const bool is_pair = end + 1 < order.size() && s[order[end + 1]] == std::conj(s[order[end]]);
    end += is_pair && s[order[end]].imag() != 0 ? 2 : 1;
  }
  return end;
}

// From below to above, so that conjugate values stand at equal distances from the ends; those that are not followed
// behind the others.
FollowedSpectrum sorted(FollowedSpectrum spectrum, Eigen::Index& followed, Index lowest) {
  const Eigen::VectorXcd& s = spectrum.s;
  std::vector<Eigen::Index> order;
  for (Eigen::Index i = 0; i < s.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index i, Eigen::Index k) { return std::abs(s[i]) < std::abs(s[k]); });
  const std::size_t end = lowest > 0 ? end_of_lowest(s, order, lowest) : order.size();
  followed = static_cast<Eigen::Index>(end);
  std::sort(order.begin(), order.begin() + followed);
  std::stable_sort(order.begin(), order.begin() + followed, [&](Eigen::Index i, Eigen::Index k) {
    return s[i].imag() != s[k].imag() ? s[i].imag() < s[k].imag() : s[i].real() < s[k].real();
  });
  return permuted(std::move(spectrum), order);
}

/// A value that is followed is not among those that were found.
struct LeftBehind {
  double parameter = 0;
};

class ModeFollower {
 public:
  ModeFollower(const std::function<FollowedSpectrum(double)>& at, const FollowOptions& options)
      : at_(at), options_(options) {}

  FollowedModes run(const std::vector<double>& parameters);

 private:
  FollowedSpectrum solve(double parameter) {
    ++result_.solves;
    return at_(parameter);
  }
  // The spectrum at the end, in the order of the branches.
  FollowedSpectrum follow(const FollowedSpectrum& from, FollowedSpectrum to, int divisions);
  std::optional<FollowedSpectrum> across_crossing(const FollowedSpectrum& from, const FollowedSpectrum& middle,
                                                  const FollowedSpectrum& to, int divisions);
  void add_coalescence(const Coalescence& coalescence, const FollowedSpectrum& from, const FollowedSpectrum& to);
  void note_approach(Eigen::Index i, Eigen::Index k, const FollowedSpectrum& from, const FollowedSpectrum& middle,
                     const FollowedSpectrum& to);
  void add_veerings();
  void add(const FollowedEvent& event);

  const std::function<FollowedSpectrum(double)>& at_;
  FollowOptions options_;
  double range_ = 0;           ///< of the parameter
  Eigen::Index followed_ = 0;  ///< the first values of a spectrum in the order of the branches, so many
  Index solves_before_ = 0;    ///< the interval
  FollowedModes result_;
  // Pairs that came near to each other, with the least distance that was seen, and where.
  struct Approached {
    double from = 0, to = 0, parameter = 0, gap = std::numeric_limits<double>::infinity();
    Complex s;
  };
  std::map<std::pair<Eigen::Index, Eigen::Index>, std::vector<Approached>> approached_;
};

// The conjugate of an event is none of its own, and a crossing is one where values are equal but for rounding at
// several places beside each other.
void ModeFollower::add(const FollowedEvent& event) {
  constexpr double below = -1e-9, beside = 1e-6;
  if (event.s.imag() < below * std::abs(event.s)) return;
  const auto same = std::find_if(result_.events.begin(), result_.events.end(), [&](const FollowedEvent& other) {
    return event.kind == FollowedEvent::Kind::crossing && other.kind == event.kind && other.first == event.first &&
           other.second == event.second && std::abs(other.parameter - event.parameter) <= beside * range_;
  });
  if (same == result_.events.end()) result_.events.push_back(event);
  else if (event.gap < same->gap) *same = event;
}

// Bisection by cubics: the square of half the difference is analytic and vanishes there.
void ModeFollower::add_coalescence(const Coalescence& coalescence, const FollowedSpectrum& from,
                                   const FollowedSpectrum& to) {
  constexpr int most_solves = 4;
  constexpr double settled = 1e-12;
  double left = from.parameter, right = to.parameter, place = coalescence.parameter;
  double error = settled * std::max(std::abs(place), right - left);
  PairThere before = pair_next_to(0.5 * (from.s[coalescence.first] + from.s[coalescence.second]), from),
            behind = pair_next_to(coalescence.s, to);
  Complex s = coalescence.s;
  for (int k = 0; k < most_solves; ++k) {
    const PairThere there = pair_next_to(s, solve(place));
    s = there.mean;
    const double largest = std::max(std::abs(before.square), std::abs(behind.square));
    if (std::abs(there.square) <= settled * largest || !std::isfinite(there.rate)) break;  // it is the place
    const bool is_before = there.square * before.square > 0;
    (is_before ? before : behind) = there;
    (is_before ? left : right) = place;
    if (!(before.square * behind.square < 0)) break;
    const double h = right - left;
    const double next = left + h * root_of_cubic(before.square, h * before.rate, behind.square, h * behind.rate);
    const double moved = std::abs(next - place);
    place = next;
    error = std::max(moved, settled * std::max(std::abs(place), to.parameter - from.parameter));
    if (moved <= settled * std::max(std::abs(place), to.parameter - from.parameter)) break;
  }
  add({FollowedEvent::Kind::coalescence, place, s, static_cast<Index>(coalescence.first),
       static_cast<Index>(coalescence.second), 0, error});
}

// If values are equal but for rounding in between, shapes go on across the place.
std::optional<FollowedSpectrum> ModeFollower::across_crossing(const FollowedSpectrum& from,
                                                              const FollowedSpectrum& middle,
                                                              const FollowedSpectrum& to, int divisions) {
  const double equal = equal_values * middle.s.cwiseAbs().maxCoeff();
  std::vector<FollowedEvent> crossings;
  for (Eigen::Index i = 0; i < middle.s.size(); ++i) {
    for (Eigen::Index k = i + 1; k < middle.s.size(); ++k) {
      const double gap = std::abs(middle.s[i] - middle.s[k]);
      if (gap <= equal)
        crossings.push_back(
            {FollowedEvent::Kind::crossing, middle.parameter, 0.5 * (middle.s[i] + middle.s[k]), 0, 0, gap});
    }
  }
  if (crossings.empty()) return {};
  constexpr double beside = 1e-3;
  const double distance = beside * std::min(middle.parameter - from.parameter, to.parameter - middle.parameter);
  const FollowedSpectrum before = follow(from, solve(middle.parameter - distance), divisions + 1);
  FollowedSpectrum after = solve(middle.parameter + distance);
  const std::vector<Eigen::Index> order = by_shapes(before, after);
  after = permuted(std::move(after), order);
  for (FollowedEvent& event : crossings) {
    std::vector<std::pair<double, Eigen::Index>> nearest;
    for (Eigen::Index i = 0; i < before.s.size(); ++i) nearest.emplace_back(std::abs(before.s[i] - event.s), i);
    std::partial_sort(nearest.begin(), nearest.begin() + 2, nearest.end());
    const auto [first, second] = std::minmax(nearest[0].second, nearest[1].second);
    event.first = static_cast<Index>(first);
    event.second = static_cast<Index>(second);
    if (first >= followed_) continue;
    // Values that are equal all the way do not cross.
    if (std::abs(from.s[first] - from.s[second]) > equal) add(event);
  }
  return follow(after, to, divisions + 1);
}

FollowedSpectrum ModeFollower::follow(const FollowedSpectrum& from, FollowedSpectrum to, int divisions) {
  constexpr double from_ends = 0.15;  // so far at least a place between is from both ends, in parts of the step
  const StepBetween step = step_between(from, to, followed_);
  if (step.is_certain) {
    for (const Coalescence& coalescence : step.coalescences) add_coalescence(coalescence, from, to);
    return permuted(std::move(to), step.to);
  }
  const double h = to.parameter - from.parameter;
  if (divisions >= options_.most_divisions || result_.solves - solves_before_ >= options_.most_solves ||
      h <= 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(from.parameter), std::abs(to.parameter))) {
    if (!step.is_complete) throw LeftBehind{to.parameter};
    result_.uncertain.push_back({from.parameter, to.parameter});
    return permuted(std::move(to), step.to);
  }
  const FollowedSpectrum middle = solve(from.parameter + h * std::clamp(step.place, from_ends, 1 - from_ends));
  if (auto end = across_crossing(from, middle, to, divisions)) return *std::move(end);
  const FollowedSpectrum through = follow(from, middle, divisions + 1);
  if (step.first != step.second && std::max(step.first, step.second) < followed_)
    note_approach(step.first, step.second, from, through, to);
  return follow(through, std::move(to), divisions + 1);
}

// An approach below the real axis is noted as that of the conjugates.
void ModeFollower::note_approach(Eigen::Index i, Eigen::Index k, const FollowedSpectrum& from,
                                 const FollowedSpectrum& middle, const FollowedSpectrum& to) {
  if (middle.s[i].imag() + middle.s[k].imag() < 0) {
    for (Eigen::Index* const branch : {&i, &k}) {
      const Complex conjugate = std::conj(middle.s[*branch]);
      (middle.s.head(followed_).array() - conjugate).abs().minCoeff(branch);
    }
    if (i == k) return;
  }
  // A place that was put in for another reason is no approach.
  constexpr double nearer = 0.5, near = 0.1;
  const double gap = std::abs(middle.s[i] - middle.s[k]);
  const Complex mean = 0.5 * (middle.s[i] + middle.s[k]);
  if (gap > nearer * std::abs(from.s[i] - from.s[k]) && gap > near * std::abs(mean)) return;
  approached_[std::minmax(i, k)].push_back({from.parameter, to.parameter, middle.parameter, gap, mean});
}

// Of the places where two values came near, those with the least gap within the largest division.
void ModeFollower::add_veerings() {
  for (const auto& [pair, places] : approached_) {
    std::vector<Approached> least;
    for (const Approached& place : places) {
      const auto same = std::find_if(least.begin(), least.end(), [&](const Approached& other) {
        return place.from < other.to && other.from < place.to;
      });
      if (same == least.end()) {
        least.push_back(place);
        continue;
      }
      const double from = std::min(same->from, place.from), to = std::max(same->to, place.to);
      if (place.gap < same->gap) *same = place;
      same->from = from;
      same->to = to;
    }
    for (const Approached& place : least) {
      const bool is_other = std::any_of(result_.events.begin(), result_.events.end(), [&](const FollowedEvent& event) {
        return event.kind != FollowedEvent::Kind::veering && event.parameter >= place.from &&
               event.parameter <= place.to &&
               std::abs(event.s - place.s) <= 2 * place.gap + equal_values * std::abs(place.s);
      });
      if (!is_other)
        add({FollowedEvent::Kind::veering, place.parameter, place.s, static_cast<Index>(pair.first),
             static_cast<Index>(pair.second), place.gap});
    }
  }
}

bool is_defective(const FollowedSpectrum& spectrum) { return !spectrum.rates.allFinite(); }

// A defective value says nothing about the way on: it is passed at a place just behind it, or before it at the end.
double place_beside(const std::vector<double>& parameters, std::size_t k) {
  constexpr double beside = 1e-3;
  if (k + 1 < parameters.size()) return parameters[k] + beside * (parameters[k + 1] - parameters[k]);
  return k > 0 ? parameters[k] - beside * (parameters[k] - parameters[k - 1]) : parameters[k];
}

// Each of the values in the place of the branch that it is next to.
Eigen::VectorXcd in_order_of(const Eigen::VectorXcd& branches, const Eigen::VectorXcd& values) {
  Eigen::MatrixXd distances(branches.size(), values.size());
  for (Eigen::Index i = 0; i < branches.size(); ++i)
    distances.row(i) = (values.array() - branches[i]).abs().transpose();
  return values(assign(distances));
}

FollowedModes ModeFollower::run(const std::vector<double>& parameters) {
  range_ = parameters.back() - parameters.front();
  FollowedSpectrum here;
  std::size_t done = 0;
  for (; done < parameters.size() && !(done > 0 && options_.stop && options_.stop()); ++done) {
    solves_before_ = result_.solves;
    FollowedSpectrum there = solve(parameters[done]);
    const double beside = is_defective(there) ? place_beside(parameters, done) : parameters[done];
    const Eigen::VectorXcd values = there.s;
    if (beside != parameters[done]) there = solve(beside);
    try {
      here = done == 0 ? sorted(std::move(there), followed_, options_.lowest) : follow(here, std::move(there), 0);
    } catch (const LeftBehind&) {
      result_.ended = "one of the modes that are followed is no longer among those that are computed";
      break;
    }
    if (done == 0) result_.s.resize(followed_, static_cast<Eigen::Index>(parameters.size()));
    const Eigen::VectorXcd branches = here.s.head(followed_);
    result_.s.col(static_cast<Eigen::Index>(done)) =
        beside == parameters[done] ? branches : in_order_of(branches, values);
  }
  result_.parameters = parameters;
  result_.parameters.resize(done);
  result_.s.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(done));
  add_veerings();
  std::stable_sort(result_.events.begin(), result_.events.end(),
                   [](const FollowedEvent& a, const FollowedEvent& b) { return a.parameter < b.parameter; });
  return std::move(result_);
}

}  // namespace

FollowedSpectrum spectrum_with_rates(double parameter, const QuadraticMatrices& at, const QuadraticMatrices& rates) {
  const Eigen::Index n = at.M.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * n, 2 * n), E = A;
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -at.K;
  A.bottomRightCorner(n, n) = -at.C;
  E.topLeftCorner(n, n).setIdentity();
  E.bottomRightCorner(n, n) = at.M;
  const PencilEigen found = solve_pencil(A, E);
  FollowedSpectrum result{parameter,
                          Eigen::VectorXcd(2 * n),
                          Eigen::VectorXcd(2 * n),
                          found.right.topRows(n),
                          found.left.bottomRows(n),
                          at.M.sparseView(),
                          at.C.sparseView()};
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    if (found.is_infinite(i)) throw Undecided("the mass matrix is singular, so that an eigenvalue is infinite");
    const Complex s = found.value(i);
    auto x = result.x.col(i), y = result.y.col(i);
    const Complex slope = y.dot((2.0 * s * at.M + at.C) * x);
    y /= std::conj(slope);
    result.s[i] = s;
    result.rates[i] = -y.dot((s * s * rates.M + s * rates.C + rates.K) * x);
  }
  return result;
}

FollowedModes follow_modes(const std::function<FollowedSpectrum(double)>& at, const std::vector<double>& parameters,
                           const FollowOptions& options) {
  if (parameters.empty()) throw Error("there is no parameter value at which modes could be followed");
  if (std::adjacent_find(parameters.begin(), parameters.end(), [](double a, double b) { return !(a < b); }) !=
      parameters.end())
    throw Error("the parameter values over which modes are followed must ascend");
  return ModeFollower(at, options).run(parameters);
}

}  // namespace stillpoint
