// Some modes of a large conservative system: s = ±√−μ of the bordered pencil, none missed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/stopwatch.h"
#include "modes/bordered_problem.h"
#include "modes/conservative_near.h"
#include "modes/conservative_search.h"
#include "modes/finish.h"
#include "modes/neighbours.h"
#include "modes/rayleigh.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

struct Root {
  Complex s;
  double error = 0;
  double rounding = 0;  ///< what of the error is that of the matrices
};

// μ from the vectors, whose errors count twice only. Within its error bar of zero it is zero: a motion that no
// stiffness resists.
Root root_of(const Sandwich& at, double search_error, double gamma) {
  const double mu = at.k.real() / at.m.real();
  const Complex s = mu > 0 ? Complex(0, std::sqrt(mu)) : Complex(std::sqrt(-mu), 0);
  const double of_search = search_error * gamma * gamma;  // of μ
  const double rounding = rayleigh_value(at, s).rounding;
  const double size = std::abs(s), zero_bar = std::hypot(rounding, std::sqrt(of_search));
  if (size <= zero_bar) return {0, zero_bar, rounding};
  return {s, rounding + of_search / (2 * size), rounding};
}

Mode mode_of(const Root& root, const BorderedVector& vector, const LinearSystem& system,
             const BorderedProblem& problem) {
  Mode mode;
  mode.s = root.s;
  mode.error = widened_by_neighbours(root.error, root.s, vector, vector, system, problem);
  mode.shape = mode.left = vector.coordinates;
  mode.residual = problem.residual(mode.s, mode.shape, problem.forces(vector.multipliers));
  mode.backward_error = mode.residual;
  mode.condition = problem.condition(mode.s, mode.shape, mode.left);
  mode.violation = problem.violation(mode.shape);
  normalise(mode, problem);
  return mode;
}

// Where rounding of the matrices may have carried this mode across the end of the region, others may have been, too.
std::string doubt_about(const Root& root, double radius) {
  if (root.s == 0.0 || std::abs(root.s) + root.rounding < radius) return {};
  return fmt::format(
      "rounding of the matrices may carry {:.6g} ± {:.1g} rad/s across the end of the region that was counted",
      std::abs(root.s), root.rounding);
}

// By strains, rounding of the quotient is so small that stiff motions in the vector show: what they make of it is its
// difference from the value of the search, which hardly sees them.
double search_error(const Sandwich& at, const ConservativePairs& found, Eigen::Index k,
                    const ConservativePencil& pencil) {
  if (!pencil.has_strains()) return found.error[k];
  const double mu = at.k.real() / at.m.real() / std::pow(pencil.frequency_scale(), 2);
  return std::max(found.error[k], std::abs(mu - found.mu[k]));
}

// Where those are that were not found.
std::string doubt_about_hidden(const ConservativePairs::Hidden& hidden, double gamma) {
  if (hidden.count == 0) return {};
  const double size = std::sqrt(std::abs(hidden.region.centre));
  return fmt::format("{} of them lie within {:.1g} rad/s of {:.10g} rad/s, more than can be told apart there",
                     2 * hidden.count, gamma * hidden.region.radius / (size + std::sqrt(hidden.region.radius)),
                     gamma * size);
}

enum class Part { lowest, band, growing };

// s and −s have one vector. Zeros that rounding has put among those that grow are in the band, or not asked for.
void add_modes(const ConservativePairs& found, Part part, const ConservativePencil& pencil, const LinearSystem& system,
               const BorderedProblem& problem, Spectrum& spectrum) {
  const double gamma = pencil.frequency_scale();
  spectrum.expected += 2 * found.expected;
  doubt(spectrum, found.doubt);
  doubt(spectrum, doubt_about_hidden(found.hidden, gamma));
  for (Eigen::Index k = 0; k < found.mu.size(); ++k) {
    const BorderedVector vector = pencil.unscaled(found.z.col(k));
    const Sandwich at = problem.sandwich(vector, vector);
    const Root root = root_of(at, search_error(at, found, k, pencil), gamma);
    if (part == Part::growing && root.s == 0.0) {
      spectrum.expected -= 2;
      continue;
    }
    if (part == Part::lowest) doubt(spectrum, doubt_about(root, gamma * std::sqrt(found.region.radius)));
    spectrum.modes.push_back(mode_of(root, vector, system, problem));
    if (root.s.real() > 0) {
      spectrum.modes.push_back(mode_of({-root.s.real(), root.error, root.rounding}, vector, system, problem));
      continue;
    }
    Mode partner = spectrum.modes.back();
    if (root.s != 0.0) partner.s = std::conj(root.s);
    partner.left = partner.left.conjugate().eval();
    spectrum.modes.push_back(std::move(partner));
  }
}

// What has no mass and is pushed away has a negative sign at any shift, and no eigenvalue.
bool is_pushed_without_mass(ConservativePencil& pencil) {
  constexpr double below_all = -1e12;  // of the square of the typical frequency
  return !pencil.shift(below_all) || pencil.below() > 0;
}

// Of all eigenvalues: those that are not among the modes, and these.
std::optional<Spectrum::Counted> count_of(const ConservativePairs& found, const std::vector<Mode>& modes,
                                          ConservativePencil& pencil) {
  if (found.below > 0 && is_pushed_without_mass(pencil)) return {};
  Spectrum::Counted all{found.below, 2 * found.at_zero};
  for (const Mode& mode : modes) {
    if (mode.s.real() > 0) ++all.growing;
    if (mode.s == 0.0) ++all.at_zero;
  }
  return all;
}

