#include "modes/damped/multiple_shifts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/count/disc_count.h"
#include "modes/damped/light_damping.h"
#include "modes/problem/real_pairs.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr int most_moves = 30, most_places = 8, most_without_gain = 2;
constexpr Index additional = 6;                // eigenvalues beyond those wanted, to find a gap among them
constexpr double real_shift_part = 1e-3;       // of the distance to the point; a real shift saves work
constexpr double offset_from_dominant = 1e-2;  // of the radius of the others
constexpr double least_step = 1e-13;           // relative, of a shift
constexpr const char* cannot_count = "the eigenvalues cannot be counted: others are too near to the edge of the region";

struct Disc {
  Complex centre;
  double radius = 0;

  /// Tells whether s or its conjugate lies in the disc.
  bool holds(Complex s) const { return std::min(std::abs(s - centre), std::abs(std::conj(s) - centre)) < radius; }
};

/// Tells whether an eigenvalue is so near to the shift that rounding leaves little of the others.
bool is_dominated(const QuadraticPairs& pairs, Complex shift) {
  constexpr double nearest = 1e-5;
  return pairs.size() > 0 && (pairs.s.array() - shift).abs().minCoeff() < nearest * pairs.radius;
}

class MultipleShifts {
 public:
  MultipleShifts(const BorderedProblem& problem, const QuadraticPencil& pencil, const QuadraticRequest& request)
      : problem_(problem), pencil_(pencil), request_(request) {}

  QuadraticPairs nearest(QuadraticPairs first);

 private:
  double distance_to_centre(Complex s) const { return std::abs(s - request_.centre); }
  QuadraticPairs find_at(Complex centre, Index count);
  bool find_near(Unconverged target, Index count);
  void add(QuadraticPairs pairs, Complex centre);
  void remember(const std::vector<Unconverged>& seen);
  std::optional<Unconverged> next_target(double within) const;
  std::optional<Gap> gap() const;
  std::optional<Index> unknown_in(const Gap& gap);
  QuadraticPairs put_together(double radius) const;
  QuadraticPairs without_edge(const QuadraticPairs& first) const;

  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  QuadraticRequest request_;
  std::vector<Disc> discs_;
  std::vector<Unconverged> targets_;
  Eigen::VectorXcd s_;
  Eigen::MatrixXcd x_;
  double counting_seconds_ = 0;
};

// Returns a shift before the target, seen from the point, by the error bound of the target or half the way.
Complex before(const Unconverged& target, Complex point) {
  const Complex way = point - target.s;
  const double distance = std::abs(way);
  return distance == 0 ? target.s : target.s + way / distance * std::min(0.5 * distance, target.error_bound);
}

QuadraticPairs MultipleShifts::find_at(Complex centre, Index count) {
  QuadraticRequest request = request_;
  request.centre = centre;
  request.count = count;
  request.aim = request_.centre;
  request.stays = centre != request_.centre;
  QuadraticPairs pairs = find_around(problem_, pencil_, request);
  if (centre.imag() != 0 && !keep_upper(pairs.s, pairs.x, problem_, std::abs(centre) + pairs.radius))
    pairs.uncertainty = "it is uncertain which of the eigenvalues are real";
  counting_seconds_ += pairs.counting_seconds;
  return pairs;
}

// Moves the shift towards the target. Returns false if nothing converges there, or only known eigenvalues.
bool MultipleShifts::find_near(Unconverged target, Index count) {
  Complex last = request_.centre;
  double least_error_bound = std::numeric_limits<double>::infinity();
  for (int move = 0, without_gain = 0; move < most_moves && !request_.supervision.is_time_over(); ++move) {
    Complex shift = before(target, request_.centre);
    if (std::abs(shift.imag()) < real_shift_part * std::abs(shift - target.s)) shift = shift.real();
    if (std::abs(shift - last) < least_step * std::abs(shift) || without_gain > most_without_gain) return false;
    last = shift;
    QuadraticPairs pairs = find_at(shift, count);
    remember(pairs.unconverged);
    if (pairs.is_converged && is_dominated(pairs, shift)) {
      target.error_bound = offset_from_dominant * pairs.radius;
      continue;
    }
    if (pairs.is_converged) {
      add(std::move(pairs), shift);
      return true;
    }
    if (pairs.unconverged.empty()) return false;
    without_gain = target.error_bound < 0.5 * least_error_bound ? 0 : without_gain + 1;
    least_error_bound = std::min(least_error_bound, target.error_bound);
    target = *std::min_element(
        pairs.unconverged.begin(), pairs.unconverged.end(),
        [&](const Unconverged& a, const Unconverged& b) { return std::abs(a.s - shift) < std::abs(b.s - shift); });
  }
  return false;
}

void MultipleShifts::add(QuadraticPairs pairs, Complex centre) {
  std::vector<Eigen::Index> new_ones;
  for (Eigen::Index k = 0; k < pairs.s.size(); ++k) {
    const auto holds = [&](const Disc& disc) { return disc.holds(pairs.s[k]); };
    if (std::none_of(discs_.begin(), discs_.end(), holds)) new_ones.push_back(k);
  }
  const Eigen::Index before = s_.size(), all = before + static_cast<Eigen::Index>(new_ones.size());
  s_.conservativeResize(all);
  x_.conservativeResize(pencil_.size(), all);
  s_.tail(all - before) = pairs.s(new_ones);
  x_.rightCols(all - before) = pairs.x(Eigen::all, new_ones);
  discs_.push_back({centre, pairs.radius});
}

void MultipleShifts::remember(const std::vector<Unconverged>& seen) {
  targets_.insert(targets_.end(), seen.begin(), seen.end());
}

