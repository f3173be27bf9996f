// Assembly of sparse matrices in two passes: patterns are counted and laid out first, then values are added to them.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Collects the pattern of a matrix. Every entry must be added once while counting and once more after layout().
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

  /// Ends the counting pass.
  void layout();
  /// Returns the zero matrix with the collected pattern, rows ascending in each column, and empties the sink.
  SparseMatrix matrix();

 private:
  Index rows_, columns_;
  std::vector<std::int64_t> ends_;  ///< in the first pass entries of each column, then one past its last entry so far
  std::vector<Index> entries_;
};

/// Adds values to a matrix whose pattern contains them; without a matrix the values are discarded. If `magnitudes` is
/// given, the magnitudes of the summed values are added there.
class ValueSink {
 public:
  static constexpr bool wants_values = true;

  ValueSink() = default;
  explicit ValueSink(SparseMatrix& matrix, double* magnitudes = nullptr)
      : starts_(matrix.outerIndexPtr()),
        rows_(matrix.innerIndexPtr()),
        values_(matrix.valuePtr()),
        magnitudes_(magnitudes) {}

  void add(Index row, Index column, double value) {
    if (starts_ == nullptr) return;
    const Index* const begin = rows_ + starts_[column];
    const Index* const end = rows_ + starts_[column + 1];
    const Index* const found = end - begin <= 16 ? std::find(begin, end, row) : std::lower_bound(begin, end, row);
    assert(found != end && *found == row);
    values_[found - rows_] += value;
    if (magnitudes_ != nullptr) magnitudes_[found - rows_] += std::abs(value);
  }

 private:
  const Index* starts_ = nullptr;
  const Index* rows_ = nullptr;
  double* values_ = nullptr;
  double* magnitudes_ = nullptr;
};

/// Strains as consecutive rows of B, with their stiffnesses.
struct StrainRows {
  std::vector<Eigen::Triplet<double, Index>> entries;
  std::vector<double> stiffness;
};

/// No elements, all, those whose inertia forces are linear in the accelerations with constant coefficients, and the
/// others.
enum class InertiaPart { none, all, constant, varying };

/// A sink for each matrix of the linear system, theory (1.2): M δq̈ + C δq̇ + K δq + Jᵀδλ = F δu, J δq = G δu.
template <class Sink>
struct Sinks {
  Sink M{}, C{}, K{}, J{}, F{}, G{};
  StrainRows* strains = nullptr;           ///< if present, it receives the contribution of the strains to K
  bool for_motion = false;                 ///< M, J and G alone, which accelerations need: no second derivatives
  InertiaPart inertia = InertiaPart::all;  ///< of M
};

}  // namespace stillpoint
