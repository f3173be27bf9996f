#include "modes/damped/light_damping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/count/disc_count.h"
#include "modes/damped/galerkin_space.h"
#include "modes/tolerances.h"
#include "modes/undamped/lanczos_view.h"
#include "modes/undamped/spectrum_slicing.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double negligible_part = 0.1;       // of the tolerance of a vector
constexpr double part_of_largest = 0.03;      // of the largest correction: smaller ones wait
constexpr double least_undamped_share = 0.5;  // of the length of a vector
constexpr double required_reduction = 0.5;    // of the change in the previous round
constexpr double shift_ratio = 0.1;           // of the largest undamped frequency
constexpr int most_rounds = 12;
constexpr Eigen::Index solved_together = 8;  // real vectors that are solved for together

Index additional(Index wanted) { return std::max<Index>(4, wanted / 4); }

/// The wanted eigenvalues among those of the projected problem, and the gaps that separate them from the others.
struct Part {
  Index first = 0, count = 0;
  std::optional<Gap> inner;  ///< empty if the wanted eigenvalues begin at zero
  Gap outer;
};

struct Approximation {
  Part part;
  Eigen::VectorXcd s;
  Eigen::MatrixXcd z;                                      ///< coefficients of the vectors before their correction
  std::vector<std::shared_ptr<const Eigen::VectorXcd>> x;  ///< coordinates and multipliers; null while not held
  Eigen::VectorXd change;                                  ///< of the coordinates in the last correction, relative

  double largest_change() const { return change.size() > 0 ? change.maxCoeff() : 0; }
  /// Estimates the error of x, which is one correction ahead of the measured change.
  double error_after(const std::optional<Approximation>& before) const {
    const double now = largest_change();
    return before ? now * std::min(1.0, now / before->largest_change()) : now;
  }
};

/// Returns the first gap that is sufficiently wide, else the widest.
std::optional<std::size_t> first_wide_gap(const std::vector<Gap>& gaps) {
  double widest = 0;
  std::optional<std::size_t> best;
  for (std::size_t k = 0; k < gaps.size() && widest < tolerance::wide_gap; ++k) {
    const double width = 1 - gaps[k].from / gaps[k].to;
    if (width <= widest) continue;
    widest = width;
    best = k;
  }
  return best;
}

class Search {
 public:
  Search(const BorderedProblem& problem, const QuadraticPencil& quadratic, const QuadraticRequest& request)
      : problem_(problem),
        quadratic_(quadratic),
        request_(request),
        pencil_(problem),
        inner_product_(with_regularized_mass(problem.M().copy())),
        tolerance_(vector_tolerance(pencil_.size())),
        space_(std::in_place, problem, inner_product_, [this](const Eigen::MatrixXd& x) { return projected(x); }) {}

  std::optional<QuadraticPairs> nearest();
  std::optional<QuadraticPairs> search_nearby();

 private:
  std::optional<QuadraticPairs> search();
  std::optional<QuadraticPairs> converged(bool keeps_beyond);
  void improve_beyond(const GalerkinValues& values, const Part& part);
  void leave(const GalerkinValues& values, const Approximation& best);
  bool find_undamped();
  bool find_band();
  bool shift_amid();
  std::optional<Index> undamped_below(double mu) const;
  Eigen::MatrixXd projected(const Eigen::MatrixXd& x) const;
  void add_responses_to_damping();
  GalerkinValues known_values() const;
  Region region_beyond(const GalerkinValues& values) const;
  std::optional<Part> part_of(const GalerkinValues& values) const;
  Approximation improved(const GalerkinValues& values, const Part& part, std::optional<Approximation>& before);
  void restore(Approximation& best) const;
  Eigen::MatrixXcd next_to(const Eigen::VectorXcd& s, const Eigen::MatrixXcd& x) const;
  void keep_significant();
  void enlarge();
  std::optional<Index> unknown_in(const Part& part, const std::vector<Complex>& known, QuadraticPairs& pairs) const;
  std::optional<QuadraticPairs> counted(Approximation found) const;

