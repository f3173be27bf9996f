// Partial LDLᵀ factorisation of a dense symmetric front with 1 × 1 and 2 × 2 pivots ([Bunch & Kaufman 1977]; threshold
// pivoting in fronts: [Duff & Reid 1983]).
//
//   F = L D Lᵀ + [0, 0; 0, C]      F: size × size,  L: size × count,  D: count × count,  C: contribution to the parent
//
// A pivot block D_k is acceptable if ‖ |D_k⁻¹| m ‖_∞ ≤ 1/u with u = 0.1, where m holds the largest magnitudes of the
// remaining entries in its columns: no remaining entry then grows by more than a factor of 1 + 1/u. From a column
// without an acceptable pivot the search proceeds to the row of its largest entry (rook pivoting; [Ashcraft 1998]). In
// a front without a border the search always succeeds. Elsewhere unknowns may be delayed, to be eliminated in the
// parent front.
//
// A column is updated when it is inspected, the remaining front at the end of each panel, as in LAPACK's dsytrf.
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The lower triangle by columns, `stride` apart. Rows and columns are permuted together, and `position` with them.
struct Front {
  double* entries = nullptr;
  Index stride = 0;
  Index size = 0;
  Index candidates = 0;       ///< number of leading rows that may be eliminated; the others are the border
  Index* position = nullptr;  ///< position of each row in the elimination order
  double largest = 0;         ///< largest magnitude that entered the computation of these entries; updated

  double* column(Index j) const { return entries + static_cast<std::ptrdiff_t>(j) * stride; }
  /// Returns the remaining front after the elimination of the first `count` rows.
  Front after(Index count) const;
};

/// The result of the elimination of the first `count` rows: D. The columns of L are stored in the front.
struct Pivots {
  Index count = 0;
  std::vector<double>
      diagonal;  ///< diagonal of D; 0, with a zero column of L, where a column held nothing but rounding errors
  std::vector<double> below;    ///< subdiagonal entry of D in the first column of a 2 × 2 block, otherwise 0
  std::vector<double> dropped;  ///< for each row the sum of the magnitudes set to zero; empty if there are none
};

class FrontPivoting {
 public:
  /// Eliminates as many candidates as possible. The trailing part of the front, from row and column `count` on, then
  /// holds the contribution to the parent. The result is valid until the next call.
  const Pivots& eliminate(Front& front);

 private:
  struct Column {
    double* values = nullptr;  ///< entries in rows from `done_` on
    Index at = 0;              ///< its own row
    double diagonal = 0;       ///< magnitude of its diagonal entry
    double inside = 0;         ///< largest magnitude of the other entries in candidate rows
    double outside = 0;        ///< largest magnitude in the border
    double largest() const { return inside > outside ? inside : outside; }
  };

  double* column(Index j) { return front_->column(j); }
  double* work(Index k) { return work_.data() + static_cast<std::ptrdiff_t>(k) * front_->size; }
  Column look_at(Index at, double* values);
  Index row_of_largest(const Column& column) const;
  bool try_pivot(Index at);
  bool is_good_pair(const Column& a, const Column& b) const;
  void take_zero(const Column& column);
  void take_one(const Column& column);
  void take_pair(const Column& a, const Column& b);
  void exchange(Index a, Index b);
  void finish_panel();

  Front* front_ = nullptr;
  Pivots pivots_;
  Index done_ = 0;            ///< number of eliminated rows
  Index panel_ = 0;           ///< number of these before the current panel, already subtracted from the trailing part
  double noise_ = 0;          ///< magnitude of the rounding errors in this front
  std::vector<double> work_;  ///< L D of the columns of the panel, and the columns under inspection
};

}  // namespace stillpoint
