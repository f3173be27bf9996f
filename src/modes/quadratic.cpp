#include "modes/quadratic.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "algebra/congruence_scaling.h"
#include "algebra/lapack.h"
#include "algebra/typical_frequency.h"
#include "base/at.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;
constexpr double rounding = std::numeric_limits<double>::epsilon();

// Entries come from coordinates at rest, which are known to about this part.
constexpr double of_sizes = 1e-13;
constexpr double several_floors = 10;

// Powers of two that bring the sizes of A near one; they round nothing.
Eigen::VectorXd balancing(const Summed& A) {
  const SparseMatrix sizes = (A.size + A.size.transpose()).sparseView();
  const std::vector<double> scale = congruence_scaling(sizes);
  return Eigen::Map<const Eigen::VectorXd>(scale.data(), static_cast<Eigen::Index>(scale.size()));
}

// A symmetric matrix has the same vectors on both sides, also where values coincide.
SingularValues decompose_alike(const Matrix& A, bool is_symmetric) {
  if (!is_symmetric) return decompose(A);
  const SymmetricEigen found = solve_symmetric(A);
  const Eigen::Index n = A.rows();
  std::vector<Eigen::Index> order(at(n));
  std::iota(order.begin(), order.end(), 0);
  const auto size = [&](Eigen::Index i) { return std::abs(found.values[i]); };
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index i, Eigen::Index j) { return size(i) > size(j); });
  SingularValues result{Matrix(n, n), Eigen::VectorXd(n), {}};
  for (Eigen::Index k = 0; k < n; ++k) {
    result.U.col(k) = found.vectors.col(order[at(k)]);
    result.values[k] = size(order[at(k)]);
  }
  result.V = result.U;
  return result;
}

// The same values, without vectors.
Eigen::VectorXd values_alike(const Matrix& A, bool is_symmetric) {
  if (!is_symmetric) return singular_values(A);
  Eigen::VectorXd values = symmetric_values(A).cwiseAbs();
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

SizedBasis exact(const Matrix& value) { return {value, value.cwiseAbs()}; }

// What is in null vectors of the others, by rounding: of each ε over its value. (Any basis of the others would do.) In
// sizes, of which a part `of_sizes` is rounding.
Eigen::VectorXd turned_by_rounding(const Matrix& others, const Eigen::VectorXd& values) {
  if (others.cols() == 0) return Eigen::VectorXd::Zero(others.rows());
  const Eigen::VectorXd turned = (values[0] * values.head(others.cols()).cwiseInverse()).cwiseMin(1 / rounding);
  return rounding / of_sizes * std::sqrt(static_cast<double>(others.rows())) *
         (others.cwiseAbs() * turned.asDiagonal()).rowwise().maxCoeff();
}

}  // namespace

Summed projected(const Summed& A, const SizedBasis& L, const SizedBasis& R) {
  return {L.value.transpose() * A.value * R.value, L.size.transpose() * A.size * R.size};
}

Quadratic projected(const Quadratic& P, const SizedBasis& L, const SizedBasis& R) {
  return {projected(P.M, L, R), projected(P.C, L, R), projected(P.K, L, R), P.is_projected};
}

// An entry that is nothing but rounding of what meets on the diagonal does not count.
bool is_symmetric(const Summed& A) {
  const Eigen::VectorXd own = A.size.diagonal().cwiseSqrt();
  const Matrix allowed = of_sizes * (A.size + A.size.transpose() + own * own.transpose());
  return ((A.value - A.value.transpose()).cwiseAbs().array() <= allowed.array()).all();
}

bool is_zero(const Summed& A) { return (A.value.cwiseAbs().array() <= 16 * rounding * A.size.array()).all(); }

std::string NullSpaces::doubt(double clear_gap) const {
  constexpr double clear_residue = 0.01;  // what is zero was at most 0.002 in 3000 random mechanisms
  if (residue > clear_residue)
    return fmt::format("{:.2g} times rounding counts as zero, {} would be sure", residue, clear_residue);
  if (gap < clear_gap)
    return fmt::format("the smallest value is {:.1f} times rounding, {:.0f} would decide", gap, clear_gap);
  return {};
}

