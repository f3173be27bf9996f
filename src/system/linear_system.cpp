#include "stillpoint/linear_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "algebra/sparse/chosen_rows.h"
#include "algebra/sparse/symmetry.h"
#include "base/at.h"
#include "stillpoint/error.h"
#include "system/checking.h"
#include "system/matrix_table.h"

namespace stillpoint {

namespace {

bool has_size(const SparseMatrix& A) { return A.rows() > 0 || A.cols() > 0; }

/// A number of coordinates, constraints, inputs or outputs, and the matrix that determines it.
struct Size {
  Index value = 0;
  const MatrixInfo* from = nullptr;
};
using Sizes = std::array<Size, all_counts.size()>;

Size& size_of(Sizes& sizes, Count count) { return sizes[static_cast<std::size_t>(count)]; }

std::string shape_of(const SparseMatrix& A) { return fmt::format("{} x {}", A.rows(), A.cols()); }

void agree(const LinearSystem& system, const MatrixInfo& info, Count count, Eigen::Index found, Sizes& sizes) {
  Size& size = size_of(sizes, count);
  if (!size.from) size = {static_cast<Index>(found), &info};
  if (size.value == found) return;
  throw Error(fmt::format("{} is {} and {} is {}: these are {} and {} {}", size.from->name,
                          shape_of(system.*size.from->matrix), info.name, shape_of(system.*info.matrix), size.value,
                          found, to_word(count)));
}

Sizes sizes_of(const LinearSystem& system) {
  Sizes sizes;
  for (const MatrixInfo& info : matrix_table) {
    const SparseMatrix& A = system.*info.matrix;
    if (!has_size(A)) continue;
    agree(system, info, info.rows, A.rows(), sizes);
    agree(system, info, info.columns, A.cols(), sizes);
  }
  return sizes;
}

void require_finite(const LinearSystem& system) {
  for (const MatrixInfo& info : matrix_table) {
    const SparseMatrix& A = system.*info.matrix;
    for (Index j = 0; j < A.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
        if (std::isfinite(entry.value())) continue;
        throw Error(fmt::format("{}({}, {}) is {}: every entry must be a finite number", info.name, entry.row() + 1,
                                j + 1, entry.value()));
      }
    }
  }
}

void require_length(const Eigen::VectorXd& x, const char* name, Index length, Count count) {
  if (x.size() == 0) return;
  if (x.size() != length)
    throw Error(fmt::format("the operating point has {} numbers in {}, and there are {} {}", x.size(), name, length,
                            to_word(count)));
  for (Index i = 0; i < length; ++i) {
    if (!std::isfinite(x[i]))
      throw Error(fmt::format("{}({}) of the operating point is {}: it must be a finite number", name, i + 1, x[i]));
  }
}

void name_where_nameless(NameOf& name, const char* word) {
  if (!name) name = [word](Index i) { return fmt::format("{}[{}]", word, i + 1); };
}

/// Requires that every row is listed exactly once and in ascending order, and that the rank is the number of
/// independent rows.
void require_rows(const RowDependence& rows, Index m) {
  std::vector<char> seen(at(m), 0);
  for (const std::vector<Index>* list : {&rows.independent, &rows.dependent}) {
    Index before = -1;
    for (const Index row : *list) {
      if (row <= before || row >= m || seen[at(row)])
        throw Error(
            fmt::format("row {} of J is out of order or listed twice: the dependent and the independent rows must be "
                        "ascending, and together contain each of the {} rows once",
                        row + 1, m));
      seen[at(row)] = 1;
      before = row;
    }
  }
  if (rows.rank.value != static_cast<Index>(rows.independent.size()))
    throw Error(fmt::format("the rank of J is given as {}, with {} independent rows: these must be the same",
                            rows.rank.value, rows.independent.size()));
}

void decide_rows(LinearSystem& system, const RankOptions& options) {
  const Index m = system.constraints(), most = std::min(m, system.coordinates());
  if (options.rank && (*options.rank < 0 || *options.rank > most))
    throw Error(
        fmt::format("a rank of {} was given; J is {}, so it must be 0 to {}", *options.rank, shape_of(system.J), most));
  RowDependence& rows = system.rows;
  const bool is_decided = rows.independent.size() + rows.dependent.size() == at(m) && m > 0;
  if (!is_decided) {
    rows = find_dependent_rows(system.J, options);
    return;
  }
  require_rows(rows, m);
  if (rows.dependent.empty()) rows.null_vectors.resize(m, 0);
  const bool has_vectors = rows.null_vectors.rows() == m && rows.null_vectors.cols() == m - rows.rank.value;
  if (!has_vectors) rows.null_vectors = find_dependent_rows(system.J, {.rank = rows.rank.value}).null_vectors;
}

void require_branches(const LinearSystem& system) {
  const Index n = system.coordinates();
  for (const MotionBranch& branch : system.branches) {
    if (branch.tangents.rows() != n || !branch.tangents.allFinite())
      throw Error(fmt::format("the tangents of branch '{}' must be columns of {} finite numbers", branch.name, n));
  }
}

void require_free_stiffness(const LinearSystem& system) {
  const std::vector<SparseMatrix>& forms = system.free_stiffness;
  const Index n = system.coordinates();
  const bool fits = forms.size() == at(system.rows.null_vectors.cols()) &&
                    std::all_of(forms.begin(), forms.end(),
                                [n](const SparseMatrix& form) { return form.rows() == n && form.cols() == n; });
  if (!forms.empty() && !fits)
    throw Error(
        fmt::format("there are {} matrices of free stiffness: there must be one of {} x {} for each of the {} "
                    "left null vectors of J, or none",
                    forms.size(), n, n, system.rows.null_vectors.cols()));
}

void require_cancellation(const LinearSystem& system) {
  const SparseMatrix& lost = system.cancellation;
  const Index n = system.coordinates();
  const bool is_empty = lost.size() == 0, fits = lost.rows() == n && lost.cols() == n;
  if (!is_empty && !fits)
    throw Error(fmt::format("the cancellation of K is {}: it must be {} x {}, as K is", shape_of(lost), n, n));
}

// A factored stiffness that belongs to another K would falsify every result silently; the diagonals are compared.
void require_strains(const LinearSystem& system) {
  constexpr double same =
      1e-6;  // relative to the sum of magnitudes; rounding errors are below 1e-10, modifications of K are larger
  const Strains& strains = system.strains;
  if (strains.empty()) return;
  const Index n = system.coordinates();
  const bool fits = strains.B.rows() == strains.D.size() && strains.B.cols() == n && strains.rest.rows() == n &&
                    strains.rest.cols() == n;
  if (!fits)
    throw Error(fmt::format(
        "the factored stiffness has B of {}, D of {} and a remainder of {}: with {} coordinates these must be "
        "strains x {}, strains, and {} x {}",
        shape_of(strains.B), strains.D.size(), shape_of(strains.rest), n, n, n, n));
  for (Index i = 0; i < strains.D.size(); ++i) {
    if (!(strains.D[i] > 0 && std::isfinite(strains.D[i])))
      throw Error(fmt::format("strain {} has the stiffness {}: it must be a positive number", i + 1, strains.D[i]));
  }
  for (Index j = 0; j < n; ++j) {
    const double rest = strains.rest.coeff(j, j);
    double sum = rest, size = std::abs(rest);
    for (SparseMatrix::InnerIterator entry(strains.B, j); entry; ++entry) {
      const double term = strains.D[entry.row()] * entry.value() * entry.value();
      sum += term;
      size += term;
    }
    const double K = system.K.coeff(j, j);
    if (!(std::abs(K - sum) <= same * (size + std::abs(K))))
      throw Error(fmt::format(
          "K({}, {}) is {:.10g}, but its factored form gives {:.10g}: whoever changes K must clear `strains`", j + 1,
          j + 1, K, sum));
  }
}

}  // namespace

