#include "modes/undamped/spectrum_slicing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "base/at.h"
#include "modes/tolerances.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr int most_shifts = 10, most_searches = 4, most_widenings = 20, most_moves = 60;
constexpr int patient = 6, impatient = 2;  // restarts without convergence before another shift is tried
constexpr Index widest_block = 8, most_in_slice = 60;
constexpr double end_offset = 1e-13;  // relative displacement of the end of a region from an eigenvalue
constexpr double no_width = 4e-15;    // relative width below which a slice has no interior
constexpr double narrow = 1e-10;      // relative width of a slice that most likely holds copies only
constexpr Index most_copies = 500;
constexpr double widest_around = 0.9;  // of a region around a frequency: slower motions may be zero
constexpr const char* cannot_count =
    "the eigenvalues cannot be counted: rounding of the matrices is as large as the stiffness of these modes, or a "
    "motion has neither mass nor stiffness";

/// Returns the number of eigenvalues above which a region is made smaller.
Index too_many(Index wanted) { return wanted + std::max<Index>(wanted, 20); }

/// Tells whether the search cannot converge from this shift and a nearer shift is known.
bool needs_closer_shift(const LanczosView& view, Index wanted) {
  return view.size() >= lanczos_capacity(wanted) && view.should_come_nearer();
}

/// A slice of the spectrum between two shifts, neither of which is an eigenvalue.
struct Slice {
  double from = 0, to = 0;
  Index below_from = 0, below_to = 0;

  Index expected() const { return below_to - below_from; }
  Region region() const { return {0.5 * (from + to), 0.5 * (to - from)}; }
  /// The region and as much again on both sides.
  Region neighbourhood() const { return {0.5 * (from + to), to - from}; }
  double size() const { return std::max(std::abs(from), std::abs(to)); }
  bool is_inside(double mu) const { return mu > from + no_width * size() && mu < to - no_width * size(); }
  bool is_narrow() const { return to - from < narrow * size(); }
};

class Search {
 public:
  Search(ConservativePencil& pencil, const SlicingOptions& options)
      : shift_(pencil, options), supervision_(options.supervision) {}

  ConservativePairs lowest(Index count);
  ConservativePairs between(double from, double to);
  std::optional<ConservativePairs> nearest_to(double omega, Index count);

 private:
  struct Content {
    Region region;
    Index below = 0, inside = 0;

    Slice slice() const {
      return {region.centre - region.radius, region.centre + region.radius, below, below + inside};
    }
  };
  std::optional<Content> content_of(const Region& region);
  std::optional<Content> widened(Region region, Index count);
  double width_seen_from(double omega, Index count);
  std::optional<Content> content_around(double omega, Index count);
  std::optional<Region> search_from_best_shift(Index count, ConservativePairs& found);
  std::optional<Region> region_by_counts(Index count, const LanczosView& first);
  std::optional<double> end_by_counts(Index count, double direction, const LanczosView& first,
                                      std::optional<double> far);
  double next_shift(const Slice& slice, std::optional<double> proposed, const ConservativePairs& found) const;

  struct Proposals {
    std::optional<double> below, above;
  };
  void search_for_missing(ConservativePairs& found, double sigma);
  Proposals search_around(const Slice& slice, ConservativePairs& found);
  void fill(const Slice& slice, std::optional<double> proposed, ConservativePairs& found);
  void complete(const Slice& slice, std::optional<double> proposed, ConservativePairs& found);

  ConservativeShift shift_;
  const Supervision& supervision_;
  int moves_left_ = 0;
  std::optional<double> best_shift_;  ///< of those that were tried while counting
  bool is_partial_ = false;           ///< the time was over before as many as were wanted had converged
  bool is_by_counts_ = false;         ///< the region was found by counting and holds more than the wanted eigenvalues
};

