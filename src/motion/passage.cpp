#include "motion/passage.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/sparse/random_start.h"
#include "base/in_parallel.h"
#include "model/displacement.h"
#include "motion/chart.h"
#include "stillpoint/rank.h"

namespace stillpoint {

namespace {

// Of σ relative to the largest one: below the first the place is refined, below the second it is singular.
constexpr double looks_small = 0.2, is_singular = 1e-3, clear = 0.05;
constexpr int most_refinements = 12;
constexpr double farthest_ahead = 12;     // half steps from the middle of the last one
constexpr double beyond = 0.4;            // of a step: so far beyond its ends a place is sought
constexpr double at_first = 1.3;          // half steps from the middle: so far a parabola is trusted
constexpr double on_constraints = 1e-13;  // what positions that are looked at may be open, relative to the model
constexpr double one_place = 0.1;         // of a step: closer places are one
constexpr Eigen::Index candidates = 2;    // beyond redundant constraints: which is the least may change within a step
constexpr Index rows_together = 50'000;   // of long columns, as a piece of work

/// Where the parabola through three values at −1, 0 and 1 vanishes, or comes closer to zero than `small` without that;
/// in ascending order.
std::vector<double> places_near_zero(double left, double middle, double right, double small) {
  const double slope = 0.5 * (right - left), bend = 0.5 * (right + left) - middle;
  const double discriminant = slope * slope - 4 * bend * middle;
  if (discriminant < 0) {
    const double place = -0.5 * slope / bend;
    if (std::abs(middle + 0.5 * slope * place) < small) return {place};
    return {};
  }
  const double twice = slope + std::copysign(std::sqrt(discriminant), slope);
  std::vector<double> roots;
  if (twice != 0) roots.push_back(-2 * middle / twice);
  if (bend != 0) roots.push_back(-0.5 * twice / bend);
  std::sort(roots.begin(), roots.end());
  return roots;
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

/// Another proximal term than the usual one, as long as it lives.
class OtherProximal {
 public:
  OtherProximal(Dynamics& dynamics, double proximal, double least) : dynamics_(dynamics) {
    dynamics_.set_proximal(proximal, least);
  }
  ~OtherProximal() { dynamics_.set_proximal(MotionOptions().proximal); }
  OtherProximal(const OtherProximal&) = delete;
  OtherProximal& operator=(const OtherProximal&) = delete;

 private:
  Dynamics& dynamics_;
};

Eigen::VectorXd random_direction(Eigen::Index size, unsigned& seed) {
  return random_start(static_cast<Index>(size), ++seed).normalized();
}

/// Orthonormal columns, and random ones that are orthogonal to them, so many as are wanted.
Eigen::MatrixXd completed(Eigen::MatrixXd columns, Eigen::Index count, unsigned& seed) {
  constexpr int most_repetitions = 2;
  const Eigen::Index given = columns.cols();
  if (given < count) columns.conservativeResize(Eigen::NoChange, count);
  for (Eigen::Index j = given; j < count; ++j) {
    Eigen::VectorXd next = random_direction(columns.rows(), seed);
    const auto others = columns.leftCols(j);
    for (int k = 0; k < most_repetitions; ++k) next -= others * (others.transpose() * next).eval();
    columns.col(j) = next.normalized();
  }
  return columns;
}

/// R of columns = Q R, by the factors of chunks of rows.
Eigen::MatrixXd triangle_of(const Eigen::MatrixXd& columns) {
  const auto rows = static_cast<Index>(columns.rows()), count = static_cast<Index>(columns.cols());
  const Index together = std::max(rows_together, 4 * count), chunks = (rows + together - 1) / together;
  if (chunks < 2) return columns;
  Eigen::MatrixXd triangles = Eigen::MatrixXd::Zero(chunks * count, count);
  in_parallel_chunks(rows, together, [&](Index begin, Index end) {
    const Index least = std::min(end - begin, count);
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns.middleRows(begin, end - begin));
    triangles.middleRows(begin / together * count, least) = qr.matrixQR().topRows(least).triangularView<Eigen::Upper>();
  });
  return triangles;
}

/// The combinations of columns that are orthonormal: as many as are independent. Columns of no size are left out.
Eigen::MatrixXd orthonormal_combinations(const Eigen::MatrixXd& columns) {
  constexpr double independent = 1e-10, nothing = 1e-12;
  const Eigen::MatrixXd triangle = triangle_of(columns);
  const Eigen::RowVectorXd sizes = triangle.colwise().norm();
  const Eigen::VectorXd per_size =
      sizes.unaryExpr([](double size) { return size > nothing ? 1 / size : 0.0; }).transpose();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(independent);
  qr.compute(triangle * per_size.asDiagonal());
  const Eigen::Index rank = qr.rank();
  Eigen::MatrixXd combinations = Eigen::MatrixXd::Identity(columns.cols(), rank);
  qr.matrixR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(combinations.topRows(rank));
  return per_size.asDiagonal() * (qr.colsPermutation() * combinations);
}

void turn_columns(Eigen::MatrixXd& columns, const Eigen::MatrixXd& by) {
  const auto rows = static_cast<Index>(columns.rows());
  Eigen::MatrixXd turned(rows, by.cols());
  in_parallel_chunks(rows, rows_together, [&](Index begin, Index end) {
    turned.middleRows(begin, end - begin).noalias() = columns.middleRows(begin, end - begin).lazyProduct(by);
  });
  columns = std::move(turned);
}

/// λᵀ J w of each two columns.
Eigen::MatrixXd products_by(const SparseMatrix& J, const Eigen::MatrixXd& lambda, const Eigen::MatrixXd& motion) {
  const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(lambda.cols(), motion.cols());
  return joined_chunks(static_cast<Index>(J.cols()), rows_together, none,
                       [&](Index begin, Index end) -> Eigen::MatrixXd {
                         const Index count = end - begin;
                         const Eigen::MatrixXd forces = J.middleCols(begin, count).transpose() * lambda;
                         return forces.transpose() * motion.middleRows(begin, count);
                       });
}

/// s at the time of J.
double signed_value(const SparseMatrix& J, const Eigen::VectorXd& lambda, const Eigen::VectorXd& motion) {
  return -joined_chunks(static_cast<Index>(J.cols()), rows_together, 0.0, [&](Index begin, Index end) {
    double sum = 0;
    for (Index j = begin; j < end; ++j) {
      double force = 0;
      for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) force += entry.value() * lambda[entry.row()];
      sum += force * motion[j];
    }
    return sum;
  });
}

}  // namespace