namespace {

std::vector<Eigen::Index> without_entries(const Summed& A) {
  std::vector<Eigen::Index> result;
  for (Eigen::Index i = 0; i < A.order(); ++i) {
    if ((A.size.row(i).array() == 0).all() && (A.size.col(i).array() == 0).all()) result.push_back(i);
  }
  return result;
}

NullSpaces null_spaces_of_entries(const Summed& A, std::optional<Eigen::Index> rank) {
  const Eigen::Index n = A.order();
  NullSpaces result;
  result.gap = std::numeric_limits<double>::infinity();
  if (n == 0) return result;
  const Eigen::VectorXd d = balancing(A);
  const Matrix scaled_A = d.asDiagonal() * A.value * d.asDiagonal();
  const bool both_alike = is_symmetric(A);
  if (rank) {
    result.rank = *rank;
  } else {
    const double floor = of_sizes * std::sqrt(static_cast<double>(n));
    const Eigen::VectorXd values = values_alike(scaled_A, both_alike);
    result.rank = (values.array() > several_floors * floor).count();
    if (result.rank > 0) result.gap = values[result.rank - 1] / floor;
    if (result.rank < n) result.residue = values[result.rank] / floor;
  }
  if (result.rank == n) {  // any basis is one of the rest
    result.null_right = result.null_left = exact(Matrix(n, 0));
    result.rest_right = result.rest_left = exact(Matrix::Identity(n, n));
    return result;
  }
  const SingularValues singular = decompose_alike(scaled_A, both_alike);
  const Eigen::Index dropped = n - result.rank;
  const auto null = [&](const Matrix& vectors) -> SizedBasis {
    const Matrix columns = vectors.rightCols(dropped);
    const Eigen::VectorXd blur = turned_by_rounding(vectors.leftCols(result.rank), singular.values);
    return {d.asDiagonal() * columns, d.asDiagonal() * (columns.cwiseAbs().colwise() + blur)};
  };
  const auto rest = [&](const Matrix& vectors) { return exact(d.asDiagonal() * vectors.leftCols(result.rank)); };
  result.null_right = null(singular.V);
  result.null_left = null(singular.U);
  result.rest_right = rest(singular.V);
  result.rest_left = rest(singular.U);
  return result;
}

}  // namespace

// Coordinates without any entry are null vectors as they are: rounding does not turn them.
NullSpaces null_spaces(const Summed& A, std::optional<Eigen::Index> rank) {
  const std::vector<Eigen::Index> empty = without_entries(A);
  if (empty.empty()) return null_spaces_of_entries(A, rank);
  std::vector<Eigen::Index> others;
  for (Eigen::Index i = 0; i < A.order(); ++i) {
    if (!std::binary_search(empty.begin(), empty.end(), i)) others.push_back(i);
  }
  NullSpaces result = null_spaces_of_entries({A.value(others, others), A.size(others, others)}, rank);
  const auto in_all = [&](const Matrix& few, Eigen::Index more) {
    Matrix all = Matrix::Zero(A.order(), few.cols() + more);
    all(others, Eigen::seqN(0, few.cols())) = few;
    for (Eigen::Index k = 0; k < more; ++k) all(empty[at(k)], few.cols() + k) = 1;
    return all;
  };
  const auto count = static_cast<Eigen::Index>(empty.size());
  for (SizedBasis* basis : {&result.null_right, &result.null_left})
    *basis = {in_all(basis->value, count), in_all(basis->size, count)};
  for (SizedBasis* basis : {&result.rest_right, &result.rest_left})
    *basis = {in_all(basis->value, 0), in_all(basis->size, 0)};
  return result;
}