  const BorderedProblem& problem_;
  const QuadraticPencil& quadratic_;
  const QuadraticRequest& request_;
  ConservativePencil pencil_;
  SparseMatrix inner_product_;
  double tolerance_;
  std::optional<GalerkinSpace> space_;
  ProjectedUndamped projected_;  ///< onto the space, when that is gone
  ConservativePairs undamped_;
  Region region_;           ///< with some modes more than are wanted
  Index start_size_ = 0;    ///< of the space of undamped modes, or of what takes their place
  Index known_nearby_ = 0;  ///< so many of the lowest lie in the region, which ends beyond them; 0: the region is known
  std::vector<Eigen::VectorXd> corrections_;  ///< parts of the last changes that are not negligible, relative
};

// Finds the wanted undamped modes and some more beyond them, so that the region has gaps at its ends.
bool Search::find_undamped() {
  // No band is known for a number of modes.
  if (request_.from > 0) return request_.distance > request_.from && find_band();
  Index wanted = request_.count;
  if (request_.distance > 0) {
    if (!pencil_.shift(request_.distance * request_.distance)) return false;
    wanted = std::max<Index>(pencil_.below(), 0);
    if (wanted > request_.most) return false;
  }
  if (wanted + additional(wanted) >= pencil_.dof()) return false;
  undamped_ = find_lowest(pencil_, wanted + additional(wanted), {.supervision = request_.supervision});
  return undamped_.is_certified();
}

bool Search::find_band() {
  const double from = request_.from, to = request_.distance;
  for (double room = 0.25 * (to - from); room < from; room *= 4) {
    undamped_ =
        find_between(pencil_, std::pow(from - room, 2), std::pow(to + room, 2), {.supervision = request_.supervision});
    if (!undamped_.is_certified()) return false;
    const bool covers_band =
        undamped_.size() > 0 && undamped_.mu.minCoeff() < from * from && undamped_.mu.maxCoeff() > to * to;
    if (covers_band) return true;
  }
  return false;
}

// Shifts to the widest gap between the undamped eigenvalues, away from the ends.
bool Search::shift_amid() {
  const Eigen::VectorXd& mu = undamped_.mu;
  const Eigen::Index count = mu.size();
  double widest = 0, sigma = 0;
  for (Eigen::Index k = count / 4; k + 1 < count - count / 4; ++k) {
    if (mu[k + 1] - mu[k] <= widest) continue;
    widest = mu[k + 1] - mu[k];
    sigma = 0.5 * (mu[k + 1] + mu[k]);
  }
  return pencil_.shift(sigma);
}

std::optional<Index> Search::undamped_below(double mu) const {
  if (!undamped_.region.holds(mu)) return {};
  return undamped_.before + static_cast<Index>((undamped_.mu.array() < mu).count());
}

Eigen::MatrixXd Search::projected(const Eigen::MatrixXd& x) const {
  Eigen::MatrixXd z = Eigen::MatrixXd::Zero(pencil_.size(), x.cols());
  z.topRows(x.rows()) = x;
  return pencil_.project(std::move(z)).topRows(x.rows());
}

// Adds what the damping forces of the undamped modes lead to.
void Search::add_responses_to_damping() {
  const Eigen::Index n = problem_.M().rows();
  space_->add(undamped_.size(), [&](Eigen::Index first, Eigen::Index some) -> Eigen::MatrixXd {
    Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(pencil_.size(), some);
    forces.topRows(n) = problem_.C() * undamped_.z.block(0, first, n, some);
    return pencil_.solve_columns(std::move(forces)).topRows(n);
  });
}

