// The dense problem (s² M + s C + K) x = 0, and what can be said about it before any eigenvalue is computed.
//
//   deg det(s²M + sC + K) = 2 rank M + rank(N_Lᵀ C N_R),   N: null vectors of M                               (T20)
//
// if K is regular on what remains. Directions without mass and damping follow the others at once (statics), so they are
// condensed; what is left has as many eigenvalues as the degree says, and none at infinity.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// A square matrix and, entry by entry, the sum of the absolute values of what it was summed from: rounding has changed
/// an entry by a few ε of that, which may be much more than ε of the entry.
struct Summed {
  Eigen::MatrixXd value, size;

  Eigen::Index order() const { return value.rows(); }
};

/// Vectors in columns, and sizes of their entries: absolute values, and so much that rounding of the entries is not
/// more than rounding of the sizes. What is zero but for that must not count where all around it is zero, too.
struct SizedBasis {
  Eigen::MatrixXd value, size;
};

/// Lᵀ A R.
Summed projected(const Summed& A, const SizedBasis& L, const SizedBasis& R);

struct Quadratic {
  Summed M, C, K;
  bool is_projected = false;  ///< on directions that are known to rounding only, or by squares of such

  Eigen::Index order() const { return M.order(); }
};

Quadratic projected(const Quadratic& P, const SizedBasis& L, const SizedBasis& R);

/// No entry differs from that of the transposed matrix by more than rounding.
bool is_symmetric(const Summed& A);
/// No entry is more than rounding.
bool is_zero(const Summed& A);

/// Right and left null vectors, and bases that complete them.
struct NullSpaces {
  SizedBasis null_right{}, null_left{}, rest_right{}, rest_left{};
  Eigen::Index rank = 0;
  double gap = 0;      ///< of the smallest singular value kept over rounding: below 1000 the rank is a guess
  double residue = 0;  ///< of the largest that counts as zero, over the same: beyond 0.01 it is a guess, too

  /// Which value is; empty if none.
  std::string doubt(double clear_gap = 1e3) const;
};

/// A is scaled so that its sizes are near one, and what is left of it there is compared with rounding: what is no more
/// is zero. (Not the largest gap decides: soft and stiff springs together leave wide gaps that mean nothing.)
NullSpaces null_spaces(const Summed& A, std::optional<Eigen::Index> rank = {});

/// P without the directions that have neither mass nor damping. x = X x', y = Y y'.
struct Condensed {
  Quadratic P;  ///< its first `inertial` rows and columns hold a regular M; beyond them M is zero and C is regular
  Eigen::MatrixXd X, Y;
  Eigen::Index inertial = 0;
  Eigen::Index massless = 0;  ///< dimension of null(M) before
  bool is_symmetric = false, is_undamped = false;
  std::vector<std::string> doubts;  ///< ranks that are guesses, terms that the rule above does not cover
  Eigen::MatrixXd undetermined;  ///< directions without mass, damping and stiffness: if there are any, P is not valid

  Eigen::Index eigenvalues() const { return inertial + P.order(); }
};

/// How many directions have no mass, and how many of these have damping.
struct Massless {
  Eigen::Index all = 0, damped = 0;
};

/// `massless`: if that is known better than from the numbers.
Condensed condense(Quadratic P, const std::optional<Massless>& massless = {});

/// The motions that no stiffness resists.
struct ZeroRoots {
  NullSpaces of_K;
  Eigen::Index multiplicity = 0;  ///< of the eigenvalue 0
  std::string doubt{};            ///< empty if that is sure
};
ZeroRoots find_zero_roots(const Condensed& condensed);

}  // namespace stillpoint
