// Sparse engine for systems of any kind: shift-and-invert TOAR with multiple shifts, refinement by two-sided inverse
// iteration, and a count of the missing eigenvalues.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "base/stopwatch.h"
#include "modes/accuracy/equilibrium_error.h"
#include "modes/accuracy/finish.h"
#include "modes/accuracy/vector_errors.h"
#include "modes/accuracy/zero_bounds.h"
#include "modes/count/energy_count.h"
#include "modes/damped/multiple_shifts.h"
#include "modes/methods/in_bordered_problem.h"
#include "modes/methods/spectrum_of_pairs.h"
#include "modes/problem/rayleigh_quotient.h"
#include "modes/problem/real_pairs.h"
#include "modes/tolerances.h"
#include "modes/undamped/conservative_near.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr int most_steps = 3;

struct Pair {
  Complex s;  ///< scaled
  BorderedVector right, left;
  double residual = 0;
  bool is_symmetric = false;  ///< the left vector is the conjugate of the right one
};

/// Refines right vectors and finds left ones by solving with the matrix beside an eigenvalue. In a symmetric system the
/// left vector is the conjugate of the right one.
class Polish {
 public:
  Polish(const BorderedProblem& problem, const QuadraticPencil& pencil) : problem_(problem), pencil_(pencil) {}

  /// `x` holds coordinates and multipliers, scaled.
  Pair operator()(Complex s, Eigen::VectorXcd x) {
    Pair pair = pencil_.is_symmetric() ? with_conjugate(s, x) : step(s, x);
    for (int k = 0; k < most_steps && pair.residual > tolerance::refined_residual; ++k) pair = step(pair.s, x);
    return pair;
  }

  double residual(Complex s, const BorderedVector& right) const {
    return problem_.residual(problem_.frequency_scale() * s, right.coordinates, problem_.forces(right.multipliers));
  }

 private:
  Pair with_conjugate(Complex s, const Eigen::VectorXcd& x) const {
    Pair pair{s, problem_.unscaled(x), problem_.unscaled(x.conjugate())};
    pair.residual = residual(s, pair.right);
    pair.is_symmetric = true;
    return pair;
  }

  // The components of x along the eigenvectors determine which left vectors come out: those that belong to it, of
  // multiple eigenvalues too.
  Pair step(Complex s, Eigen::VectorXcd& x) {
    if (!lu_) lu_.emplace(pencil_.complex_lu());
    const Pair before = with_conjugate(s, x);
    if (!factor_beside(s)) return before;
    const double gamma = problem_.frequency_scale();
    const auto coordinates = [&](const Eigen::VectorXcd& both) { return problem_.unscaled(both).coordinates; };
    Eigen::VectorXcd start = x;
    start.tail(problem_.multiplier_scale().size()).setZero();
    x = lu_->solve(problem_.scaled_derivative(gamma * s, coordinates(x))).normalized();
    Pair pair = with_conjugate(s, x);
    if (!pencil_.is_symmetric()) {
      Eigen::VectorXcd left = lu_->solve_adjoint(start).normalized();
      left = lu_->solve_adjoint(problem_.scaled_left_derivative(gamma * s, coordinates(left))).normalized();
      pair.left = problem_.unscaled(left);
      pair.is_symmetric = false;
    }
    pair.s = rayleigh_value(problem_.modal_coefficients(pair.right, pair.left), gamma * s).s / gamma;
    if (s.imag() == 0) pair.s = pair.s.real();
    pair.residual = residual(pair.s, pair.right);
    if (pair.residual > tolerance::refined_residual && pair.residual > before.residual) {
      pair.s = s;
      pair.right = before.right;
      if (pair.is_symmetric) pair.left = before.left;
      pair.residual = before.residual;
    }
    return pair;
  }

