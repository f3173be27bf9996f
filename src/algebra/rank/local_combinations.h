// Vanishing combinations of rows of S in the neighbourhood of a row, by small dense least-squares problems.
#pragma once

#include <optional>

#include "algebra/rank/combinations.h"

namespace stillpoint {

/// Looks for combinations in which a given row has the coefficient 1.
class LocalSearch {
 public:
  /// A sum of rows vanishes if its norm is at most `tolerance` times the norm of its coefficients. Both matrices must
  /// outlive the search.
  LocalSearch(const SparseMatrix& S, const SparseMatrix& S_transposed, double tolerance);

  /// Returns a combination of the given rows and `row`, if there is one.
  std::optional<Combination> among(const std::vector<Index>& rows, Index row);

  /// Returns a combination of rows that satisfy `may_use` and are connected to `row` by a short path of shared
  /// coordinates.
  template <class Predicate>
  std::optional<Combination> near(Index row, const Predicate& may_use) {
    std::vector<Index> rows{row};
    std::size_t reached = 0;
    mark_rows_.resize(static_cast<std::size_t>(S_.rows()), -1);
    mark_rows_[row] = ++stamp_;
    for (int radius = 1; radius <= largest_radius; ++radius) {
      const std::size_t end = rows.size();
      for (; reached < end; ++reached) add_adjacent_rows(rows, rows[reached], may_use);
      if (rows.size() == end || rows.size() > most_rows) break;
      if (auto found = among({rows.begin() + 1, rows.end()}, row)) return found;
    }
    return std::nullopt;
  }

  /// Returns the same combination without its small coefficients if the others alone vanish. Rounded geometry gives
  /// every row of a subsystem a small coefficient.
  Combination sharpened(Combination combination, Index row);

  static constexpr std::size_t most_rows = 60;

 private:
  static constexpr int largest_radius = 6;
  static constexpr Index most_in_column = 16;  // a coordinate with more constraints does not define a neighbourhood

  template <class Predicate>
  void add_adjacent_rows(std::vector<Index>& rows, Index of, const Predicate& may_use) {
    for (SparseMatrix::InnerIterator coordinate(S_transposed_, of); coordinate; ++coordinate) {
      const Index j = static_cast<Index>(coordinate.row());
      if (S_.outerIndexPtr()[j + 1] - S_.outerIndexPtr()[j] > most_in_column) continue;
      for (SparseMatrix::InnerIterator entry(S_, j); entry; ++entry) {
        const Index i = static_cast<Index>(entry.row());
        if (mark_rows_[i] == stamp_ || !may_use(i)) continue;
        mark_rows_[i] = stamp_;
        rows.push_back(i);
        if (rows.size() > most_rows) return;
      }
    }
  }

  const SparseMatrix& S_;
  const SparseMatrix& S_transposed_;
  double tolerance_;
  Index stamp_ = -1;
  std::vector<Index> mark_rows_, local_columns_;
};

}  // namespace stillpoint