// Zeros are such beside the others; where these are no larger than the bars, rounding hides what is zero.
std::string doubt_about_zeros(const Spectrum& spectrum, double radius) {
  constexpr double small_beside_others = 0.1;
  double bar = 0, next = radius;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s == 0.0) bar = std::max(bar, mode.error);
    else next = std::min(next, std::abs(mode.s));
  }
  if (bar <= small_beside_others * next) return {};
  return fmt::format(
      "rounding of the matrices hides which eigenvalues are zero: these are known to ± {:.1g} rad/s only, "
      "and the next is at {:.3g}",
      bar, next);
}

// Far from zero all that is slow looks like zero: what it is the lowest ones tell.
std::optional<Spectrum::Counted> count_from_afar(const ConservativePairs& found, const Spectrum& spectrum,
                                                 ConservativePencil& pencil, const LinearSystem& system,
                                                 const BorderedProblem& problem, const ModesOptions& options) {
  if (found.at_zero == 0) return count_of(found, spectrum.modes, pencil);
  const ConservativePairs lowest = find_lowest(pencil, 1, options.progress);
  if (!lowest.is_settled) return {};
  Spectrum slow;
  add_modes(lowest, Part::lowest, pencil, system, problem, slow);
  doubt(slow, doubt_about_zeros(slow, pencil.frequency_scale() * std::sqrt(lowest.region.radius)));
  return slow.certified ? count_of(lowest, slow.modes, pencil) : std::nullopt;
}

std::string words_for(const ModesOptions& options, const ConservativePairs& found, const Spectrum& spectrum,
                      double gamma) {
  if (options.band) return fmt::format("from {:.6g} to {:.6g} Hz", options.band->from, options.band->to);
  return fmt::format("with |s| < {} rad/s", edge_in_digits(gamma * std::sqrt(found.region.radius), spectrum.modes));
}

ConservativePairs find(ConservativePencil& pencil, const ModesOptions& options, double gamma) {
  if (!options.band) return find_lowest(pencil, options.all ? pencil.freedom() : options.count, options.progress);
  const auto mu = [&](double hertz) { return std::pow(2 * std::numbers::pi * hertz / gamma, 2); };
  return find_between(pencil, mu(options.band->from), mu(options.band->to), options.progress);
}

// Real ones, of motions that grow or decay, with |s| in the band of those that oscillate.
ConservativePairs find_growing(ConservativePencil& pencil, const Region& band, const ModesOptions& options) {
  return find_between(pencil, -(band.centre + band.radius), -std::max(0.0, band.centre - band.radius),
                      options.progress);
}

}  // namespace

Spectrum solve_conservative(const LinearSystem& system, const ModesOptions& options) {
  const Stopwatch watch;
  if (!is_conservative(system)) {
    throw Error("the sparse solver works on undamped systems with symmetric matrices and masses that are not negative");
  }
  const BorderedProblem problem(system, BorderedProblem::Stiffness::by_strains);
  ConservativePencil pencil(problem);
  const double gamma = pencil.frequency_scale();
  const ConservativePairs found = find(pencil, options, gamma);
  if (!found.is_settled) throw Undecided(found.doubt);

  Spectrum spectrum{.method = "rcs", .solver = "sparse Lanczos, counted", .size = pencil.size()};
  add_modes(found, options.band ? Part::band : Part::lowest, pencil, system, problem, spectrum);
  spectrum.counted = options.band ? count_from_afar(found, spectrum, pencil, system, problem, options)
                                  : count_of(found, spectrum.modes, pencil);
  if (options.band && found.below > 0) {
    const ConservativePairs growing = find_growing(pencil, found.region, options);
    if (!growing.is_settled) throw Undecided(growing.doubt);
    add_modes(growing, Part::growing, pencil, system, problem, spectrum);
  }
  spectrum.region = words_for(options, found, spectrum, gamma);
  doubt(spectrum, doubt_about_zeros(spectrum, gamma * std::sqrt(found.region.centre + found.region.radius)));
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

std::optional<Spectrum> solve_conservative_near(const LinearSystem& system, const ModesOptions& options) {
  const Stopwatch watch;
  const Complex centre(options.near->real(), std::abs(options.near->imag()));
  if (centre.imag() == 0) return {};
  const BorderedProblem problem(system, BorderedProblem::Stiffness::by_strains);
  ConservativePencil pencil(problem);
  const double gamma = pencil.frequency_scale();
  const std::optional<ConservativePairs> found =
      find_nearest_to(pencil, centre.imag() / gamma, options.count, options.progress);
  if (!found || !found->is_settled) return {};
  const double width = 0.5 * gamma * gamma * found->region.radius / centre.imag();
  const double radius = std::hypot(centre.real(), width);
  if (found->below > 0 && radius > centre.imag()) return {};  // real ones may be nearer

  Spectrum spectrum{.method = "rcs", .solver = "sparse Lanczos, counted", .size = pencil.size()};
  add_modes(*found, Part::band, pencil, system, problem, spectrum);
  spectrum.counted = count_from_afar(*found, spectrum, pencil, system, problem, options);
  spectrum.region = fmt::format("with |s - ({:g} + {:g}i)| < {} rad/s and their conjugates", centre.real(),
                                centre.imag(), edge_in_digits(radius, spectrum.modes, centre));
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
