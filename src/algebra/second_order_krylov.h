// A two-level orthogonal Krylov basis for quadratic eigenvalue problems (TOAR: Lu, Su & Bai 2016), with thick restarts
// (Stewart 2001).
//
//   θ² x = A (θ x) + B x:     u = (θ x / ρ, x),   θ u = [A, B / ρ; ρ I, 0] u
//
// ρ is of the size of the largest θ, so that both halves of u are (otherwise vectors of smaller θ lose their digits).
// All vectors (v, w) of the basis are made of one set of columns of the length of x: u_j = (Q p_j, Q r_j),
// Qᵀ N Q = I. So the memory is half of that of the linear problem, and what structure of (v, w) says cannot be lost
// by rounding.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Approximate eigenvalues θ by falling |θ|, the conjugate after each that is not real.
struct QuadraticRitz {
  Eigen::VectorXcd values;
  Eigen::VectorXd residuals;      ///< ‖[A, B / ρ; ρ I, 0] u − θ u‖ with ‖u‖ = 1
  Eigen::MatrixXcd coefficients;  ///< of u in the basis

  Index size() const { return static_cast<Index>(values.size()); }
  /// How many of the first ones have residuals no larger than that part of θ.
  Index converged(double relative) const;
};

struct SecondOrderOperator {
  std::function<Eigen::VectorXd(const Eigen::VectorXd& v, const Eigen::VectorXd& w)> apply;  ///< A v + B w
  std::function<Eigen::VectorXd(const Eigen::VectorXd& x)> project;  ///< into the subspace where A and B live
};

struct SecondOrderStart {
  Eigen::VectorXd v, w;
  double rho = 1;  ///< about the largest |θ|
};

class SecondOrderKrylov {
 public:
  /// Never has more than `capacity` vectors beside the one that is pending, nor more than the
  /// `dimension` of the space where A and B live. N, positive definite, is the inner product: one in which A and B are
  /// nearly self-adjoint keeps products with vectors of small θ free of rounding of the large ones. It must outlive the
  /// basis.
  SecondOrderKrylov(SecondOrderOperator both, const SparseMatrix& N, const SecondOrderStart& start, Index capacity,
                    Index dimension);

  Index size() const { return applied_; }  ///< vectors that the operator was applied to
  bool is_full() const { return applied_ == capacity_; }
  bool is_complete() const { return applied_ == count_; }  ///< the space is invariant: nothing is left to find in it

  void grow();
  QuadraticRitz ritz() const;
  Eigen::VectorXcd vector(const QuadraticRitz& ritz, Index k) const;

  /// Goes on from the first `kept` of these values (one more, to keep a pair together).
  void restart(Index kept);
  /// The same with another direction to start in: finds what the first one has no part of, such as the other vectors of
  /// multiple values. What is kept must have converged; there will be `room` for so many vectors besides.
  void restart(Index kept, const SecondOrderStart& start, Index room);

 private:
  void begin(const SecondOrderStart& start);
  void reserve(Index capacity);
  /// Coordinates in Q, which gets a new column where it does not hold them.
  Eigen::VectorXd place(Eigen::VectorXd x);
  /// False if nothing is left.
  bool bring_back(Eigen::VectorXd& x) const;
  /// False if nothing is left of it beside the others.
  bool append(Eigen::VectorXd top, Eigen::VectorXd bottom, Eigen::VectorXd& coefficients);
  void reduce(Index kept);
  void compress();

  auto weigh() const {
    return [this](const Eigen::VectorXd& x) -> Eigen::VectorXd { return N_ * x; };
  }
  double length_of(const Eigen::VectorXd& x) const { return std::sqrt(x.dot(weigh()(x))); }

  SecondOrderOperator operator_;
  const SparseMatrix& N_;
  double rho_;
  Index capacity_, dimension_;
  Eigen::MatrixXd Q_, top_, bottom_, H_;
  Index columns_ = 0, applied_ = 0, count_ = 0;  ///< of Q; of the basis
};

}  // namespace stillpoint
