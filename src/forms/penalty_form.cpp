// Penalty formulation: constraints as stiff masses, dampers and springs, theory (5.1), (5.2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>

#include "algebra/lu/complex_lu.h"
#include "algebra/scaling/power_scaling.h"
#include "algebra/scaling/typical_frequency.h"
#include "base/at.h"
#include "base/median.h"
#include "forms/congruence.h"
#include "stillpoint/error.h"
#include "stillpoint/forms.h"

namespace stillpoint {

namespace {

// Penalty factor of a constraint in multiples of the mass that it holds. The relative error of eigenvalues is
// proportional to its inverse, and the rounding of the mass itself grows with it; on the cases 1e7 to 1e8 is best.
constexpr double penalty_ratio = 1e7;

// Part of the coordinates' mass that is added so that motions without mass or stiffness have a resistance.
constexpr double added_mass = 1e-6;

// Number of unknowns times solutions that takes some seconds.
constexpr std::int64_t most_entries = 4'000'000;

// Number of steps in which the mass that a constraint holds is searched for beyond massless coordinates.
constexpr int most_steps = 50;

// Relative to the largest: smaller inertias are zeros with the rounding of a body's rotation.
constexpr double rounding_of_masses = 1e-15;

// Frequency of [González 2017] in rad/s, and the largest ratio to the typical frequency of a system at which it still
// serves: if it is 10⁵ times too slow, true eigenvalues and those of the constraints come out mixed.
constexpr double published_omega = 10, largest_frequency_ratio = 16;

void require_positive(double value, const std::string& what) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error(fmt::format("{} is {}; it must be positive", what, value));
}

/// Returns 1 / Σ J_ij² / M_jj for each row: the mass that a constraint moves if nothing else holds its coordinates; 0
/// if they have none.
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

/// A massless coordinate takes over the mass that its constraints hold. Returns false if there is nothing new to take
/// over.
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

/// Returns K + sC + s²M without units, with a small part of `mass` added to M.
ComplexSparseMatrix dynamic_stiffness(const LinearSystem& system, const Eigen::VectorXd& scale,
                                      const Eigen::VectorXd& mass, std::complex<double> s) {
  std::vector<Eigen::Triplet<std::complex<double>, Index>> entries;
  const auto add = [&](const SparseMatrix& A, std::complex<double> factor) {
    for (Index j = 0; j < A.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
        const auto i = static_cast<Index>(entry.row());
        entries.emplace_back(i, j, factor * (entry.value() * scale[i] * scale[j]));
      }
    }
  };
  add(system.M, s * s);
  add(system.C, s);
  add(system.K, 1);
  for (Index j = 0; j < system.coordinates(); ++j) entries.emplace_back(j, j, s * s * (added_mass * mass[j]));
  ComplexSparseMatrix A(system.coordinates(), system.coordinates());
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// Returns 1 / (ω² |J (K + sC + s²M)⁻¹ Jᵀ|) for each row at s = ω √i: the resistance of the row at ω, as a mass. On
/// this ray no stiffness cancels a mass, whatever the sign of either. Returns nothing if that would take long.
std::optional<Eigen::VectorXd> held_at_frequency(const LinearSystem& system, const SparseMatrix& J,
                                                 const Eigen::VectorXd& scale, const Eigen::VectorXd& mass,
                                                 double omega) {
  if (std::int64_t{system.coordinates()} * system.constraints() > most_entries) return std::nullopt;
  const ComplexSparseMatrix A = dynamic_stiffness(system, scale, mass, omega * std::sqrt(std::complex<double>(0, 1)));
  ComplexLu lu{SparseMatrix(A.cwiseAbs())};
  if (!lu.factor(A)) return std::nullopt;
  const SparseMatrix Jt = J.transpose();
  Eigen::VectorXd held = Eigen::VectorXd::Zero(J.rows());
  for (Index i = 0; i < Jt.outerSize(); ++i) {
    const Eigen::VectorXd row = Jt.col(i);
    const double mobility = omega * omega * std::abs(row.cast<std::complex<double>>().dot(lu.solve(row)));
    if (mobility > 0) held[i] = 1 / mobility;
  }
  return held;
}

/// Returns the default factors α_i, theory (5.5).
Eigen::VectorXd automatic_factors(const LinearSystem& system, double omega) {
  // The scaled J has no units, and rounding of zeros is left out.
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
  // Parts without any mass take the median.
  const double usual = known.empty() ? 1 : median(std::move(known));
  held = held.unaryExpr([=](double value) { return value > 0 ? value : usual; });
  mass = mass.unaryExpr([=](double value) { return value > 0 ? value : usual; });
  Eigen::VectorXd scale(system.coordinates());
  for (Index j = 0; j < scale.size(); ++j) scale[j] = std::ldexp(1.0, scaled.columns[at(j)]);
  if (const auto stiffer = held_at_frequency(system, scaled.S, scale, mass, omega)) held = held.cwiseMax(*stiffer);
  Eigen::VectorXd alpha(system.constraints());
  for (Index i = 0; i < alpha.size(); ++i) {
    alpha[i] = penalty_ratio * std::ldexp(held[i], 2 * scaled.rows[at(i)]);
  }
  return alpha;
}

}  // namespace

double penalty_frequency(const LinearSystem& system, const PenaltyOptions& options) {
  if (options.omega) {
    require_positive(*options.omega, "omega");
    return *options.omega;
  }
  if (options.alpha.size() > 0) return published_omega;
  const double typical =
      typical_frequency(Eigen::VectorXd(system.K.diagonal()).cwiseAbs(), Eigen::VectorXd(system.M.diagonal()));
  return std::clamp(published_omega, typical / largest_frequency_ratio, typical * largest_frequency_ratio);
}

Eigen::VectorXd penalty_factors(const LinearSystem& system, const PenaltyOptions& options) {
  require_positive(options.xi, "xi");
  const double omega = penalty_frequency(system, options);
  if (options.alpha.size() == 0) return automatic_factors(system, omega);
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

std::array<std::complex<double>, 2> PenaltyForm::roots_of_g() const {
  const std::complex<double> root = std::sqrt(std::complex<double>(xi * xi - 1));
  return {omega * (-xi + root), omega * (-xi - root)};
}

PenaltyForm penalty_form(const LinearSystem& system, const PenaltyOptions& options) {
  PenaltyForm form;
  form.J = system.J;
  form.alpha = penalty_factors(system, options);
  form.xi = options.xi;
  form.omega = penalty_frequency(system, options);
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
