// KLU [Davis & Palamadai 2010] for real and complex scalars: a sparse LU factorisation with partial pivoting
// [Gilbert & Peierls 1988] of the blocks of a block triangular form.
//
//   P (R⁻¹ A) Q = L U + F      A: n × n;  P, Q: permutations;  R: row scaling;  F: blocks above the diagonal
//
// This is the only wrapper of KLU for solving. SparseLu (real) and ComplexLu use it, each with its own policy on when a
// matrix counts as singular and when pivots are chosen again.
#pragma once

#include <klu.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "algebra/ordering/elimination_tree.h"
#include "algebra/ordering/fill_bound.h"
#include "stillpoint/sparse.h"

namespace stillpoint {

template <class Scalar>
class KluFactors {
 public:
  using Matrix = Eigen::SparseMatrix<Scalar, Eigen::ColMajor, Index>;

  /// Orders and analyses a square pattern. Of a bordered matrix, with a symmetric pattern, the number of multipliers,
  /// the last unknowns, must be given: KLU counts on their diagonal entries as pivots, and where these are zero any
  /// other row may be taken, which can fill the factors up. Throws std::bad_alloc if the memory is exhausted.
  explicit KluFactors(const SparseMatrix& pattern, Index multipliers = 0) {
    klu_defaults(&common_);
    keep(klu_analyze(size(pattern), starts(pattern), rows(pattern), &common_));
    if (multipliers > 0) pair(pattern, multipliers);
  }
  /// Takes this order for rows and columns, without a block triangular form.
  KluFactors(const SparseMatrix& pattern, const std::vector<Index>& order) {
    klu_defaults(&common_);
    analyse(pattern, {order, order});
  }
  /// Shares the analysis, which is not modified any more, and has no factors yet.
  explicit KluFactors(std::shared_ptr<klu_symbolic> analysis) : symbolic_(std::move(analysis)) {
    klu_defaults(&common_);
  }
  ~KluFactors() { forget_factors(); }
  KluFactors(const KluFactors&) = delete;
  KluFactors& operator=(const KluFactors&) = delete;

  const std::shared_ptr<klu_symbolic>& analysis() const { return symbolic_; }
  const klu_numeric* numeric() const { return numeric_; }

