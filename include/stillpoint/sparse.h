// The sparse matrix type of the library: compressed columns with 32-bit indices.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <utility>

namespace stillpoint {

using Index = std::int32_t;

namespace detail {
using EigenSparse = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;
}

/// Eigen's sparse matrix, with moves: Eigen 3.4 copies the entries instead.
class SparseMatrix : public detail::EigenSparse {
 public:
  using detail::EigenSparse::EigenSparse;
  SparseMatrix() = default;
  SparseMatrix(const SparseMatrix& other) = default;
  SparseMatrix(SparseMatrix&& other) { swap(other); }
  SparseMatrix(const detail::EigenSparse& other) : detail::EigenSparse(other) {}
  SparseMatrix(detail::EigenSparse&& other) { swap(other); }
  SparseMatrix& operator=(const SparseMatrix& other) = default;
  SparseMatrix& operator=(SparseMatrix&& other) {
    swap(other);
    return *this;
  }
  template <class Expression>
  SparseMatrix& operator=(const Eigen::EigenBase<Expression>& expression) {
    detail::EigenSparse::operator=(expression.derived());
    return *this;
  }
  ~SparseMatrix() = default;
};

}  // namespace stillpoint
