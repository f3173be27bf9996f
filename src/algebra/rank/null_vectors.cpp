#include "algebra/rank/null_vectors.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <queue>
#include <utility>

#include "algebra/rank/local_combinations.h"

namespace stillpoint {

namespace {

// A back substitution that has visited more rows than this is probably not local; the neighbourhood is searched first.
constexpr std::size_t probably_not_local = 200;

// A combination of at most this many rows is not shortened. After this many failures in a row the loops are taken to be
// long, and the search is given up.
constexpr std::size_t already_short = 6;
constexpr int most_failures = 50;

/// The columns of R without its diagonal.
class FactorColumns {
 public:
  explicit FactorColumns(const SparseQr& qr) : starts_(qr.tree().order.size() + 1, 0) {
    const Index m = static_cast<Index>(qr.tree().order.size());
    const auto for_all = [&](const auto& visit) {
      for (Index k = 0; k < m; ++k) {
        qr.for_row(k, [&](Index column, double value) {
          if (column != k) visit(k, column, value);
        });
      }
    };
    for_all([&](Index, Index column, double) { ++starts_[column + 1]; });
    for (Index k = 0; k < m; ++k) starts_[k + 1] += starts_[k];
    rows_.resize(static_cast<std::size_t>(starts_.back()));
    values_.resize(rows_.size());
    std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
    for_all([&](Index row, Index column, double value) {
      const auto place = static_cast<std::size_t>(next[column]++);
      rows_[place] = row;
      values_[place] = value;
    });
  }
  template <class Visit>
  void for_column(Index column, const Visit& visit) const {
    for (auto e = static_cast<std::size_t>(starts_[column]); e < static_cast<std::size_t>(starts_[column + 1]); ++e) {
      visit(rows_[e], values_[e]);
    }
  }

 private:
  std::vector<std::int64_t> starts_;
  std::vector<Index> rows_;
  std::vector<double> values_;
};

/// Sparse back substitution, which visits only rows with nonzero values, from the highest position down.
class SparseBackSubstitution {
 public:
  SparseBackSubstitution(const SparseQr& qr, double negligible)
      : qr_(qr),
        columns_(qr),
        negligible_(negligible),
        value_(qr.tree().order.size(), 0.0),
        waits_(qr.tree().order.size(), 0) {}

  /// Returns the terms c by position, in descending order; nothing if more than `most` rows are visited.
  std::optional<std::vector<Combination::Term>> solve(Index dead, std::size_t most) {
    std::vector<Combination::Term> c;
    std::size_t touched = 0;
    add_column(dead, 1);
    while (!waiting_.empty()) {
      const Index k = waiting_.top();
      waiting_.pop();
      waits_[k] = 0;
      const double x = std::exchange(value_[k], 0.0) / qr_.diagonal(k);
      if (++touched > most) {
        clear();
        return std::nullopt;
      }
      if (std::abs(x) <= negligible_) continue;
      c.push_back({k, x});
      add_column(k, -x);
    }
    return c;
  }

 private:
  void add_column(Index column, double factor) {
    columns_.for_column(column, [&](Index row, double value) {
      value_[row] += factor * value;
      if (waits_[row]) return;
      waits_[row] = 1;
      waiting_.push(row);
    });
  }
  void clear() {
    for (; !waiting_.empty(); waiting_.pop()) waits_[waiting_.top()] = 0, value_[waiting_.top()] = 0;
  }

  const SparseQr& qr_;
  FactorColumns columns_;
  double negligible_;
  std::vector<double> value_;
  std::vector<char> waits_;
  std::priority_queue<Index> waiting_;
};

}  // namespace

std::vector<Combination> null_combinations(const SparseMatrix& S, const SparseQr& qr, double noise) {
  const ColumnTree& tree = qr.tree();
  const Index all = static_cast<Index>(tree.order.size());
  std::vector<Combination> result;
  if (!qr.has_dead()) return result;
  const SparseMatrix S_transposed = S.transpose();
  SparseBackSubstitution substitution(qr, noise);
  int failures_in_a_row = 0;
  LocalSearch search(S, S_transposed, 10 * noise);
  for (Index dead = 0; dead < all; ++dead) {
    if (qr.is_live(dead)) continue;
    const Index row = tree.order[dead];
    const auto look_near = [&] {
      auto near = failures_in_a_row < most_failures ? search.near(row, [&](Index i) { return tree.position[i] < dead; })
                                                    : std::nullopt;
      failures_in_a_row = near ? 0 : failures_in_a_row + 1;
      return near;
    };
    auto c = substitution.solve(dead, probably_not_local);
    if (!c) {
      if (auto near = look_near()) {
        result.push_back(*std::move(near));
        continue;
      }
      c = substitution.solve(dead, tree.order.size());
    }
    Combination combination;
    for (const Combination::Term& term : *c) {
      const Index i = tree.order[term.row];
      if (i < S.rows()) combination.terms.push_back({i, -term.value});  // links are not rows of S
    }
    combination.terms.push_back({row, 1});
    sort_by_row(combination);
    combination = search.sharpened(std::move(combination), row);
    if (combination.terms.size() > already_short) {
      auto near = look_near();
      if (near && near->terms.size() < combination.terms.size()) combination = *std::move(near);
    }
    result.push_back(std::move(combination));
  }
  return result;
}

}  // namespace stillpoint
