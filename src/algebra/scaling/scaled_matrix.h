// A sparse matrix with its rows and columns scaled by powers of two, as a view: no entry is copied.
//
//   Â = f diag(a) A diag(b)
//
// Scaling by powers of two does not round, so products with the view have the digits of products with a scaled copy.
#pragma once

#include <cmath>

#include "stillpoint/sparse.h"

namespace stillpoint {

class ScaledMatrix {
 public:
  /// f, a and b are powers of two; all must outlive the view.
  ScaledMatrix(const SparseMatrix& A, double factor, const Eigen::VectorXd& rows, const Eigen::VectorXd& columns)
      : A_(A), factor_(factor), row_scales_(rows), column_scales_(columns) {}

  Eigen::Index rows() const { return A_.rows(); }
  Eigen::Index cols() const { return A_.cols(); }
  Eigen::Index nonZeros() const { return A_.nonZeros(); }
  /// The matrix A, which has the pattern of the view.
  const SparseMatrix& unscaled() const { return A_; }
  double row_factor(Eigen::Index i) const { return factor_ * row_scales_[i]; }
  double column_scale(Eigen::Index j) const { return column_scales_[j]; }

  /// Returns a scaled copy.
  SparseMatrix copy() const {
    SparseMatrix scaled = A_;
    for (Index j = 0; j < scaled.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(scaled, j); entry; ++entry)
        entry.valueRef() *= row_factor(entry.row()) * column_scales_[j];
    }
    return scaled;
  }

  /// Return Â x, Âᵀ x, |Â| x and |Âᵀ| x, column by column.
  template <class Derived>
  auto operator*(const Eigen::MatrixBase<Derived>& x) const {
    return product(x, [](double entry) { return entry; });
  }
  template <class Derived>
  auto transposed_times(const Eigen::MatrixBase<Derived>& x) const {
    return transposed_product(x, [](double entry) { return entry; });
  }
  template <class Derived>
  auto magnitudes_times(const Eigen::MatrixBase<Derived>& x) const {
    return product(x, [](double entry) { return std::abs(entry); });
  }
  template <class Derived>
  auto transposed_magnitudes_times(const Eigen::MatrixBase<Derived>& x) const {
    return transposed_product(x, [](double entry) { return std::abs(entry); });
  }

 private:
  template <class Derived>
  using Product = Eigen::Matrix<typename Derived::Scalar, Eigen::Dynamic, Derived::ColsAtCompileTime>;
  template <class Derived>
  using Column = Eigen::Ref<const Eigen::VectorX<typename Derived::Scalar>>;

  template <class Derived, class Part>
  Product<Derived> product(const Eigen::MatrixBase<Derived>& x, const Part& part_of) const {
    Product<Derived> y = Product<Derived>::Zero(rows(), x.cols());
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      const Column<Derived> column(x.col(k));
      for (Index j = 0; j < A_.outerSize(); ++j) {
        const typename Derived::Scalar scaled = column_scales_[j] * column[j];
        for (SparseMatrix::InnerIterator entry(A_, j); entry; ++entry)
          y(entry.row(), k) += part_of(entry.value()) * scaled;
      }
      y.col(k).array() *= factor_ * row_scales_.array();
    }
    return y;
  }

  template <class Derived, class Part>
  Product<Derived> transposed_product(const Eigen::MatrixBase<Derived>& x, const Part& part_of) const {
    Product<Derived> y(cols(), x.cols());
    for (Eigen::Index k = 0; k < x.cols(); ++k) {
      const Column<Derived> column(x.col(k));
      for (Index j = 0; j < A_.outerSize(); ++j) {
        typename Derived::Scalar sum = 0;
        for (SparseMatrix::InnerIterator entry(A_, j); entry; ++entry)
          sum += part_of(entry.value()) * (row_scales_[entry.row()] * column[entry.row()]);
        y(j, k) = factor_ * column_scales_[j] * sum;
      }
    }
    return y;
  }

  const SparseMatrix& A_;
  double factor_;
  const Eigen::VectorXd &row_scales_, &column_scales_;
};

}  // namespace stillpoint
