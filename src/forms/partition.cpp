#include "forms/partition.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algebra/lu/sparse_lu.h"
#include "base/at.h"
#include "base/disjoint_sets.h"
#include "forms/elimination.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

// A solution that grows beyond this (without units) has lost most of its digits: J_D is practically singular.
constexpr double largest_growth = 1e10;

// A constraint is solved for a massless coordinate with at least this part of its largest entry.
constexpr double massless_first = 0.01;

std::vector<Index> others(Index n, const std::vector<Index>& ascending) {
  std::vector<Index> result;
  result.reserve(at(n) - ascending.size());
  auto next = ascending.begin();
  for (Index i = 0; i < n; ++i) {
    if (next != ascending.end() && *next == i) {
      ++next;
    } else {
      result.push_back(i);
    }
  }
  return result;
}

SparseMatrix columns_of(const SparseMatrix& A, const std::vector<Index>& columns) {
  SparseMatrix result(A.rows(), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    result.startVec(static_cast<Index>(j));
    for (SparseMatrix::InnerIterator entry(A, columns[j]); entry; ++entry) {
      result.insertBack(entry.row(), static_cast<Index>(j)) = entry.value();
    }
  }
  result.finalize();
  return result;
}

/// Connected components of the rows and columns by entries. Components that do not touch are solved at the same time.
struct Parts {
  std::vector<Index> of_row, of_column;
};

Parts find_parts(const SparseMatrix& S) {
  DisjointSets<Index> rows(at(S.rows()));
  for (Index j = 0; j < S.outerSize(); ++j) {
    const Index begin = S.outerIndexPtr()[j], end = S.outerIndexPtr()[j + 1];
    for (Index e = begin + 1; e < end; ++e) rows.tie(S.innerIndexPtr()[e], S.innerIndexPtr()[begin]);
  }
  Parts parts;
  for (Index i = 0; i < S.rows(); ++i) parts.of_row.push_back(rows.find(i));
  for (Index j = 0; j < S.cols(); ++j) {
    const Index begin = S.outerIndexPtr()[j];
    parts.of_column.push_back(begin < S.outerIndexPtr()[j + 1] ? rows.find(S.innerIndexPtr()[begin]) : -1);
  }
  return parts;
}

struct Entry {
  Index row;
  double value;
};
using Columns = std::vector<std::vector<Entry>>;

/// Returns the columns of A in rounds without two columns in the same component. Columns without entries are left out.
std::vector<std::vector<Index>> rounds_of(const SparseMatrix& A, const std::vector<Index>& part) {
  std::vector<std::vector<Index>> rounds;
  std::vector<std::size_t> next(part.size(), 0);  // the free round of each component
  for (Index j = 0; j < A.outerSize(); ++j) {
    std::size_t round = 0;
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      round = std::max(round, next[at(part[at(entry.row())])]);
    }
    bool is_empty = true;
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      next[at(part[at(entry.row())])] = round + 1;
      is_empty = false;
    }
    if (is_empty) continue;
    if (round >= rounds.size()) rounds.resize(round + 1);
    rounds[round].push_back(j);
  }
  return rounds;
}

/// Returns the columns of B⁻¹ A for a nonsingular B, without the rounding of zeros; nothing if a column grows too much.
std::optional<Columns> solve_columns(SparseLu& B, const Parts& parts, const SparseMatrix& A) {
  Columns solution(at(A.cols()));
  std::vector<double> given(solution.size(), 0.0), found(solution.size(), 0.0);  // largest entries
  for (const std::vector<Index>& round : rounds_of(A, parts.of_row)) {
    Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows());
    std::vector<Index> column_of_part(parts.of_row.size(), -1);
    for (const Index j : round) {
      for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
        b[entry.row()] = entry.value();
        column_of_part[at(parts.of_row[at(entry.row())])] = j;
        given[at(j)] = std::max(given[at(j)], std::abs(entry.value()));
      }
    }
    const Eigen::VectorXd x = B.solve(b);
    const auto for_entries = [&](const auto& visit) {
      for (Index i = 0; i < x.size(); ++i) {
        const Index j = column_of_part[at(parts.of_column[at(i)])];
        if (j >= 0) visit(at(j), i, std::abs(x[i]));
      }
    };
    for_entries([&](std::size_t j, Index, double size) { found[j] = std::fmax(found[j], size); });
    for (const Index j : round) {
      if (!(found[at(j)] <= largest_growth * given[at(j)])) return std::nullopt;
    }
    for_entries([&](std::size_t j, Index i, double size) {
      if (size > rounding * found[j]) solution[j].push_back({i, x[i]});
    });
  }
  return solution;
}

