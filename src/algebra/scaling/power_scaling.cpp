#include "algebra/scaling/power_scaling.h"

#include <algorithm>
#include <cmath>

#include "algebra/scaling/log_scaling.h"

namespace stillpoint {

namespace {

constexpr int none = std::numeric_limits<int>::min();
constexpr double rounding_noise = 64 * std::numeric_limits<double>::epsilon();

// Once the rows are scaled, columns whose largest entry is at least 2^−12 are taken to be in consistent units.
constexpr int least_of_even_columns = 12;

constexpr int ruiz_steps = 3;  // the logarithmic scaling leaves little for them to do

/// Removes the entries below this fraction of the largest entry in their row.
void drop_small(SparseMatrix& S, double part) {
  std::vector<double> largest(static_cast<std::size_t>(S.rows()), 0.0);
  for (Index j = 0; j < S.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry) {
      largest[entry.row()] = std::max(largest[entry.row()], std::abs(entry.value()));
    }
  }
  S.prune([&](Index row, Index, double value) { return std::abs(value) > part * largest[row]; });
  S.makeCompressed();
}

/// Scales S by these powers of two and accumulates the exponents.
void apply(PowerScaled& scaling, const std::vector<int>& rows, const std::vector<int>& columns) {
  SparseMatrix& S = scaling.S;
  for (Index j = 0; j < S.outerSize(); ++j) {
    for (Index k = S.outerIndexPtr()[j]; k < S.outerIndexPtr()[j + 1]; ++k) {
      S.valuePtr()[k] = std::ldexp(S.valuePtr()[k], rows[S.innerIndexPtr()[k]] + columns[j]);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) scaling.rows[i] += rows[i];
  for (std::size_t j = 0; j < columns.size(); ++j) scaling.columns[j] += columns[j];
}

std::vector<int> rounded(const Eigen::VectorXd& logarithms) {
  std::vector<int> exponents;
  exponents.reserve(static_cast<std::size_t>(logarithms.size()));
  for (const double logarithm : logarithms) exponents.push_back(static_cast<int>(std::lround(logarithm)));
  return exponents;
}

void apply_log_scales(PowerScaled& scaling) {
  const LogScales logarithms = log_scales(scaling.S);
  apply(scaling, rounded(logarithms.rows), rounded(logarithms.columns));
}

struct Exponents {
  std::vector<int> rows, columns;
};

/// Returns the exponents that bring the largest entry of each row and column to 2⁰, divided by `divisor`.
Exponents lowering(const SparseMatrix& S, int divisor) {
  Exponents largest{std::vector<int>(static_cast<std::size_t>(S.rows()), none),
                    std::vector<int>(static_cast<std::size_t>(S.cols()), none)};
  for (Index j = 0; j < S.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(S, j); entry; ++entry) {
      const int e = std::ilogb(entry.value());
      largest.rows[entry.row()] = std::max(largest.rows[entry.row()], e);
      largest.columns[j] = std::max(largest.columns[j], e);
    }
  }
  for (std::vector<int>* exponents : {&largest.rows, &largest.columns}) {
    for (int& e : *exponents) e = e == none ? 0 : -(e / divisor);
  }
  return largest;
}

PowerScaled unscaled(const SparseMatrix& J, double noise) {
  PowerScaled result{J, std::vector<int>(static_cast<std::size_t>(J.rows()), 0),
                     std::vector<int>(static_cast<std::size_t>(J.cols()), 0)};
  drop_small(result.S, std::max(rounding_noise, noise));
  return result;
}

PowerScaled with_scaled_rows(const SparseMatrix& J, double noise) {
  PowerScaled result = unscaled(J, noise);
  const std::vector<int> no_columns(result.columns.size(), 0);
  apply(result, lowering(result.S, 1).rows, no_columns);
  return result;
}

bool has_even_columns(const SparseMatrix& S) {
  const std::vector<int> columns = lowering(S, 1).columns;
  return std::all_of(columns.begin(), columns.end(), [](int e) { return e <= least_of_even_columns; });
}

PowerScaled with_scaled_columns(const SparseMatrix& J, double noise) {
  PowerScaled result = unscaled(J, 0);
  const std::vector<int> no_rows(result.rows.size(), 0), no_columns(result.columns.size(), 0);
  apply_log_scales(result);
  drop_small(result.S, std::max(rounding_noise, noise));
  apply_log_scales(result);
  for (int step = 0; step < ruiz_steps; ++step) {
    const Exponents half = lowering(result.S, 2);
    apply(result, half.rows, half.columns);
  }
  apply(result, lowering(result.S, 1).rows, no_columns);
  apply(result, no_rows, lowering(result.S, 1).columns);
  return result;
}

}  // namespace

std::vector<PowerScaled> scale_by_powers_of_two(const SparseMatrix& J, double noise) {
  std::vector<PowerScaled> result;
  result.push_back(with_scaled_rows(J, noise));
  const bool is_even = has_even_columns(result.front().S);
  if (is_even && (noise <= rounding_noise || result.front().S.nonZeros() == unscaled(J, 0).S.nonZeros())) return result;
  if (!is_even) result.clear();
  result.push_back(with_scaled_columns(J, noise));
  return result;
}

PowerScaled scale_rows_by_powers_of_two(const SparseMatrix& J, double noise) { return with_scaled_rows(J, noise); }

}  // namespace stillpoint