  /// Factors A with new pivots. Returns false if the matrix is structurally or exactly singular; there are no factors
  /// then. Throws std::bad_alloc if the memory is exhausted.
  bool factor(const Matrix& A) {
    if (!symbolic_) return false;
    forget_factors();
    if constexpr (is_complex) numeric_ = klu_z_factor(starts(A), rows(A), values(A), symbolic_.get(), &common_);
    else numeric_ = klu_factor(starts(A), rows(A), values(A), symbolic_.get(), &common_);
    if (common_.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
    if (numeric_ && common_.status == KLU_OK) return true;
    forget_factors();
    return false;
  }

  /// Factors A with the pivots of the previous factorisation; false if one of them is zero.
  bool refactor(const Matrix& A) {
    int done = 0;
    if constexpr (is_complex) done = klu_z_refactor(starts(A), rows(A), values(A), symbolic_.get(), numeric_, &common_);
    else done = klu_refactor(starts(A), rows(A), values(A), symbolic_.get(), numeric_, &common_);
    return done != 0 && common_.status == KLU_OK;
  }

  /// Gives back the memory of the factors; the analysis remains.
  void forget_factors() {
    if constexpr (is_complex) klu_z_free_numeric(&numeric_, &common_);
    else klu_free_numeric(&numeric_, &common_);
  }

  /// Returns the ratio of the smallest to the largest pivot.
  double pivot_ratio() {
    if constexpr (is_complex) klu_z_rcond(symbolic_.get(), numeric_, &common_);
    else klu_rcond(symbolic_.get(), numeric_, &common_);
    return common_.rcond;
  }

  /// Returns the reciprocal pivot growth: the minimum over the columns of max |a_ij| / max |u_ij|, after scaling.
  double reciprocal_growth(const Matrix& A) {
    if constexpr (is_complex) klu_z_rgrowth(starts(A), rows(A), values(A), symbolic_.get(), numeric_, &common_);
    else klu_rgrowth(starts(A), rows(A), values(A), symbolic_.get(), numeric_, &common_);
    return common_.rgrowth;
  }

  /// The row of A at each position.
  std::vector<Index> pivot_rows() const { return {numeric_->Pnum, numeric_->Pnum + symbolic_->n}; }

  /// The patterns of L and U, with their diagonals, of factors without a block triangular form.
  struct Patterns {
    std::vector<Index> lower_starts, lower_rows, upper_starts, upper_rows;
  };
  Patterns patterns() {
    const auto n = static_cast<std::size_t>(symbolic_->n);
    Patterns found;
    found.lower_starts.resize(n + 1);
    found.lower_rows.resize(static_cast<std::size_t>(numeric_->lnz));
    found.upper_starts.resize(n + 1);
    found.upper_rows.resize(static_cast<std::size_t>(numeric_->unz));
    std::vector<double> values(std::max(found.lower_rows.size(), found.upper_rows.size()));  // it gives no rows without
    klu_extract(numeric_, symbolic_.get(), found.lower_starts.data(), found.lower_rows.data(), values.data(), nullptr,
                nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &common_);
    klu_extract(numeric_, symbolic_.get(), nullptr, nullptr, nullptr, found.upper_starts.data(),
                found.upper_rows.data(), values.data(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                &common_);
    return found;
  }

  /// Overwrites each column of b with the solution of A x = b.
  void solve(Eigen::Ref<Eigen::MatrixX<Scalar>> b) {
    const auto stride = static_cast<int>(b.outerStride()), count = static_cast<int>(b.cols());
    double* const numbers = reinterpret_cast<double*>(b.data());
    if constexpr (is_complex) klu_z_solve(symbolic_.get(), numeric_, stride, count, numbers, &common_);
    else klu_solve(symbolic_.get(), numeric_, stride, count, numbers, &common_);
  }

  /// Overwrites b with the solution of Aᴴ x = b.
  void solve_adjoint(Eigen::VectorX<Scalar>& b) {
    const auto n = static_cast<int>(b.size());
    double* const numbers = reinterpret_cast<double*>(b.data());
    constexpr int conjugate = 1;
    if constexpr (is_complex) klu_z_tsolve(symbolic_.get(), numeric_, n, 1, numbers, conjugate, &common_);
    else klu_tsolve(symbolic_.get(), numeric_, n, 1, numbers, &common_);
  }

 private:
  static constexpr bool is_complex = std::is_same_v<Scalar, std::complex<double>>;

  /// Takes the order with pairs if less fill is certain with it.
  void pair(const SparseMatrix& pattern, Index multipliers) {
    const PairedOrder paired = paired_minimum_degree_order(pattern, multipliers);
    const std::int64_t bound = fill_bound(pattern, paired.columns, std::numeric_limits<std::int64_t>::max());
    const bool is_better =
        !symbolic_ || fill_bound(pattern, {symbolic_->Q, symbolic_->Q + symbolic_->n}, bound) > bound;
    if (is_better) analyse(pattern, paired);
  }

  void analyse(const SparseMatrix& pattern, const PairedOrder& order) {
    common_.btf = 0;
    keep(klu_analyze_given(size(pattern), starts(pattern), rows(pattern), const_cast<int*>(order.rows.data()),
                           const_cast<int*>(order.columns.data()), &common_));
  }

  void keep(klu_symbolic* symbolic) {
    if (!symbolic && common_.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
    symbolic_ = {symbolic, [](klu_symbolic* old) {
                   klu_common common;
                   klu_defaults(&common);
                   klu_free_symbolic(&old, &common);
                 }};
  }

  // KLU takes its arguments as non-const pointers but does not modify these.
  static int size(const SparseMatrix& A) { return static_cast<int>(A.cols()); }
  template <class Sparse>
  static int* starts(const Sparse& A) {
    return const_cast<int*>(A.outerIndexPtr());
  }
  template <class Sparse>
  static int* rows(const Sparse& A) {
    return const_cast<int*>(A.innerIndexPtr());
  }
  static double* values(const Matrix& A) { return reinterpret_cast<double*>(const_cast<Scalar*>(A.valuePtr())); }

  klu_common common_;
  std::shared_ptr<klu_symbolic> symbolic_;
  klu_numeric* numeric_ = nullptr;
};

}  // namespace stillpoint