// Keeps the eigenvalues whose vectors lie mostly in the span of the undamped modes. The others in this range
// approximate mixtures of modes that lie elsewhere.
GalerkinValues Search::known_values() const {
  const double end = std::sqrt(region_.centre + region_.radius);
  const GalerkinValues all = space_->values(shift_ratio * end);
  const Eigen::VectorXd shares = space_->share_of_first(start_size_, all.z);
  std::vector<Eigen::Index> known;
  for (Eigen::Index k = 0; k < all.s.size() && (known_nearby_ == 0 || std::ssize(known) < known_nearby_); ++k) {
    if (shares[k] > least_undamped_share && (known_nearby_ > 0 || region_.holds(std::norm(all.s[k]))))
      known.push_back(k);
  }
  return {all.s(known), all.z(Eigen::all, known)};
}

// Where the values have moved, so has the end of the region beyond them.
Region Search::region_beyond(const GalerkinValues& values) const {
  if (known_nearby_ == 0 || values.size() == 0) return region_;
  return {0, std::norm(request_.nearby->beyond * values.s[values.size() - 1])};
}

std::optional<Part> Search::part_of(const GalerkinValues& values) const {
  const Region& region = region_;
  const Index count = values.size();
  const double from = request_.from, to = request_.distance;
  const auto magnitude = [&](Index k) {
    if (k < 0) return std::sqrt(std::max(0.0, region.centre - region.radius));
    return k < count ? std::abs(values.s[k]) : std::sqrt(region.centre + region.radius);
  };
  const auto below = [&](double end) {
    return static_cast<Index>(
        std::count_if(values.s.begin(), values.s.end(), [&](Complex s) { return std::abs(s) < end; }));
  };
  Part part;
  if (from > 0) {
    std::vector<Gap> before;
    for (Index k = below(from); k >= 0; --k) before.push_back({magnitude(k - 1), std::min(magnitude(k), from)});
    const auto chosen = first_wide_gap(before);
    if (!chosen) return {};
    part.inner = before[*chosen];
    part.first = below(from) - static_cast<Index>(*chosen);
  }
  const Index least = to > 0 ? below(to) : request_.count;
  std::vector<Gap> beyond;
  for (Index k = least; k <= count; ++k) beyond.push_back({std::max(magnitude(k - 1), to), magnitude(k)});
  const auto chosen = first_wide_gap(beyond);
  if (!chosen) return {};
  part.outer = beyond[*chosen];
  part.count = least + static_cast<Index>(*chosen) - part.first;
  return part;
}

/// Tells which eigenvalues have converged. Of nearly equal ones all have or none, as their vectors may be combined
/// anew.
std::vector<bool> converged_ones(const std::optional<Approximation>& before, const Eigen::VectorXcd& s,
                                 double tolerance) {
  std::vector<bool> converged_ones(at(s.size()), false);
  if (!before || before->s.size() != s.size()) return converged_ones;
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    const Eigen::ArrayXd apart = (before->s.array() - s[k]).abs();
    converged_ones[at(k)] =
        apart[k] <= tolerance::shared_eigenspace * std::abs(s[k]) &&
        (before->change.array() <= tolerance || apart > tolerance::shared_eigenspace * std::abs(s[k])).all();
  }
  return converged_ones;
}

// Returns the vector with coordinates of length 1.
std::shared_ptr<const Eigen::VectorXcd> normalized(const Eigen::Ref<const Eigen::VectorXcd>& both,
                                                   Eigen::Index coordinates) {
  return std::make_shared<Eigen::VectorXcd>(both / both.head(coordinates).norm());
}

