#include "motion/passage.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "algebra/sparse/random_start.h"
#include "model/displacement.h"
#include "motion/chart.h"
#include "stillpoint/rank.h"

namespace stillpoint {

namespace {

// Of σ relative to the largest one: below the first the place of the minimum is refined, below the second it is
// singular.
constexpr double looks_small = 0.2, is_singular = 1e-3, is_clear = 0.05;
constexpr int most_refinements = 12;
constexpr double farthest_ahead = 12;  // half steps from the middle of the last one
constexpr double beyond = 0.4;         // of a step: so far beyond its ends a place is sought

/// The lowest point of the parabola through three points with equal distances, at −1, 0 and 1; nothing if it lies
/// farther outside than this.
struct Lowest {
  double place, value;
};
std::optional<Lowest> lowest_of_parabola(double left, double middle, double right, double outside) {
  const double slope = 0.5 * (right - left), bend = right - 2 * middle + left;
  if (!(bend > 0) || std::abs(slope) > outside * bend) return {};
  const double place = -slope / bend;
  return Lowest{place, middle + slope * place + 0.5 * bend * place * place};
}

constexpr Index largest_dense = 30;  // sparse QR takes less time than the SVD of more rows

Index redundant_rows(const SparseMatrix& J) {
  if (full_rank_by_blocks(J).outcome == RankOutcome::full) return 0;
  return static_cast<Index>(J.rows()) - find_dependent_rows(J, {.largest_dense = largest_dense}).rank.value;
}

/// The rank of J M^(−1/2), with the diagonal of M. Columns of J alone could be small at the configuration itself, and
/// not by their unit.
Index rank_at_passage(const SparseMatrix& M, const SparseMatrix& J) {
  constexpr double noise = 1e-5;  // the place is known better than this
  const SparseMatrix scaled = J * inertia_or_largest(M.diagonal()).cwiseSqrt().cwiseInverse().asDiagonal();
  return find_dependent_rows(scaled, {.noise = noise, .largest_dense = largest_dense, .has_even_columns = true})
      .rank.value;
}

/// Each column orthogonalised twice.
Eigen::MatrixXd orthonormal(Eigen::MatrixXd X) {
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    for (int twice = 0; twice < 2; ++twice) {
      for (Eigen::Index i = 0; i < j; ++i) X.col(j) -= X.col(i).dot(X.col(j)) * X.col(i);
      X.col(j).normalize();
    }
  }
  return X;
}

}  // namespace

SingularWatch::SingularWatch(const Model& model, const InputMotion& inputs)
    : model_(model), dynamics_(model, inputs, MotionOptions().proximal), nearly_plain_(model, inputs, 1e-11) {}

// The largest eigenvalues of S⁻¹ belong to the least singular values; redundant constraints make some of them 1/ε. A
// matrix that is singular in spite of ε has σ² below what ε and rounding let one see: of many rows, ε is very small.
double SingularWatch::least_square(const State& state) { return dynamics_.factor(state) ? least_square_here() : 0; }

// With the factors that there are.
double SingularWatch::least_square_here() {
  const Eigen::Index m = model_.constraints(), count = std::min<Eigen::Index>(redundant_ + 2, m);
  if (vectors_.cols() != count) {
    vectors_.resize(m, count);
    for (Eigen::Index j = 0; j < count; ++j)
      vectors_.col(j) = random_start(static_cast<Index>(m), static_cast<unsigned>(j) + 1);
  }
  // So far above what looks small one iteration is enough, from the vectors of the last state.
  constexpr double far = 4;
  constexpr int iterations = 2;
  const Eigen::Index which = count - 1 - redundant_;  // of ascending values
  if (which < 0) return largest_;
  double square = 0;
  for (int k = 0; k < iterations; ++k) {
    const Eigen::MatrixXd basis = orthonormal(vectors_);
    for (Eigen::Index j = 0; j < count; ++j) vectors_.col(j) = dynamics_.solve_multipliers(basis.col(j));
    const Eigen::MatrixXd reduced = basis.transpose() * vectors_;
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (reduced + reduced.transpose())).eigenvalues();
    if (!(values[which] > 0)) return largest_;
    square = std::max(0.0, 1 / values[which] - dynamics_.kkt().proximal());
    if (square > far * looks_small * looks_small * largest_) break;
  }
  return square;
}

namespace {

/// Positions and rates of the polynomial.
State on_polynomial(const Model& model, const TimedState& before, const TimedState& after, double time) {
  const double h = after.time - before.time, x = (time - before.time) / h;
  const Chart chart(model);
  const Eigen::VectorXd d = displacement_between(model, before.state, after.state);
  const Eigen::VectorXd v0 = before.state.v, v1 = chart.rates(d, after.state.v), a0 = before.state.a;
  // The second time derivative of the increments, from that of the map (13.2).
  const double moment = 1e-4 * h;
  const auto rates_at = [&](double t) -> Eigen::VectorXd {
    return chart.rates(d + t * v1, after.state.v + t * after.state.a);
  };
  const Eigen::VectorXd a1 = (rates_at(moment) - rates_at(-moment)) / (2 * moment);
  // d(x) = v0 h x + a0 h²x²/2 + c3 x³ + c4 x⁴ + c5 x⁵
  const Eigen::VectorXd p = d - h * v0 - 0.5 * h * h * a0, r = h * (v1 - v0 - h * a0), s = h * h * (a1 - a0);
  const Eigen::VectorXd c3 = 10 * p - 4 * r + 0.5 * s, c4 = -15 * p + 7 * r - s, c5 = 6 * p - 3 * r + 0.5 * s;
  const Eigen::VectorXd tail = c3 + x * (c4 + x * c5), slope = 3 * c3 + x * (4 * c4 + x * 5 * c5);
  State between = model.displaced(before.state, x * h * v0 + 0.5 * x * x * h * h * a0 + x * x * x * tail);
  // The rates of the increments are those of the state up to the square of the increments; the projection needs no
  // more.
  between.v = v0 + x * h * a0 + x * x * slope / h;
  return between;
}

}  // namespace

