#include "plants/second_order_parts.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/at.h"
#include "forms/congruence.h"
#include "forms/motion_outputs.h"
#include "plants/plant_parts.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// Relative rounding error of a sum whose terms cancel.
constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();

bool is_empty(const Eigen::MatrixXd& A, const Eigen::MatrixXd& magnitudes, Index i) {
  return (A.row(i).cwiseAbs().array() <= rounding * magnitudes.row(i).array()).all() &&
         (A.col(i).cwiseAbs().array() <= rounding * magnitudes.col(i).array()).all();
}

}  // namespace

// In M z̈ + C ż + K z = Rᵀ(...) prescribed motion contributes the forces −Rᵀ(M S ü + C S u̇ + K S u).
SecondOrderParts parts_of(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options) {
  SecondOrderParts parts;
  const SparseMatrix reactions = determined_reactions(system, options.minimum_norm_reactions, parts.notes);
  const MotionOutputs H = motion_outputs(system, reactions);
  const SparseMatrix Rt = form.R.transpose();
  parts.M = form.M;
  parts.C = form.C;
  parts.K = form.K;
  parts.B = {form.F, -clean_product(Rt, system.C * form.S), -clean_product(Rt, system.M * form.S)};
  parts.Hq = clean_product(H.Hq, form.R);
  parts.Hv = clean_product(H.Hv, form.R);
  parts.Ha = clean_product(H.Ha, form.R);
  parts.D = {SparseMatrix(H.Hu + clean_product(H.Hq, form.S)), clean_product(H.Hv, form.S),
             clean_product(H.Ha, form.S)};
  parts.T = form.R;
  parts.S = form.S;
  parts.names = form.names;
  parts.values = values_of(system, form.independent, parts.dofs());
  return parts;
}

SecondOrderParts parts_of(const LinearSystem& system, const PenaltyForm& form, const PlantOptions& options) {
  SecondOrderParts parts;
  const SparseMatrix reactions = determined_reactions(system, options.minimum_norm_reactions, parts.notes);
  const SparseMatrix weighted = reactions * form.alpha.asDiagonal();
  const SparseMatrix of_motion = weighted * form.J, of_input = weighted * system.G;
  const double theta = 2 * form.xi * form.omega, omega2 = form.omega * form.omega;
  const Index n = system.coordinates();
  parts.M = form.M;
  parts.C = form.C;
  parts.K = form.K;
  parts.B = {form.F, form.Fv, form.Fa};
  parts.Hq = system.Hq + omega2 * of_motion;
  parts.Hv = system.Hv + theta * of_motion;
  parts.Ha = system.Ha + of_motion;
  parts.D = {SparseMatrix(system.Hu - omega2 * of_input), SparseMatrix(-theta * of_input), SparseMatrix(-of_input)};
  parts.T.resize(n, n);
  parts.T.setIdentity();
  parts.S.resize(n, system.inputs());
  for (Index i = 0; i < n; ++i) parts.names.push_back(system.coordinate_name(i));
  parts.values = system.q.size() > 0 ? system.q : Eigen::VectorXd::Zero(n).eval();
  return parts;
}

DofKinds kinds_of(const Eigen::MatrixXd& M, const Eigen::MatrixXd& M_magnitudes, const Eigen::MatrixXd& C,
                  const Eigen::MatrixXd& C_magnitudes) {
  DofKinds kinds;
  for (Index i = 0; i < M.rows(); ++i) {
    const bool has_mass = !is_empty(M, M_magnitudes, i), is_damped = !is_empty(C, C_magnitudes, i);
    (has_mass ? kinds.massive : is_damped ? kinds.damped : kinds.algebraic).push_back(i);
    if (has_mass || is_damped) kinds.moving.push_back(i);
  }
  return kinds;
}

std::vector<Index> inertial_dofs(const LinearSystem& system, const MinimalForm& form) {
  const SparseMatrix magnitudes = congruence(form.R.cwiseAbs(), system.M.cwiseAbs());
  std::vector<char> has_mass(at(form.M.rows()), 0);
  for (Index j = 0; j < form.M.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(form.M, j); entry; ++entry) {
      const auto i = static_cast<Index>(entry.row());
      if (std::abs(entry.value()) > rounding * magnitudes.coeff(i, j)) has_mass[at(i)] = has_mass[at(j)] = 1;
    }
  }
  std::vector<Index> massive;
  for (Index i = 0; i < form.M.rows(); ++i) {
    if (has_mass[at(i)]) massive.push_back(i);
  }
  return massive;
}

void require_few_states(Index dofs, const PlantOptions& options) {
  if (dofs <= options.largest) return;
  throw Error(
      fmt::format("a state space of {} degrees of freedom would be a dense matrix of {} states; allowed are {} degrees "
                  "of freedom: reduce it, or choose a sparse form: form 'descriptor' or form 'second-order'",
                  dofs, 2 * dofs, options.largest));
}

}  // namespace stillpoint
