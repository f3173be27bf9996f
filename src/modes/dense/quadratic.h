// Dense quadratic eigenvalue problem (s² M + s C + K) x = 0: number of eigenvalues, zeros and condensation.
//
//   deg det(s²M + sC + K) = 2 rank M + rank(N_Lᵀ C N_R),   N: null vectors of M                               (6.2)
//
// The degree is that of the first line if K is regular on the remaining directions. Directions without mass and damping
// follow the others statically, so they are condensed; the condensed problem has as many eigenvalues as the degree
// says, and none at infinity.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "modes/tolerances.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

/// A square matrix and the sum of the magnitudes of the terms of each entry. Rounding has changed an entry by a few ε
/// of this sum, which may be much more than ε of the entry.
struct Summed {
  Eigen::MatrixXd value, magnitude;

  Eigen::Index order() const { return value.rows(); }
};

/// Vectors in columns, with magnitudes of their entries. A magnitude is the absolute value, increased so that the
/// rounding of the entry is at most that of the magnitude: an entry that is zero but for rounding must not count where
/// all around it is zero, too.
struct BasisWithMagnitudes {
  Eigen::MatrixXd value, magnitude;
};

/// Returns Lᵀ A R.
Summed projected(const Summed& A, const BasisWithMagnitudes& L, const BasisWithMagnitudes& R);

struct Quadratic {
  Summed M, C, K;
  bool is_projected = false;  ///< on directions that are known to rounding only, so that squares of their errors remain

  Eigen::Index order() const { return M.order(); }
};

Quadratic projected(const Quadratic& P, const BasisWithMagnitudes& L, const BasisWithMagnitudes& R);

/// Tells whether no entry differs from that of the transposed matrix by more than rounding.
bool is_symmetric(const Summed& A);
/// Tells whether no entry exceeds rounding.
bool is_zero(const Summed& A);

/// Right and left null vectors, and bases that complete them.
struct NullSpaces {
  BasisWithMagnitudes null_right{}, null_left{}, rest_right{}, rest_left{};
  Eigen::VectorXd values{};  ///< the singular values that count as nonzero, of the scaled matrix
  Eigen::Index rank = 0;
  double gap = 0;      ///< least singular value that counts as nonzero, over rounding; below 1000 the rank is uncertain
  double residue = 0;  ///< largest singular value that counts as zero, over rounding; above 0.01 the rank is uncertain

  /// Returns the reason why the rank is uncertain; empty if it is certain.
  std::string uncertainty(double certain_gap = tolerance::certain_rank) const;
};

/// Determines the rank after scaling A so that its magnitudes are near one; singular values within rounding are zero.
/// The largest gap does not decide, since soft and stiff springs together leave wide gaps without meaning.
NullSpaces null_spaces(const Summed& A, std::optional<Eigen::Index> rank = {});

/// P without the directions that have neither mass nor damping: x = X x', y = Y y'.
struct Condensed {
  Quadratic P;  ///< M is regular in its first `inertial` rows and columns and zero in the others, where C is regular
  Eigen::MatrixXd X, Y;
  Eigen::Index inertial = 0;
  Eigen::Index massless = 0;  ///< dimension of null(M) before the condensation
  bool is_symmetric = false, is_undamped = false;
  std::vector<std::string> uncertainties;  ///< uncertain ranks, and terms that the condensation does not cover
  Eigen::MatrixXd undetermined;  ///< directions without mass, damping and stiffness; if there are any, P is not valid

  Eigen::Index eigenvalues() const { return inertial + P.order(); }
};

/// Number of directions without mass, and of those among them with damping.
struct Massless {
  Eigen::Index all = 0, damped = 0;
};

/// `massless` is given if it is known better than from the numbers.
Condensed condense(Quadratic P, const std::optional<Massless>& massless = {});

/// The motions that no stiffness resists. Those that no damping resists either have the eigenvalue 0 twice, the others
/// once.
struct ZeroRoots {
  NullSpaces of_K;
  Eigen::MatrixXd undamped, damped;  ///< right vectors, in columns
  /// The stiffness on each of them by coupling: with each other, and by rounding of K with all other motions.
  Eigen::VectorXd coupling_of_undamped, coupling_of_damped;
  Eigen::Index multiplicity = 0;  ///< of the eigenvalue 0
  std::string uncertainty{};      ///< empty if the multiplicity is certain
};
ZeroRoots find_zero_roots(const Condensed& condensed);

}  // namespace stillpoint