std::optional<Search::Content> Search::content_of(const Region& region) {
  const double off = end_offset * region.radius;
  const auto end = shift_.count_below(region.centre + region.radius, off);
  const auto beginning = shift_.count_below(region.centre - region.radius, -off);
  if (!end || !beginning) return {};
  return Content{region, beginning->below, end->below - beginning->below};
}

// As many as are wanted may lie beyond what one shift could show.
std::optional<Search::Content> Search::widened(Region region, Index count) {
  std::optional<Content> best = content_of(region);
  for (int step = 0; best && step < most_widenings && best->inside < count && !supervision_.is_time_over(); ++step) {
    region.radius *= 16;
    const std::optional<Content> wider = content_of(region);
    if (!wider) break;
    if (wider->inside > best->inside) best = wider;
  }
  return best;
}

// Returns a shift amid the eigenvalues that were too far from the last one.
double shift_amid_others(const ConservativePairs& found) {
  const Region& region = found.region;
  double reach = 0;
  for (const double mu : found.mu) reach = std::max(reach, std::abs(mu - region.centre));
  return region.centre + std::sqrt(std::max(reach, 1e-3 * region.radius) * region.radius);
}

// Searches for copies of the eigenvalues found, and for those that were too far from the first shift.
void Search::search_for_missing(ConservativePairs& found, double sigma) {
  for (int without_gain = 0;
       without_gain < most_searches && found.size() < found.expected && !supervision_.is_time_over();) {
    const Index missing = found.expected - found.size();
    if (shift_.at() != sigma && !shift_.move_to(sigma)) break;
    const Eigen::MatrixXd locked = found.z;
    const Index width = found.size() == 0 ? 1 : std::min(missing + 1, widest_block);
    const auto lanczos = shift_.lanczos(width, locked, missing);
    if (lanczos->is_complete()) break;  // all vectors are known
    const LanczosView view = lanczos->run(missing, patient, [&](const LanczosView& now) {
      Index inside = 0;
      for (Index k = 0; k < now.converged(); ++k) inside += found.region.holds(now.mu(k));
      return inside >= missing || now.clear_radius(found.region.centre) >= found.region.radius;
    });
    shift_.take(*lanczos, view, found.region, locked, tolerance::largest_lanczos_residual, found);
    const bool was_in_vain = found.expected - found.size() == missing;
    without_gain += was_in_vain;
    if (was_in_vain || view.is_distant(view.size() - 1, nearest_to_shift(view, found)))
      sigma = shift_amid_others(found);
  }
}

// Searches from the present shift until no more eigenvalues converge. One start vector finds one vector of each
// eigenvalue; once everything visible has converged, a block of start vectors finds the other copies.
Search::Proposals Search::search_around(const Slice& slice, ConservativePairs& found) {
  const Region region = slice.region();
  for (int without_gain = 0; without_gain < most_searches && !supervision_.is_time_over();) {
    const Index known = found.count_in(region), missing = slice.expected() - known;
    const Eigen::MatrixXd locked = found.vectors_in(slice.neighbourhood());
    const Index wanted = slice.is_narrow() ? std::min(missing, 2 * widest_block) : missing;
    const auto lanczos = shift_.lanczos(known == 0 ? 1 : std::min(missing + 1, widest_block), locked, wanted);
    if (lanczos->is_complete()) break;  // all vectors are known
    const double centre = region.centre;
    const LanczosView view = lanczos->run(wanted, impatient, [&](const LanczosView& now) {
      Index inside = 0;
      for (Index k = 0; k < now.converged(); ++k) inside += region.holds(now.mu(k));
      return inside >= missing || now.clear_radius(centre) >= region.radius || needs_closer_shift(now, wanted);
    });
    shift_.take(*lanczos, view, region, locked,
                slice.is_narrow() ? tolerance::largest_lanczos_residual : tolerance::strict_lanczos_residual, found);
    const Index left = slice.expected() - found.count_in(region);
    if (left <= 0) break;
    const bool is_all_seen = view.clear_radius(centre) >= region.radius;
    const bool is_dominated = view.is_distant(view.size() - 1, nearest_to_shift(view, found));
    if (!is_all_seen || is_dominated) return {view.shift_before_next(-1), view.shift_before_next(1)};
    if (left == missing) ++without_gain;
  }
  return {};
}

