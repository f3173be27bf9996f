#include "algebra/rank/local_combinations.h"

#include <Eigen/QR>
#include <algorithm>

namespace stillpoint {

namespace {

/// Returns a basic least-squares solution, which uses the linearly independent columns only. Eigen's solve() divides by
/// all pivots that are not exactly zero, whatever the threshold is.
Eigen::VectorXd basic_solution(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, const Eigen::VectorXd& b) {
  const Eigen::Index rank = qr.rank();
  const Eigen::VectorXd Qt_b = qr.householderQ().transpose() * b;
  Eigen::VectorXd c = Eigen::VectorXd::Zero(qr.cols());
  c.head(rank) = qr.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(Qt_b.head(rank));
  return qr.colsPermutation() * c;
}

}  // namespace

LocalSearch::LocalSearch(const SparseMatrix& S, const SparseMatrix& S_transposed, double tolerance)
    : S_(S), S_transposed_(S_transposed), tolerance_(tolerance) {}

std::optional<Combination> LocalSearch::among(const std::vector<Index>& rows, Index row) {
  local_columns_.resize(static_cast<std::size_t>(S_.cols()), -1);
  std::vector<Index> columns;
  const auto add_columns = [&](Index i) {
    for (SparseMatrix::InnerIterator entry(S_transposed_, i); entry; ++entry) {
      if (local_columns_[entry.row()] != -1) continue;
      local_columns_[entry.row()] = static_cast<Index>(columns.size());
      columns.push_back(static_cast<Index>(entry.row()));
    }
  };
  for (const Index i : rows) add_columns(i);
  add_columns(row);

  Eigen::MatrixXd A =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(columns.size()), static_cast<Eigen::Index>(rows.size()));
  Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (SparseMatrix::InnerIterator entry(S_transposed_, rows[k]); entry; ++entry) {
      A(local_columns_[entry.row()], static_cast<Eigen::Index>(k)) = entry.value();
    }
  }
  for (SparseMatrix::InnerIterator entry(S_transposed_, row); entry; ++entry) {
    b[local_columns_[entry.row()]] = entry.value();
  }
  for (const Index j : columns) local_columns_[j] = -1;

  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(std::min(0.1, 100 * tolerance_));
  qr.compute(A);
  const Eigen::VectorXd c = basic_solution(qr, b);
  if ((A * c - b).norm() > tolerance_ * std::hypot(1.0, c.norm())) return std::nullopt;

  Combination result;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double value = c[static_cast<Eigen::Index>(k)];
    if (std::abs(value) > tolerance_) result.terms.push_back({rows[k], -value});
  }
  result.terms.push_back({row, 1});
  sort_by_row(result);
  return result;
}

Combination LocalSearch::sharpened(Combination combination, Index row) {
  for (const double smallest : {1e-2, 1e-4, 1e-6}) {
    std::vector<Index> rows;
    for (const Combination::Term& term : combination.terms) {
      if (term.row != row && std::abs(term.value) > smallest) rows.push_back(term.row);
    }
    if (rows.size() + 1 >= combination.terms.size() || rows.size() > most_rows) break;
    if (auto found = among(rows, row)) return *std::move(found);
  }
  return combination;
}

}  // namespace stillpoint
