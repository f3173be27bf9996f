// Where matrix entries go: first into patterns that are counted and laid out, then as values into these patterns.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Collects which entries a matrix has. Usage: every entry is added once while counting and once more after layout().
class PatternSink {
 public:
  static constexpr bool wants_values = false;

  PatternSink(Index rows, Index columns)
      : rows_(rows), columns_(columns), ends_(static_cast<std::size_t>(columns) + 1, 0) {}

  void add(Index row, Index column, double = 0) {
    std::int64_t& end = ends_[static_cast<std::size_t>(column)];
    if (!entries_.empty()) entries_[static_cast<std::size_t>(end)] = row;
    ++end;
  }

  /// Ends the counting.
  void layout();
  /// The matrix of zeros with the collected pattern, rows ascending in each column. The sink is empty afterwards.
  SparseMatrix matrix();

 private:
  Index rows_, columns_;
  std::vector<std::int64_t> ends_;  ///< while counting: how many; afterwards: one past what each column has so far
  std::vector<Index> entries_;
};

/// Adds values to a matrix whose pattern has a place for each of them; without a matrix they go nowhere. `sizes`: if
/// there are any, the magnitudes of what each value is summed from are added there.
class ValueSink {
 public:
  static constexpr bool wants_values = true;

  ValueSink() = default;
  explicit ValueSink(SparseMatrix& matrix, double* sizes = nullptr)
      : starts_(matrix.outerIndexPtr()), rows_(matrix.innerIndexPtr()), values_(matrix.valuePtr()), sizes_(sizes) {}

  void add(Index row, Index column, double value) {
    if (starts_ == nullptr) return;
    const Index* const begin = rows_ + starts_[column];
    const Index* const end = rows_ + starts_[column + 1];
    const Index* const found = end - begin <= 16 ? std::find(begin, end, row) : std::lower_bound(begin, end, row);
    assert(found != end && *found == row);
    values_[found - rows_] += value;
    if (sizes_ != nullptr) sizes_[found - rows_] += std::abs(value);
  }

 private:
  const Index* starts_ = nullptr;
  const Index* rows_ = nullptr;
  double* values_ = nullptr;
  double* sizes_ = nullptr;
};

/// Strains as rows of B, one after the other, with their stiffnesses.
struct StrainRows {
  std::vector<Eigen::Triplet<double, Index>> entries;
  std::vector<double> stiffness;
};

/// One sink for each matrix of the linear system (mathematics: M δq̈ + C δq̇ + K δq + Jᵀδλ = F δu, J δq = G δu).
template <class Sink>
struct Sinks {
  Sink M, C, K, J, F, G;
  StrainRows* strains = nullptr;  ///< if there is one, what strains make of K goes there instead
};

}  // namespace stillpoint