  bool factor_beside(Complex s) {
    constexpr double nearest = 1e-10, farthest = 1e-4;
    for (double off = nearest; off < farthest; off *= 100) {
      if (lu_->factor(pencil_.matrix(s + off * std::max(std::abs(s), farthest)))) return true;
    }
    return lu_->factor_nearly_singular(pencil_.matrix(s));  // beside a multiple defective value no shift is far enough
  }

  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  std::optional<ComplexLu> lu_;
};

// Bounds the error of the quotient from the product of the errors of both vectors, estimated by their residuals.
double left_by_vectors(const Pair& pair, Complex s, const BorderedProblem& problem) {
  const auto length = [&](const BorderedVector& vector) {
    return vector.coordinates.cwiseQuotient(problem.coordinate_scale()).norm();
  };
  return pair.residual * pair.residual * problem.norm(s) * length(pair.right) * length(pair.left);
}

// A small value within its error bound of zero is zero if rounding of the matrices may have left the stiffness that is
// found: a rigid-body motion. What only the error of the search hides is not known. The bound includes that error,
// which is at least the rounding of its distance from the centre; or the product of residual and condition, if that is
// less.
Mode mode_of(Complex before, const Pair& pair, const LinearSystem& system, const BorderedProblem& problem,
             Complex centre) {
  const Complex s = problem.frequency_scale() * pair.s;
  ModalCoefficients at = problem.modal_coefficients(pair.right, pair.left);
  at.k_magnitude += left_by_vectors(pair, s, problem) / tolerance::rounding_of_sums;
  const RayleighValue value = rayleigh_value(at, s);
  Mode mode;
  mode.s = value.s;
  if (before.imag() == 0) mode.s = mode.s.real();
  mode.residual = problem.residual(mode.s, pair.right.coordinates, problem.forces(pair.right.multipliers));
  mode.backward_error = mode.residual;
  mode.condition = problem.condition(mode.s, pair.right.coordinates, pair.left.coordinates);
  mode.violation = problem.violation(pair.right.coordinates);
  mode.shape = pair.right.coordinates;
  mode.left = pair.is_symmetric ? mode.shape.conjugate() : ModeVector(pair.left.coordinates);
  const double gamma = problem.frequency_scale();
  const double of_search =
      std::max(std::abs(value.s - gamma * before), tolerance::rounding_of_search * gamma * std::abs(before - centre));
  mode.error = value.rounding + std::min(of_search, mode.condition * mode.residual * std::abs(mode.s));
  const bool is_free = std::abs(at.k) <= tolerance::rounding_of_sums * at.k_magnitude;
  if (is_free && std::abs(mode.s) <= mode.error && mode.error <= tolerance::largest_zero_bound * gamma) {
    mode.error += std::abs(mode.s);
    mode.s = 0;
  }
  mode.error = widened_by_equilibrium_error(mode.error, mode.s, pair.right, pair.left, system, problem);
  normalise(mode, problem);
  return mode;
}

// Tells whether right and left vectors are orthogonal in the metrics of mass and damping. The eigenvalue is then nearly
// defective, and rounding moves it by a root of itself, which quotients do not show. (A critically damped oscillator is
// not meant: its quotient shows it.)
bool is_nearly_defective(const Mode& mode, const BorderedProblem& problem) {
  if (mode.condition < tolerance::defective_condition) return false;
  const Eigen::VectorXcd x = mode.shape.cwiseQuotient(problem.coordinate_scale()),
                         y = mode.left.cwiseQuotient(problem.coordinate_scale());
  const Eigen::VectorXd x_magnitude = x.cwiseAbs(), y_magnitude = y.cwiseAbs();
  const auto magnitude_of = [&](const ScaledMatrix& A) {
    return std::sqrt(x_magnitude.dot(A.magnitudes_times(x_magnitude)) *
                     y_magnitude.dot(A.magnitudes_times(y_magnitude)));
  };
  const double of_mass = magnitude_of(problem.M()), of_damping = magnitude_of(problem.C());
  const Complex s = mode.s / problem.frequency_scale(), mass = y.dot(problem.M() * x),
                derivative = 2.0 * s * mass + y.dot(problem.C() * x);
  return std::abs(mass) <= tolerance::right_angle * of_mass &&
         std::abs(derivative) <= tolerance::right_angle * (2 * std::abs(s) * of_mass + of_damping);
}