// Improves the vectors that have not converged, some at a time. A correction along the vector itself changes its length
// only: rounding of K − σM, in which both may differ by fifteen digits, makes it as large as ε‖K‖/|μ − σ|. The vectors
// of the round before give their memory to those that take their place.
Approximation Search::improved(const GalerkinValues& values, const Part& part, std::optional<Approximation>& before) {
  Approximation now{part,
                    values.s.segment(part.first, part.count),
                    values.z.middleCols(part.first, part.count),
                    {},
                    Eigen::VectorXd(part.count)};
  now.x.resize(at(part.count));
  const std::vector<bool> stays = converged_ones(before, now.s, tolerance_);
  std::vector<Eigen::Index> which;
  for (Eigen::Index k = 0; k < part.count; ++k) {
    if (!stays[at(k)]) {
      which.push_back(k);
      continue;
    }
    now.s[k] = before->s[k];
    now.z.col(k).setZero();
    now.z.col(k).head(before->z.rows()) = before->z.col(k);
    now.x[at(k)] = before->x[at(k)];
    now.change[k] = before->change[k];
  }
  if (before) {
    before->x = now.x;
    before->x.resize(at(before->part.count));
  }
  corrections_.clear();
  const Eigen::MatrixXcd z = now.z(Eigen::all, which);
  const Eigen::VectorXcd s = now.s(which);
  for (Eigen::Index first = 0; first < z.cols(); first += solved_together / 2) {
    const Eigen::Index some = std::min(solved_together / 2, z.cols() - first);
    const Eigen::MatrixXcd x = space_->vectors(z.middleCols(first, some)), next = next_to(s.segment(first, some), x);
    for (Eigen::Index column = 0; column < some; ++column) {
      const Eigen::Index k = which[at(first + column)];
      Eigen::VectorXcd correction = next.col(column).head(x.rows()) - x.col(column);
      correction -= x.col(column) * (x.col(column).dot(correction) / x.col(column).squaredNorm());
      correction /= x.col(column).norm();
      now.change[k] = correction.norm();
      now.x[at(k)] = normalized(next.col(column), x.rows());
      corrections_.emplace_back(correction.real());
      corrections_.emplace_back(correction.imag());
    }
    keep_significant();
  }
  return now;
}

// Makes the vectors again whose memory a round in vain has taken.
void Search::restore(Approximation& best) const {
  std::vector<Eigen::Index> which;
  for (Eigen::Index k = 0; k < best.part.count; ++k) {
    if (!best.x[at(k)]) which.push_back(k);
  }
  Eigen::MatrixXcd z = Eigen::MatrixXcd::Zero(space_->size(), std::ssize(which));
  z.topRows(best.z.rows()) = best.z(Eigen::all, which);
  const Eigen::VectorXcd s = best.s(which);
  for (Eigen::Index first = 0; first < z.cols(); first += solved_together / 2) {
    const Eigen::Index some = std::min(solved_together / 2, z.cols() - first);
    const Eigen::MatrixXcd x = space_->vectors(z.middleCols(first, some)), next = next_to(s.segment(first, some), x);
    for (Eigen::Index column = 0; column < some; ++column)
      best.x[at(which[at(first + column)])] = normalized(next.col(column), x.rows());
  }
}

// The correction of theory (11.9). K does not occur in it, so nothing cancels.
Eigen::MatrixXcd Search::next_to(const Eigen::VectorXcd& s, const Eigen::MatrixXcd& x) const {
  const Eigen::Index count = x.cols();
  Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(pencil_.size(), 2 * count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXcd at_k = x.col(k);
    const Eigen::VectorXcd force = -(s[k] * s[k] + pencil_.at()) * (problem_.M() * at_k) - s[k] * (problem_.C() * at_k);
    forces.col(k).head(x.rows()) = force.real();
    forces.col(count + k).head(x.rows()) = force.imag();
  }
  const Eigen::MatrixXd both = pencil_.solve_columns(std::move(forces));
  Eigen::MatrixXcd after(both.rows(), count);
  after.real() = both.leftCols(count);
  after.imag() = both.rightCols(count);
  return after;
}

// With the phase that the eigenvectors have, the real parts of the corrections are mostly rounding.
void Search::keep_significant() {
  double largest = 0;
  for (const Eigen::VectorXd& correction : corrections_) largest = std::max(largest, correction.norm());
  const double least = std::max(negligible_part * tolerance_, part_of_largest * largest);
  std::erase_if(corrections_, [&](const Eigen::VectorXd& correction) { return correction.norm() <= least; });
}

