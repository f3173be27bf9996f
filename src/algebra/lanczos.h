// Lanczos' method for the eigenvalues of largest magnitude of a self-adjoint operator, from several start vectors at
// once, with full orthogonalisation and thick restarts (Wu & Simon 2000; bands: Ruhe 1979).
//
//   A V = V T + (what is pending),   Vᵀ M V = I,   xᵀ M A y = yᵀ M A x
//
// M may be singular. The operator may live in a subspace only: where a new vector is the small difference of large
// ones, it is brought back there.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Approximate eigenpairs A x = θ x, by falling |θ|.
struct RitzPairs {
  Eigen::VectorXd values;
  Eigen::VectorXd residuals;  ///< ‖A x − θ x‖_M with ‖x‖_M = 1: an eigenvalue is no farther than that from θ
  Eigen::MatrixXd coefficients;  ///< of x in the basis

  Index size() const { return static_cast<Index>(values.size()); }
  /// How many of the first ones have residuals no larger than that part of θ.
  Index converged(double relative) const;
};

struct SelfAdjoint {
  std::function<Eigen::VectorXd(const Eigen::VectorXd& Mx)> apply;   ///< A x, given M x
  std::function<Eigen::VectorXd(const Eigen::VectorXd& x)> project;  ///< into the subspace where A lives
};

class LanczosBasis {
 public:
  /// The basis stays M-orthogonal to `locked`, eigenvectors that are already known (M-orthonormal). It never has more
  /// than `capacity` vectors beside the start vectors, nor together with the locked ones more than the `dimension` of
  /// all that M sees. M and `locked` must outlive it.
  LanczosBasis(const SparseMatrix& M, SelfAdjoint A, const Eigen::MatrixXd& start, const Eigen::MatrixXd& locked,
               Index capacity, Index dimension);

  Index size() const { return applied_; }  ///< vectors that A was applied to
  bool is_full() const { return applied_ == capacity_; }
  bool is_complete() const { return applied_ == count_; }  ///< the space is invariant: nothing is left to find in it

  /// Applies A to the next vector.
  void grow();

  RitzPairs ritz() const;
  /// x of these pairs, in columns; a product with A makes what M does not see of it fit to the rest.
  Eigen::MatrixXd vectors(const RitzPairs& pairs, const std::vector<Index>& which) const;
  /// Goes on from the first `kept` of these pairs.
  void restart(const RitzPairs& pairs, Index kept);

 private:
  void append(Eigen::VectorXd w, double taken, Eigen::VectorXd& coefficients);
  /// False if nothing is left.
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