TimedState state_between(Dynamics& dynamics, const TimedState& before, const TimedState& after, double time) {
  TimedState between{time, on_polynomial(dynamics.model(), before, after, time)};
  dynamics.put_inputs(time, between.state);
  dynamics.project_positions(between.state);
  if (dynamics.factor(between.state)) dynamics.project_rates(time, between.state);
  return between;
}

// The matrix of the projection is that of a state so near that it serves here as well.
double SingularWatch::least_square_between(const TimedState& before, const TimedState& after, double time) {
  State state = on_polynomial(model_, before, after, time);
  dynamics_.put_inputs(time, state);
  return dynamics_.project_positions(state) ? least_square_here() : 0;
}

// The place is sought somewhat beyond the step, too: a place behind its end belongs to the next step.
std::optional<double> SingularWatch::lowest_between(const TimedState& before, const TimedState& after) {
  const double step = after.time - before.time, first = before.time - beyond * step, last = after.time + beyond * step;
  constexpr double at_first = 1.3, far = 30;  // so far the lowest point may be from the points, or from closer ones
  double center = 0.5 * (before.time + after.time), half = 0.5 * step;
  double left = last_, middle = least_square_between(before, after, center);
  double right = least_square(after.state);
  last_ = right;
  largest_ = std::max({largest_, left, right});
  const auto ahead = lowest_of_parabola(left, middle, right, farthest_ahead);
  const bool is_expected = ahead && ahead->place > 1 && ahead->value < looks_small * looks_small * largest_;
  expected_ = is_expected ? std::optional(center + half * ahead->place) : std::nullopt;
  std::optional<double> found;
  for (int k = 0; k < most_refinements; ++k) {
    const auto lowest = lowest_of_parabola(left, middle, right, k == 0 ? at_first : far);
    const bool is_small = lowest && lowest->value < looks_small * looks_small * largest_;
    if (!is_small) break;
    const double place = std::clamp(center + half * lowest->place, first, last);
    const bool is_settled = found && std::abs(place - *found) < 1e-8 * step;
    found = center = place;
    if (is_settled) break;
    half = std::max(0.1 * half, 1e-4 * step);
    left = least_square_between(before, after, center - half);
    middle = least_square_between(before, after, center);
    right = least_square_between(before, after, center + half);
  }
  return found && *found <= after.time ? found : std::nullopt;
}

// Unbounded multipliers grow as A/t + B towards the configuration, so that their change grows twofold when the distance
// in time is halved; where they are bounded, it is halved, too.
bool SingularWatch::reactions_are_bounded(const TimedState& before, const TimedState& after, double time) {
  constexpr double change_that_counts = 1e-3, resolved = 30;  // relative to λ; σ² relative to the proximal term
  // Steps may be very short here: states are taken from farther away.
  const TimedState& end = before.time > clear_.time ? before : after;
  const double room = time - clear_.time;
  if (!(room > 0)) return true;  // nothing was seen before
  const auto state_at = [&](double distance) { return state_between(dynamics_, clear_, end, time - distance); };
  const double probe = 0.1 * room, growth = least_square(state_at(probe).state) / (probe * probe);
  const double least = std::sqrt(resolved * nearly_plain_.kkt().proximal() / std::max(growth, 1e-300));
  const double distance = std::clamp(4 * least, probe, room);
  const auto multipliers_at = [&](double of) -> Eigen::VectorXd {
    const TimedState at = state_at(of);
    const auto found = nearly_plain_.accelerations(at.time, at.state);
    return found ? found->solution.lambda : Eigen::VectorXd::Zero(model_.constraints());
  };
  const Eigen::VectorXd far = multipliers_at(distance), near = multipliers_at(distance / 2),
                        nearest = multipliers_at(distance / 4);
  const double change = (nearest - near).norm();
  return change < change_that_counts * nearest.norm() || change < (near - far).norm();
}

std::optional<SingularPassage> SingularWatch::look(const TimedState& before, const TimedState& after) {
  constexpr int settling = 2;  // steps in which the number of redundant constraints may be found too high
  if (steps_ < settling) {
    if (!dynamics_.factor(after.state)) return {};
    const Index redundant = redundant_rows(dynamics_.kkt().J());
    if (steps_ == 0 || redundant < redundant_) redundant_ = redundant;
    for (int k = 0; k < 6; ++k) last_ = least_square(before.state);
  }
  ++steps_;
  if (redundant_ >= model_.constraints()) return {};
  if (steps_ == 1 || last_ > is_clear * is_clear * largest_) clear_ = before;
  const std::optional<double> time = lowest_between(before, after);
  if (!time || clear_.time < reported_) return {};  // the last one is not left yet
  // The last one once more, seen back from this step.
  if (*time <= before.time && reported_ >= before.time - beyond * (after.time - before.time)) return {};
  const TimedState at = state_between(dynamics_, before, after, *time);
  const double least = std::sqrt(least_square(at.state) / largest_);
  if (!(least < is_singular)) return {};
  reported_ = *time;
  SingularPassage passage{.time = *time, .least_singular_value = least};
  dynamics_.assemble(at.state);
  passage.rank = rank_at_passage(dynamics_.kkt().M(), dynamics_.kkt().J());
  passage.reactions_are_bounded = reactions_are_bounded(before, after, *time);
  return passage;
}

}  // namespace stillpoint
