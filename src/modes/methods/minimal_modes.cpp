// MCS: all eigenvalues of M_r, C_r, K_r by dense solvers. None of them is spurious.
#include "modes/methods/minimal_modes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/at.h"
#include "base/name_list.h"
#include "base/stopwatch.h"
#include "forms/scaled_constraints.h"
#include "modes/accuracy/equilibrium_error.h"
#include "modes/accuracy/finish.h"
#include "modes/accuracy/hamiltonian_symmetry.h"
#include "modes/accuracy/pair_quality.h"
#include "modes/dense/quadratic_modes.h"
#include "modes/methods/in_bordered_problem.h"
#include "modes/problem/rayleigh_quotient.h"
#include "modes/tolerances.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

Summed summed(const SparseMatrix& reduced, const SparseMatrix& R_magnitudes, const SparseMatrix& A_magnitudes) {
  const SparseMatrix magnitudes = R_magnitudes.transpose() * SparseMatrix(A_magnitudes * R_magnitudes);
  return {reduced.toDense(), magnitudes.toDense()};
}

// Returns |R| with the rounding that the other entries of a column leave in an entry that would be zero.
SparseMatrix basis_magnitudes(const LinearSystem& system, const SparseMatrix& R) {
  const ScaledConstraints constraints = scale_constraints(system);
  const auto scale = [&](Eigen::Index i) { return std::ldexp(1.0, constraints.columns[at(i)]); };
  SparseMatrix magnitudes = R.cwiseAbs();
  for (Index j = 0; j < magnitudes.outerSize(); ++j) {
    double largest = 0;
    for (SparseMatrix::InnerIterator entry(magnitudes, j); entry; ++entry) {
      largest = std::max(largest, entry.value() / scale(entry.row()));
    }
    for (SparseMatrix::InnerIterator entry(magnitudes, j); entry; ++entry) {
      entry.valueRef() += tolerance::rounding_of_basis * largest * scale(entry.row());
    }
  }
  return magnitudes;
}

// The coefficients are taken from all coordinates, since the sums in M_r, C_r, K_r of a large system are less accurate
// than their terms. R is rounded too: J R is not quite zero, and the constraint forces of a mode act on it.
ModalCoefficients in_all_coordinates(const BorderedVector& x, const BorderedVector& y,
                                     const ModalCoefficients& magnitudes, const BorderedProblem& problem) {
  ModalCoefficients at = problem.modal_coefficients(x, y);
  at.m_magnitude = magnitudes.m_magnitude;
  at.c_magnitude = magnitudes.c_magnitude;
  at.k_magnitude = magnitudes.k_magnitude + problem.magnitude_of_constraints(x, y);
  return at;
}

// Bounds the eigenvalues that are zero by rank: by the stiffness that was found and that rounding may hide, which also
// couples each of the zeros to all others, and to the motions that are held; where damping counts as zero, by the
// larger root with what is left of it.
double largest_in_place_of_zero(const ModalCoefficients& at, const Eigenpair& pair, Eigen::Index zeros) {
  const auto left = [&](std::complex<double> value, double magnitude) {
    return static_cast<double>(zeros) * (std::abs(value) + tolerance::rounding_of_sums * magnitude);
  };
  const double m = std::abs(at.m);
  const double k = left(at.k, at.k_magnitude) + static_cast<double>(zeros) * pair.coupling;
  if (!pair.is_undamped_zero) return root_displacement(k, std::abs(at.c), m);
  const double c = left(at.c, at.c_magnitude);
  return (c + std::sqrt(c * c + 4 * m * k)) / (2 * m);
}