// Their bounds are the first-order effect of rounding, with vectors that are hardly known.
std::string reason_about_nearly_defective(std::vector<Mode>& modes, const BorderedProblem& problem) {
  std::string uncertainty;
  bool shares = false;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    Mode& mode = modes[i];
    if (!is_second_of_pair(modes, i)) shares = mode.s != 0.0 && is_nearly_defective(mode, problem);
    if (!shares) continue;
    mode.error += std::abs(mode.s) * std::min(1.0, tolerance::rounding_of_defective * mode.condition);
    uncertainty = fmt::format("eigenvalues near {:.3g} rad/s are nearly defective: their error may be {:.2g}, or more",
                              std::abs(mode.s), mode.error);
  }
  return uncertainty;
}

// The refinement has led to a mode that is known already if vectors of equal values depend on each other. (Zero is
// often double and then has its vectors twice.)
std::string reason_about_copies(const std::vector<Mode>& modes, const Eigen::VectorXd& scale) {
  for (const Mode& mode : modes) {
    if (mode.s == 0.0) continue;
    std::vector<const Mode*> equal;
    for (const Mode& other : modes) {
      if (std::abs(other.s - mode.s) <= other.error + mode.error) equal.push_back(&other);
    }
    if (equal.size() < 2 || equal.front() != &mode) continue;  // none at all where a bound is not a number
    Eigen::MatrixXcd shapes(scale.size(), static_cast<Eigen::Index>(equal.size()));
    for (std::size_t k = 0; k < equal.size(); ++k)
      shapes.col(static_cast<Eigen::Index>(k)) = equal[k]->shape.cwiseQuotient(scale).normalized();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> products(shapes.adjoint() * shapes, Eigen::EigenvaluesOnly);
    if (products.eigenvalues()[0] < tolerance::dependent_vectors)
      return fmt::format(
          "the vectors of {} modes near {:.6g} rad/s are linearly dependent: one mode may be a copy of another",
          equal.size(), std::abs(mode.s));
  }
  return {};
}

// Values that differ by more than the better bound, within the worse one, have vectors that are orthogonal to each
// other, y_iᴴ ((s_i + s_j) M + C) x_j = 0, unless the worse one is a bad copy.
std::string reason_about_bad_copies(const std::vector<Mode>& modes, const BorderedProblem& problem) {
  constexpr double copy = 0.5;  // of the product of both correlations, which is 1 for the same mode
  const auto correlation = [&](const Mode& a, const Mode& b) {
    return std::abs(a.left.dot(problem.derivative(0.5 * (a.s + b.s), b.shape)));
  };
  for (const Mode& better : modes) {
    for (const Mode& worse : modes) {
      const double distance = std::abs(better.s - worse.s);
      if (better.s == 0.0 || worse.s == 0.0 || !(distance > better.error && distance <= worse.error)) continue;
      if (correlation(better, worse) * correlation(worse, better) > copy)
        return fmt::format("of two modes near {:.6g} rad/s one seems to be a copy of the other", std::abs(better.s));
    }
  }
  return {};
}

std::string reason_about_missing(const QuadraticPairs& found) {
  if (found.missing == 0 || !found.uncertainty.empty()) return found.uncertainty;
  return fmt::format("{} more eigenvalues were counted in this region", found.missing);
}

// In the restoration of real values some of the counted ones may have been lost beside the real axis.
std::string reason_about_count(const QuadraticPairs& found, Complex centre, double gamma,
                               const std::vector<Mode>& modes) {
  if (!found.inside) return {};
  const auto inside = std::count_if(modes.begin(), modes.end(), [&](const Mode& mode) {
    return std::abs(mode.s - gamma * centre) < gamma * found.radius;
  });
  if (inside == *found.inside) return {};
  return fmt::format("{} eigenvalues were counted, but {} were distinguished", *found.inside, inside);
}

