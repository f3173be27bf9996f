// A sparse LU factorisation of a complex matrix in use (KLU), with its determinant.
#pragma once

#include <complex>
#include <memory>

#include "stillpoint/sparse.h"

namespace stillpoint {

using ComplexSparseMatrix = Eigen::SparseMatrix<std::complex<double>, Eigen::ColMajor, Index>;

class ComplexLu {
 public:
  /// Orders and analyses a square pattern. Throws std::bad_alloc if memory ends.
  explicit ComplexLu(const SparseMatrix& pattern);
  ~ComplexLu();
  ComplexLu(ComplexLu&&) noexcept;
  ComplexLu(const ComplexLu&) = delete;
  ComplexLu& operator=(const ComplexLu&) = delete;

  /// For the same pattern, without analysing it again; to be used beside this one, by another thread as well.
  ComplexLu another() const;

  /// Takes numbers in the analysed pattern. False if A is singular to working precision: nothing else must be asked
  /// then.
  bool factor(const ComplexSparseMatrix& A);
  /// The same beside an eigenvalue, where small pivots are what is wanted. False only if there is none at all.
  bool factor_nearly_singular(const ComplexSparseMatrix& A);
  /// The same with the pivots of the last time, if there was one: several times as fast, and not as stable, so that
  /// solutions must be looked at. Where these pivots are no good, new ones are taken.
  bool factor_again(const ComplexSparseMatrix& A);

  /// log det A; the imaginary part up to multiples of 2π.
  std::complex<double> log_determinant() const;
  /// x with A x = b, and with Aᴴ x = b.
  Eigen::VectorXcd solve(const Eigen::VectorXcd& b) const;
  Eigen::VectorXcd solve_adjoint(const Eigen::VectorXcd& b) const;

 private:
  struct Klu;
  explicit ComplexLu(std::unique_ptr<Klu> klu);

  std::unique_ptr<Klu> klu_;
};

}  // namespace stillpoint
