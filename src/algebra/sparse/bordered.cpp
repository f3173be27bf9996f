#include "algebra/sparse/bordered.h"

#include <algorithm>
#include <cassert>

#include "algebra/sparse/bordered_pattern.h"
#include "base/at.h"

namespace stillpoint {

BorderedMatrix::BorderedMatrix(const SparseMatrix& K, const SparseMatrix& J)
    : n_(static_cast<Index>(J.cols())), m_(static_cast<Index>(J.rows())), matrix_(bordered_pattern({&K}, {&J})) {
  assert(K.isCompressed() && J.isCompressed() && K.cols() == n_);
}

// In each of the first n columns the rows of K and Kᵀ ascend, and those of J follow.
bool BorderedMatrix::has_places_for(const SparseMatrix& K, const SparseMatrix& J) const {
  if (K.rows() != n_ || K.cols() != n_ || J.rows() != m_ || J.cols() != n_) return false;
  const Index *const starts = matrix_.outerIndexPtr(), *const rows = matrix_.innerIndexPtr();
  for (Index j = 0; j < n_; ++j) {
    const Index *const begin = rows + starts[j], *const end = rows + starts[j + 1];
    const Index *const of_K = K.innerIndexPtr() + K.outerIndexPtr()[j], *const end_of_K = K.innerIndexPtr() +
                                                                                          K.outerIndexPtr()[j + 1];
    const Index *const of_J = J.innerIndexPtr() + J.outerIndexPtr()[j], *const end_of_J = J.innerIndexPtr() +
                                                                                          J.outerIndexPtr()[j + 1];
    const Index* const first_of_J = std::lower_bound(begin, end, n_);
    const auto is_row_of_J = [this](Index row, Index row_of_J) { return row == n_ + row_of_J; };
    if (!std::includes(begin, first_of_J, of_K, end_of_K)) return false;
    if (!std::equal(first_of_J, end, of_J, end_of_J, is_row_of_J)) return false;
  }
  return true;
}

void BorderedMatrix::set(const SparseMatrix& K, const SparseMatrix& J, const Scaling& scaling, double energy,
                         const Shifts& shifts, const std::vector<char>& is_on) {
  const Index *const starts = matrix_.outerIndexPtr(), *const rows = matrix_.innerIndexPtr();
  double* const values = matrix_.valuePtr();
  const Eigen::VectorXd &s = scaling.s, &w = scaling.w;
  const auto is_off = [&](Index row) { return !is_on.empty() && !is_on[at(row)]; };
  std::vector<Index> next(starts + n_, starts + n_ + m_);  // for each column of Jᵀ the place of its next entry
  matrix_.coeffs().setZero();
  for (Index j = 0; j < n_; ++j) {
    Index place = starts[j], diagonal = place;
    while (rows[diagonal] < j) ++diagonal;
    values[diagonal] = shifts.coordinates;
    for (Index k = K.outerIndexPtr()[j]; k < K.outerIndexPtr()[j + 1]; ++k) {
      const Index row = K.innerIndexPtr()[k];
      while (rows[place] < row) ++place;
      values[place] += K.valuePtr()[k] * (s[row] * s[j] / energy);
    }
    place = starts[j + 1] - (J.outerIndexPtr()[j + 1] - J.outerIndexPtr()[j]);
    for (Index k = J.outerIndexPtr()[j]; k < J.outerIndexPtr()[j + 1]; ++k, ++place) {
      const Index row = J.innerIndexPtr()[k], transposed = next[at(row)]++;
      if (!is_off(row)) values[place] = values[transposed] = J.valuePtr()[k] * (w[row] * s[j]);
    }
  }
  for (Index i = 0; i < m_; ++i) values[next[at(i)]] = is_off(i) ? -1 : -shifts.constraints;
}

}  // namespace stillpoint