// Without a better proposal the shift lies amid those that were too far from the last one, or amid the slice, in the
// geometric sense, as they may spread over many decades.
double Search::next_shift(const Slice& slice, std::optional<double> proposed, const ConservativePairs& found) const {
  if (proposed && slice.is_inside(*proposed)) return *proposed;
  const double sign = slice.from + slice.to >= 0 ? 1 : -1;
  const double farther = std::max(sign * slice.from, sign * slice.to);
  const double nearer = std::max(std::min(sign * slice.from, sign * slice.to), 1e-3 * farther);
  double reach = nearer;
  for (const double mu : found.mu) {
    if (slice.is_inside(mu)) reach = std::max(reach, sign * mu);
  }
  return sign * std::sqrt((reach < 0.3 * farther ? reach : nearer) * farther);
}

// Divides a slice with missing eigenvalues at a shift that separates them better.
void Search::fill(const Slice& slice, std::optional<double> proposed, ConservativePairs& found) {
  const Index missing = slice.expected() - found.count_in(slice.region());
  if (missing <= 0) return;
  const double mu = next_shift(slice, proposed, found);
  const auto middle = slice.is_inside(mu) && moves_left_-- > 0 && !supervision_.is_time_over()
                          ? shift_.count_below(mu, 1e-6 * std::min(mu - slice.from, slice.to - mu))
                          : std::nullopt;
  if (!middle || !slice.is_inside(middle->at) || (shift_.at() != middle->at && !shift_.move_to(middle->at))) {
    if (missing > found.hidden.count) found.hidden = {slice.region(), missing};
    return;
  }
  const bool is_worth_it = missing <= (slice.is_narrow() ? most_copies : most_in_slice);
  const Proposals next = is_worth_it ? search_around(slice, found) : Proposals{};
  fill({slice.from, middle->at, slice.below_from, middle->below}, next.below, found);
  fill({middle->at, slice.to, middle->below, slice.below_to}, next.above, found);
}

void Search::complete(const Slice& slice, std::optional<double> proposed, ConservativePairs& found) {
  moves_left_ = most_moves + slice.expected() / 2;
  fill(slice, proposed, found);
  if (found.size() == found.expected) return;
  found.uncertainty = fmt::format("{} eigenvalues were counted by the inertia of two factorisations, and {} were found",
                                  2 * found.expected, 2 * found.size());
}

/// Keeps the `count` eigenvalues of least |μ|, and those that follow without a gap.
void trim(ConservativePairs& found, Index count) {
  std::vector<Eigen::Index> order(at(found.size()));
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](Eigen::Index k) { return std::abs(found.mu[k]); };
  std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return size(a) < size(b); });
  const auto room_before = [&](auto next) {
    const double error = found.error[*next] + found.error[*(next - 1)];
    return size(*next) - size(*(next - 1)) - 10 * error - tolerance::no_gap_of_slices * size(*next) -
           tolerance::zero_mu;
  };
  double widest = 0;
  for (auto next = order.begin() + count; next < order.end(); ++next) widest = std::max(widest, room_before(next));
  if (widest == 0) return;
  auto next = order.begin() + count;
  while (room_before(next) < 0.3 * widest) ++next;
  found.region = {0, 0.5 * (size(*(next - 1)) + size(*next))};
  const auto is_negative = [&](Eigen::Index k) { return found.mu[k] < 0; };
  const auto dropped = static_cast<Index>(std::count_if(next, order.end(), is_negative));
  found.below += dropped;
  found.before += dropped;
  order.erase(next, order.end());
  found.expected = static_cast<Index>(order.size());
  found.keep(order);
}

