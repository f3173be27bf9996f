// Numerical rank by rank-revealing sparse QR ([Heath 1982]; [Chan 1987]).
//
// Dead columns alone do not prove a rank: R₁₁ may have a small singular value without a small diagonal entry. The
// smallest singular value of the kept rows is therefore found by inverse iteration; by interlacing it is no larger than
// the singular value number r of S, and ‖E‖ is no smaller than the next one. As long as a larger gap is possible, the
// row with the largest component in the smallest singular vector is dropped [Chan 1987] and the factorisation is
// repeated.

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "algebra/krylov/largest_singular_value.h"
#include "algebra/rank/block_rank.h"
#include "algebra/rank/find_rank.h"
#include "algebra/rank/null_vectors.h"
#include "algebra/rank/rank_rule.h"
#include "algebra/rank/sparse_qr.h"
#include "algebra/rank/split_columns.h"
#include "algebra/sparse/random_start.h"

namespace stillpoint {

namespace {

constexpr int most_iterations = 30;

// Relative change at which the smallest value is known to about one percent, since inverse iteration converges fast. A
// singular vector to which the start vector is nearly orthogonal does not show at once, so that a single small change
// is no proof of convergence.
constexpr double settled = 0.003;
constexpr int steps_settled = 2;

// What remains of a dependent column is a few noise floors. A column with less than this many is dependent or
// undecided.
constexpr double dead_floors = 100;

// The number of factorisations in the search for a larger gap. The rank of a large matrix that needs more is undecided.
constexpr int most_trials = 40;
constexpr int most_trials_when_large = 8;
constexpr Index large = 100'000;

constexpr double almost_nothing = 1e-40;  // below it the squares in inverse iteration would overflow

/// A step of the search for the gap: a choice of rows to drop, and its consequences.
struct Trial {
  SparseQr::Options choice;
  std::unique_ptr<SparseQr> qr;
  Index rank = 0;
  double kept = RankDecision::unset;  // relative to the largest singular value, like `dropped`
  double dropped = 0;
  double gap = RankDecision::unset;
  Index weakest = -1;  // row with the largest component in the smallest singular vector
};

class RankSearch {
 public:
  RankSearch(const SparseMatrix& S, const RankOptions& options)
      : options_(options),
        rows_(static_cast<Index>(S.rows())),
        split_(has_dense_columns(S) ? split_columns(S) : SplitColumns()),
        S_(split_.rows > 0 ? split_.S : S),
        transposed_(S_.transpose()),
        order_(fill_reducing_order(S_, transposed_)),
        largest_(largest_singular_value(S)),
        floor_(noise_floor(options)) {}

  Trial best() { return options_.rank ? of_given_rank() : of_largest_gap(); }

  double largest() const { return largest_; }
  Index rows() const { return rows_; }

 private:
  Index links() const { return static_cast<Index>(S_.rows()) - rows_; }
  int trials_allowed() const { return rows() > large ? most_trials_when_large : most_trials; }

  Trial try_out(SparseQr::Options choice) const {
    Trial trial;
    trial.choice = std::move(choice);
    trial.qr = std::make_unique<SparseQr>(S_, transposed_, order_, trial.choice);
    while (put_links_before_rows(trial)) {
      trial.qr = std::make_unique<SparseQr>(S_, transposed_, order_, trial.choice);
    }
    trial.rank = trial.qr->live() - links();
    trial.dropped = trial.qr->dropped() / largest_;
    if (trial.rank > 0) {
      find_smallest(trial);
      trial.gap = std::max(trial.kept, floor_) / std::max(trial.dropped, floor_);
    }
    return trial;
  }

  /// A dead link means that some row could be dead in its place. That row is moved to the end of the order. Returns
  /// whether a dead link was found.
  bool put_links_before_rows(Trial& trial) const {
    if (links() == 0) return false;
    const ColumnTree& tree = trial.qr->tree();
    bool found = false;
    for (Index link = rows_; link < S_.rows(); ++link) {
      const Index dead = tree.position[link];
      if (trial.qr->is_live(dead)) continue;
      Eigen::VectorXd c = Eigen::VectorXd::Zero(S_.rows());
      for (Index k = 0; k < dead; ++k) {
        trial.qr->for_row(k, [&](Index column, double value) {
          if (column == dead) c[k] = value;
        });
      }
      trial.qr->solve(c);
      Index row = -1;
      for (Index i = 0; i < rows_; ++i) {
        if (std::find(trial.choice.late.begin(), trial.choice.late.end(), i) != trial.choice.late.end()) continue;
        if (row == -1 || std::abs(c[tree.position[i]]) > std::abs(c[tree.position[row]])) row = i;
      }
      if (row == -1) return found;
      trial.choice.late.push_back(row);
      found = true;
    }
    return found;
  }

  /// Finds the smallest singular value by inverse iteration with R₁₁ᵀ R₁₁, keeping the components of the links zero.
  void find_smallest(Trial& trial) const {
    const SparseQr& qr = *trial.qr;
    const ColumnTree& tree = qr.tree();
    const Index all = static_cast<Index>(S_.rows());
    Eigen::VectorXd x = random_start(all);
    const auto clear_links = [&] {
      for (Index link = rows_; link < all; ++link) x[tree.position[link]] = 0;
    };
    for (Index k = 0; k < all; ++k) {
      if (!qr.is_live(k)) x[k] = 0;
    }
    clear_links();
    double estimate = 0;
    for (int k = 0, small_changes = 0; k < most_iterations && small_changes < steps_settled; ++k) {
      x.normalize();
      qr.solve_transposed(x);
      qr.solve(x);
      clear_links();
      const double before = std::exchange(estimate, 1 / std::sqrt(x.norm()));
      small_changes = std::abs(estimate - before) <= settled * estimate ? small_changes + 1 : 0;
    }
    trial.kept = estimate / largest_;
    Eigen::Index weakest = 0;
    x.cwiseAbs().maxCoeff(&weakest);
    trial.weakest = tree.order[weakest];
  }

