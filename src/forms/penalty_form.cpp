// Constraints as stiff masses, dampers and springs (T15, T16).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/power_scaling.h"
#include "base/at.h"
#include "base/median.h"
#include "forms/congruence.h"
#include "stillpoint/error.h"
#include "stillpoint/forms.h"

namespace stillpoint {

namespace {

// The penalty of a constraint, in multiples of the mass that it holds. The relative error of eigenvalues falls with its
// inverse, and what rounding leaves of the mass itself grows with it: the best is 1e7 to 1e8 (measured on the cases).
constexpr double multiple = 1e7;

// How far the mass that a constraint holds is looked for beyond coordinates without mass.
constexpr int most_steps = 50;

// Relative to the largest: inertias that are no more are what turning a body's axes left of zero.
constexpr double rounding_of_masses = 1e-15;

void require_positive(double value, const std::string& what) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error(fmt::format("{} is {}; it must be positive", what, value));
}

/// 1 / Σ J_ij² / M_jj in each row: the mass that a constraint moves if nothing else holds its coordinates. 0 if they
/// have none.
Eigen::VectorXd held_by_rows(const SparseMatrix& J, const Eigen::VectorXd& mass) {
  Eigen::VectorXd mobility = Eigen::VectorXd::Zero(J.rows());
  for (Index j = 0; j < J.outerSize(); ++j) {
    if (!(mass[j] > 0)) continue;
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      mobility[entry.row()] += entry.value() * (entry.value() / mass[j]);
    }
  }
  return mobility.unaryExpr([](double value) { return value > 0 ? 1 / value : 0.0; });
}

/// A coordinate without mass passes on what its constraints hold; false if there is nothing new to pass on.
bool pass_on(const SparseMatrix& J, const Eigen::VectorXd& held, Eigen::VectorXd& mass) {
  bool any = false;
  for (Index j = 0; j < J.outerSize(); ++j) {
    if (mass[j] > 0) continue;
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      mass[j] = std::max(mass[j], held[entry.row()] * entry.value() * entry.value());
    }
    any = any || mass[j] > 0;
  }
  return any;
}

/// (T18)
Eigen::VectorXd automatic_factors(const LinearSystem& system) {
  // Without units, and without what rounding leaves of zeros.
  const PowerScaled scaled = std::move(scale_by_powers_of_two(system.J, 0).back());
  Eigen::VectorXd mass(system.coordinates());
  for (Index j = 0; j < system.coordinates(); ++j) {
    mass[j] = std::ldexp(std::fmax(system.M.coeff(j, j), 0), 2 * scaled.columns[at(j)]);
  }
  const double least = mass.size() > 0 ? rounding_of_masses * mass.maxCoeff() : 0;
  mass = mass.unaryExpr([=](double value) { return value > least ? value : 0.0; });
  Eigen::VectorXd held = held_by_rows(scaled.S, mass);
  for (int step = 0; step < most_steps && pass_on(scaled.S, held, mass); ++step) {
    held = held.cwiseMax(held_by_rows(scaled.S, mass));
  }
  std::vector<double> known;
  for (const double value : held) {
    if (value > 0) known.push_back(value);
  }
  // Parts without any mass: whatever is usual.
  const double usual = known.empty() ? 1 : median(std::move(known));
  Eigen::VectorXd alpha(system.constraints());
  for (Index i = 0; i < alpha.size(); ++i) {
    alpha[i] = multiple * std::ldexp(held[i] > 0 ? held[i] : usual, 2 * scaled.rows[at(i)]);
  }
  return alpha;
}

}  // namespace

Eigen::VectorXd penalty_factors(const LinearSystem& system, const PenaltyOptions& options) {
  require_positive(options.xi, "xi");
  require_positive(options.omega, "omega");
  if (options.alpha.size() == 0) return automatic_factors(system);
  const bool is_one = options.alpha.size() == 1;
  if (!is_one && options.alpha.size() != system.constraints()) {
    throw Error(fmt::format("{} penalty factors were given for {} constraints; give one for all or one for each",
                            options.alpha.size(), system.constraints()));
  }
  for (Index i = 0; i < options.alpha.size(); ++i) {
    require_positive(options.alpha[i], is_one ? "the penalty factor alpha"
                                              : fmt::format("the penalty factor of '{}'", system.constraint_name(i)));
  }
  if (is_one) return Eigen::VectorXd::Constant(system.constraints(), options.alpha[0]);
  return options.alpha;
}

PenaltyForm penalty_form(const LinearSystem& system, const PenaltyOptions& options) {
  PenaltyForm form;
  form.J = system.J;
  form.alpha = penalty_factors(system, options);
  form.xi = options.xi;
  form.omega = options.omega;
  const double theta = 2 * form.xi * form.omega, omega2 = form.omega * form.omega;
  const SparseMatrix Jt = system.J.transpose(), JtXi = Jt * form.alpha.asDiagonal();
  const SparseMatrix mass = symmetrised(JtXi * system.J), motion = JtXi * system.G;
  form.M = system.M + mass;
  form.C = system.C + theta * mass;
  form.K = system.K + omega2 * mass;
  form.F = system.F + omega2 * motion;
  form.Fv = theta * motion;
  form.Fa = motion;
  return form;
}

}  // namespace stillpoint