/// Finds eigenvalues from the first shift or a better one; if convergence is too slow, none, and the region by
/// counting.
std::optional<Region> Search::search_from_best_shift(Index count, ConservativePairs& found) {
  const Eigen::MatrixXd nothing_locked;
  for (int attempt = 0;; ++attempt) {
    const auto lanczos = shift_.lanczos(1, nothing_locked, count);
    if (lanczos->is_complete()) return Region{};  // no direction has mass
    std::optional<double> better;
    int full_views = 0;
    const LanczosView view = lanczos->run(count, patient, [&](const LanczosView& now) {
      full_views += now.size() >= lanczos_capacity(count);
      if (attempt + 1 < most_shifts) better = now.better_shift(count, full_views > 3);
      return better || now.region_of_lowest(count) || (full_views > 4 && now.should_come_nearer());
    });
    if (better && shift_.move_beside(*better)) continue;
    std::optional<Region> region = view.region_of_lowest(count);
    if (supervision_.is_time_over()) {
      for (Index fewer = count - 1; !region && fewer > 0; --fewer) region = view.region_of_lowest(fewer);
      if (!region) return {};
      is_partial_ = true;
    }
    if (!region) return region_by_counts(count, view);
    shift_.take(*lanczos, view, *region, nothing_locked, tolerance::largest_lanczos_residual, found);
    return region;
  }
}

// Returns a place with at least `count` eigenvalues between it and the first shift, and not many more, or all up to
// `far`. The shift moves towards them until such a place is visible.
std::optional<double> Search::end_by_counts(Index count, double direction, const LanczosView& first,
                                            std::optional<double> far) {
  const auto begin = shift_.count_below(first.shift(), 0);
  if (!begin) return {};
  const Eigen::MatrixXd nothing_locked;
  double near = first.shift();
  std::optional<double> proposed = first.shift_before_next(direction);
  for (int move = 0; move < most_moves && !supervision_.is_time_over(); ++move) {
    Slice rest{near, far.value_or(direction * std::numeric_limits<double>::infinity())};
    if (direction < 0) std::swap(rest.from, rest.to);
    const double beyond = near + direction * std::max(std::abs(near), -shift_beside_zero);
    double mu = proposed.value_or(rest.to);
    if (!(mu > rest.from && mu < rest.to)) mu = far ? 0.5 * (near + *far) : beyond;
    if (far && !rest.is_inside(mu)) return far;
    const auto there = shift_.count_below(mu, direction * 1e-6 * std::abs(mu - near));
    if (!there) return far;
    const Index between = std::abs(there->below - begin->below);
    proposed.reset();
    if (between > too_many(count)) {
      far = there->at;
      continue;
    }
    if (between >= count) return there->at;
    best_shift_ = near = there->at;
    if (shift_.at() != near && !shift_.move_to(near)) return far;
    const Index wanted = count - between;
    const auto lanczos = shift_.lanczos(1, nothing_locked, wanted);
    const LanczosView view = lanczos->run(wanted, impatient, [&](const LanczosView& now) {
      return now.end_beyond(wanted, direction) || needs_closer_shift(now, wanted);
    });
    if (const auto end = view.end_beyond(wanted, direction)) return end;
    proposed = view.shift_before_next(direction);
  }
  return far;
}

// Counts on the side nearer to the first shift, then on the other one if it holds many more.
std::optional<Region> Search::region_by_counts(Index count, const LanczosView& first) {
  is_by_counts_ = true;
  const double nearer = first.mu(0) > first.shift() ? 1 : -1;
  const auto end = end_by_counts(count, nearer, first, {});
  if (!end) return {};
  const double radius = std::max(std::abs(*end), 10 * tolerance::zero_mu);
  const auto content = content_of({0, radius});
  if (!content || content->inside <= too_many(2 * count)) return Region{0, radius};
  const auto other = end_by_counts(count, -nearer, first, -nearer * radius);
  return Region{0, other ? std::min(radius, std::abs(*other)) : radius};
}

