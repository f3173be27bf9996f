// A two-level orthogonal Krylov basis for quadratic eigenvalue problems (TOAR: Lu, Su & Bai 2016), with thick restarts
// (Stewart 2001).
//
//   θ² x = A (θ x) + B x:     u = (θ x / ρ, x),   θ u = [A, B / ρ; ρ I, 0] u
//
// ρ is of the size of the largest θ, so that both halves of u are (otherwise vectors of smaller θ lose their digits).
// All vectors (v, w) of the basis are made of one set of columns of the length of x: u_j = (Q p_j, Q r_j),
// Qᴴ N Q = I. So the memory is half of that of the linear problem, and what structure of (v, w) says cannot be lost
// by rounding.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <functional>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Approximate eigenvalues θ by falling |θ|; of real A and B the conjugate after each that is not real.
struct QuadraticRitz {
  Eigen::VectorXcd values;
  Eigen::VectorXd residuals;      ///< ‖[A, B / ρ; ρ I, 0] u − θ u‖ with ‖u‖ = 1
  Eigen::MatrixXcd coefficients;  ///< of u in the basis

  Index size() const { return static_cast<Index>(values.size()); }
  /// How many of the first ones have residuals no larger than that part of θ.
  Index converged(double relative) const;
};

template <class Scalar>
struct SecondOrderOperator {
  using Vector = Eigen::VectorX<Scalar>;
  std::function<Vector(const Vector& v, const Vector& w)> apply;  ///< A v + B w
  std::function<Vector(const Vector& x)> project;                 ///< into the subspace where A and B live
  std::function<double(const Vector& x)> stray;                   ///< how far x is off that subspace, relative
};

template <class Scalar>
struct SecondOrderStart {
  Eigen::VectorX<Scalar> v, w;
  double rho = 1;  ///< about the largest |θ|
};

/// Scalar: double or std::complex<double>, as A and B are.
template <class Scalar>
class SecondOrderKrylov {
 public:
  using Vector = Eigen::VectorX<Scalar>;
  using Matrix = Eigen::MatrixX<Scalar>;

  /// Never has more than `capacity` vectors beside the one that is pending, nor more than the
  /// `dimension` of the space where A and B live. N, positive definite, is the inner product: one in which A and B are
  /// nearly self-adjoint keeps products with vectors of small θ free of rounding of the large ones. It must outlive the
  /// basis.
  SecondOrderKrylov(SecondOrderOperator<Scalar> both, const SparseMatrix& N, const SecondOrderStart<Scalar>& start,
                    Index capacity, Index dimension);

  Index size() const { return applied_; }  ///< vectors that the operator was applied to
  bool is_full() const { return applied_ == capacity_; }
  bool is_complete() const { return applied_ == count_; }  ///< the space is invariant: nothing is left to find in it

  void grow();
  QuadraticRitz ritz() const;
  Eigen::VectorXcd vector(const QuadraticRitz& ritz, Index k) const;

  /// Goes on from the first `kept` of these values (of real A and B one more, to keep a pair together).
  void restart(Index kept);
  /// The same with another direction to start in: finds what the first one has no part of, such as the other vectors of
  /// multiple values. What is kept must have converged; there will be `room` for so many vectors besides.
  void restart(Index kept, const SecondOrderStart<Scalar>& start, Index room);

 private:
  void begin(const SecondOrderStart<Scalar>& start);
  void reserve(Index capacity);
  /// Coordinates in Q, which gets a new column where it does not hold them.
  Vector place(Vector x);
  /// False if nothing is left.
  bool bring_back(Vector& x) const;
  /// False if nothing is left of it beside the others.
  bool append(Vector top, Vector bottom, Vector& coefficients);
  void reduce(Index kept);
  void compress();

  auto weigh() const {
    return [this](const Vector& x) -> Vector { return N_ * x; };
  }
  double length_of(const Vector& x) const { return std::sqrt(std::real(x.dot(weigh()(x)))); }

  SecondOrderOperator<Scalar> operator_;
  const SparseMatrix& N_;
  double rho_;
  Index capacity_, dimension_;
  Matrix Q_, top_, bottom_, H_;
  Index columns_ = 0, applied_ = 0, count_ = 0;  ///< of Q; of the basis
};

}  // namespace stillpoint