// The least pairs beyond redundant constraints with the factors that there are, ascending. S⁻¹ makes the directions of
// small σ large; with those of the least so many, and one more, the Ritz values of J M⁻¹Jᵀ are formed, without ε. That
// one has a random part, since a direction whose σ was large comes back into no space that is orthogonal to it. Of
// constraint forces on coordinates without inertia nothing comes back, as their σ is infinite: there may be fewer
// pairs.
std::vector<SingularWatch::Pair> SingularWatch::least_pairs() {
  constexpr int most_iterations = 6;
  constexpr double random_part = 0.3, settled = 0.1;
  const SparseMatrix& J = dynamics_.kkt().J();
  const Eigen::Index m = J.rows(), count = std::min(redundant_ + candidates + 1, m);
  if (vectors_.cols() != count) vectors_ = completed(Eigen::MatrixXd(m, 0), count, random_vectors_);
  vectors_.col(count - 1) += random_part * random_direction(m, random_vectors_);
  Eigen::MatrixXd lambda, motion;
  Eigen::VectorXd squares;
  double before = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_iterations; ++k) {
    MotionKkt::Response response = dynamics_.respond(vectors_);
    lambda = std::move(response.lambda);
    motion = std::move(response.motion);
    vectors_ = std::move(response.scaled);
    Eigen::MatrixXd turned = orthonormal_combinations(vectors_);
    if (turned.cols() == 0 || !turned.allFinite()) return {};
    Eigen::MatrixXd products = -turned.transpose() * products_by(J, lambda, motion) * turned;
    products = (0.5 * (products + products.transpose())).eval();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz(products);
    squares = ritz.eigenvalues();
    turned = (turned * ritz.eigenvectors()).eval();
    for (Eigen::MatrixXd* columns : {&vectors_, &lambda, &motion}) turn_columns(*columns, turned);
    vectors_ = completed(std::move(vectors_), count, random_vectors_);
    if (squares.size() <= redundant_) continue;
    const double least = squares[redundant_];
    if (std::abs(before - least) <= settled * least) break;
    before = least;
  }
  std::vector<Pair> pairs;
  for (Eigen::Index j = redundant_; j < std::min<Eigen::Index>(redundant_ + candidates, squares.size()); ++j) {
    const double value = std::sqrt(std::max(squares[j], 0.0));
    pairs.push_back({lambda.col(j), value > 0 ? Eigen::VectorXd(motion.col(j) / value) : motion.col(j), value});
  }
  return pairs;
}

