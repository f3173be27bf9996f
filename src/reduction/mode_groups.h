// Eigenvalues that coincide, with the invariant subspaces that belong to them together. Single vectors of repeated
// eigenvalues are not determined, and those of chains are not enough; the subspaces are determined.
//
//   A V = V A_g,   Wᵀ A = A_g Wᵀ,   Wᵀ V = I
#pragma once

#include "reduction/modal_parts.h"

namespace stillpoint {

struct ModeGroup {
  Eigen::MatrixXd V, W, A;
  std::vector<std::complex<double>> values;  ///< Im ≥ 0; those of a pair once
  std::complex<double> s;                    ///< their mean
  bool is_pair = false;                      ///< not real; then A has the conjugate values, too

  Eigen::Index multiplicity() const { return is_pair ? A.rows() / 2 : A.rows(); }
};

/// Joins the parts whose eigenvalues agree to 10⁻⁸; in the order of |s|.
std::vector<ModeGroup> groups_of(const ModalParts& all);

/// The same of Aᵀ: right and left change places.
ModeGroup transposed(const ModeGroup& group);

/// The eigenvalues with Im ≥ 0 of a group, with an orthonormal basis: Qᵀ A = T Qᵀ, Qᵀ = fromᵀ Wᵀ.
struct LeftPair {
  Eigen::MatrixXcd Q, T, from;
  double condition = 1;  ///< of the vectors that Q is made from: Q and T have so many times their rounding
};
LeftPair left_pair(const ModeGroup& group);

/// The group without the left vectors that combine Wᵀ by `rows` (combinations by complex numbers, which span an
/// invariant subspace with Im ≥ 0): what is orthogonal to them is kept.
ModeGroup without(const ModeGroup& group, const Eigen::MatrixXcd& rows);

}  // namespace stillpoint
