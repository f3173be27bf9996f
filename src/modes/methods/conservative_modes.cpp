// Sparse engine for conservative systems: spectrum slicing by shift-and-invert Lanczos, s = ±√−μ of the bordered
// pencil.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/stopwatch.h"
#include "modes/accuracy/equilibrium_error.h"
#include "modes/accuracy/finish.h"
#include "modes/accuracy/vector_errors.h"
#include "modes/accuracy/zero_bounds.h"
#include "modes/methods/spectrum_of_pairs.h"
#include "modes/problem/bordered_problem.h"
#include "modes/problem/rayleigh_quotient.h"
#include "modes/tolerances.h"
#include "modes/undamped/conservative_near.h"
#include "modes/undamped/spectrum_slicing.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

SlicingOptions slicing(const ModesOptions& options) { return {{options.progress, options.deadline}, options.spectra}; }

const char* solver_name(const ModesOptions& options) {
  return options.spectra ? "Spectra Lanczos, counted" : "sparse Lanczos, counted";
}

struct Root {
  Complex s;
  double error = 0;
  double rounding = 0;     ///< part of the error that comes from the matrices
  bool is_hidden = false;  ///< zero within the error of the search only
};

// Takes μ from the Rayleigh quotient, in which the error of the vector is squared. A value within its error bound of
// zero is zero: a motion that no stiffness resists.
Root root_of(const ModalCoefficients& at, double search_error, double gamma) {
  const double mu = at.k.real() / at.m.real();
  const Complex s = mu > 0 ? Complex(0, std::sqrt(mu)) : Complex(std::sqrt(-mu), 0);
  const double of_search = search_error * gamma * gamma;  // of μ
  const double rounding = rayleigh_value(at, s).rounding;
  const double size = std::abs(s), zero_bar = std::hypot(rounding, std::sqrt(of_search));
  const double of_vector = std::numeric_limits<double>::epsilon() * gamma;  // rounding of a motion, squared in μ
  if (size <= zero_bar) return {0, size + zero_bar, rounding, size > rounding + of_vector};
  return {s, rounding + of_search / (2 * size), rounding};
}

Mode mode_of(const Root& root, const BorderedVector& vector, const LinearSystem& system,
             const BorderedProblem& problem) {
  Mode mode;
  mode.s = root.s;
  mode.error = widened_by_equilibrium_error(root.error, root.s, vector, vector, system, problem);
  mode.residual = problem.residual(mode.s, vector.coordinates, problem.forces(vector.multipliers));
  mode.backward_error = mode.residual;
  mode.condition = problem.condition(mode.s, vector.coordinates, vector.coordinates);
  mode.violation = problem.violation(vector.coordinates);
  mode.shape = vector.coordinates;
  mode.left = mode.shape.conjugate();  // real
  normalise(mode, problem);
  return mode;
}

// If rounding of the matrices may have carried this mode across the end of the region, it may have done so with others.
std::string reason_about(const Root& root, double radius) {
  if (root.s == 0.0 || std::abs(root.s) + root.rounding < radius) return {};
  return fmt::format(
      "rounding of the matrices may carry {:.6g} ± {:.1g} rad/s across the end of the region that was counted",
      std::abs(root.s), root.rounding);
}

// With a factored stiffness the rounding of the quotient is so small that components along stiff motions become
// visible: they are the difference from the value of the search, which hardly depends on them.
double search_error(const ModalCoefficients& at, const ConservativePairs& found, Eigen::Index k,
                    const ConservativePencil& pencil) {
  if (!pencil.has_strains()) return found.error[k];
  const double mu = at.k.real() / at.m.real() / std::pow(pencil.frequency_scale(), 2);
  return std::max(found.error[k], std::abs(mu - found.mu[k]));
}