// A matrix that is singular in spite of ε has a σ below what ε and rounding let one see: of many rows, ε is very small.
double SingularWatch::least_at(const State& state) {
  if (!dynamics_.factor(state)) return 0;
  const std::vector<Pair> pairs = least_pairs();
  return pairs.empty() ? 0 : pairs.front().value;
}

namespace {

/// With the inputs of its time.
void put_on_constraints(Dynamics& dynamics, TimedState& moving) {
  dynamics.put_inputs(moving.time, moving.state);
  if (!dynamics.project_positions(moving.state)) return;
  dynamics.assemble(moving.state);  // the factors, of a state beside it, serve with refinements
  dynamics.project_rates(moving.time, moving.state);
}

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
  put_on_constraints(dynamics, between);
  return between;
}

bool SingularWatch::is_clear() const { return last_ > clear * largest_; }

// Parabolas through s(t) of the pairs of both ends.
std::vector<double> SingularWatch::places_in(const Step& step) {
  dynamics_.assemble(step.state_at(step.center()));
  const SparseMatrix J_middle = dynamics_.kkt().J();
  J_before_ = std::move(J_);
  pairs_before_ = std::move(pairs_);
  const bool is_regular = dynamics_.factor(step.after.state);
  J_ = dynamics_.kkt().J();
  pairs_ = is_regular ? least_pairs() : std::vector<Pair>();
  if (pairs_.empty()) pairs_ = pairs_before_;
  last_ = is_regular ? pairs_.front().value : 0;
  largest_ = std::max(largest_, last_);
  const double small = looks_small * largest_;
  std::vector<double> places;
  expected_.reset();
  const auto add_places_of = [&](const Pair& pair, bool may_go_on) {
    const auto value_by = [&](const SparseMatrix& J) { return signed_value(J, pair.lambda, pair.motion); };
    for (const double x : places_near_zero(value_by(J_before_), value_by(J_middle), value_by(J_), small)) {
      const double time = step.center() + 0.5 * step.length() * x;
      if (std::abs(x) <= at_first) places.push_back(time);
      if (may_go_on && !expected_ && x > 1 && x < farthest_ahead) expected_ = time;
    }
  };
  for (const Pair& pair : pairs_before_) add_places_of(pair, false);
  for (const Pair& pair : pairs_) add_places_of(pair, &pair == pairs_.data());
  if (last_ < is_singular * largest_) places.push_back(step.after.time);  // however short the step is
  std::sort(places.begin(), places.end());
  places.erase(
      std::unique(places.begin(), places.end(), [&](double a, double b) { return b - a < one_place * step.length(); }),
      places.end());
  return places;
}