// Adds the real and imaginary parts that are not negligible.
void Search::enlarge() {
  space_->add(std::ssize(corrections_), [&](Eigen::Index first, Eigen::Index some) {
    Eigen::MatrixXd together(problem_.M().rows(), some);
    for (Eigen::Index k = 0; k < some; ++k) together.col(k) = std::exchange(corrections_[at(first + k)], {});
    return together;
  });
  corrections_.clear();
}

// Between two circles only inertia counts.
std::optional<Index> Search::unknown_in(const Part& part, const std::vector<Complex>& known,
                                        QuadraticPairs& pairs) const {
  const UndampedBelow undamped{.exactly = [this](double mu) { return undamped_below(mu); },
                               .at_least = [this](double mu) { return projected_.at_least_below(mu); }};
  if (!part.inner) {
    DiscCount count(problem_, quadratic_, 0, part.outer, undamped, request_.supervision);
    pairs.nothing_grows_beyond = count.nothing_grows_beyond();
    return count.unknown(known);
  }
  const std::optional<Index> inside = count_weakly_damped(problem_, quadratic_, part.outer, undamped),
                             before = count_weakly_damped(problem_, quadratic_, *part.inner, undamped);
  if (!inside || !before) return {};
  return *inside - *before - static_cast<Index>(known.size());
}

// For a band far from zero there is no other method, so what was found is returned as uncertified.
std::optional<QuadraticPairs> Search::counted(Approximation found) const {
  const Stopwatch watch;
  const Part& part = found.part;
  QuadraticPairs pairs{.s = std::move(found.s), .x = {}, .solver = "sparse Lanczos and Galerkin"};
  pairs.x.resize(pencil_.size(), pairs.s.size());
  for (Eigen::Index k = 0; k < pairs.s.size(); ++k) pairs.x.col(k) = *std::exchange(found.x[at(k)], nullptr);
  pairs.inner = part.inner ? part.inner->middle() : 0;
  pairs.radius = part.outer.middle();
  if (!request_.counts) return pairs;
  request_.supervision.say("counting");
  const std::vector<Complex> known = with_conjugates(pairs.s);
  const std::optional<Index> unknown =
      request_.supervision.is_time_over() ? std::nullopt : unknown_in(part, known, pairs);
  pairs.counting_seconds = watch.seconds();
  if (unknown == 0) return pairs;
  if (!unknown && request_.supervision.is_time_over()) {
    pairs.uncertainty = time_over_in_count;
    return pairs;
  }
  if (!part.inner) return {};
  pairs.missing = std::max<Index>(unknown.value_or(0), 0);
  pairs.uncertainty =
      unknown ? fmt::format("{} eigenvalues were counted in the band, and {} were found",
                            *unknown + static_cast<Index>(known.size()), known.size())
              : "the damping is too large for the gaps at the ends of the band, so the modes in it cannot be counted";
  return pairs;
}

std::optional<QuadraticPairs> Search::search() {
  if (!find_undamped() || !shift_amid()) return {};
  region_ = undamped_.region;
  space_->add(undamped_.z.topRows(problem_.M().rows()));
  start_size_ = undamped_.size();
  add_responses_to_damping();
  undamped_.z.resize(0, 0);
  return converged(false);
}

/// Turns the phase of a vector so that the sum of the squares of its entries is positive: its real part is then as long
/// as it can be.
Eigen::VectorXcd with_longest_real_part(const Eigen::VectorXcd& x) {
  const Complex squares = x.cwiseProduct(x).sum();
  if (squares == 0.0) return x;
  return x / std::sqrt(squares / std::abs(squares));
}

// Begins with the motions of a system nearby in the place of undamped modes and of what damping forces lead to.
std::optional<QuadraticPairs> Search::search_nearby() {
  const MotionsNearby& nearby = *request_.nearby;
  const double gamma = problem_.frequency_scale();
  const Eigen::Index n = problem_.M().rows(), count = nearby.x.cols();
  if (request_.distance > 0 || nearby.x.rows() != n || count <= request_.count) return {};
  if (!pencil_.shift(nearby.shift / (gamma * gamma))) return {};
  Eigen::MatrixXd real(n, count), imaginary(n, count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXcd x = with_longest_real_part(nearby.x.col(k).cwiseQuotient(problem_.coordinate_scale()));
    real.col(k) = x.real();
    imaginary.col(k) = x.imag();
  }
  region_ = {0, std::pow(nearby.end / gamma, 2)};
  known_nearby_ = static_cast<Index>(count);
  space_->add(real);
  start_size_ = space_->size();
  space_->add(imaginary);
  return converged(true);
}

