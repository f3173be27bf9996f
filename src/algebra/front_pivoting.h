// A dense symmetric front is factored as far as its pivots are good: L D Lᵀ with blocks of size 1 and 2 in D.
//
// A pivot d may be used if |D⁻¹| times the largest entries of its columns is at most 1/u (Duff & Reid 1983), u = 0.1:
// no entry of what remains grows by more than a factor of 1 + 1/u. From a column without such a pivot the search walks
// on to the row of its largest entry (rook pivoting, Ashcraft, Grimes & Lewis 1998). In a front without a border the
// walk always ends at a good pivot; elsewhere unknowns may stay behind, to be eliminated with the parent.
//
// Columns are brought up to date when they are looked at, the remainder at the end of each panel (as LAPACK's dsytrf).
#pragma once

#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The lower triangle by columns, `stride` apart. Rows and columns are permuted together, `position` with them.
struct Front {
  double* entries = nullptr;
  Index stride = 0;
  Index size = 0;
  Index candidates = 0;       ///< rows from the first on that may be eliminated; the others are the border
  Index* position = nullptr;  ///< what each row is, in the order of elimination
  double largest = 0;  ///< magnitude of anything that entered the computation of these entries; after it, the same

  double* column(Index j) const { return entries + static_cast<std::ptrdiff_t>(j) * stride; }
  /// What is left when the first `count` rows have been eliminated.
  Front after(Index count) const;
};

/// What became of the first `count` rows: D, and below it L in the columns of the front.
struct Pivots {
  Index count = 0;
  std::vector<double> diagonal;  ///< of D; 0 with a column of zeros in L where everything was rounding errors
  std::vector<double> below;     ///< D's entry below the diagonal in the first column of a block of size 2, otherwise 0
  std::vector<double> dropped;   ///< per row: sum of magnitudes set to zero. Empty if there are none
};

class FrontPivoting {
 public:
  /// Eliminates what it can. Afterwards the trailing part of the front, from row and column `count` on, is what is left
  /// behind. The result is valid until the next call.
  const Pivots& eliminate(Front& front);

 private:
  struct Column {
    double* values = nullptr;  ///< rows from `done_` on
    Index at = 0;              ///< its own row
    double diagonal = 0;       ///< magnitudes of: its diagonal entry,
    double inside = 0;         ///< the largest other one in a candidate's row,
    double outside = 0;        ///< and in the border
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
  Index done_ = 0;            ///< rows eliminated
  Index panel_ = 0;           ///< of these: before the panel, so that the trailing part has them subtracted
  double noise_ = 0;          ///< magnitude of rounding errors in this front
  std::vector<double> work_;  ///< L D in the columns of the panel, and the columns looked at
};

}  // namespace stillpoint
