// MCS: all eigenvalues of M_r, C_r, K_r. Nothing is spurious.
#include "modes/minimal_modes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "base/at.h"
#include "base/name_list.h"
#include "base/stopwatch.h"
#include "forms/scaled_constraints.h"
#include "modes/bordered_problem.h"
#include "modes/finish.h"
#include "modes/mirrored_values.h"
#include "modes/neighbours.h"
#include "modes/pair_quality.h"
#include "modes/quadratic_modes.h"
#include "modes/rayleigh.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

constexpr double much_worse = 100;  // a residual
// Of the entries of a column of R, in numbers without units, beside its largest.
constexpr double rounding_of_tangents = 4 * std::numeric_limits<double>::epsilon();

Summed summed(const SparseMatrix& reduced, const SparseMatrix& R_sizes, const SparseMatrix& A_sizes) {
  const SparseMatrix sizes = R_sizes.transpose() * SparseMatrix(A_sizes * R_sizes);
  return {reduced.toDense(), sizes.toDense()};
}

// |R|, and what rounding of the other entries of a column leaves in one that would be zero.
SparseMatrix sizes_of_tangents(const LinearSystem& system, const SparseMatrix& R) {
  const ScaledConstraints constraints = scale_constraints(system);
  const auto scale = [&](Eigen::Index i) { return std::ldexp(1.0, constraints.columns[at(i)]); };
  SparseMatrix sizes = R.cwiseAbs();
  for (Index j = 0; j < sizes.outerSize(); ++j) {
    double largest = 0;
    for (SparseMatrix::InnerIterator entry(sizes, j); entry; ++entry) {
      largest = std::max(largest, entry.value() / scale(entry.row()));
    }
    for (SparseMatrix::InnerIterator entry(sizes, j); entry; ++entry) {
      entry.valueRef() += rounding_of_tangents * largest * scale(entry.row());
    }
  }
  return sizes;
}

// From all coordinates, because the sums in M_r, C_r, K_r of a large system are wrong by more than their terms are. R
// is itself rounded: J R is not quite zero, and a mode feels that by the forces that hold its constraints.
Sandwich in_all_coordinates(const BorderedVector& x, const BorderedVector& y, const Sandwich& sizes,
                            const BorderedProblem& problem) {
  const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(x.multipliers.size());
  Sandwich at = problem.sandwich(x, y);
  const double of_constraints = at.k_size - problem.sandwich({x.coordinates, none}, {y.coordinates, none}).k_size;
  at.m_size = sizes.m_size;
  at.c_size = sizes.c_size;
  at.k_size = sizes.k_size + of_constraints;
  return at;
}

Mode mode_of(const Eigenpair& pair, const Sandwich& sizes, const SparseMatrix& R, const LinearSystem& system,
             const BorderedProblem& problem) {
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
  const Sandwich at = in_all_coordinates(x, y, sizes, problem);
  if (pair.at_zero) {  // by its rank; the stiffness that rounding may have left
    mode.error = root_moves_by(rounding_of_sums * at.k_size, std::abs(at.c), std::abs(at.m));
    return mode;
  }
  const RayleighValue value = rayleigh_value(at, pair.s);
  const double then = residual(value.s);
  mode.error = widened_by_neighbours(value.rounding, value.s, x, y, system, problem);
  if (then > much_worse * mode.residual + rounding_of_sums) {  // of vectors that are nearly at right angles
    mode.error += value.change;
    return mode;
  }
  mode.s = value.s;
  mode.residual = then;
  return mode;
}

std::vector<Mode> modes_of(const std::vector<const Eigenpair*>& pairs, const Quadratic& P, const SparseMatrix& R,
                           const LinearSystem& system, const BorderedProblem& problem) {
  const std::vector<Sandwich> sizes = sandwich_sizes(P, pairs);
  std::vector<Mode> modes;
  std::vector<std::complex<double>> values;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    modes.push_back(mode_of(*pairs[i], sizes[i], R, system, problem));
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

std::string doubt_about(const QuadraticSpectrum& found, const Condensed& condensed) {
  const auto finite = static_cast<Eigen::Index>(found.pairs.size());
  if (finite == condensed.eigenvalues()) return {};
  return fmt::format("{} eigenvalues must exist, only {} are finite: whether a motion has mass cannot be told",
                     condensed.eigenvalues(), finite);
}

// Zeros by their ranks take the place of those of least size, which should be what rounding makes of zero.
std::string doubt_about_zeros(const std::vector<Eigenpair>& pairs, const std::vector<Mode>& modes) {
  constexpr double small_beside_others = 1e-3, beyond_rounding = 1e3;
  double next = std::numeric_limits<double>::infinity();
  for (const Mode& mode : modes) {
    if (mode.s != 0.0) next = std::min(next, std::abs(mode.s));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Eigenpair& pair = pairs[i];
    if (pair.at_zero && pair.found > beyond_rounding * modes[i].error && pair.found > small_beside_others * next)
      return fmt::format(
          "an eigenvalue counts as zero in whose place one of {:.3g} rad/s was found, the next being {:.3g}",
          pair.found, next);
  }
  return {};
}

}  // namespace

Quadratic reduced_quadratic(const LinearSystem& system, const MinimalForm& form) {
  const SparseMatrix R_sizes = sizes_of_tangents(system, form.R);
  return {summed(form.M, R_sizes, system.M.cwiseAbs()), summed(form.C, R_sizes, system.C.cwiseAbs()),
          summed(form.K, R_sizes, sizes_of_stiffness(system)), system.J.rows() > 0};
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
          zero.doubt};
}

Spectrum solve_modes(const LinearSystem& system, const MinimalForm& form, const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum;
  spectrum.method = "mcs";
  spectrum.size = static_cast<Index>(form.M.rows());
  require_dense_order(2 * spectrum.size, "the minimal form");
  const Quadratic P = reduced_quadratic(system, form);
  const Condensed condensed = condense(P);
  require_determined(system, form, condensed);
  for (const std::string& text : condensed.doubts) doubt(spectrum, text);
  spectrum.expected = static_cast<Index>(condensed.eigenvalues());

  const ZeroRoots zero = find_zero_roots(condensed);
  doubt(spectrum, zero.doubt);
  QuadraticSpectrum found = solve_quadratic(condensed, zero);
  spectrum.solver = found.solver;
  doubt(spectrum, doubt_about(found, condensed));
  pair_up(P, found.pairs);
  const BorderedProblem problem(system);
  spectrum.modes = with_mirrored(modes_of(without_mirrored(found.pairs), P, form.R, system, problem), found.pairs);
  doubt(spectrum, doubt_about_zeros(found.pairs, spectrum.modes));
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
      // Along real motion no frequency depends on the choice of the free multipliers (T25).
      mode.depends_on_constraint_scaling = false;
      // Forces across the branch are of no interest: nothing can move there once it has moved along it.
      mode.residual = mode.backward_error;
    }
  }
  return result;
}

}  // namespace stillpoint
