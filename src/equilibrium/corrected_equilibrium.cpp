#include "equilibrium/corrected_equilibrium.h"

#include <limits>

#include "algebra/dense/dense_svd.h"
#include "algebra/sparse/same_pattern.h"
#include "equilibrium/search.h"

namespace stillpoint {

namespace {

constexpr EquilibriumOptions nearest{.rest = EquilibriumRequest::nearest};
constexpr double clear_gap = 1e6;  // of singular values: a gap of 1000 decides, and this one stays far above nearby
constexpr double clear = 1e-5;     // smallest singular value; next to singular configurations it is below 1e-6
constexpr Index few_rows = 60;     // of more rows the singular values cost more than another decision

bool has_full_rank(const Equilibrium& rest, Index rows) {
  return rest.kind == ConfigurationType::regular && static_cast<Index>(rest.independent_rows.size()) == rows;
}

SparseMatrix scaled_jacobian(Statics& statics, const State& state) {
  const Scales& scales = statics.scales();
  return scales.w.asDiagonal() * statics.matrices(state).J * scales.s.asDiagonal();
}

// Null unless the rank is full by a clear gap, and far from a singular configuration.
std::shared_ptr<const FullRank> full_rank_at(SparseMatrix J, const RankDecision& decision) {
  if (J.rows() > few_rows || J.cols() > few_rows || decision.outcome != RankOutcome::full ||
      !(decision.gap >= clear_gap) || !(decision.smallest_kept >= clear))
    return {};
  const Eigen::VectorXd values = dense_svd(Eigen::MatrixXd(J), false).values;
  return std::make_shared<FullRank>(FullRank{std::move(J), values.minCoeff(), values.maxCoeff(), decision});
}

// Of another pattern nothing is known.
double distance_between(const SparseMatrix& a, const SparseMatrix& b) {
  if (!have_same_pattern(a, b)) return std::numeric_limits<double>::infinity();
  return (a.coeffs() - b.coeffs()).matrix().norm();
}

// What is left of the singular values and of their gap.
std::optional<RankDecision> rank_nearby(const FullRank& known, const SparseMatrix& J) {
  constexpr double most = 0.5;
  const double moved = distance_between(J, known.J);
  if (!(moved <= most * known.least)) return {};
  const double left = (known.least - moved) / known.least * (known.largest / (known.largest + moved));
  RankDecision rank = known.decision;
  rank.gap *= left;
  rank.smallest_kept *= left;
  return rank;
}

/// The search from a prediction.
class Correction {
 public:
  Correction(const Model& model, const State& predicted, const KnownNearby& known)
      : search_(model, Search::Predicted{predicted}, nearest), rank_(known.rank) {
    search_.statics.take_analysis(known.analysis);
  }

  // Whether Newton's method goes on from the prediction in a few steps.
  bool finds_balance() {
    constexpr int most_steps = 12;  // three or four are usual
    search_.start = search_.guess;
    search_.continue_from(
        relax(search_.statics, search_.start, Measure::residual, most_steps, search_.allowed_residual()));
    return search_.end == Relaxation::End::at_rest;
  }

  // False also where the search went into a singular configuration beside the point.
  bool has_full_rank() {
    if (search_.statics.m() == 0) return true;
    decide_rank();
    return search_.dependence.rank.outcome == RankOutcome::full;
  }

  CorrectedEquilibrium examined() {
    examine(search_);
    search_.rest.factorisations += search_.statics.factorisations();
    return {std::move(search_.rest), {std::move(rank_), search_.statics.analysis()}, search_.shared_statics};
  }

 private:
  void decide_rank() {
    if (rank_ && take_rank(rank_nearby(*rank_, scaled_jacobian(search_.statics, search_.point.state)))) return;
    enter_singular_configuration(search_);
    rank_ = full_rank_at(scaled_jacobian(search_.statics, search_.point.state), search_.dependence.rank);
  }

  bool take_rank(std::optional<RankDecision> rank) {
    if (!rank) return false;
    search_.dependence.rank = *std::move(rank);
    search_.dependence.independent = all_rows(search_);
    search_.dependence.null_vectors.resize(search_.statics.m(), 0);
    return true;
  }

  Search search_;
  std::shared_ptr<const FullRank> rank_;
};

}  // namespace

CorrectedEquilibrium corrected_equilibrium(const Model& model, const State& predicted, const Equilibrium& neighbour,
                                           const KnownNearby& known) {
  if (!has_full_rank(neighbour, model.constraints())) return {find_equilibrium(model, predicted, nearest), {}, {}};
  Correction correction(model, predicted, known);
  if (!correction.finds_balance()) return {};
  if (!correction.has_full_rank()) return {find_equilibrium(model, predicted, nearest), {}, {}};
  return correction.examined();
}

}  // namespace stillpoint
