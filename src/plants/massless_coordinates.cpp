#include "plants/massless_coordinates.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>

#include "base/at.h"
#include "base/name_list.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

// Pivots among the entries of null vectors below this are no coordinates for them.
constexpr double no_pivot = 1e-6;

// Entries of null vectors below this are rounding of zero.
constexpr double rounding_of_vectors = 1e-13;

DofKinds sorted(const Summed& M, const Summed& C) { return kinds_of(M.value, M.magnitude, C.value, C.magnitude); }

/// Tells whether M is regular on the coordinates that have any.
bool has_only_massless_coordinates(const Summed& M, const DofKinds& kinds) {
  const MatrixXd value = M.value(kinds.massive, kinds.massive), magnitude = M.magnitude(kinds.massive, kinds.massive);
  return null_spaces({value, magnitude}).rank == value.rows();
}

/// Null vectors of M on the right and on the left: those with damping, then those without.
struct Directions {
  MatrixXd right, left;
  Eigen::Index damped = 0;
};

Directions massless_directions(const Summed& M, const Summed& C) {
  const NullSpaces massless = null_spaces(M);
  const NullSpaces damped = null_spaces(projected(C, massless.null_left, massless.null_right));
  Directions found;
  found.damped = damped.rank;
  const auto joined = [](const MatrixXd& N, const MatrixXd& with, const MatrixXd& without) {
    MatrixXd all(N.rows(), with.cols() + without.cols());
    all << N * with, N * without;
    return all;
  };
  found.right = joined(massless.null_right.value, damped.rest_right.value, damped.null_right.value);
  found.left = joined(massless.null_left.value, damped.rest_left.value, damped.null_left.value);
  return found;
}

/// Chooses as many rows as N has columns, in which N is well conditioned; nothing if there are none.
std::optional<std::vector<Index>> pivot_rows(const MatrixXd& N) {
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(N.transpose());
  const auto pivots = qr.matrixR().diagonal().cwiseAbs();
  if (N.cols() > N.rows() || (N.cols() > 0 && !(pivots.minCoeff() > no_pivot * pivots.maxCoeff()))) return {};
  std::vector<Index> rows;
  for (Eigen::Index k = 0; k < N.cols(); ++k) rows.push_back(static_cast<Index>(qr.colsPermutation().indices()[k]));
  return rows;
}

/// Replaces columns of the unit matrix T by combinations of N that are one in these rows each, zero in the others.
void replace_columns(const MatrixXd& N, const std::vector<Index>& rows, MatrixXd& T) {
  if (N.cols() == 0) return;
  const MatrixXd own = N(rows, Eigen::all);
  MatrixXd columns = own.transpose().partialPivLu().solve(N.transpose()).transpose();
  const double largest = columns.cwiseAbs().maxCoeff();
  columns = (columns.cwiseAbs().array() > rounding_of_vectors * largest).select(columns, 0.0);
  for (std::size_t k = 0; k < rows.size(); ++k) T.col(rows[k]) = columns.col(static_cast<Eigen::Index>(k));
}

/// The bases T and L.
struct Bases {
  MatrixXd T, L;
};

/// Directions without damping come first: those with damping must be zero in their coordinates, so that the damping of
/// the others does not reach them.
std::optional<Bases> bases_for(const Directions& of, Eigen::Index order) {
  const Eigen::Index damped = of.damped, all = of.right.cols();
  const std::optional<std::vector<Index>> free = pivot_rows(of.right.rightCols(all - damped));
  if (!free || !pivot_rows(of.left.rightCols(all - damped))) return {};
  Bases bases{MatrixXd::Identity(order, order), MatrixXd::Identity(order, order)};
  replace_columns(of.right.rightCols(all - damped), *free, bases.T);
  replace_columns(of.left.rightCols(all - damped), *free, bases.L);
  const auto without_free = [&](const MatrixXd& N, const MatrixXd& basis) -> MatrixXd {
    return N - basis(Eigen::all, *free) * N(*free, Eigen::all);
  };
  const MatrixXd right = without_free(of.right.leftCols(damped), bases.T);
  const MatrixXd left = without_free(of.left.leftCols(damped), bases.L);
  const std::optional<std::vector<Index>> rows = pivot_rows(right);
  if (!rows || !pivot_rows(left)) return {};
  replace_columns(right, *rows, bases.T);
  replace_columns(left, *rows, bases.L);
  const bool are_regular = bases.T.partialPivLu().rcond() > no_pivot && bases.L.partialPivLu().rcond() > no_pivot;
  return are_regular && bases.T.allFinite() && bases.L.allFinite() ? std::optional(bases) : std::nullopt;
}

std::vector<std::string> mark_replaced(const MatrixXd& T, std::vector<std::string>& names) {
  std::vector<std::string> marked;
  for (Eigen::Index i = 0; i < T.rows(); ++i) {
    const bool is_same = (T.row(i).array() != 0).count() == 1 && T(i, i) == 1;
    if (is_same) continue;
    names[static_cast<std::size_t>(i)] += "*";
    marked.push_back("'" + names[static_cast<std::size_t>(i)] + "'");
  }
  return marked;
}

SecondOrderParts transformed(SecondOrderParts parts, const Bases& bases) {
  const SparseMatrix T = bases.T.sparseView(), Lt = MatrixXd(bases.L.transpose()).sparseView();
  for (SparseMatrix* const A : {&parts.M, &parts.C, &parts.K}) *A = SparseMatrix(Lt * *A * T);
  for (Eigen::MatrixXd& B : parts.B) B = Lt * B;
  for (SparseMatrix* const H : {&parts.Hq, &parts.Hv, &parts.Ha, &parts.T}) *H = SparseMatrix(*H * T);
  parts.values = bases.T.partialPivLu().solve(parts.values).eval();
  const std::vector<std::string> marked = mark_replaced(bases.T, parts.names);
  if (!marked.empty())
    parts.notes.push_back(
        fmt::format("{}: less the part that a motion without mass has in the coordinate, see T", name_list(marked)));
  return parts;
}

}  // namespace

SortedParts with_massless_coordinates(SecondOrderParts parts, const Summed& M, const Summed& C) {
  DofKinds kinds = sorted(M, C);
  if (has_only_massless_coordinates(M, kinds)) return {std::move(parts), std::move(kinds)};
  const std::optional<Bases> bases = bases_for(massless_directions(M, C), M.order());
  if (!bases) return {std::move(parts), std::move(kinds)};
  const auto with_magnitudes = [](const MatrixXd& A) { return BasisWithMagnitudes{A, A.cwiseAbs()}; };
  const BasisWithMagnitudes L = with_magnitudes(bases->L), T = with_magnitudes(bases->T);
  kinds = sorted(projected(M, L, T), projected(C, L, T));
  return {transformed(std::move(parts), *bases), std::move(kinds)};
}

}  // namespace stillpoint