  /// Returns an initial threshold: the largest gap above the noise between sorted diagonal entries of R.
  double guess_from_diagonal(const SparseQr& qr) const {
    std::vector<double> diagonal{std::max(floor_ * largest_, qr.dropped())};
    for (Index k = 0; k < S_.rows(); ++k) {
      if (qr.is_live(k)) diagonal.push_back(std::abs(qr.diagonal(k)));
    }
    std::sort(diagonal.begin(), diagonal.end());
    std::size_t best = 1;
    for (std::size_t k = 1; k < diagonal.size(); ++k) {
      if (diagonal[k] * diagonal[best - 1] > diagonal[best] * diagonal[k - 1]) best = k;
    }
    return std::sqrt(diagonal[best - 1] * diagonal[best]);
  }

  Trial of_largest_gap() {
    Trial best = try_out({.dead = dead_floors * floor_ * largest_, .late = {}, .dropped = {}});
    SparseQr::Options choice = best.choice;
    double kept = best.kept;
    Index weakest = best.weakest;
    // No gap above the smallest kept value can exceed its ratio to the largest value, which is 1.
    for (int trials = 1; trials < trials_allowed() && best.rank > 0 && best.gap * kept < 1; ++trials) {
      const double guess = trials == 1 ? guess_from_diagonal(*best.qr) : 0;
      if (guess > choice.dead) {
        choice.dead = guess;
      } else {
        choice.dropped.push_back(weakest);
      }
      Trial next = try_out(choice);
      if (next.rank == 0) break;
      choice = next.choice;
      kept = next.kept;
      weakest = next.weakest;
      if (next.gap > best.gap) best = std::move(next);
    }
    return best;
  }

  Trial of_given_rank() {
    const Index wanted = *options_.rank;
    if (wanted == 0) {
      SparseQr::Options all;
      for (Index i = 0; i < rows(); ++i) all.dropped.push_back(i);
      return try_out(std::move(all));
    }
    Trial trial = try_out({.dead = almost_nothing * largest_, .late = {}, .dropped = {}});
    if (trial.rank > wanted) {
      std::vector<double> diagonal;
      for (Index k = 0; k < S_.rows(); ++k) {
        if (trial.qr->is_live(k)) diagonal.push_back(std::abs(trial.qr->diagonal(k)));
      }
      const auto cut = diagonal.begin() + (trial.rank - wanted);
      std::nth_element(diagonal.begin(), cut, diagonal.end());
      const double below = *std::max_element(diagonal.begin(), cut);
      Trial guess = try_out({.dead = std::sqrt(below) * std::sqrt(*cut), .late = {}, .dropped = {}});
      if (guess.rank >= wanted) trial = std::move(guess);
    }
    while (trial.rank > wanted) {
      SparseQr::Options choice = trial.choice;
      choice.dropped.push_back(trial.weakest);
      trial = try_out(std::move(choice));
    }
    if (trial.rank < wanted) {
      throw std::invalid_argument("rank " + std::to_string(wanted) + " was given, but only " +
                                  std::to_string(trial.rank) + " rows are numerically independent");
    }
    return trial;
  }

  const RankOptions& options_;
  Index rows_;
  SplitColumns split_;     ///< empty where no column is split
  const SparseMatrix& S_;  ///< with its dense columns split
  SparseMatrix transposed_;
  std::vector<Index> order_;
  double largest_, floor_;
};

}  // namespace

namespace {

// Where no row was dropped and only the size of the matrix makes its smallest singular value small, the blocks of its
// triangular form decide. A gap of less than `rounding_gap` is rounding in the factorisation itself.
void judge_by_blocks(const SparseMatrix& S, RankDecision& rank) {
  constexpr double rounding_gap = 10;
  if (rank.outcome != RankOutcome::undecided || rank.value < S.rows() || rank.gap < rounding_gap) return;
  const std::optional<double> least = full_by_blocks(S, rank.noise_floor);
  if (!least) return;
  rank.outcome = RankOutcome::full;
  rank.gap = *least / rank.noise_floor;
  rank.method = "sparse QR, by blocks";
}

}  // namespace

ScaledDependence sparse_dependence(const SparseMatrix& S, const RankOptions& options) {
  const Index m = static_cast<Index>(S.rows());
  ScaledDependence result;
  {
    RankSearch search(S, options);
    const Trial trial = search.best();
    result.rank.value = trial.rank;
    result.rank.gap = trial.gap;
    result.rank.outcome = outcome_of(trial.rank, trial.gap, m, options);
    result.rank.smallest_kept = trial.kept;
    if (trial.rank < m) result.rank.largest_dropped = trial.dropped;
    result.rank.noise_floor = noise_floor(options);
    result.rank.method = "sparse QR";
    for (Index i = 0; i < m; ++i) {
      if (!trial.qr->is_live(trial.qr->tree().position[i])) result.dependent.push_back(i);
    }
    const double noise = 10 * std::max(result.rank.noise_floor, trial.dropped) * search.largest();
    result.combinations = null_combinations(S, *trial.qr, noise);
  }
  judge_by_blocks(S, result.rank);
  return result;
}

}  // namespace stillpoint