// The secant method for s(t); the last step is much longer than what is left. A pair serves for places so close to its
// own that the square of their distance is far below what is sought. Places that lead to the last one that was reported
// are not refined again. The direction of the motion is an older one where the new one is close to noise. The proximal
// term is so large there that matrices of many rows are regular to working precision where σ vanishes.
std::optional<SingularWatch::Place> SingularWatch::refined(const Step& step, double time) {
  constexpr double settled = 1e-5, serves = 1e-3, same = 0.01;  // of a step
  constexpr double has_direction = 1e-4;                        // relative to the largest σ
  constexpr double regular = 1e-10;
  const double first = step.before.time - beyond * step.length(), last = step.after.time + beyond * step.length();
  const bool is_early = time < step.center();
  SparseMatrix J_other = is_early ? J_ : J_before_;
  double other = (is_early ? step.after : step.before).time;
  std::vector<Pair> pairs = pairs_;
  const bool is_far = pairs_.front().value > pairs_before_.front().value;
  Eigen::VectorXd direction = (is_far ? pairs_ : pairs_before_).front().motion;
  const auto is_known = [&](double at) { return reported_ && std::abs(at - *reported_) < same * step.length(); };
  if (is_known(time)) return {};
  Place place;
  double time_of_pairs = std::numeric_limits<double>::infinity();
  const OtherProximal larger(dynamics_, MotionOptions().proximal, regular);
  for (int k = 0; k < most_refinements; ++k) {
    State state = step.state_at(time);
    const bool serve = std::abs(time - time_of_pairs) < serves * step.length();
    const auto open = serve ? dynamics_.project_positions_nearby(state, on_constraints)
                            : dynamics_.project_positions(state, on_constraints);
    const bool is_regular = open.has_value();  // the factors serve beside their state
    dynamics_.assemble(state);
    std::vector<Pair> here = is_regular && !serve ? least_pairs() : std::vector<Pair>();
    if (!here.empty()) {
      pairs = std::move(here);
      time_of_pairs = time;
    }
    if (is_regular && !(pairs.front().value < looks_small * largest_)) return {};
    if (pairs.front().value > has_direction * largest_) direction = pairs.front().motion;
    const SparseMatrix& J = dynamics_.kkt().J();
    const double value = signed_value(J, pairs.front().lambda, direction),
                 change = value - signed_value(J_other, pairs.front().lambda, direction);
    if (change == 0) break;
    place.slope = change / (time - other);
    const double next = std::clamp(time - value / change * (time - other), first, last);
    J_other = J;
    other = std::exchange(time, next);
    place.is_settled = std::abs(time - other) < settled * step.length();
    if (place.is_settled) break;
    if (is_known(time)) return {};
  }
  place.time = time;
  place.lambda = std::move(pairs.front().lambda);
  place.motion = std::move(direction);
  return place;
}

// Unbounded multipliers grow as A/t + B towards the configuration, so that their change grows twofold when the distance
// in time is halved; where they are bounded, it is halved, too.
bool SingularWatch::reactions_are_bounded(const Step& step, const Place& place) {
  constexpr double change_that_counts = 1e-3, resolved = 30;  // relative to λ; σ² relative to the proximal term
  // A proximal term whose multipliers show that they are unbounded, and rounding, which it need not be below.
  constexpr double nearly_plain = 1e-11, rounding = 1e-15;
  // Steps may be very short here: states are also taken from before them.
  const double room = place.time - clear_.time;
  if (!(room > 0)) return true;  // nothing was seen before
  const double proximal = std::max(rounding, proximal_for(nearly_plain, J_.rows())),
               least = std::sqrt(resolved * proximal) / std::max(std::abs(place.slope), 1e-150);
  const double distance = std::clamp(4 * least, 0.1 * room, room);
  const auto multipliers_at = [&](double of) -> Eigen::VectorXd {
    const double time = place.time - of;
    const bool is_earlier = clear_.time < step.before.time && time < step.before.time;
    TimedState at{time, is_earlier ? on_polynomial(dynamics_.model(), clear_, step.before, time) : step.state_at(time)};
    put_on_constraints(dynamics_, at);
    const auto found = dynamics_.accelerations_here(at.time, at.state);
    return found ? found->solution.lambda : Eigen::VectorXd::Zero(J_.rows());
  };
  const double accuracy = dynamics_.set_accuracy(0);
  const OtherProximal smaller(dynamics_, nearly_plain, rounding);
  const Eigen::VectorXd far = multipliers_at(distance), near = multipliers_at(distance / 2),
                        nearest = multipliers_at(distance / 4);
  dynamics_.set_accuracy(accuracy);
  const double change = (nearest - near).norm();
  return change < change_that_counts * nearest.norm() || change < (near - far).norm();
}