// Returns a pair, or two real modes if the values are real but for rounding.
std::vector<Mode> modes_of(Complex before, const Pair& pair, const LinearSystem& system, const BorderedProblem& problem,
                           const Polish& polish, Complex centre) {
  const Mode mode = mode_of(before, pair, system, problem, centre);
  if (before.imag() == 0) return {mode};
  if (mode.s.imag() != 0 && std::abs(mode.s.imag()) <= mode.error) {
    const double s = before.real();
    const auto two_real = real_pair(problem.frequency_scale() * s, pair.right, pair.left, problem);
    const auto member = [&](std::size_t k) {
      return Pair{s, two_real->right[k], two_real->left[k], polish.residual(s, two_real->right[k])};
    };
    if (two_real) {
      const Pair first = member(0), second = member(1);
      if (first.residual <= tolerance::refined_residual && second.residual <= tolerance::refined_residual)
        return {mode_of(s, first, system, problem, centre), mode_of(s, second, system, problem, centre)};
    }
  }
  return {mode, conjugate(mode)};
}

/// A pair, and the first of its modes.
struct Listed {
  Pair pair;
  std::size_t first = 0;
};

// Among values that are far from each other a short residual does not tell how far a slow vector has been turned
// towards other soft motions, known ones or not. What the residual may do to first order holds for all of them. The
// pairs are needed for this alone: none are listed where no value is far.
void add_errors_of_vectors(const std::vector<Listed>& listed, const BorderedProblem& problem,
                           std::vector<Mode>& modes) {
  std::vector<BorderedPair> pairs;
  std::vector<Complex> values;
  for (const Listed& one : listed) {
    pairs.push_back({modes[one.first].s, &one.pair.right, &one.pair.left});
    values.push_back(pairs.back().s);
  }
  if (are_near_each_other(values)) return;
  const Eigen::VectorXd errors = errors_of_vectors(problem, pairs);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const std::size_t end = i + 1 < listed.size() ? listed[i + 1].first : modes.size();
    for (std::size_t k = listed[i].first; k < end; ++k) {
      modes[k].error += errors[static_cast<Eigen::Index>(i)];
      if (modes[k].s != 0.0) modes[k].error += modes[k].condition * modes[k].residual * std::abs(modes[k].s);
    }
  }
}

struct Asked {
  QuadraticRequest request;
  std::string region;  ///< description of the region, before and after its radius
  std::string beyond{};
  std::string uncertainty{};
};

Asked asked_for(const ModesOptions& options, const BorderedProblem& problem, const QuadraticPencil& pencil) {
  const double gamma = problem.frequency_scale();
  const Index everything = 2 * pencil.dof();
  Asked asked{.request = {.count = requested_count(options.which).value_or(Lowest{}.count),
                          .most = Band{}.most,
                          .counts = options.certify,
                          .supervision = {options.progress, options.deadline}},
              .region = "with |s| < "};
  if (const auto* nearest = options.if_asks_for<Nearest>()) {
    const Complex centre(nearest->point.real(), std::abs(nearest->point.imag()));
    asked.request.centre = centre / gamma;
    if (centre != 0.0) asked.region = fmt::format("with |s - ({:g} + {:g}i)| < ", centre.real(), centre.imag());
    if (centre.imag() != 0) asked.beyond = " and their conjugates";
  } else if (const auto* band = options.if_asks_for<Band>()) {
    asked.request.most = band->most;
    asked.request.distance = 2 * std::numbers::pi * band->to / gamma;
    asked.request.from = 2 * std::numbers::pi * band->from / gamma;
  } else if (options.asks_for<Unstable>()) {
    if (const std::optional<double> radius = radius_of_instability(problem, pencil)) {
      asked.request.distance = *radius;
      asked.beyond = ", beyond which no eigenvalue is unstable";
    } else {
      asked.uncertainty = "nothing bounds the region of unstable eigenvalues: only the lowest modes were examined";
    }
  } else if (options.asks_for<All>()) {
    asked.request.count = everything;
  }
  asked.request.count = std::min(asked.request.count, everything);
  return asked;
}