std::int64_t count(const Columns& columns) {
  std::int64_t entries = 0;
  for (const std::vector<Entry>& column : columns) entries += static_cast<std::int64_t>(column.size());
  return entries;
}

}  // namespace

std::vector<Index> independent_by_mass(const ScaledConstraints& constraints, const SparseMatrix& M) {
  const Index n = constraints.coordinates();
  SolvingPreference preference{Eigen::VectorXd::Ones(n), std::vector<char>(at(n), 0), massless_first};
  for (Index i = 0; i < n; ++i) {
    const double mass = M.coeff(i, i);
    if (!(mass > 0)) continue;
    preference.reluctant[at(i)] = 1;
    preference.weights[i] = std::ldexp(1 / std::sqrt(mass), -constraints.columns[at(i)]);
  }
  std::vector<Index> independent = independent_by_elimination(constraints.S, preference);
  if (static_cast<Index>(independent.size()) == n - constraints.rank()) return independent;
  throw Undecided(
      fmt::format("no {} coordinates follow from the other {}: the constraints taken as independent are dependent",
                  constraints.rank(), n - constraints.rank()));
}

std::vector<Index> independent_by_complete_pivoting(const ScaledConstraints& constraints) {
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(constraints.S.toDense());
  std::vector<Index> independent;
  for (Index j = constraints.rank(); j < constraints.coordinates(); ++j) {
    independent.push_back(static_cast<Index>(lu.permutationQ().indices()[j]));
  }
  std::sort(independent.begin(), independent.end());
  return independent;
}

std::optional<ConstraintNullSpace> null_space_of_partition(const ScaledConstraints& constraints,
                                                           const std::vector<Index>& independent,
                                                           const SparseMatrix& G) {
  const Index n = constraints.coordinates(), k = static_cast<Index>(independent.size());
  const std::vector<Index> dependent = others(n, independent);
  const SparseMatrix S_D = columns_of(constraints.S, dependent), S_I = columns_of(constraints.S, independent);
  SparseLu lu(S_D);
  if (!lu.factor(S_D)) return std::nullopt;
  const Parts parts = find_parts(S_D);
  const auto motion = solve_columns(lu, parts, S_I);
  if (!motion) return std::nullopt;
  const auto prescribed = solve_columns(lu, parts, constraints.scaled(G));
  if (!prescribed) return std::nullopt;

  const auto unscaled = [&](const Entry& entry) {
    return std::ldexp(entry.value, constraints.columns[at(dependent[at(entry.row)])]);
  };
  ConstraintNullSpace null_space{SparseMatrix(n, k), SparseMatrix(n, G.cols())};
  null_space.R.reserve(static_cast<Index>(count(*motion)) + k);
  for (Index j = 0; j < k; ++j) {
    const Index z = independent[at(j)];
    null_space.R.startVec(j);
    bool is_in = false;
    for (const Entry& entry : (*motion)[at(j)]) {
      const Index i = dependent[at(entry.row)];
      if (!is_in && i > z) {
        null_space.R.insertBack(z, j) = 1;
        is_in = true;
      }
      null_space.R.insertBack(i, j) = -std::ldexp(unscaled(entry), -constraints.columns[at(z)]);
    }
    if (!is_in) null_space.R.insertBack(z, j) = 1;
  }
  null_space.R.finalize();
  null_space.S.reserve(static_cast<Index>(count(*prescribed)));
  for (Index j = 0; j < G.cols(); ++j) {
    null_space.S.startVec(j);
    for (const Entry& entry : (*prescribed)[at(j)]) {
      null_space.S.insertBack(dependent[at(entry.row)], j) = unscaled(entry);
    }
  }
  null_space.S.finalize();
  return null_space;
}

Misfits find_misfits(const ScaledConstraints& constraints, const std::vector<Index>& independent) {
  const Index n = constraints.coordinates();
  SolvingPreference preference{Eigen::VectorXd::Ones(n), std::vector<char>(at(n), 0), 1 / largest_growth};
  for (const Index i : independent) preference.reluctant[at(i)] = 1;
  const std::vector<Index> free = independent_by_elimination(constraints.S, preference);
  Misfits misfits;
  std::set_difference(independent.begin(), independent.end(), free.begin(), free.end(),
                      std::back_inserter(misfits.dependent));
  std::set_difference(free.begin(), free.end(), independent.begin(), independent.end(),
                      std::back_inserter(misfits.undetermined));
  return misfits;
}

}  // namespace stillpoint
