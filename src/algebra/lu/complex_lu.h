// Sparse LU factorisation of a complex matrix (KLU), with its determinant.
//
//   P (R⁻¹ A) Q = L U + F      (klu_factors.h)
//
// Policy: factor() always chooses new pivots and accepts pivot ratios above 1e-16, since matrices near an eigenvalue
// are wanted; refactor() keeps the pivots unless their ratio is below 1e-13. Solutions are not refined here; see
// refined_solution.h. (SparseLu is the real counterpart, with another policy.)
#pragma once

#include <complex>
#include <memory>

#include "stillpoint/sparse.h"

namespace stillpoint {

using ComplexSparseMatrix = Eigen::SparseMatrix<std::complex<double>, Eigen::ColMajor, Index>;

class ComplexLu {
 public:
  /// Orders and analyses a square pattern. Of a bordered matrix the number of multipliers, the last unknowns, must be
  /// given, for their diagonal entries are no pivots. Throws std::bad_alloc if the memory is exhausted.
  explicit ComplexLu(const SparseMatrix& pattern, Index multipliers = 0);
  ~ComplexLu();
  ComplexLu(ComplexLu&&) noexcept;
  ComplexLu(const ComplexLu&) = delete;
  ComplexLu& operator=(const ComplexLu&) = delete;

  /// Returns an object for the same pattern that shares the analysis; both may be used at the same time by different
  /// threads.
  ComplexLu share_analysis() const;

  /// Factors a matrix with the analysed pattern. Returns false if A is singular to working precision; no other function
  /// may be called then.
  bool factor(const ComplexSparseMatrix& A);
  /// Factors a matrix near an eigenvalue, where small pivots are expected. Returns false only if A is exactly singular.
  bool factor_nearly_singular(const ComplexSparseMatrix& A);
  /// Factors A with the pivots of the previous factorisation, if there is one. This is several times as fast, but less
  /// stable, so that the residuals of solutions must be checked. If these pivots are unsuitable, new ones are chosen.
  bool refactor(const ComplexSparseMatrix& A);

  /// Returns log det A; its imaginary part is determined up to multiples of 2π.
  std::complex<double> log_determinant() const;
  /// Return the solutions of A x = b and of Aᴴ x = b.
  Eigen::VectorXcd solve(const Eigen::VectorXcd& b) const;
  Eigen::VectorXcd solve_adjoint(const Eigen::VectorXcd& b) const;

 private:
  struct Klu;
  explicit ComplexLu(std::unique_ptr<Klu> klu);

  std::unique_ptr<Klu> klu_;
};

}  // namespace stillpoint