// Describes where the missing eigenvalues are.
std::string reason_about_unresolved(const ConservativePairs::Hidden& hidden, double gamma) {
  if (hidden.count == 0) return {};
  const double size = std::sqrt(std::abs(hidden.region.centre));
  return fmt::format("{} of them lie within {:.1g} rad/s of {:.10g} rad/s, too many to be separated there",
                     2 * hidden.count, gamma * hidden.region.radius / (size + std::sqrt(hidden.region.radius)),
                     gamma * size);
}

enum class Part { lowest, band, unstable };

// Among values that are far from each other, what the residual of one does along the others counts, theory (6.7). A
// factored stiffness shows that in the quotients.
void add_errors_of_vectors(const ConservativePairs& found, const ConservativePencil& pencil,
                           const BorderedProblem& problem, std::vector<Root>& roots) {
  std::vector<Complex> values;
  for (const Root& root : roots) values.push_back(root.s);
  if (pencil.has_strains() || are_near_each_other(values)) return;
  std::vector<BorderedVector> vectors;
  for (Eigen::Index k = 0; k < found.mu.size(); ++k) vectors.push_back(pencil.unscaled(found.z.col(k)));
  std::vector<BorderedPair> pairs;
  for (std::size_t k = 0; k < roots.size(); ++k) pairs.push_back({values[k], &vectors[k], &vectors[k]});
  const Eigen::VectorXd errors = errors_of_vectors(problem, pairs);
  for (std::size_t k = 0; k < roots.size(); ++k) roots[k].error += errors[static_cast<Eigen::Index>(k)];
}

std::vector<Root> roots_of(const ConservativePairs& found, const ConservativePencil& pencil,
                           const BorderedProblem& problem) {
  std::vector<Root> roots;
  for (Eigen::Index k = 0; k < found.mu.size(); ++k) {
    const BorderedVector vector = pencil.unscaled(found.z.col(k));
    const ModalCoefficients at = problem.modal_coefficients(vector, vector);
    roots.push_back(root_of(at, search_error(at, found, k, pencil), pencil.frequency_scale()));
  }
  add_errors_of_vectors(found, pencil, problem, roots);
  widen_bounds_of_zeros(roots, 1, 0.5);  // of squares
  return roots;
}

// A motion is free if rounding of the matrices may have left its stiffness, and not for what the search cannot see.
std::string reason_about_hidden(const std::vector<Root>& roots) {
  for (const Root& root : roots) {
    if (root.is_hidden)
      return fmt::format(
          "it is uncertain whether a motion is free or held by a very small stiffness: the search knows its frequency "
          "to ± {:.1g} rad/s only, and rounding of the matrices would hide {:.1g}",
          root.error, root.rounding);
  }
  return {};
}

// s and −s have the same vector. Zeros that rounding has put among the unstable values belong to the band or are not
// wanted.
void add_modes(const ConservativePairs& found, Part part, const ConservativePencil& pencil, const LinearSystem& system,
               const BorderedProblem& problem, Spectrum& spectrum) {
  const double gamma = pencil.frequency_scale();
  spectrum.expected += 2 * found.expected;
  mark_uncertified(spectrum, found.is_out_of_time ? Uncertified::out_of_time : Uncertified::missing, found.uncertainty);
  mark_uncertified(spectrum, Uncertified::missing, reason_about_unresolved(found.hidden, gamma));
  const std::vector<Root> roots = roots_of(found, pencil, problem);
  if (part != Part::unstable) mark_uncertified(spectrum, Uncertified::zeros_unclear, reason_about_hidden(roots));
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const Root& root = roots[k];
    const BorderedVector vector = pencil.unscaled(found.z.col(static_cast<Eigen::Index>(k)));
    if (part == Part::unstable && root.s == 0.0) {
      spectrum.expected -= 2;
      continue;
    }
    if (part == Part::lowest)
      mark_uncertified(spectrum, Uncertified::edge_unclear, reason_about(root, gamma * std::sqrt(found.region.radius)));
    spectrum.modes.push_back(mode_of(root, vector, system, problem));
    if (root.s.real() > 0) {
      spectrum.modes.push_back(mode_of({-root.s.real(), root.error, root.rounding}, vector, system, problem));
      continue;
    }
    Mode partner = spectrum.modes.back();
    if (root.s != 0.0) partner.s = std::conj(root.s);
    partner.left = partner.left.conjugate();
    spectrum.modes.push_back(std::move(partner));
  }
}

