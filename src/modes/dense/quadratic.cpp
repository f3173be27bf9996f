#include "modes/dense/quadratic.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "algebra/dense/lapack.h"
#include "algebra/scaling/congruence_scaling.h"
#include "algebra/scaling/typical_frequency.h"
#include "base/at.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Matrix = Eigen::MatrixXd;
constexpr double rounding = std::numeric_limits<double>::epsilon();

// Returns powers of two that scale the magnitudes of A to about one, which causes no rounding.
Eigen::VectorXd balancing(const Summed& A) {
  const SparseMatrix magnitudes = (A.magnitude + A.magnitude.transpose()).sparseView();
  const std::vector<double> scale = congruence_scaling(magnitudes);
  return Eigen::Map<const Eigen::VectorXd>(scale.data(), static_cast<Eigen::Index>(scale.size()));
}

// The singular vectors of a symmetric matrix are its eigenvectors, the same on both sides even where values coincide.
SingularValues decompose_by_symmetry(const Matrix& A, bool is_symmetric) {
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

// Returns the singular values alone.
Eigen::VectorXd values_by_symmetry(const Matrix& A, bool is_symmetric) {
  if (!is_symmetric) return singular_values(A);
  Eigen::VectorXd values = symmetric_values(A).cwiseAbs();
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

BasisWithMagnitudes exact(const Matrix& value) { return {value, value.cwiseAbs()}; }

// Returns the most that entries of these magnitudes exert on some motions when others move.
Matrix most_forces(const Matrix& on, const Matrix& magnitudes, const Matrix& moved) {
  return on.cwiseAbs().transpose() * (magnitudes * moved.cwiseAbs());
}

// The null vectors of A made free of the other singular vectors (left, right): the decomposition has left rounding of
// the largest entries of A, where only that of the entries which a null vector feels cannot be removed. The values have
// signs where left and right vectors of a symmetric matrix are the same.
Matrix without_others(const Matrix& null, const Matrix& left, const Matrix& right, const Matrix& A) {
  const Eigen::VectorXd values = left.cwiseProduct(A * right).colwise().sum().transpose();
  return null - right * values.cwiseInverse().asDiagonal() * (left.transpose() * (A * null));
}

// Returns the rounding of null vectors along the other singular vectors, with these values. The unit is that of
// magnitudes, of which a part `entry_rounding` is rounding.
Matrix turned_by_rounding(const Matrix& null, const Matrix& left, const Matrix& right, const Eigen::VectorXd& values,
                          const Matrix& magnitudes) {
  const Matrix forces = rounding * most_forces(left, magnitudes, null);
  const Matrix turned = (values.cwiseInverse().asDiagonal() * forces).cwiseMin(1);
  return right.cwiseAbs() * turned / tolerance::rounding_of_entries;
}

}  // namespace

Summed projected(const Summed& A, const BasisWithMagnitudes& L, const BasisWithMagnitudes& R) {
  return {L.value.transpose() * A.value * R.value, L.magnitude.transpose() * A.magnitude * R.magnitude};
}

Quadratic projected(const Quadratic& P, const BasisWithMagnitudes& L, const BasisWithMagnitudes& R) {
  return {projected(P.M, L, R), projected(P.C, L, R), projected(P.K, L, R), P.is_projected};
}

// An entry that is rounding of the diagonal entries of its row and column does not count.
bool is_symmetric(const Summed& A) {
  const Eigen::VectorXd own = A.magnitude.diagonal().cwiseSqrt();
  const Matrix allowed =
      tolerance::rounding_of_entries * (A.magnitude + A.magnitude.transpose() + own * own.transpose());
  return ((A.value - A.value.transpose()).cwiseAbs().array() <= allowed.array()).all();
}

bool is_zero(const Summed& A) { return (A.value.cwiseAbs().array() <= 16 * rounding * A.magnitude.array()).all(); }

std::string NullSpaces::uncertainty(double certain_gap) const {
  if (residue > tolerance::certain_zero)
    return fmt::format(
        "what was taken for zero is {:.2g} of the rounding of the matrices, and only below {} of it is that certain",
        residue, tolerance::certain_zero);
  if (gap < certain_gap)
    return fmt::format(
        "what was taken for nonzero is {:.1f} times the rounding of the matrices, and only above {:.0f} times is that "
        "certain",
        gap, certain_gap);
  return {};
}

namespace {

std::vector<Eigen::Index> without_entries(const Summed& A) {
  std::vector<Eigen::Index> result;
  for (Eigen::Index i = 0; i < A.order(); ++i) {
    if ((A.magnitude.row(i).array() == 0).all() && (A.magnitude.col(i).array() == 0).all()) result.push_back(i);
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
  const bool is_symmetric_A = is_symmetric(A);
  if (rank) {
    result.rank = *rank;
  } else {
    const double floor = tolerance::rounding_of_entries * std::sqrt(static_cast<double>(n));
    const Eigen::VectorXd values = values_by_symmetry(scaled_A, is_symmetric_A);
    result.rank = (values.array() > tolerance::rank_over_rounding * floor).count();
    if (result.rank > 0) result.gap = values[result.rank - 1] / floor;
    if (result.rank < n) result.residue = values[result.rank] / floor;
  }
  if (result.rank == n) {  // any basis is one of the complement
    result.null_right = result.null_left = exact(Matrix(n, 0));
    result.values = Eigen::VectorXd::Ones(n);  // coordinates that may be added as null vectors feel none of the others
    result.rest_right = result.rest_left = exact(Matrix::Identity(n, n));
    return result;
  }
  const SingularValues singular = decompose_by_symmetry(scaled_A, is_symmetric_A);
  const Eigen::Index dropped = n - result.rank;
  const Matrix magnitudes = d.asDiagonal() * A.magnitude * d.asDiagonal();
  const Matrix U = singular.U.leftCols(result.rank), V = singular.V.leftCols(result.rank);
  result.values = singular.values.head(result.rank);
  const auto null = [&](const Matrix& vectors, const Matrix& left, const Matrix& right, const Matrix& matrix,
                        const Matrix& of_matrix) -> BasisWithMagnitudes {
    const Matrix columns = without_others(vectors.rightCols(dropped), left, right, matrix);
    const Matrix blur = turned_by_rounding(columns, left, right, result.values, of_matrix);
    return {d.asDiagonal() * columns, d.asDiagonal() * (columns.cwiseAbs() + blur)};
  };
  result.null_right = null(singular.V, U, V, scaled_A, magnitudes);
  result.null_left = null(singular.U, V, U, scaled_A.transpose(), magnitudes.transpose());
  result.rest_right = exact(d.asDiagonal() * V);
  result.rest_left = exact(d.asDiagonal() * U);
  return result;
}

}  // namespace

// Coordinates without any entry are null vectors as they are; rounding does not turn them.
NullSpaces null_spaces(const Summed& A, std::optional<Eigen::Index> rank) {
  const std::vector<Eigen::Index> empty = without_entries(A);
  if (empty.empty()) return null_spaces_of_entries(A, rank);
  std::vector<Eigen::Index> others;
  for (Eigen::Index i = 0; i < A.order(); ++i) {
    if (!std::binary_search(empty.begin(), empty.end(), i)) others.push_back(i);
  }
  NullSpaces result = null_spaces_of_entries({A.value(others, others), A.magnitude(others, others)}, rank);
  const auto in_all = [&](const Matrix& few, Eigen::Index more) {
    Matrix all = Matrix::Zero(A.order(), few.cols() + more);
    all(others, Eigen::seqN(0, few.cols())) = few;
    for (Eigen::Index k = 0; k < more; ++k) all(empty[at(k)], few.cols() + k) = 1;
    return all;
  };
  const auto count = static_cast<Eigen::Index>(empty.size());
  for (BasisWithMagnitudes* basis : {&result.null_right, &result.null_left})
    *basis = {in_all(basis->value, count), in_all(basis->magnitude, count)};
  for (BasisWithMagnitudes* basis : {&result.rest_right, &result.rest_left})
    *basis = {in_all(basis->value, 0), in_all(basis->magnitude, 0)};
  return result;
}

namespace {

Matrix side_by_side(const Matrix& a, const Matrix& b) {
  Matrix both(a.rows(), a.cols() + b.cols());
  both << a, b;
  return both;
}

BasisWithMagnitudes side_by_side(const BasisWithMagnitudes& a, const BasisWithMagnitudes& b) {
  return {side_by_side(a.value, b.value), side_by_side(a.magnitude, b.magnitude)};
}

BasisWithMagnitudes operator*(const BasisWithMagnitudes& a, const BasisWithMagnitudes& b) {
  return {a.value * b.value, a.magnitude * b.magnitude};
}

void mark_rank_undecided(const NullSpaces& found, const char* what, std::vector<std::string>& uncertainties) {
  const std::string uncertainty = found.uncertainty();
  if (!uncertainty.empty()) uncertainties.push_back(fmt::format("the rank of {} is uncertain: {}", what, uncertainty));
}

// Directions are exact to a part `entry_rounding`, so a mass, spring or damper that does not feel a motion leaves the
// square of it. A diagonal entry below that part of what would be significant is zero, and so are couplings up to the
// mean of both; where rounding has left nothing of one of them, up to the mean of what would be significant.
Summed without_negligible(const Quadratic& P, Summed A, const Eigen::VectorXd& significant) {
  constexpr double no_more = 2;
  if (!P.is_projected) return A;
  const Eigen::VectorXd magnitudes = A.magnitude.diagonal();
  for (Eigen::Index i = 0; i < A.order(); ++i) {
    const Eigen::VectorXd means = no_more * (magnitudes[i] * magnitudes).cwiseSqrt() +
                                  tolerance::rounding_of_entries * (significant[i] * significant).cwiseSqrt();
    const bool is_negligible =
        magnitudes[i] <= tolerance::rounding_of_entries * tolerance::rounding_of_entries * significant[i] &&
        (A.magnitude.col(i).array() <= means.array()).all() &&
        (A.magnitude.row(i).transpose().array() <= means.array()).all();
    if (!is_negligible) continue;
    for (Matrix* part : {&A.value, &A.magnitude}) {
      part->row(i).setZero();
      part->col(i).setZero();
    }
  }
  return A;
}

double usual_frequency(const Quadratic& P) {
  return typical_frequency(P.K.magnitude.diagonal(), P.M.magnitude.diagonal());
}

// Directions with neither mass nor damping follow the others: K₂₂ x₂ = −K₂₁ x₁. C has rounding in its magnitudes.
void eliminate_statics(Condensed& condensed, Eigen::Index kept, const Summed& C) {
  const Quadratic& P = condensed.P;
  const Eigen::Index b = P.order() - kept;
  const Summed K22{P.K.value.bottomRightCorner(b, b), P.K.magnitude.bottomRightCorner(b, b)};
  const NullSpaces held = null_spaces(K22);
  mark_rank_undecided(held, "the stiffness of directions without mass and damping", condensed.uncertainties);
  if (held.rank < b) {
    condensed.undetermined = condensed.X.rightCols(b) * held.null_right.value;
    return;
  }
  const Eigen::VectorXd stiffness = (P.K.magnitude.diagonal() / usual_frequency(P)).cwiseSqrt();
  const Eigen::MatrixXd significant = P.is_projected ? Matrix(stiffness * stiffness.transpose()) : 0 * C.magnitude;
  const auto is_rounding =
      (C.value.cwiseAbs().array() <= tolerance::rounding_of_entries * (C.magnitude + significant).array()).eval();
  if (!is_rounding.rightCols(b).all() || !is_rounding.bottomRows(b).all()) {
    condensed.uncertainties.emplace_back(
        "damping couples massless directions that it does not resist; this coupling is left out");
  }
  Matrix right = Matrix::Identity(P.order(), kept), left = right;
  if (kept > 0) {  // Eigen's solver reads the first entry even of an empty matrix
    right.bottomRows(b) = -K22.value.partialPivLu().solve(P.K.value.bottomLeftCorner(b, kept));
    left.bottomRows(b) = -K22.value.transpose().partialPivLu().solve(P.K.value.topRightCorner(kept, b).transpose());
  }
  condensed.X = condensed.X * right;
  condensed.Y = condensed.Y * left;
  condensed.P.K = projected(P.K, exact(left), exact(right));
  const auto leading = [&](const Summed& A) {
    return Summed{A.value.topLeftCorner(kept, kept), A.magnitude.topLeftCorner(kept, kept)};
  };
  condensed.P.M = leading(P.M);
  condensed.P.C = leading(P.C);
}

}  // namespace

Condensed condense(Quadratic P, const std::optional<Massless>& massless) {
  Condensed condensed;
  P.M = without_negligible(P, P.M, P.K.magnitude.diagonal() / std::pow(usual_frequency(P), 2));
  const Eigen::Index k = P.order();
  const bool is_regular = massless && massless->all == 0;
  const NullSpaces mass = is_regular ? NullSpaces{.rank = k, .gap = std::numeric_limits<double>::infinity()}
                                     : null_spaces(P.M, massless ? std::optional(k - massless->all) : std::nullopt);
  mark_rank_undecided(mass, "the reduced mass matrix", condensed.uncertainties);
  condensed.inertial = mass.rank;
  condensed.massless = k - mass.rank;
  condensed.P = P;
  condensed.X = condensed.Y = Matrix::Identity(k, k);
  if (condensed.massless > 0) {
    const auto on_massless = [&](const Summed& A) { return projected(A, mass.null_left, mass.null_right); };
    const Eigen::VectorXd significant = on_massless(P.K).magnitude.diagonal() / usual_frequency(P);
    const NullSpaces damped = null_spaces(without_negligible(P, on_massless(P.C), significant),
                                          massless ? std::optional(massless->damped) : std::nullopt);
    mark_rank_undecided(damped, "the damping of directions without mass", condensed.uncertainties);
    const BasisWithMagnitudes X = side_by_side(side_by_side(mass.rest_right, mass.null_right * damped.rest_right),
                                               mass.null_right * damped.null_right);
    const BasisWithMagnitudes Y = side_by_side(side_by_side(mass.rest_left, mass.null_left * damped.rest_left),
                                               mass.null_left * damped.null_left);
    condensed.X = X.value;
    condensed.Y = Y.value;
    condensed.P = projected(P, exact(condensed.Y), exact(condensed.X));
    const Eigen::Index kept = mass.rank + damped.rank;
    if (kept < k) eliminate_statics(condensed, kept, projected(P.C, Y, X));
    if (condensed.undetermined.size() == 0) {
      for (Matrix* part : {&condensed.P.M.value, &condensed.P.M.magnitude}) {
        part->bottomRows(damped.rank).setZero();
        part->rightCols(damped.rank).setZero();
      }
    }
  }
  condensed.is_symmetric = is_symmetric(condensed.P.M) && is_symmetric(condensed.P.C) && is_symmetric(condensed.P.K);
  condensed.is_undamped = is_zero(condensed.P.C);
  return condensed;
}

namespace {

// Returns the inertia of free motions with the motions that their damping causes: Lᵀ (M − C K⁺ C) R.
Summed free_inertia(const Quadratic& P, const NullSpaces& of_K, const BasisWithMagnitudes& L,
                    const BasisWithMagnitudes& R) {
  Summed inertia = projected(P.M, L, R);
  if (is_zero(P.C) || of_K.rank == 0) return inertia;
  const Matrix held = projected(P.K, of_K.rest_left, of_K.rest_right).value;
  const Summed right = projected(P.C, of_K.rest_left, R), left = projected(P.C, L, of_K.rest_right);
  const Matrix inverse = held.partialPivLu().inverse();
  inertia.value -= left.value * inverse * right.value;
  inertia.magnitude += left.magnitude * inverse.cwiseAbs() * right.magnitude;
  return inertia;
}

}  // namespace

namespace {

// Returns what A does at most on motions because these are rounded.
Matrix of_rounded_motions(const Summed& A, const BasisWithMagnitudes& L, const BasisWithMagnitudes& R) {
  const auto turned = [](const BasisWithMagnitudes& basis) -> Matrix {
    return tolerance::rounding_of_entries * (basis.magnitude - basis.value.cwiseAbs());
  };
  return turned(L).transpose() * A.magnitude * turned(R);
}

// Rounding of K couples free motions to all others, and these yield: Σ (8 ε |u|ᵀ|K||n|)² / σ over their singular
// vectors.
Eigen::VectorXd stiffness_through_others(const Summed& K, const Matrix& others, const Eigen::VectorXd& values,
                                         const Matrix& motions) {
  if (others.cols() == 0) return Eigen::VectorXd::Zero(motions.cols());
  const Matrix forces = tolerance::rounding_of_sums * most_forces(others, K.magnitude, motions);
  return (values.cwiseInverse().asDiagonal() * forces.cwiseAbs2()).colwise().sum().transpose();
}

// What is found of stiffness between motions that are orthogonal by masses or dampers: the sums of Gershgorin's discs.
Eigen::VectorXd stiffness_between(const Summed& K, const Matrix& resistance, const Matrix& motions) {
  const Matrix found = (motions.transpose() * K.value * motions).cwiseAbs();
  const Eigen::VectorXd own = (motions.transpose() * resistance * motions).diagonal().cwiseAbs().cwiseSqrt();
  Eigen::VectorXd sums = Eigen::VectorXd::Zero(motions.cols());
  for (Eigen::Index i = 0; i < sums.size(); ++i) {
    for (Eigen::Index j = 0; j < sums.size(); ++j) {
      if (i != j && own[j] > 0) sums[i] += found(i, j) * own[i] / own[j];
    }
  }
  return sums;
}

// A free motion is one whose stiffness is no more than what rounding of the entries leaves, and rounding of the motion
// itself, squared. Singular values do not tell: they compare it with the stiffest motion of the scaled matrix, which
// may be far stiffer than all that moves with it. Motions under constraints are known to rounding only, which is no
// rounding of entries: of these nothing is said.
std::string reason_about_rounding(const Quadratic& P, const Summed& A, const BasisWithMagnitudes& L,
                                  const BasisWithMagnitudes& R, const Matrix& of_rounded, const char* what) {
  if (P.is_projected) return {};
  const Summed left = projected(A, exact(L.value), exact(R.value));
  const Matrix allowed = tolerance::rounding_of_sums * left.magnitude + of_rounded;
  const Matrix excess = left.value.cwiseAbs() - allowed;
  Eigen::Index i = 0, j = 0;
  if (excess.size() == 0 || excess.maxCoeff(&i, &j) <= 0) return {};
  return fmt::format("{} is {:.2g} times what rounding of the entries may leave", what,
                     std::abs(left.value(i, j)) / allowed(i, j));
}

std::string reason_about_stiffness(const Quadratic& P, const NullSpaces& of_K) {
  const Eigen::VectorXd left = stiffness_through_others(P.K, of_K.rest_right.value, of_K.values, of_K.null_left.value),
                        right = stiffness_through_others(P.K, of_K.rest_left.value, of_K.values, of_K.null_right.value);
  const Matrix of_rounded = left.cwiseSqrt() * right.cwiseSqrt().transpose();
  return reason_about_rounding(P, P.K, of_K.null_left, of_K.null_right, of_rounded, "its stiffness");
}

// Chooses motions that are orthogonal to each other by their masses, or by the dampers that resist them, and by the
// stiffness that each of them moves, so that a light stiff part and a heavy soft one are not mixed, and each has its
// own rounding. Any basis is right, so the given one remains where that is not possible.
Matrix separated(const Matrix& motions, const Matrix& resistance, const Quadratic& P) {
  if (motions.cols() < 2) return motions;
  const Matrix own = motions.transpose() * resistance * motions,
               moved = motions.transpose() * P.K.magnitude.diagonal().asDiagonal() * motions;
  const auto found = solve_symmetric(moved, (own + own.transpose()) / 2);
  return found && found->vectors.allFinite() ? Matrix(motions * found->vectors) : motions;
}

}  // namespace

ZeroRoots find_zero_roots(const Condensed& condensed) {
  const Quadratic& P = condensed.P;
  const double usual = usual_frequency(P);
  ZeroRoots zero;
  zero.of_K = null_spaces(without_negligible(P, P.K, usual * usual * P.M.magnitude.diagonal()));
  const Eigen::Index a = P.order() - zero.of_K.rank;
  const std::string held = zero.of_K.uncertainty(tolerance::certain_rigid_body_rank);
  if (!held.empty())
    zero.uncertainty = "it is uncertain whether a motion is free or held by a very small stiffness: " + held;
  if (a == 0) return zero;
  const auto on_motions = [&](const Summed& A) { return projected(A, zero.of_K.null_left, zero.of_K.null_right); };
  if (zero.uncertainty.empty()) {
    const std::string soft = reason_about_stiffness(P, zero.of_K);
    if (!soft.empty())
      zero.uncertainty = "it is uncertain whether a motion is free or held by a very small stiffness: " + soft;
  }
  const NullSpaces damped =
      null_spaces(without_negligible(P, on_motions(P.C), usual * on_motions(P.M).magnitude.diagonal()));
  zero.multiplicity = 2 * a - damped.rank;
  const BasisWithMagnitudes undamped_right = zero.of_K.null_right * damped.null_right,
                            undamped_left = zero.of_K.null_left * damped.null_left;
  zero.undamped = separated(undamped_right.value, P.M.value, P);
  zero.damped = separated(zero.of_K.null_right.value * damped.rest_right.value, P.C.value, P);
  const auto coupling = [&](const Matrix& motions, const Matrix& resistance) -> Eigen::VectorXd {
    return stiffness_through_others(P.K, zero.of_K.rest_left.value, zero.of_K.values, motions) +
           stiffness_between(P.K, resistance, motions);
  };
  zero.coupling_of_undamped = coupling(zero.undamped, P.M.value);
  zero.coupling_of_damped = coupling(zero.damped, P.C.value);
  std::string resisted = damped.uncertainty(tolerance::certain_rigid_body_rank);
  if (resisted.empty())
    resisted = reason_about_rounding(P, P.C, undamped_left, undamped_right,
                                     of_rounded_motions(P.C, undamped_left, undamped_right), "its damping");
  if (zero.uncertainty.empty() && !resisted.empty())
    zero.uncertainty = "it is uncertain whether a free motion is damped: " + resisted;
  if (!zero.uncertainty.empty() || condensed.is_symmetric) return zero;
  // A motion that nothing resists has two zeros. It has more if circulatory forces leave it no inertia.
  const NullSpaces inertial = null_spaces(free_inertia(P, zero.of_K, undamped_left, undamped_right));
  if (inertial.rank < a - damped.rank)
    zero.uncertainty = fmt::format(
        "it is uncertain whether only {} eigenvalues are zero: a motion that no stiffness resists has hardly any "
        "inertia of its own",
        zero.multiplicity);
  return zero;
}

}  // namespace stillpoint