Mode mode_of(const Eigenpair& pair, const ModalCoefficients& magnitudes, const SparseMatrix& R,
             const LinearSystem& system, const BorderedProblem& problem, Eigen::Index zeros) {
  Mode mode;
  mode.s = pair.s;
  mode.shape = R * pair.x;
  mode.left = R * pair.y;
  const BorderedVector x = problem.with_multipliers(mode.s, mode.shape);
  const BorderedVector y = problem.with_left_multipliers(mode.s, mode.left, x);
  const auto residual = [&](std::complex<double> s) {
    return problem.residual(s, mode.shape, problem.forces(x.multipliers));
  };
  mode.violation = problem.violation(mode.shape);
  mode.residual = residual(mode.s);
  const ModalCoefficients at = in_all_coordinates(x, y, magnitudes, problem);
  if (pair.at_zero) {
    mode.error = largest_in_place_of_zero(at, pair, zeros);
    return mode;
  }
  const RayleighValue value = rayleigh_value(at, pair.s);
  const double then = residual(value.s);
  mode.error = widened_by_equilibrium_error(value.rounding, value.s, x, y, system, problem);
  // A much larger residual shows vectors that are nearly orthogonal with respect to P'(s).
  if (then > tolerance::increase_of_residual * mode.residual + tolerance::rounding_of_sums) {
    mode.error += value.change;
    return mode;
  }
  mode.s = value.s;
  mode.residual = then;
  return mode;
}

std::vector<Mode> modes_of(const std::vector<const Eigenpair*>& pairs, const Quadratic& P, const SparseMatrix& R,
                           const LinearSystem& system, const BorderedProblem& problem) {
  const std::vector<ModalCoefficients> magnitudes = modal_coefficient_magnitudes(P, pairs);
  std::vector<Mode> modes;
  std::vector<std::complex<double>> values;
  // Zeros of motions without damping are there twice.
  double zeros = 0;
  for (const Eigenpair* pair : pairs) zeros += pair->is_undamped_zero ? 0.5 : pair->at_zero ? 1 : 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    modes.push_back(mode_of(*pairs[i], magnitudes[i], R, system, problem, static_cast<Eigen::Index>(std::ceil(zeros))));
    values.push_back(modes.back().s);
  }
  const ScaledQuadratic in_numbers = scaled(P);
  const std::vector<PairQuality> found = qualities(in_numbers, pairs, values);
  const Eigen::VectorXd of_vectors = errors_of_vectors(in_numbers, pairs, values);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    modes[i].error += of_vectors[static_cast<Eigen::Index>(i)];
    modes[i].backward_error = found[i].backward_error;
    modes[i].condition = found[i].condition;
    normalise(modes[i], problem);
  }
  return modes;
}

std::string reason_about(const QuadraticSpectrum& found, const Condensed& condensed) {
  const auto finite = static_cast<Eigen::Index>(found.pairs.size());
  if (finite == condensed.eigenvalues()) return {};
  return fmt::format("{} eigenvalues must exist, but only {} are finite: it is uncertain whether a motion has mass",
                     condensed.eigenvalues(), finite);
}

// Zeros by rank replace the eigenvalues of least magnitude, which should be rounding of zero.
std::string reason_about_zeros(const std::vector<Eigenpair>& pairs, const std::vector<Mode>& modes) {
  double next = std::numeric_limits<double>::infinity();
  for (const Mode& mode : modes) {
    if (mode.s != 0.0) next = std::min(next, std::abs(mode.s));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Eigenpair& pair = pairs[i];
    if (pair.at_zero && pair.found > tolerance::zero_over_bound * modes[i].error &&
        pair.found > tolerance::zero_to_next * next)
      return fmt::format(
          "an eigenvalue must be zero, as no stiffness resists one of the motions, but the value computed for it is "
          "{:.3g} rad/s, too large for rounding of zero; the next one is {:.3g} rad/s",
          pair.found, next);
  }
  return {};
}

}  // namespace

Quadratic reduced_quadratic(const LinearSystem& system, const MinimalForm& form) {
  const SparseMatrix R_magnitudes = basis_magnitudes(system, form.R);
  return {summed(form.M, R_magnitudes, system.M.cwiseAbs()), summed(form.C, R_magnitudes, system.C.cwiseAbs()),
          summed(form.K, R_magnitudes, stiffness_magnitudes(system)), system.J.rows() > 0};
}

