#include "modes/quadratic_stations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/disc_count.h"
#include "modes/lightly_damped.h"
#include "modes/real_pairs.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr int most_moves = 30, most_places = 8, most_in_vain = 2;
constexpr Index besides = 6;               // so many more than are wanted, to find room between them
constexpr double indistinct = 1e-13;       // relative: between such neighbours no region can end
constexpr double nearly_real = 1e-3;       // of the distance to the point: a shift that is real is cheaper
constexpr double off_the_blinding = 1e-2;  // of the distance of the others
constexpr double least_step = 1e-13;       // relative, of a shift
constexpr const char* nothing_to_count =
    "the eigenvalues cannot be counted: others are nearer to the edge of the region than can be told";

struct Disc {
  Complex centre;
  double radius = 0;

  /// Or its conjugate is.
  bool holds(Complex s) const { return std::min(std::abs(s - centre), std::abs(std::conj(s) - centre)) < radius; }
};

/// By an eigenvalue so near to the shift that rounding leaves little of the others.
bool is_blinded(const QuadraticPairs& pairs, Complex shift) {
  constexpr double nearest = 1e-5;
  return pairs.size() > 0 && (pairs.s.array() - shift).abs().minCoeff() < nearest * pairs.radius;
}

class Stations {
 public:
  Stations(const BorderedProblem& problem, const QuadraticPencil& pencil, const QuadraticRequest& request)
      : problem_(problem), pencil_(pencil), request_(request) {}

  QuadraticPairs nearest(QuadraticPairs first);

 private:
  double size(Complex s) const { return std::abs(s - request_.centre); }
  QuadraticPairs find_at(Complex centre, Index count);
  bool find_near(Unsettled target, Index count);
  void add(QuadraticPairs pairs, Complex centre);
  void remember(const std::vector<Unsettled>& seen);
  std::optional<Unsettled> next_target(double within) const;
  std::optional<Gap> gap() const;
  std::optional<Index> unknown_in(const Gap& gap);
  QuadraticPairs put_together(double radius) const;
  QuadraticPairs without_edge(const QuadraticPairs& first) const;

  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  QuadraticRequest request_;
  std::vector<Disc> discs_;
  std::vector<Unsettled> targets_;
  Eigen::VectorXcd s_;
  Eigen::MatrixXcd x_;
  double counting_seconds_ = 0;
};

// A shift on the near side of what is looked for; how far before it, tells how unsure that is.
Complex before(const Unsettled& target, Complex point) {
  const Complex way = point - target.s;
  const double distance = std::abs(way);
  return distance == 0 ? target.s : target.s + way / distance * std::min(0.5 * distance, target.unsure);
}

QuadraticPairs Stations::find_at(Complex centre, Index count) {
  QuadraticRequest request = request_;
  request.centre = centre;
  request.count = count;
  request.aim = request_.centre;
  request.stays = centre != request_.centre;
  QuadraticPairs pairs = find_around(problem_, pencil_, request);
  if (centre.imag() != 0 && !keep_upper(pairs.s, pairs.x, problem_, std::abs(centre) + pairs.radius))
    pairs.doubt = "which values are real could not be told for all of them";
  counting_seconds_ += pairs.counting_seconds;
  return pairs;
}

// False if nothing there converges, or only what is known.
bool Stations::find_near(Unsettled target, Index count) {
  Complex last = request_.centre;
  double least_unsure = std::numeric_limits<double>::infinity();
  for (int move = 0, in_vain = 0; move < most_moves; ++move) {
    Complex shift = before(target, request_.centre);
    if (std::abs(shift.imag()) < nearly_real * std::abs(shift - target.s)) shift = shift.real();
    if (std::abs(shift - last) < least_step * std::abs(shift) || in_vain > most_in_vain) return false;
    last = shift;
    QuadraticPairs pairs = find_at(shift, count);
    remember(pairs.unsettled);
    if (pairs.is_settled && is_blinded(pairs, shift)) {
      target.unsure = off_the_blinding * pairs.radius;
      continue;
    }
    if (pairs.is_settled) {
      add(std::move(pairs), shift);
      return true;
    }
    if (pairs.unsettled.empty()) return false;
    in_vain = target.unsure < 0.5 * least_unsure ? 0 : in_vain + 1;
    least_unsure = std::min(least_unsure, target.unsure);
    target = *std::min_element(
        pairs.unsettled.begin(), pairs.unsettled.end(),
        [&](const Unsettled& a, const Unsettled& b) { return std::abs(a.s - shift) < std::abs(b.s - shift); });
  }
  return false;
}

void Stations::add(QuadraticPairs pairs, Complex centre) {
  std::vector<Eigen::Index> fresh;
  for (Eigen::Index k = 0; k < pairs.s.size(); ++k) {
    const auto holds = [&](const Disc& disc) { return disc.holds(pairs.s[k]); };
    if (std::none_of(discs_.begin(), discs_.end(), holds)) fresh.push_back(k);
  }
  const Eigen::Index before = s_.size(), all = before + static_cast<Eigen::Index>(fresh.size());
  s_.conservativeResize(all);
  x_.conservativeResize(pencil_.size(), all);
  s_.tail(all - before) = pairs.s(fresh);
  x_.rightCols(all - before) = pairs.x(Eigen::all, fresh);
  discs_.push_back({centre, pairs.radius});
}

