// Block Lanczos method with full orthogonalisation and thick restarts ([Wu & Simon 2000]; band Lanczos: [Ruhe 1979])
// for the eigenvalues of largest magnitude of an operator A that is self-adjoint in the inner product of M.
//
//   A V = V T + W Eᵀ,   Vᵀ M V = I,   xᵀ M A y = yᵀ M A x      A, M: n × n,  V: n × k,  T: k × k,  W: n × p
//
// W holds the basis vectors to which A has not yet been applied, one for each start vector, and Eᵀ their coefficients
// in the last rows of T. M may be singular. A may be confined to a subspace: a new vector that is the small difference
// of large ones is projected back into it.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Approximate eigenpairs (Ritz pairs) A x = θ x, in the order of descending |θ|.
struct RitzPairs {
  Eigen::VectorXd values;
  Eigen::VectorXd residuals;  ///< ‖A x − θ x‖_M for ‖x‖_M = 1; an eigenvalue lies within this distance of θ
  Eigen::MatrixXd coefficients;  ///< of x with respect to the basis

  Index size() const { return static_cast<Index>(values.size()); }
  /// The number of leading pairs whose residual is at most `relative` times |θ|.
  Index converged(double relative) const;
};

struct SelfAdjoint {
  std::function<Eigen::VectorXd(const Eigen::VectorXd& Mx)> apply;   ///< returns A x, given M x
  std::function<Eigen::VectorXd(const Eigen::VectorXd& x)> project;  ///< projects x into the subspace of A
};

class LanczosBasis {
 public:
  /// Keeps the basis M-orthogonal to `locked`, M-orthonormal eigenvectors that are known already. The basis never has
  /// more than `capacity` vectors besides the start vectors; together with the locked ones it never exceeds
  /// `dimension`, the rank of M on the subspace. M and `locked` must outlive the basis.
  LanczosBasis(const SparseMatrix& M, SelfAdjoint A, const Eigen::MatrixXd& start, const Eigen::MatrixXd& locked,
               Index capacity, Index dimension);
  LanczosBasis(const SparseMatrix&, SelfAdjoint, const Eigen::MatrixXd&, Eigen::MatrixXd&& locked, Index,
               Index) = delete;

  Index size() const { return applied_; }  ///< the number of vectors to which A has been applied
  bool is_full() const { return applied_ == capacity_; }
  bool is_complete() const {
    return applied_ == count_;
  }  ///< the basis spans an invariant subspace, which contains no further eigenvectors

  /// Applies A to the next vector and orthogonalises the result.
  void grow();

  RitzPairs ritz() const;
  /// Returns the vectors x of the chosen pairs in columns, in the memory of the basis, which is empty from then on. A
  /// subsequent product with A makes their components in the null space of M consistent with the others.
  Eigen::MatrixXd take_vectors(const RitzPairs& pairs, const std::vector<Index>& which);
  /// Restarts the method with the first `kept` Ritz vectors.
  void restart(const RitzPairs& pairs, Index kept);

 private:
  void combine(const Eigen::MatrixXd& coefficients);
  void append(Eigen::VectorXd w, double taken, Eigen::VectorXd& coefficients);
  /// Projects w into the subspace of A and orthogonalises it again; false if nothing is left of it.
  bool bring_back(Eigen::VectorXd& w) const;
  double orthogonalise(Eigen::VectorXd& w, Eigen::VectorXd& coefficients) const;

  const SparseMatrix& M_;
  SelfAdjoint A_;
  const Eigen::MatrixXd& locked_;
  Index capacity_, most_ = 0;
  Eigen::MatrixXd V_, T_;
  Index applied_ = 0, count_ = 0;
};

}  // namespace stillpoint