// Leaves for a system nearby what was found, and the other vectors as the space shows them.
void Search::leave(const GalerkinValues& values, const Approximation& best) {
  const double gamma = problem_.frequency_scale(), end = std::sqrt(region_.centre + region_.radius),
               largest = std::abs(values.s[values.size() - 1]);
  MotionsNearby& nearby = *request_.nearby;
  nearby = {};
  if (largest == 0) return;
  nearby.x = space_->vectors(values.z);
  for (Index k = 0; k < best.part.count; ++k) nearby.x.col(best.part.first + k) = best.x[at(k)]->head(nearby.x.rows());
  nearby.x = problem_.coordinate_scale().asDiagonal() * nearby.x;
  nearby.shift = gamma * gamma * pencil_.at();
  nearby.end = gamma * end;
  nearby.beyond = end / largest;
}

// Improves vectors beyond the wanted ones, which differ from those of the system nearby as much.
void Search::improve_beyond(const GalerkinValues& values, const Part& part) {
  std::vector<Eigen::VectorXd> of_wanted = std::exchange(corrections_, {});
  std::optional<Approximation> none;
  improved(values, {part.count, values.size() - part.count, {}, part.outer}, none);
  std::move(of_wanted.begin(), of_wanted.end(), std::back_inserter(corrections_));
}

std::optional<QuadraticPairs> Search::converged(bool keeps_beyond) {
  std::optional<Approximation> best;
  GalerkinValues of_best;
  for (int round = 0; round < most_rounds; ++round) {
    GalerkinValues values = known_values();
    region_ = region_beyond(values);
    const std::optional<Part> part = part_of(values);
    if (!part) break;
    Approximation now = improved(values, *part, best);
    if (best && !(now.largest_change() < required_reduction * best->largest_change())) break;
    const double error = now.error_after(best);
    best = std::move(now);
    of_best = std::move(values);
    if (error < tolerance_) break;
    if (keeps_beyond && round == 0) improve_beyond(of_best, *part);
    enlarge();
  }
  if (!best || best->largest_change() > tolerance::largest_correction) return {};
  corrections_.clear();
  restore(*best);
  if (request_.nearby && of_best.size() > 0) leave(of_best, *best);
  projected_ = space_->undamped();
  space_.reset();
  pencil_.free_factors();
  return counted(*std::move(best));
}

// If the band lies beyond more modes than the options allow to compute, the result says at least that.
std::optional<QuadraticPairs> Search::nearest() {
  std::optional<QuadraticPairs> found = search();
  if (found || request_.from == 0 || undamped_.before <= request_.most) return found;
  QuadraticPairs nothing;
  nothing.x.resize(pencil_.size(), 0);
  nothing.inner = request_.from;
  nothing.radius = request_.distance;
  nothing.uncertainty = fmt::format(
      "the damping couples the modes in this band, {} others lie below, and none was found: request the modes nearest "
      "to a point in the band",
      undamped_.before);
  return nothing;
}

}  // namespace

std::optional<QuadraticPairs> find_lightly_damped(const BorderedProblem& problem, const QuadraticPencil& pencil,
                                                  const QuadraticRequest& request) {
  if (request.centre != 0.0 || !pencil.is_symmetric() || !pencil.is_passive()) return {};
  if (request.nearby && request.nearby->x.cols() > 0) {
    if (std::optional<QuadraticPairs> found = Search(problem, pencil, request).search_nearby()) return found;
    *request.nearby = {};
  }
  return Search(problem, pencil, request).nearest();
}

}  // namespace stillpoint