// With the pair of a place that is settled, s there is σ.
std::optional<SingularPassage> SingularWatch::passage_at(const Step& step, const Place& place) {
  State state = step.state_at(place.time);
  dynamics_.project_positions_nearby(state, on_constraints);
  dynamics_.assemble(state);
  const double least =
      (place.is_settled ? std::abs(signed_value(dynamics_.kkt().J(), place.lambda, place.motion)) : least_at(state)) /
      largest_;
  if (!(least < is_singular)) return {};
  return SingularPassage{.time = place.time,
                         .rank = rank_at_passage(dynamics_.kkt().M(), dynamics_.kkt().J()),
                         .least_singular_value = least,
                         .reactions_are_bounded = reactions_are_bounded(step, place)};
}

void SingularWatch::begin(const TimedState& before, const TimedState& after) {
  if (!dynamics_.factor(after.state)) return;
  const Index redundant = redundant_rows(dynamics_.kkt().J());
  if (steps_ == 0 || redundant < redundant_) redundant_ = redundant;
  if (redundant_ >= dynamics_.model().constraints()) return;
  const bool is_regular = dynamics_.factor(before.state);
  J_ = dynamics_.kkt().J();
  if (is_regular) pairs_ = least_pairs();
  if (pairs_.empty()) return;
  last_ = pairs_.front().value;
  largest_ = std::max(largest_, last_);
}

std::vector<SingularPassage> SingularWatch::look(const TimedState& before, const TimedState& after,
                                                 const StateAt& state_at) {
  constexpr int settling = 2;  // steps in which the number of redundant constraints may be found too high
  if (steps_ < settling) begin(before, after);
  if (pairs_.empty()) return {};
  ++steps_;
  if (steps_ == 1 || is_clear()) clear_ = before;
  const Step step{before, after, [&](double time) {
                    State state = state_at ? state_at(time) : on_polynomial(dynamics_.model(), before, after, time);
                    dynamics_.put_inputs(time, state);
                    return state;
                  }};
  std::vector<SingularPassage> passages;
  const double close = one_place * step.length();
  for (const double place : places_in(step)) {
    if (!passages.empty() && !is_left_between(step, passages.back().time, place)) continue;
    if (reported_ && clear_.time < *reported_) break;  // the last one is not left yet
    const auto found = refined(step, place);
    const bool is_of_this_step = found && found->time <= after.time && (steps_ > 1 || found->time >= before.time);
    if (!is_of_this_step || (!passages.empty() && found->time < passages.back().time + close)) continue;
    // The last one once more, seen back from this step.
    if (found->time <= before.time && reported_ && *reported_ >= before.time - beyond * step.length()) continue;
    if (const auto passage = passage_at(step, *found)) {
      reported_ = passage->time;
      passages.push_back(*passage);
    }
  }
  return passages;
}

bool SingularWatch::is_left_between(const Step& step, double first, double second) {
  const double middle = 0.5 * (first + second);
  TimedState between{middle, step.state_at(middle)};
  const bool is_left = second > first + one_place * step.length() && least_at(between.state) > clear * largest_;
  if (is_left) clear_ = std::move(between);
  return is_left;
}

}  // namespace stillpoint
