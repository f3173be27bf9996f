// Two-level orthogonal Arnoldi method, TOAR [Lu 2016], for quadratic eigenvalue problems, with Krylov–Schur
// restarts ([Stewart 2001]; for TOAR: [Campos & Roman 2016]).
//
//   θ² x = A (θ x) + B x:     u = (θ x / ρ, x),   θ u = [A, B / ρ; ρ I, 0] u      A, B: n × n,  u: 2n
//   basis u_j = (Q p_j, Q r_j),   Qᴴ N Q = I      Q: n × (k + 2)
//
// The scaling ρ is of the order of the largest |θ|, so that both halves of u have similar size; otherwise eigenvectors
// of small θ would lose digits. All basis vectors share the columns of Q: the memory is half of that of Arnoldi's
// method for the linearised problem, and the relation between the halves of u is not lost by rounding.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <complex>
#include <functional>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// Approximate eigenvalues θ in the order of descending |θ|. For real A and B a complex value is followed by its
/// conjugate.
struct QuadraticRitz {
  Eigen::VectorXcd values;
  Eigen::VectorXd residuals;      ///< ‖[A, B / ρ; ρ I, 0] u − θ u‖ for ‖u‖ = 1
  Eigen::MatrixXcd coefficients;  ///< of u with respect to the basis

  Index size() const { return static_cast<Index>(values.size()); }
  /// The number of leading values whose residual is at most `relative` times |θ|.
  Index converged(double relative) const;
};

template <class Scalar>
struct SecondOrderOperator {
  using Vector = Eigen::VectorX<Scalar>;
  std::function<Vector(const Vector& v, const Vector& w)> apply;  ///< returns A v + B w
  std::function<Vector(const Vector& x)> project;                 ///< projects x into the subspace of A and B
  std::function<double(const Vector& x)> stray;                   ///< relative distance of x from that subspace
};

template <class Scalar>
struct SecondOrderStart {
  Eigen::VectorX<Scalar> v, w;
  double rho = 1;  ///< approximately the largest |θ|
};

/// Scalar is double or std::complex<double>, the type of the entries of A and B.
template <class Scalar>
class SecondOrderKrylov {
 public:
  using Vector = Eigen::VectorX<Scalar>;
  using Matrix = Eigen::MatrixX<Scalar>;

  /// The basis never has more than `capacity` vectors besides the pending one, nor more than the `dimension` of the
  /// subspace of A and B. N, positive definite, defines the inner product. An inner product in which A and B are nearly
  /// self-adjoint keeps products with eigenvectors of small θ free of rounding errors of the large ones. N must outlive
  /// the basis.
  SecondOrderKrylov(SecondOrderOperator<Scalar> both, const SparseMatrix& N, const SecondOrderStart<Scalar>& start,
                    Index capacity, Index dimension);

  Index size() const { return applied_; }  ///< the number of vectors to which the operator has been applied
  bool is_full() const { return applied_ == capacity_; }
  bool is_complete() const {
    return applied_ == count_;
  }  ///< the basis spans an invariant subspace, which contains no further eigenvectors

  void grow();
  QuadraticRitz ritz() const;
  Eigen::VectorXcd vector(const QuadraticRitz& ritz, Index k) const;

  /// Restarts with the first `kept` of these values; for real A and B with one more if a conjugate pair would be split.
  void restart(Index kept);
  /// Restarts likewise and adds another start vector, which finds eigenvectors that the first start vector does not
  /// contain, such as further eigenvectors of a multiple eigenvalue. What is kept must have converged. The basis then
  /// has room for `room` further vectors.
  void restart(Index kept, const SecondOrderStart<Scalar>& start, Index room);

 private:
  void begin(const SecondOrderStart<Scalar>& start);
  void reserve(Index capacity);
  /// Returns the coordinates of x in Q, after appending a new column to Q if x is not in its span.
  Vector place(Vector x);
  /// Projects x into the subspace and orthogonalises it again; false if nothing is left of it.
  bool bring_back(Vector& x) const;
  /// Orthogonalises (top, bottom) against the basis and appends it; false if nothing is left of it.
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
  Index columns_ = 0, applied_ = 0, count_ = 0;  ///< columns of Q; basis vectors that were applied, and all of them
};

}  // namespace stillpoint