void require_determined(const LinearSystem& system, const MinimalForm& form, const Condensed& condensed) {
  if (condensed.undetermined.size() == 0) return;
  const Eigen::VectorXd motion = form.R * condensed.undetermined.col(0);
  const double largest = motion.lpNorm<Eigen::Infinity>();
  std::vector<std::string> moving;
  for (Eigen::Index i = 0; i < motion.size(); ++i) {
    if (std::abs(motion[i]) > 1e-6 * largest)
      moving.push_back("'" + system.coordinate_name(static_cast<Index>(i)) + "'");
  }
  const std::string names = name_list(moving);
  throw Error(
      condensed.undetermined.cols() == 1
          ? fmt::format("a motion of {} has neither mass nor damping nor stiffness, so it has no eigenvalue: give "
                        "it one of them, or hold it by a constraint",
                        names)
          : fmt::format("motions of {} have neither mass nor damping nor stiffness, so they have no eigenvalues: "
                        "give them one of these, or hold them by constraints",
                        names));
}

TrueCount count_true(const LinearSystem& system, const MinimalForm& minimal) {
  const Condensed condensed = condense(reduced_quadratic(system, minimal));
  require_determined(system, minimal, condensed);
  const ZeroRoots zero = find_zero_roots(condensed);
  return {static_cast<Index>(condensed.eigenvalues()), static_cast<Index>(zero.multiplicity),
          static_cast<Index>(condensed.massless), static_cast<Index>(condensed.P.order() - condensed.inertial),
          zero.uncertainty};
}

Spectrum solve_modes(const LinearSystem& system, const MinimalForm& form, const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum = solve_modes(system, form, options, BorderedProblem(system));
  spectrum.seconds = watch.seconds();
  return spectrum;
}

Spectrum solve_modes(const LinearSystem& system, const MinimalForm& form, const ModesOptions& options,
                     const BorderedProblem& problem) {
  const Stopwatch watch;
  Spectrum spectrum;
  spectrum.method = "mcs";
  spectrum.size = static_cast<Index>(form.M.rows());
  require_dense_order(2 * spectrum.size, "the minimal form");
  const Quadratic P = reduced_quadratic(system, form);
  const Condensed condensed = condense(P);
  require_determined(system, form, condensed);
  for (const std::string& text : condensed.uncertainties) mark_uncertified(spectrum, Uncertified::rank_unclear, text);
  spectrum.expected = static_cast<Index>(condensed.eigenvalues());

  const ZeroRoots zero = find_zero_roots(condensed);
  mark_uncertified(spectrum, Uncertified::rank_unclear, zero.uncertainty);
  QuadraticSpectrum found = solve_quadratic(condensed, zero);
  spectrum.solver = found.solver;
  mark_uncertified(spectrum, Uncertified::count_differs, reason_about(found, condensed));
  pair_up(P, found.pairs);
  spectrum.modes =
      with_conjugate_copies(modes_of(without_conjugate_copies(found.pairs), P, form.R, system, problem), found.pairs);
  mark_uncertified(spectrum, Uncertified::zeros_unclear, reason_about_zeros(found.pairs, spectrum.modes));
  mark_uncertified(spectrum, Uncertified::loose_error_bound, reason_about_loose_bounds(spectrum.modes));
  if (keeps_energy(form)) put_on_axis(system, spectrum.modes);
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

std::vector<BranchSpectrum> solve_branches(const LinearSystem& system) {
  std::vector<BranchSpectrum> result;
  for (const MotionBranch& branch : system.branches) {
    result.push_back({branch.name, solve_modes(system, branch_form(system, branch))});
    for (Mode& mode : result.back().spectrum.modes) {
      // On a branch of real motion no frequency depends on the choice of the free multipliers, theory (9.1).
      mode.depends_on_constraint_scaling = false;
      // Forces across the branch do not matter: no motion is possible there after the first step along the branch.
      mode.residual = mode.backward_error;
    }
  }
  return result;
}

}  // namespace stillpoint
