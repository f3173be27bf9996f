#include "algebra/sparse/bordered.h"

#include <cassert>
#include <stdexcept>

#include "base/at.h"

namespace stillpoint {

namespace {

std::vector<Index> entries_in_rows(const SparseMatrix& A) {
  std::vector<Index> counts(at(A.rows()), 0);
  for (Index k = 0; k < A.nonZeros(); ++k) ++counts[at(A.innerIndexPtr()[k])];
  return counts;
}

// Returns the pattern of K + Kᵀ + I.
SparseMatrix with_transposed_entries(const SparseMatrix& K) {
  SparseMatrix identity(K.rows(), K.cols());
  identity.setIdentity();
  const SparseMatrix transposed = K.transpose();
  return K + transposed + identity;
}

}  // namespace

BorderedMatrix::BorderedMatrix(const SparseMatrix& K, const SparseMatrix& J)
    : n_(static_cast<Index>(J.cols())),
      m_(static_cast<Index>(J.rows())),
      K_(at(K.nonZeros())),
      J_(at(J.nonZeros())),
      J_transposed_(at(J.nonZeros())),
      diagonal_(at(n_ + m_)) {
  assert(K.isCompressed() && J.isCompressed() && K.cols() == n_);
  const std::vector<Index> in_rows = entries_in_rows(J);
  const SparseMatrix both = with_transposed_entries(K);
  const std::int64_t total = std::int64_t{both.nonZeros()} + 2 * std::int64_t{J.nonZeros()} + m_;
  if (total > std::numeric_limits<Index>::max()) throw std::length_error("the bordered matrix has too many entries");

  matrix_.resize(n_ + m_, n_ + m_);
  std::vector<Index> rows;
  rows.reserve(at(total));
  Index* const starts = matrix_.outerIndexPtr();
  const auto end = [&] { return static_cast<Index>(rows.size()); };
  for (Index j = 0; j < n_; ++j) {
    starts[j] = end();
    Index of_K = K.outerIndexPtr()[j];
    for (SparseMatrix::InnerIterator entry(both, j); entry; ++entry) {
      const Index row = static_cast<Index>(entry.row());
      if (row == j) diagonal_[at(j)] = end();
      if (of_K < K.outerIndexPtr()[j + 1] && K.innerIndexPtr()[of_K] == row) K_[at(of_K++)] = end();
      rows.push_back(row);
    }
    for (Index k = J.outerIndexPtr()[j]; k < J.outerIndexPtr()[j + 1]; ++k) {
      J_[at(k)] = end();
      rows.push_back(n_ + J.innerIndexPtr()[k]);
    }
  }
  std::vector<Index> next(at(m_));  // for each column of Jᵀ, the position of its next entry
  Index start = end();
  for (Index i = 0; i < m_; ++i) {
    starts[n_ + i] = next[at(i)] = start;
    start += in_rows[at(i)] + 1;
    diagonal_[at(n_ + i)] = start - 1;
  }
  starts[n_ + m_] = start;
  rows.resize(at(start));
  for (Index j = 0; j < n_; ++j) {
    for (Index k = J.outerIndexPtr()[j]; k < J.outerIndexPtr()[j + 1]; ++k) {
      const Index place = next[at(J.innerIndexPtr()[k])]++;
      J_transposed_[at(k)] = place;
      rows[at(place)] = j;
    }
  }
  for (Index i = n_; i < n_ + m_; ++i) rows[at(diagonal_[at(i)])] = i;

  matrix_.resizeNonZeros(start);
  std::copy(rows.begin(), rows.end(), matrix_.innerIndexPtr());
  matrix_.coeffs().setZero();
}

void BorderedMatrix::set(const SparseMatrix& K, const SparseMatrix& J, const Scaling& scaling, double energy,
                         const Shifts& shifts, const std::vector<char>& is_on) {
  double* const values = matrix_.valuePtr();
  const Eigen::VectorXd &s = scaling.s, &w = scaling.w;
  matrix_.coeffs().setZero();
  for (Index i = 0; i < n_; ++i) values[diagonal_[at(i)]] = shifts.coordinates;
  for (Index j = 0; j < n_; ++j) {
    for (Index k = K.outerIndexPtr()[j]; k < K.outerIndexPtr()[j + 1]; ++k) {
      values[K_[at(k)]] += K.valuePtr()[k] * (s[K.innerIndexPtr()[k]] * s[j] / energy);
    }
    for (Index k = J.outerIndexPtr()[j]; k < J.outerIndexPtr()[j + 1]; ++k) {
      const Index row = J.innerIndexPtr()[k];
      if (!is_on.empty() && !is_on[at(row)]) continue;
      values[J_[at(k)]] = values[J_transposed_[at(k)]] = J.valuePtr()[k] * (w[row] * s[j]);
    }
  }
  for (Index i = 0; i < m_; ++i) {
    const bool on = is_on.empty() || is_on[at(i)];
    values[diagonal_[at(n_ + i)]] = on ? -shifts.constraints : -1;
  }
}

}  // namespace stillpoint