namespace {

Matrix beside(const Matrix& a, const Matrix& b) {
  Matrix both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

SizedBasis beside(const SizedBasis& a, const SizedBasis& b) {
  return {beside(a.value, b.value), beside(a.size, b.size)};
}

SizedBasis operator*(const SizedBasis& a, const SizedBasis& b) { return {a.value * b.value, a.size * b.size}; }

void doubt_rank(const NullSpaces& found, const char* what, std::vector<std::string>& doubts) {
  const std::string doubt = found.doubt();
  if (!doubt.empty()) doubts.push_back(fmt::format("the rank of {} is a guess: {}", what, doubt));
}

// Directions are right to a part of `of_sizes`: of a mass, a spring or a damper that does not feel a motion its square
// is left. What is no more than that beside what would matter is none; nor is what couples it to others, which is no
// more than the mean of both; where rounding has left nothing of one of them, of what would matter.
Summed without_traces(const Quadratic& P, Summed A, const Eigen::VectorXd& mattering) {
  constexpr double no_more = 2;
  if (!P.is_projected) return A;
  const Eigen::VectorXd sizes = A.size.diagonal();
  for (Eigen::Index i = 0; i < A.order(); ++i) {
    const Eigen::VectorXd means =
        no_more * (sizes[i] * sizes).cwiseSqrt() + of_sizes * (mattering[i] * mattering).cwiseSqrt();
    const bool is_trace = sizes[i] <= of_sizes * of_sizes * mattering[i] &&
                          (A.size.col(i).array() <= means.array()).all() &&
                          (A.size.row(i).transpose().array() <= means.array()).all();
    if (!is_trace) continue;
    for (Matrix* part : {&A.value, &A.size}) {
      part->row(i).setZero();
      part->col(i).setZero();
    }
  }
  return A;
}

double usual_frequency(const Quadratic& P) { return typical_frequency(P.K.size.diagonal(), P.M.size.diagonal()); }

// Directions with neither mass nor damping follow the others: K₂₂ x₂ = −K₂₁ x₁. C: with rounding in its sizes.
void eliminate_statics(Condensed& condensed, Eigen::Index kept, const Summed& C) {
  const Quadratic& P = condensed.P;
  const Eigen::Index b = P.order() - kept;
  const Summed K22{P.K.value.bottomRightCorner(b, b), P.K.size.bottomRightCorner(b, b)};
  const NullSpaces held = null_spaces(K22);
  doubt_rank(held, "the stiffness of directions without mass and damping", condensed.doubts);
  if (held.rank < b) {
    condensed.undetermined = condensed.X.rightCols(b) * held.null_right.value;
    return;
  }
  const Eigen::VectorXd stiffness = (P.K.size.diagonal() / usual_frequency(P)).cwiseSqrt();
  const Eigen::MatrixXd mattering = P.is_projected ? Matrix(stiffness * stiffness.transpose()) : 0 * C.size;
  const auto is_rounding = (C.value.cwiseAbs().array() <= of_sizes * (C.size + mattering).array()).eval();
  if (!is_rounding.rightCols(b).all() || !is_rounding.bottomRows(b).all()) {
    condensed.doubts.emplace_back(
        "damping couples directions without mass that it does not resist; their share is left out");
  }
  Matrix right = Matrix::Identity(P.order(), kept), left = right;
  if (kept > 0) {  // Eigen's solver reads the first entry, even of a matrix that has none
    right.bottomRows(b) = -K22.value.partialPivLu().solve(P.K.value.bottomLeftCorner(b, kept));
    left.bottomRows(b) = -K22.value.transpose().partialPivLu().solve(P.K.value.topRightCorner(kept, b).transpose());
  }
  condensed.X = condensed.X * right;
  condensed.Y = condensed.Y * left;
  condensed.P.K = projected(P.K, exact(left), exact(right));
  const auto leading = [&](const Summed& A) {
    return Summed{A.value.topLeftCorner(kept, kept), A.size.topLeftCorner(kept, kept)};
  };
  condensed.P.M = leading(P.M);
  condensed.P.C = leading(P.C);
}

}  // namespace

Condensed condense(Quadratic P, const std::optional<Massless>& massless) {
  Condensed condensed;
  P.M = without_traces(P, P.M, P.K.size.diagonal() / std::pow(usual_frequency(P), 2));
  const Eigen::Index k = P.order();
  const bool is_regular = massless && massless->all == 0;
  const NullSpaces mass = is_regular ? NullSpaces{.rank = k, .gap = std::numeric_limits<double>::infinity()}
                                     : null_spaces(P.M, massless ? std::optional(k - massless->all) : std::nullopt);
  doubt_rank(mass, "the reduced mass matrix", condensed.doubts);
  condensed.inertial = mass.rank;
  condensed.massless = k - mass.rank;
  condensed.P = P;
  condensed.X = condensed.Y = Matrix::Identity(k, k);
  if (condensed.massless > 0) {
    const auto on_massless = [&](const Summed& A) { return projected(A, mass.null_left, mass.null_right); };
    const Eigen::VectorXd mattering = on_massless(P.K).size.diagonal() / usual_frequency(P);
    const NullSpaces damped = null_spaces(without_traces(P, on_massless(P.C), mattering),
                                          massless ? std::optional(massless->damped) : std::nullopt);
    doubt_rank(damped, "the damping of directions without mass", condensed.doubts);
    const SizedBasis X =
        beside(beside(mass.rest_right, mass.null_right * damped.rest_right), mass.null_right * damped.null_right);
    const SizedBasis Y =
        beside(beside(mass.rest_left, mass.null_left * damped.rest_left), mass.null_left * damped.null_left);
    condensed.X = X.value;
    condensed.Y = Y.value;
    condensed.P = projected(P, exact(condensed.Y), exact(condensed.X));
    const Eigen::Index kept = mass.rank + damped.rank;
    if (kept < k) eliminate_statics(condensed, kept, projected(P.C, Y, X));
    if (condensed.undetermined.size() == 0) {
      for (Matrix* part : {&condensed.P.M.value, &condensed.P.M.size}) {
        part->bottomRows(damped.rank).setZero();
        part->rightCols(damped.rank).setZero();
      }
    }
  }
  condensed.is_symmetric = is_symmetric(condensed.P.M) && is_symmetric(condensed.P.C) && is_symmetric(condensed.P.K);
  condensed.is_undamped = is_zero(condensed.P.C);
  return condensed;
}

// What is zero is found a thousand times below rounding (NullSpaces::doubt); a fine mesh of beams leaves some hundreds
// above it for what bends most easily.
constexpr double clear_of_zero = 100;

namespace {

// The inertia of free motions, with what they move by their damping: Lᵀ (M − C K⁺ C) R.
Summed free_inertia(const Quadratic& P, const NullSpaces& of_K, const SizedBasis& L, const SizedBasis& R) {
  Summed inertia = projected(P.M, L, R);
  if (is_zero(P.C) || of_K.rank == 0) return inertia;
  const Matrix held = projected(P.K, of_K.rest_left, of_K.rest_right).value;
  const Summed right = projected(P.C, of_K.rest_left, R), left = projected(P.C, L, of_K.rest_right);
  const Matrix inverse = held.partialPivLu().inverse();
  inertia.value -= left.value * inverse * right.value;
  inertia.size += left.size * inverse.cwiseAbs() * right.size;
  return inertia;
}

}  // namespace

ZeroRoots find_zero_roots(const Condensed& condensed) {
  const Quadratic& P = condensed.P;
  const double usual = usual_frequency(P);
  ZeroRoots zero;
  zero.of_K = null_spaces(without_traces(P, P.K, usual * usual * P.M.size.diagonal()));
  const Eigen::Index a = P.order() - zero.of_K.rank;
  const std::string held = zero.of_K.doubt(clear_of_zero);
  if (!held.empty()) zero.doubt = "whether a motion is free or held by a very small stiffness cannot be told: " + held;
  if (a == 0) return zero;
  const auto on_motions = [&](const Summed& A) { return projected(A, zero.of_K.null_left, zero.of_K.null_right); };
  const NullSpaces damped = null_spaces(without_traces(P, on_motions(P.C), usual * on_motions(P.M).size.diagonal()));
  zero.multiplicity = 2 * a - damped.rank;
  const std::string resisted = damped.doubt(clear_of_zero);
  if (held.empty() && !resisted.empty()) zero.doubt = "whether a free motion is damped cannot be told: " + resisted;
  if (!zero.doubt.empty() || condensed.is_symmetric) return zero;
  // Two zeros for a motion that nothing resists: more, where forces without a potential leave it no inertia.
  const NullSpaces inertial = null_spaces(
      free_inertia(P, zero.of_K, zero.of_K.null_left * damped.null_left, zero.of_K.null_right * damped.null_right));
  if (inertial.rank < a - damped.rank)
    zero.doubt = fmt::format(
        "whether only {} eigenvalues are zero cannot be told: a motion that no stiffness resists has hardly any "
        "inertia of its own",
        zero.multiplicity);
  return zero;
}

}  // namespace stillpoint