bool are_all(const std::vector<Mode>& modes, const QuadraticPencil& pencil) {
  return static_cast<Index>(modes.size()) >= 2 * pencil.dof();
}

// If all eigenvalues are known, they say more than the energy, unless rounding hides the side of the axis for one.
std::optional<Spectrum::Counted> count_all(const std::vector<Mode>& modes, const BorderedProblem& problem,
                                           const QuadraticPencil& pencil) {
  if (!are_all(modes, pencil)) return {};
  std::optional<Spectrum::Counted> counted = count_by_signs(modes, problem);
  if (counted) counted->by_spectrum = true;
  return counted;
}

std::optional<Spectrum::Counted> stable_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil) {
  std::optional<Spectrum::Counted> counted = count_by_energy(problem, pencil, {0, {}});
  return counted && counted->unstable == 0 ? counted : std::nullopt;
}

// The energy criterion has excluded unstable eigenvalues, so no search is needed.
Spectrum spectrum_without_unstable(const QuadraticPencil& pencil, const Spectrum::Counted& counted, double seconds) {
  Spectrum spectrum{.method = "rcs", .solver = "energy criterion", .size = pencil.size()};
  spectrum.region = "with Re s > 0";
  spectrum.counted = counted;
  spectrum.seconds = seconds;
  return spectrum;
}

Spectrum spectrum_of(QuadraticPairs found, const Asked& asked, const LinearSystem& system,
                     const BorderedProblem& problem, const QuadraticPencil& pencil, const ModesOptions& options) {
  const double gamma = problem.frequency_scale();
  Polish polish(problem, pencil);
  if (asked.request.centre.imag() != 0) {
    const double size = std::abs(asked.request.centre) + found.radius;
    if (!keep_upper(found.s, found.x, problem, size) && found.uncertainty.empty())
      found.uncertainty = "it is uncertain which of the eigenvalues are real";
  }

  Spectrum spectrum{.method = "rcs",
                    .solver = options.certify ? found.solver + ", counted" : "uncounted " + found.solver,
                    .size = pencil.size()};
  std::vector<Listed> listed;
  const bool are_near = are_near_each_other({found.s.begin(), found.s.end()});
  for (Eigen::Index k = 0; k < found.s.size(); ++k) {
    const Pair pair = polish(found.s[k], found.x.col(k));
    if (pair.residual > tolerance::largest_residual) {
      spectrum.expected += found.s[k].imag() != 0 ? 2 : 1;
      mark_uncertified(
          spectrum, Uncertified::large_residual,
          fmt::format("a mode near {:.3g} rad/s could not be separated from others", gamma * std::abs(found.s[k])));
      continue;
    }
    if (!are_near) listed.push_back({pair, spectrum.modes.size()});
    for (Mode& mode : modes_of(found.s[k], pair, system, problem, polish, asked.request.centre))
      spectrum.modes.push_back(std::move(mode));
  }
  found.x.resize(0, 0);
  add_errors_of_vectors(listed, problem, spectrum.modes);
  widen_bounds_of_zeros(spectrum.modes, 2, 1);
  const auto edge = [&](double radius) {
    return edge_in_digits(gamma * radius, spectrum.modes, gamma * asked.request.centre);
  };
  spectrum.region = found.inner > 0 ? fmt::format("with {} < |s| < {} rad/s", edge(found.inner), edge(found.radius))
                                    : fmt::format("{}{} rad/s{}", asked.region, edge(found.radius), asked.beyond);
  if (!are_all(spectrum.modes, pencil))
    mark_uncertified(spectrum, Uncertified::instability_unbounded, asked.uncertainty);
  mark_uncertified(spectrum, Uncertified::dependent_vectors,
                   reason_about_copies(spectrum.modes, problem.coordinate_scale()));
  mark_uncertified(spectrum, Uncertified::dependent_vectors, reason_about_bad_copies(spectrum.modes, problem));
  mark_uncertified(spectrum, Uncertified::nearly_defective, reason_about_nearly_defective(spectrum.modes, problem));
  mark_uncertified(spectrum, Uncertified::loose_error_bound, reason_about_loose_bounds(spectrum.modes));
  if (spectrum.certified)
    mark_uncertified(spectrum, Uncertified::count_differs,
                     reason_about_count(found, asked.request.centre, gamma, spectrum.modes));
  spectrum.expected += static_cast<Index>(spectrum.modes.size()) + found.missing;
  if (options.certify) spectrum.certificate_seconds = found.counting_seconds;
  mark_uncertified(
      spectrum,
      !options.certify             ? Uncertified::not_counted
      : options.deadline.is_over() ? Uncertified::out_of_time
                                   : Uncertified::missing,
      options.certify ? reason_about_missing(found) : "that no mode is missing was not proved, as requested");
  const double around_zero = found.inner > 0 ? 0 : std::max(0.0, found.radius - std::abs(asked.request.centre));
  spectrum.counted = count_all(spectrum.modes, problem, pencil);
  if (!spectrum.counted)
    spectrum.counted = count_by_energy(problem, pencil, {around_zero, spectrum.modes, found.nothing_grows_beyond});
  finish(spectrum, system, problem, options);
  return spectrum;
}

}  // namespace