void Stations::remember(const std::vector<Unsettled>& seen) {
  targets_.insert(targets_.end(), seen.begin(), seen.end());
}

std::optional<Unsettled> Stations::next_target(double within) const {
  std::optional<Unsettled> next;
  for (const Unsettled& target : targets_) {
    const auto holds = [&](const Disc& disc) { return Disc{disc.centre, disc.radius + target.unsure}.holds(target.s); };
    if (size(target.s) - target.unsure > within || std::any_of(discs_.begin(), discs_.end(), holds)) continue;
    if (!next || size(target.s) < size(next->s)) next = target;
  }
  return next;
}

// Beyond so many as are wanted, where there is about as much room as anywhere.
std::optional<Gap> Stations::gap() const {
  std::vector<double> sizes;
  for (const Complex s : s_) sizes.push_back(size(s));
  std::sort(sizes.begin(), sizes.end());
  std::vector<Gap> gaps;
  double widest = 0;
  for (std::size_t k = at(request_.count); k < sizes.size(); ++k) {
    const double last = k > 0 ? sizes[k - 1] : 0;
    if (sizes[k] - last <= indistinct * sizes[k]) continue;
    gaps.push_back({last, sizes[k]});
    widest = std::max(widest, sizes[k] - last);
  }
  for (const Gap& gap : gaps) {
    if (gap.to - gap.from >= 0.3 * widest) return gap;
  }
  return {};
}

std::optional<Index> Stations::unknown_in(const Gap& gap) {
  const Stopwatch watch;
  if (request_.progress) request_.progress("counting");
  const auto unknown = DiscCount(problem_, pencil_, request_.centre, gap).unknown(with_conjugates(s_));
  counting_seconds_ += watch.seconds();
  return unknown;
}

QuadraticPairs Stations::put_together(double radius) const {
  std::vector<Eigen::Index> inside;
  for (Eigen::Index k = 0; k < s_.size(); ++k) {
    if (size(s_[k]) < radius) inside.push_back(k);
  }
  std::stable_sort(inside.begin(), inside.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return size(s_[a]) < size(s_[b]); });
  QuadraticPairs found;
  found.s = s_(inside);
  found.x = x_(Eigen::all, inside);
  found.radius = radius;
  found.counting_seconds = counting_seconds_;
  return found;
}

// What converged, though it is not sure to be the nearest.
QuadraticPairs Stations::without_edge(const QuadraticPairs& first) const {
  double farthest = first.radius;
  for (const Complex s : s_) farthest = std::max(farthest, (1 + indistinct) * size(s));
  QuadraticPairs found = put_together(farthest);
  found.doubt = first.doubt;
  if (const auto target = next_target(std::numeric_limits<double>::infinity())) {
    const double gamma = problem_.frequency_scale();
    found.doubt += fmt::format("; others seem to lie densely near {:.6g} {:+.6g}i", gamma * target->s.real(),
                               gamma * target->s.imag());
  }
  return found;
}

QuadraticPairs Stations::nearest(QuadraticPairs first) {
  x_.resize(pencil_.size(), 0);
  counting_seconds_ = first.counting_seconds;
  remember(first.unsettled);
  if (first.size() > 0) add(find_at(request_.centre, first.size()), request_.centre);
  std::optional<Gap> edge;
  std::optional<Index> unknown;
  for (int place = 0; place < most_places; ++place) {
    const std::optional<Unsettled> target =
        next_target(edge ? edge->middle() : std::numeric_limits<double>::infinity());
    if (!target || !find_near(*target, request_.count + besides)) break;
    edge = gap();
    if (!edge || !request_.counts) continue;
    unknown = unknown_in(*edge);
    if (unknown == 0) break;
  }
  if (!edge) return without_edge(first);
  QuadraticPairs found = put_together(edge->middle());
  found.missing = std::max<Index>(unknown.value_or(0), 0);
  if (request_.counts && !unknown) found.doubt = nothing_to_count;
  else if (found.missing > 0)
    found.doubt = fmt::format("{} eigenvalues that were counted there could not be found", found.missing);
  return found;
}

// Twice as many again and again, until all in the distance are among them.
QuadraticPairs within_distance(const BorderedProblem& problem, const QuadraticPencil& pencil,
                               QuadraticRequest request) {
  constexpr Index first_count = 20;
  const double distance = std::exchange(request.distance, 0);
  for (request.count = std::min(first_count, request.most);;
       request.count = std::min(2 * request.count, request.most)) {
    QuadraticPairs found = find_nearest(problem, pencil, request);
    const bool is_all = found.radius > distance;
    if (is_all || !found.doubt.empty() || request.count == request.most) {
      if (!is_all && found.doubt.empty())
        found.doubt =
            fmt::format("more than {} modes lie where they are asked for: these are some of them", request.count);
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
  if (first.is_settled) return first;
  if (request.distance > 0) return within_distance(problem, pencil, request);
  return Stations(problem, pencil, request).nearest(std::move(first));
}

}  // namespace stillpoint