ConservativePairs Search::lowest(Index count) {
  count = std::min(count, shift_.dof());
  ConservativePairs found = shift_.no_pairs();
  if (count == 0) return found;
  if (!shift_.move_to(0) && !shift_.move_beside(shift_beside_zero))
    throw Error("the matrices are singular at every shift: a motion has neither mass nor stiffness");
  const std::optional<Region> region = search_from_best_shift(count, found);
  if (!region) {
    found.is_converged = false;
    found.uncertainty = supervision_.is_time_over() ? "the time limit was reached before a mode was found"
                                                    : fmt::format("the lowest {} modes do not converge", count);
    return found;
  }
  if (region->radius == 0) return found;
  found.region = *region;
  const double sigma = shift_.at();
  const auto content = widened(found.region, count);
  if (!content) {
    found.expected = found.size();
    found.uncertainty = cannot_count;
    return found;
  }
  found.region = content->region;
  found.below = found.before = content->below;
  found.expected = content->inside;
  const bool is_ordinary = !is_by_counts_ && found.expected - found.size() <= std::max(most_copies, 4 * count);
  if (is_ordinary) search_for_missing(found, sigma);
  complete(content->slice(), best_shift_.value_or(sigma), found);
  if (is_by_counts_ && found.uncertainty.empty() && found.size() > count) trim(found, count);
  found.is_out_of_time = supervision_.is_time_over();
  if (is_partial_ && found.uncertainty.empty() && found.size() < count)
    found.uncertainty = fmt::format(
        "the time limit was reached when {} of {} modes had been found: these are the lowest", found.size(), count);
  return found;
}

ConservativePairs Search::between(double from, double to) {
  const double width = to - from, off = std::clamp(tolerance::zero_mu, 1e-9 * width, 1e-3 * width);
  if (std::abs(from) <= off) from = -off;
  if (std::abs(to) <= off) to = -off;
  const auto end = shift_.count_below(to, off), beginning = shift_.count_below(from, -off);
  const auto before_zero = shift_.count_below(-off, -off);
  const auto after_zero = from > off ? shift_.count_below(off, off) : before_zero;
  ConservativePairs found = shift_.no_pairs();
  if (!end || !beginning || !before_zero || !after_zero) {
    found.is_converged = false;
    found.uncertainty = cannot_count;
    return found;
  }
  const Slice slice{beginning->at, end->at, beginning->below, end->below};
  found.region = slice.region();
  found.expected = slice.expected();
  found.before = slice.below_from;
  found.below = to > 0 ? before_zero->below : before_zero->below - slice.expected();
  found.at_zero = after_zero->below - before_zero->below;
  complete(slice, {}, found);
  found.is_out_of_time = supervision_.is_time_over();
  return found;
}

/// The region ω − h < √μ < ω + h.
Region around(double omega, double h) { return {omega * omega + h * h, 2 * omega * h}; }

// Returns a first guess of the width; only the work depends on it.
double Search::width_seen_from(double omega, Index count) {
  constexpr double usual = 1e-3;
  if (!shift_.move_beside(omega * omega)) return usual * omega;
  const Eigen::MatrixXd nothing_locked;
  const auto lanczos = shift_.lanczos(1, nothing_locked, count);
  if (lanczos->is_complete()) return usual * omega;
  const LanczosView view = lanczos->run(count + 1, impatient, [&](const LanczosView& now) {
    return now.converged() > count || needs_closer_shift(now, count);
  });
  std::vector<double> off;
  for (Index k = 0; k < view.converged(); ++k) off.push_back(std::abs(std::sqrt(std::max(0.0, view.mu(k))) - omega));
  if (off.empty()) return usual * omega;
  std::sort(off.begin(), off.end());
  const auto last = std::min(at(count), off.size()) - 1;
  return last + 1 < off.size() ? 0.5 * (off[last] + off[last + 1]) : 1.1 * off[last];
}

