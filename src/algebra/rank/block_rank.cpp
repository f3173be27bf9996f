#include "algebra/rank/block_rank.h"

#include <btf.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algebra/rank/rank_rule.h"
#include "base/at.h"

namespace stillpoint {

namespace {

constexpr double strong = 0.01;  // entries that may be matched, as a part of the largest in their row

Eigen::VectorXd norms_of_rows(const SparseMatrix& S) {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(S.rows());
  for (Index j = 0; j < S.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry) squares[entry.row()] += std::pow(entry.value(), 2);
  }
  return squares.cwiseSqrt();
}

/// Returns the column of each row in a matching of strong entries; nothing if a row has none left.
std::optional<std::vector<Index>> matching_of(const SparseMatrix& S, const Eigen::VectorXd& norms) {
  SparseMatrix entries = S;
  entries.prune([&](Index row, Index, double value) { return std::abs(value) > strong * norms[row]; });
  const auto m = static_cast<Index>(S.rows()), n = static_cast<Index>(S.cols());
  std::vector<Index> column(at(m)), work(5 * at(n));
  double spent = 0;
  const Index matched =
      btf_maxtrans(m, n, entries.outerIndexPtr(), entries.innerIndexPtr(), 0, &spent, column.data(), work.data());
  if (matched < m) return {};
  return column;
}

/// The matched columns, each in the place of its row.
SparseMatrix square_part(const SparseMatrix& S, const std::vector<Index>& column) {
  SparseMatrix square(S.rows(), S.rows());
  Eigen::VectorXi entries(S.rows());
  for (Index i = 0; i < S.rows(); ++i)
    entries[i] = S.outerIndexPtr()[column[at(i)] + 1] - S.outerIndexPtr()[column[at(i)]];
  square.reserve(entries);
  for (Index i = 0; i < S.rows(); ++i) {
    for (SparseMatrix::InnerIterator entry(S, column[at(i)]); entry; ++entry)
      square.insert(entry.row(), i) = entry.value();
  }
  square.makeCompressed();
  return square;
}

/// A symmetric permutation to upper block triangular form: block k consists of order[starts[k]] … .
struct Blocks {
  std::vector<Index> order, starts;
};

Blocks blocks_of(const SparseMatrix& square) {
  const auto m = static_cast<Index>(square.rows());
  Blocks blocks{std::vector<Index>(at(m)), std::vector<Index>(at(m) + 1)};
  std::vector<Index> work(4 * at(m));
  const Index count =
      btf_strongcomp(m, const_cast<Index*>(square.outerIndexPtr()), const_cast<Index*>(square.innerIndexPtr()), nullptr,
                     blocks.order.data(), blocks.starts.data(), work.data());
  blocks.starts.resize(at(count) + 1);
  return blocks;
}

/// Returns a lower bound of the smallest singular value; 0 for a singular matrix.
double smallest_value(const Eigen::MatrixXd& block) {
  if (block.rows() == 1) return std::abs(block(0, 0));
  const double inverse = block.partialPivLu().inverse().norm();
  return std::isfinite(inverse) ? 1 / inverse : 0;
}

}  // namespace

std::optional<double> smallest_value_of_blocks(const SparseMatrix& S, Index largest) {
  const Eigen::VectorXd norms = norms_of_rows(S);
  const std::optional<std::vector<Index>> column = matching_of(S, norms);
  if (!column) return {};
  const SparseMatrix square = square_part(S, *column);
  const auto [order, starts] = blocks_of(square);
  std::vector<Index> local(order.size(), -1);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    const Index first = starts[k], size = starts[k + 1] - first;
    if (size > largest) return {};
    Eigen::MatrixXd block = Eigen::MatrixXd::Zero(size, size);
    double norm = 0;
    for (Index i = 0; i < size; ++i) {
      local[at(order[at(first + i)])] = i;
      norm = std::max(norm, norms[order[at(first + i)]]);
    }
    for (Index j = 0; j < size; ++j) {
      for (SparseMatrix::InnerIterator entry(square, order[at(first + j)]); entry; ++entry) {
        const Index i = local[at(entry.row())];
        if (i >= 0) block(i, j) = entry.value();
      }
    }
    for (Index i = 0; i < size; ++i) local[at(order[at(first + i)])] = -1;
    least = std::min(least, smallest_value(block) / norm);
  }
  return least;
}

std::optional<double> full_by_blocks(const SparseMatrix& S, double noise_floor) {
  constexpr Index largest_block = 300;
  const std::optional<double> least = smallest_value_of_blocks(S, largest_block);
  return least && *least >= smallest_gap * noise_floor && *least * *least >= noise_floor ? least : std::nullopt;
}

}  // namespace stillpoint