// A direction without mass in which the stiffness is negative has a negative pivot at any shift, and no eigenvalue.
bool has_massless_instability(ConservativePencil& pencil) {
  return !pencil.shift(-tolerance::beyond_all_frequencies * tolerance::beyond_all_frequencies) || pencil.below() > 0;
}

// Counts among all eigenvalues: those outside the region, and the given modes.
std::optional<Spectrum::Counted> count_of(const ConservativePairs& found, const std::vector<Mode>& modes,
                                          ConservativePencil& pencil) {
  if (found.below > 0 && has_massless_instability(pencil)) return {};
  Spectrum::Counted all{found.below, 2 * found.at_zero};
  for (const Mode& mode : modes) {
    if (mode.s.real() > 0) ++all.unstable;
    if (mode.s == 0.0) ++all.at_zero;
  }
  return all;
}

// A zero is one relative to the others; if these are no larger than the error bounds, rounding hides which values are
// zero.
std::string reason_about_zeros(const Spectrum& spectrum, double radius) {
  double bar = 0, next = radius;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s == 0.0) bar = std::max(bar, mode.error);
    else next = std::min(next, std::abs(mode.s));
  }
  if (bar <= tolerance::zero_bound_to_next * next) return {};
  return fmt::format(
      "rounding of the matrices hides which eigenvalues are zero: these are known to ± {:.1g} rad/s only, "
      "and the next is at {:.3g}",
      bar, next);
}

// Far from zero all slow motions appear as zero; the lowest modes decide what they are.
std::optional<Spectrum::Counted> count_from_lowest(const ConservativePairs& found, const Spectrum& spectrum,
                                                   ConservativePencil& pencil, const LinearSystem& system,
                                                   const BorderedProblem& problem, const ModesOptions& options) {
  if (found.at_zero == 0) return count_of(found, spectrum.modes, pencil);
  const ConservativePairs lowest = find_lowest(pencil, 1, slicing(options));
  if (!lowest.is_converged) return {};
  Spectrum slow;
  add_modes(lowest, Part::lowest, pencil, system, problem, slow);
  mark_uncertified(slow, Uncertified::zeros_unclear,
                   reason_about_zeros(slow, pencil.frequency_scale() * std::sqrt(lowest.region.radius)));
  return slow.certified ? count_of(lowest, slow.modes, pencil) : std::nullopt;
}

std::string words_for(const ModesOptions& options, const ConservativePairs& found, const Spectrum& spectrum,
                      double gamma) {
  if (const auto* band = options.if_asks_for<Band>())
    return fmt::format("from {:.6g} to {:.6g} Hz", band->from, band->to);
  return fmt::format("with |s| < {} rad/s", edge_in_digits(gamma * std::sqrt(found.region.radius), spectrum.modes));
}

ConservativePairs find(ConservativePencil& pencil, const ModesOptions& options, double gamma) {
  const auto* const band = options.if_asks_for<Band>();
  if (!band) return find_lowest(pencil, requested_count(options.which).value_or(pencil.dof()), slicing(options));
  const auto mu = [&](double hertz) { return std::pow(2 * std::numbers::pi * hertz / gamma, 2); };
  return find_between(pencil, mu(band->from), mu(band->to), slicing(options));
}

// Finds the real eigenvalues of unstable and decaying motions with |s| in the band of the oscillations.
ConservativePairs find_unstable(ConservativePencil& pencil, const Region& band, const ModesOptions& options) {
  return find_between(pencil, -(band.centre + band.radius), -std::max(0.0, band.centre - band.radius),
                      slicing(options));
}

}  // namespace