// Finds a region with as many eigenvalues as are wanted, and not many more unless they are copies.
std::optional<Search::Content> Search::content_around(double omega, Index count) {
  constexpr double step = 16, least = 1e-6;  // relative: nearer values are most likely copies
  const double farthest = widest_around * omega;
  std::optional<Content> best;
  double few = 0, enough = farthest, h = std::clamp(width_seen_from(omega, count), least * omega, 0.5 * farthest);
  for (int k = 0; k < most_widenings; ++k) {
    std::optional<Content> content = content_of(around(omega, h));
    if (!content) return {};
    const Index inside = content->inside;
    if (inside >= count) {
      enough = h;
      best = std::move(content);
      if (inside <= too_many(count) || h <= least * omega) break;
    } else {
      few = h;
    }
    if (few == farthest) return {};
    h = !best     ? std::min(step * few, farthest)
        : few > 0 ? std::sqrt(few * enough)
                  : std::max(enough / step, least * omega);
    if (few > 0 && best && enough < (1 + least) * few) break;
  }
  return best;
}

/// Keeps the `count` eigenvalues nearest to ω, and copies of the last one.
void trim_around(double omega, ConservativePairs& found, Index count) {
  const auto off = [&](Eigen::Index k) { return std::abs(std::sqrt(std::max(0.0, found.mu[k])) - omega); };
  std::vector<Eigen::Index> order(at(found.size()));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) { return off(a) < off(b); });
  const auto is_room_before = [&](auto next) {
    const double error = (found.error[*next] + found.error[*(next - 1)]) / omega;  // twice the error of √μ
    return off(*next) - off(*(next - 1)) > 10 * error + tolerance::no_gap_of_slices * omega;
  };
  auto next = order.begin() + count;
  while (next < order.end() && !is_room_before(next)) ++next;
  if (next == order.end()) return;
  found.region = around(omega, 0.5 * (off(*(next - 1)) + off(*next)));
  found.before +=
      static_cast<Index>(std::count_if(next, order.end(), [&](Eigen::Index k) { return found.mu[k] < omega * omega; }));
  order.erase(next, order.end());
  found.expected = static_cast<Index>(order.size());
  found.keep(order);
}

std::optional<ConservativePairs> Search::nearest_to(double omega, Index count) {
  if (count == 0) return {};
  const std::optional<Content> content = content_around(omega, count);
  if (!content) return {};
  const Region& region = content->region;
  ConservativePairs found = between(region.centre - region.radius, region.centre + region.radius);
  if (found.is_certified()) trim_around(omega, found, count);
  return found;
}

ConservativePairs sorted(ConservativePairs found) {
  std::vector<Eigen::Index> order(at(found.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return found.mu[a] < found.mu[b]; });
  found.mu = found.mu(order).eval();
  found.error = found.error(order).eval();
  found.z = found.z(Eigen::all, order).eval();
  return found;
}

}  // namespace

// If the result is not certified, one or two eigenvalues more may end at a gap: rigid-body motions are equal but for
// rounding.
ConservativePairs find_lowest(ConservativePencil& pencil, Index count, const SlicingOptions& options) {
  ConservativePairs found = Search(pencil, options).lowest(count);
  for (const Index more : {1, 2}) {
    if (found.is_certified() || found.is_out_of_time || count + more > pencil.dof()) break;
    ConservativePairs with_more = Search(pencil, options).lowest(count + more);
    if (with_more.is_certified()) found = std::move(with_more);
  }
  return sorted(std::move(found));
}

std::optional<ConservativePairs> find_nearest_to(ConservativePencil& pencil, double omega, Index count,
                                                 const SlicingOptions& options) {
  std::optional<ConservativePairs> found = Search(pencil, options).nearest_to(omega, std::min(count, pencil.dof()));
  if (found && found->is_converged) found = sorted(std::move(*found));
  return found;
}

ConservativePairs find_between(ConservativePencil& pencil, double from, double to, const SlicingOptions& options) {
  return sorted(Search(pencil, options).between(from, to));
}

}  // namespace stillpoint