std::optional<Unconverged> MultipleShifts::next_target(double within) const {
  std::optional<Unconverged> next;
  for (const Unconverged& target : targets_) {
    const auto holds = [&](const Disc& disc) {
      return Disc{disc.centre, disc.radius + target.error_bound}.holds(target.s);
    };
    if (distance_to_centre(target.s) - target.error_bound > within || std::any_of(discs_.begin(), discs_.end(), holds))
      continue;
    if (!next || distance_to_centre(target.s) < distance_to_centre(next->s)) next = target;
  }
  return next;
}

// Returns the first gap beyond the wanted number of eigenvalues that is nearly as wide as any.
std::optional<Gap> MultipleShifts::gap() const {
  std::vector<double> distances;
  for (const Complex s : s_) distances.push_back(distance_to_centre(s));
  std::sort(distances.begin(), distances.end());
  std::vector<Gap> gaps;
  double widest = 0;
  for (std::size_t k = at(request_.count); k < distances.size(); ++k) {
    const double last = k > 0 ? distances[k - 1] : 0;
    if (distances[k] - last <= tolerance::no_gap_of_shifts * distances[k]) continue;
    gaps.push_back({last, distances[k]});
    widest = std::max(widest, distances[k] - last);
  }
  for (const Gap& gap : gaps) {
    if (gap.to - gap.from >= 0.3 * widest) return gap;
  }
  return {};
}

std::optional<Index> MultipleShifts::unknown_in(const Gap& gap) {
  const Stopwatch watch;
  request_.supervision.say("counting");
  const auto unknown =
      DiscCount(problem_, pencil_, request_.centre, gap, {}, request_.supervision).unknown(with_conjugates(s_));
  counting_seconds_ += watch.seconds();
  return unknown;
}

QuadraticPairs MultipleShifts::put_together(double radius) const {
  std::vector<Eigen::Index> inside;
  for (Eigen::Index k = 0; k < s_.size(); ++k) {
    if (distance_to_centre(s_[k]) < radius) inside.push_back(k);
  }
  std::stable_sort(inside.begin(), inside.end(), [&](Eigen::Index a, Eigen::Index b) {
    return distance_to_centre(s_[a]) < distance_to_centre(s_[b]);
  });
  QuadraticPairs found;
  found.s = s_(inside);
  found.x = x_(Eigen::all, inside);
  found.radius = radius;
  found.counting_seconds = counting_seconds_;
  return found;
}

// Returns what converged, uncertified, as it need not be the nearest.
QuadraticPairs MultipleShifts::without_edge(const QuadraticPairs& first) const {
  double farthest = first.radius;
  for (const Complex s : s_) farthest = std::max(farthest, (1 + tolerance::no_gap_of_shifts) * distance_to_centre(s));
  QuadraticPairs found = put_together(farthest);
  found.uncertainty = first.uncertainty;
  if (const auto target = next_target(std::numeric_limits<double>::infinity())) {
    const double gamma = problem_.frequency_scale();
    found.uncertainty += fmt::format("; others seem to be dense near {:.6g} {:+.6g}i", gamma * target->s.real(),
                                     gamma * target->s.imag());
  }
  return found;
}

QuadraticPairs MultipleShifts::nearest(QuadraticPairs first) {
  x_.resize(pencil_.size(), 0);
  counting_seconds_ = first.counting_seconds;
  remember(first.unconverged);
  if (first.size() > 0) add(find_at(request_.centre, first.size()), request_.centre);
  std::optional<Gap> edge;
  std::optional<Index> unknown;
  for (int place = 0; place < most_places && !request_.supervision.is_time_over(); ++place) {
    const std::optional<Unconverged> target =
        next_target(edge ? edge->middle() : std::numeric_limits<double>::infinity());
    if (!target || !find_near(*target, request_.count + additional)) break;
    edge = gap();
    if (!edge || !request_.counts) continue;
    unknown = unknown_in(*edge);
    if (unknown == 0) break;
  }
  if (!edge) return without_edge(first);
  QuadraticPairs found = put_together(edge->middle());
  found.missing = std::max<Index>(unknown.value_or(0), 0);
  if (request_.counts && !unknown)
    found.uncertainty = request_.supervision.is_time_over() ? time_over_in_count : cannot_count;
  else if (found.missing > 0)
    found.uncertainty = fmt::format("{} of the counted eigenvalues were not found", found.missing);
  return found;
}

// Doubles the number of wanted eigenvalues until all within the distance are among them.
QuadraticPairs within_distance(const BorderedProblem& problem, const QuadraticPencil& pencil,
                               QuadraticRequest request) {
  constexpr Index first_count = 20;
  const double distance = std::exchange(request.distance, 0);
  for (request.count = std::min(first_count, request.most);;
       request.count = std::min(2 * request.count, request.most)) {
    QuadraticPairs found = find_nearest(problem, pencil, request);
    const bool is_all = found.radius > distance;
    if (is_all || !found.uncertainty.empty() || request.count == request.most) {
      if (!is_all && found.uncertainty.empty())
        found.uncertainty =
            fmt::format("more than {} modes lie in the requested region: these are some of them", request.count);
      return found;
    }
  }
}

}  // namespace

QuadraticPairs find_nearest(const BorderedProblem& problem, const QuadraticPencil& pencil,
                            const QuadraticRequest& request) {
  if (auto pairs = find_lightly_damped(problem, pencil, request)) return *std::move(pairs);
  QuadraticRequest around = request;
  around.aim = request.centre;
  QuadraticPairs first = find_around(problem, pencil, around);
  if (first.is_converged || request.supervision.is_time_over()) return first;
  if (request.distance > 0) return within_distance(problem, pencil, request);
  return MultipleShifts(problem, pencil, request).nearest(std::move(first));
}

}  // namespace stillpoint
