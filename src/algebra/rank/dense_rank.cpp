#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "algebra/dense/dense_svd.h"
#include "algebra/rank/find_rank.h"
#include "algebra/rank/local_combinations.h"
#include "algebra/rank/null_vectors.h"
#include "algebra/rank/rank_rule.h"

namespace stillpoint {

namespace {

// Bound of the coefficients that express a dependent row by the independent ones. It limits how much worse conditioned
// the independent rows are than the best choice (strong rank-revealing QR, [Gu & Eisenstat 1996]).
constexpr double largest_coefficient = 4;
constexpr int most_exchanges = 300;

struct Choice {
  std::vector<Index> rows;  // the independent rows come first
  Eigen::MatrixXd coefficients;
};

/// Chooses rows by QR with column pivoting, then exchanges a pair of rows while a coefficient exceeds the bound.
Choice choose_rows(const Eigen::MatrixXd& S, Eigen::Index rank) {
  const Eigen::MatrixXd columns = S.transpose();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> pivoted(columns);
  Choice choice;
  for (Eigen::Index k = 0; k < S.rows(); ++k) {
    choice.rows.push_back(static_cast<Index>(pivoted.colsPermutation().indices()[k]));
  }
  Eigen::MatrixXd R = pivoted.matrixQR();
  for (int exchange = 0;; ++exchange) {
    choice.coefficients = R.topRightCorner(rank, S.rows() - rank);
    if (choice.coefficients.size() == 0) return choice;
    R.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(choice.coefficients);
    if (exchange == most_exchanges) return choice;
    Eigen::Index i = 0, j = 0;
    const double largest = choice.coefficients.cwiseAbs().maxCoeff(&i, &j);
    if (!(largest > largest_coefficient)) return choice;
    std::swap(choice.rows[static_cast<std::size_t>(i)], choice.rows[static_cast<std::size_t>(rank + j)]);
    Eigen::MatrixXd exchanged(columns.rows(), columns.cols());
    for (Eigen::Index k = 0; k < S.rows(); ++k) {
      exchanged.col(k) = columns.col(choice.rows[static_cast<std::size_t>(k)]);
    }
    R = Eigen::HouseholderQR<Eigen::MatrixXd>(exchanged).matrixQR();
  }
}

/// Returns the larger of the noise floor and the largest dropped value.
double unexplained(const RankDecision& rank) { return std::fmax(rank.noise_floor, rank.largest_dropped); }

std::vector<Combination> combinations_of(const Choice& choice, const SparseMatrix& S, double noise) {
  const SparseMatrix S_transposed = S.transpose();
  LocalSearch search(S, S_transposed, 10 * noise);
  const Eigen::Index rank = choice.coefficients.rows();
  std::vector<Combination> result;
  for (Eigen::Index d = 0; d < choice.coefficients.cols(); ++d) {
    const Index row = choice.rows[static_cast<std::size_t>(rank + d)];
    Combination combination{{{row, 1}}};
    for (Eigen::Index k = 0; k < rank; ++k) {
      const double c = choice.coefficients(k, d);
      if (std::abs(c) > noise) combination.terms.push_back({choice.rows[static_cast<std::size_t>(k)], -c});
    }
    sort_by_row(combination);
    result.push_back(search.sharpened(std::move(combination), row));
  }
  return result;
}

/// Elimination in a fill-reducing order finds combinations confined to a loop, which a choice of large pivots does not.
std::vector<Combination> sparse_combinations(const SparseMatrix& S, const RankDecision& rank, double largest,
                                             double noise) {
  const SparseMatrix S_transposed = S.transpose();
  const double dead = std::sqrt(rank.smallest_kept * unexplained(rank)) * largest;
  const SparseQr qr(S, S_transposed, fill_reducing_order(S, S_transposed), {.dead = dead, .late = {}, .dropped = {}});
  if (qr.live() != rank.value) return {};
  return null_combinations(S, qr, noise);
}

std::size_t terms_in(const std::vector<Combination>& combinations) {
  std::size_t terms = 0;
  for (const Combination& combination : combinations) terms += combination.terms.size();
  return terms;
}

}  // namespace

ScaledDependence dense_dependence(const SparseMatrix& S, const RankOptions& options) {
  const Eigen::MatrixXd dense = S.toDense();
  const Eigen::VectorXd values = dense_svd(dense, false).values;
  std::vector<double> relative(values.begin(), values.end());
  for (double& value : relative) value /= values[0];

  ScaledDependence result;
  result.rank = decide_rank(relative, static_cast<Index>(S.rows()), options);
  result.rank.method = "SVD";
  const Eigen::Index rank = result.rank.value;
  const Choice choice = choose_rows(dense, rank);
  result.dependent.assign(choice.rows.begin() + rank, choice.rows.end());

  std::sort(result.dependent.begin(), result.dependent.end());
  if (result.dependent.empty()) return result;

  const double noise = 10 * unexplained(result.rank) * values[0];
  result.combinations = combinations_of(choice, S, noise);
  std::vector<Combination> others = sparse_combinations(S, result.rank, values[0], noise);
  if (others.size() == result.dependent.size() && terms_in(others) < terms_in(result.combinations)) {
    result.combinations = std::move(others);
  }
  return result;
}

}  // namespace stillpoint