Spectrum spectrum_of_pairs(const LinearSystem& system, const BorderedProblem& problem, const QuadraticPencil& pencil,
                           QuadraticPairs found, const ModesOptions& options) {
  return spectrum_of(std::move(found), asked_for(options, problem, pencil), system, problem, pencil, options);
}

Spectrum solve_general(const LinearSystem& system, const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum = solve_general(system, options, BorderedProblem(system));
  spectrum.seconds = watch.seconds();
  return spectrum;
}

Spectrum solve_general(const LinearSystem& system, const ModesOptions& options, const BorderedProblem& problem,
                       std::optional<bool> passive, MotionsNearby* nearby) {
  const Stopwatch watch;
  const QuadraticPencil pencil(problem, passive);
  if (options.asks_for<Unstable>()) {
    if (const auto counted = stable_by_energy(problem, pencil))
      return spectrum_without_unstable(pencil, *counted, watch.seconds());
  }
  Asked asked = asked_for(options, problem, pencil);
  asked.request.nearby = nearby;
  Spectrum spectrum =
      spectrum_of(find_nearest(problem, pencil, asked.request), asked, system, problem, pencil, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

bool is_known_stable_by_energy(const LinearSystem& system) {
  const BorderedProblem problem(system);
  return stable_by_energy(problem, QuadraticPencil(problem)).has_value();
}

Spectrum solve_some(const LinearSystem& system, const ModesOptions& options) {
  if (options.asks_for<Unstable>() || !is_conservative(system)) return solve_general(system, options);
  if (!options.asks_for<Nearest>()) return solve_conservative(system, options);
  if (std::optional<Spectrum> found = solve_conservative_near(system, options)) return *found;
  return solve_general(system, options);
}

Spectrum solve_some(const LinearSystem& system, const ModesOptions& options, const SystemStructure& structure,
                    KnownOfSystem* known) {
  if (structure.conservative() && !options.asks_for<Unstable>()) return solve_some(system, options);
  if (known) return solve_general(system, options, known->problem, structure.passive(), &known->motions);
  const Stopwatch watch;
  Spectrum spectrum = solve_general(system, options, BorderedProblem(system), structure.passive());
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