SparseMatrix independent_rows(const LinearSystem& system) {
  const std::vector<Index>& rows = system.rows.independent;
  if (static_cast<Index>(rows.size()) == system.constraints()) return system.J;
  return chosen_rows(system.J, rows);
}

SparseMatrix stiffness_magnitudes(const LinearSystem& system) {
  const SparseMatrix own = system.K.cwiseAbs();
  return system.cancellation.size() > 0 ? SparseMatrix(own + system.cancellation) : own;
}

void agree_on_sizes(LinearSystem& system) {
  Sizes sizes = sizes_of(system);
  for (const MatrixInfo& info : matrix_table) {
    SparseMatrix& A = system.*info.matrix;
    if (!has_size(A)) A.resize(size_of(sizes, info.rows).value, size_of(sizes, info.columns).value);
    A.makeCompressed();
  }
}

void require_common_range(const LinearSystem& system) {
  constexpr double widest = 1e290;
  const double mass = largest_entry(system.M);
  const std::array others{std::pair("C", largest_entry(system.C)), std::pair("K", largest_entry(system.K))};
  for (const auto& [matrix, size] : others) {
    if (mass == 0 || size == 0 || (size / mass < widest && mass / size < widest)) continue;
    throw Error(fmt::format(
        "the largest entries of M ({:.3g}) and {} ({:.3g}) are so different that eigenvalues are beyond the "
        "range of double precision; choose other units",
        mass, matrix, size));
  }
}

void check(LinearSystem& system, const RankOptions& options) {
  agree_on_sizes(system);
  require_finite(system);
  require_common_range(system);
  require_length(system.q, "q", system.coordinates(), Count::coordinates);
  require_length(system.lambda, "lambda", system.constraints(), Count::constraints);
  require_length(system.u, "u", system.inputs(), Count::inputs);
  require_length(system.y, "y", system.outputs(), Count::outputs);
  name_where_nameless(system.coordinate_name, "q");
  name_where_nameless(system.constraint_name, "constraint");
  name_where_nameless(system.input_name, "u");
  name_where_nameless(system.output_name, "y");
  decide_rows(system, options);
  require_cancellation(system);
  require_strains(system);
  require_branches(system);
  require_free_stiffness(system);
}

LinearSystem checked(LinearSystem system, const RankOptions& options) {
  check(system, options);
  return system;
}

}  // namespace stillpoint