Spectrum spectrum_of_pairs(const LinearSystem& system, const BorderedProblem& problem, ConservativePencil& pencil,
                           const ConservativePairs& found, const std::string& solver, const ModesOptions& options) {
  const double gamma = pencil.frequency_scale();
  const bool is_band = options.asks_for<Band>();
  pencil.free_factors();
  Spectrum spectrum{.method = "rcs", .solver = solver, .size = pencil.size()};
  add_modes(found, is_band ? Part::band : Part::lowest, pencil, system, problem, spectrum);
  spectrum.counted = is_band ? count_from_lowest(found, spectrum, pencil, system, problem, options)
                             : count_of(found, spectrum.modes, pencil);
  if (is_band && found.below > 0) {
    const ConservativePairs unstable = find_unstable(pencil, found.region, options);
    if (!unstable.is_converged) throw Undecided(unstable.uncertainty);
    add_modes(unstable, Part::unstable, pencil, system, problem, spectrum);
  }
  spectrum.region = words_for(options, found, spectrum, gamma);
  mark_uncertified(spectrum, Uncertified::zeros_unclear,
                   reason_about_zeros(spectrum, gamma * std::sqrt(found.region.centre + found.region.radius)));
  finish(spectrum, system, problem, options);
  return spectrum;
}

Spectrum solve_conservative(const LinearSystem& system, const ModesOptions& options) {
  const Stopwatch watch;
  if (!is_conservative(system)) {
    throw Error("the sparse solver works on undamped systems with symmetric matrices and masses that are not negative");
  }
  const BorderedProblem problem(system, BorderedProblem::Stiffness::by_strains);
  ConservativePencil pencil(problem);
  const ConservativePairs found = find(pencil, options, pencil.frequency_scale());
  if (!found.is_converged) throw Undecided(found.uncertainty);
  Spectrum spectrum = spectrum_of_pairs(system, problem, pencil, found, solver_name(options), options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

std::optional<Spectrum> spectrum_of_pairs_near(const LinearSystem& system, const BorderedProblem& problem,
                                               ConservativePencil& pencil, const ConservativePairs& found,
                                               const std::string& solver, const ModesOptions& options) {
  const Complex point = std::get<Nearest>(options.which).point, centre(point.real(), std::abs(point.imag()));
  const double gamma = pencil.frequency_scale();
  const double width = 0.5 * gamma * gamma * found.region.radius / centre.imag();
  const double radius = std::hypot(centre.real(), width);
  if (found.below > 0 && radius > centre.imag()) return {};  // real ones may be nearer

  pencil.free_factors();
  Spectrum spectrum{.method = "rcs", .solver = solver, .size = pencil.size()};
  add_modes(found, Part::band, pencil, system, problem, spectrum);
  spectrum.counted = count_from_lowest(found, spectrum, pencil, system, problem, options);
  spectrum.region = fmt::format("with |s - ({:g} + {:g}i)| < {} rad/s and their conjugates", centre.real(),
                                centre.imag(), edge_in_digits(radius, spectrum.modes, centre));
  finish(spectrum, system, problem, options);
  return spectrum;
}

std::optional<Spectrum> solve_conservative_near(const LinearSystem& system, const ModesOptions& options) {
  const Stopwatch watch;
  const Nearest& nearest = std::get<Nearest>(options.which);
  if (nearest.point.imag() == 0) return {};
  const BorderedProblem problem(system, BorderedProblem::Stiffness::by_strains);
  ConservativePencil pencil(problem);
  const std::optional<ConservativePairs> found = find_nearest_to(
      pencil, std::abs(nearest.point.imag()) / pencil.frequency_scale(), nearest.count, slicing(options));
  if (!found || !found->is_converged) return {};
  std::optional<Spectrum> spectrum =
      spectrum_of_pairs_near(system, problem, pencil, *found, solver_name(options), options);
  if (spectrum) spectrum->seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
