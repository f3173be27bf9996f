// Some modes of a large system of any kind: those of the bordered problem at a shift, none missed.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "base/stopwatch.h"
#include "modes/bordered_problem.h"
#include "modes/conservative_near.h"
#include "modes/energy_count.h"
#include "modes/finish.h"
#include "modes/neighbours.h"
#include "modes/quadratic_stations.h"
#include "modes/rayleigh.h"
#include "modes/real_pairs.h"
#include "stillpoint/error.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr double good = 1e-10, sound = 1e-7;  // residuals: better ones need no more steps; worse ones are in doubt
constexpr int most_steps = 3;
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
constexpr double small = 0.01;      // of the typical frequency
constexpr double dependent = 1e-6;  // least eigenvalue of products: not as many vectors as there seem to be

struct Pair {
  Complex s;  ///< scaled
  BorderedVector right, left;
};

/// Left vectors, and right ones made better, by solving with the matrix beside an eigenvalue. Of a symmetric system
/// the left vector is the conjugate of the right one.
class Polish {
 public:
  Polish(const BorderedProblem& problem, const QuadraticPencil& pencil) : problem_(problem), pencil_(pencil) {}

  /// `x`: coordinates and multipliers, scaled.
  Pair operator()(Complex s, Eigen::VectorXcd x) {
    Pair pair = pencil_.is_symmetric() ? with_conjugate(s, x) : step(s, x);
    for (int k = 0; k < most_steps && residual(pair) > good; ++k) pair = step(pair.s, x);
    return pair;
  }

  double residual(const Pair& pair) const {
    return problem_.residual(problem_.frequency_scale() * pair.s, pair.right.coordinates,
                             problem_.forces(pair.right.multipliers));
  }

 private:
  Pair with_conjugate(Complex s, const Eigen::VectorXcd& x) const {
    return {s, problem_.unscaled(x), problem_.unscaled(x.conjugate())};
  }

  // What x has of the eigenvectors decides which left ones come: those that belong to it, of multiple values, too.
  Pair step(Complex s, Eigen::VectorXcd& x) {
    if (!lu_) lu_.emplace(pencil_.pattern());
    const Pair before = with_conjugate(s, x);
    if (!factor_beside(s)) return before;
    const double gamma = problem_.frequency_scale();
    const auto coordinates = [&](const Eigen::VectorXcd& both) { return problem_.unscaled(both).coordinates; };
    Eigen::VectorXcd start = x;
    start.tail(problem_.multiplier_scale().size()).setZero();
    x = lu_->solve(problem_.scaled_slope(gamma * s, coordinates(x))).normalized();
    Pair pair = with_conjugate(s, x);
    if (!pencil_.is_symmetric()) {
      Eigen::VectorXcd left = lu_->solve_adjoint(start).normalized();
      left = lu_->solve_adjoint(problem_.scaled_left_slope(gamma * s, coordinates(left))).normalized();
      pair.left = problem_.unscaled(left);
    }
    pair.s = rayleigh_value(problem_.sandwich(pair.right, pair.left), gamma * s).s / gamma;
    if (s.imag() == 0) pair.s = pair.s.real();
    const double then = residual(pair);
    if (then > good && then > residual(before)) {
      pair.s = s;
      pair.right = before.right;
    }
    return pair;
  }

  bool factor_beside(Complex s) {
    constexpr double nearest = 1e-10, farthest = 1e-4;
    for (double off = nearest; off < farthest; off *= 100) {
      if (lu_->factor(pencil_.matrix(s + off * std::max(std::abs(s), farthest)))) return true;
    }
    return lu_->factor_nearly_singular(pencil_.matrix(s));  // beside a value that many share no shift is far enough
  }

  const BorderedProblem& problem_;
  const QuadraticPencil& pencil_;
  std::optional<ComplexLu> lu_;
};

// What the product of the errors of both vectors may leave in a quotient, as far as their residuals know them.
double left_by_vectors(const Pair& pair, double residual, Complex s, const BorderedProblem& problem) {
  const auto length = [&](const BorderedVector& vector) {
    return vector.coordinates.cwiseQuotient(problem.coordinate_scale()).norm();
  };
  return residual * residual * problem.norm(s) * length(pair.right) * length(pair.left);
}

// Within its error bar of zero it is zero, if that is small: a motion that nothing brings back. The bar holds what the
// search was wrong by, which is no less than rounding of how far it looked, or what residual and condition allow, if
// that is less.
Mode mode_of(Complex before, const Pair& pair, const LinearSystem& system, const BorderedProblem& problem,
             Complex centre) {
  const Complex s = problem.frequency_scale() * pair.s;
  const double before_quotient = problem.residual(s, pair.right.coordinates, problem.forces(pair.right.multipliers));
  Sandwich at = problem.sandwich(pair.right, pair.left);
  at.k_size += left_by_vectors(pair, before_quotient, s, problem) / rounding_of_sums;
  const RayleighValue value = rayleigh_value(at, s);
  Mode mode;
  mode.s = value.s;
  if (before.imag() == 0) mode.s = mode.s.real();
  mode.shape = pair.right.coordinates;
  mode.left = pair.left.coordinates;
  mode.residual = problem.residual(mode.s, mode.shape, problem.forces(pair.right.multipliers));
  mode.backward_error = mode.residual;
  mode.condition = problem.condition(mode.s, mode.shape, mode.left);
  mode.violation = problem.violation(mode.shape);
  const double gamma = problem.frequency_scale();
  const double of_search = std::max(std::abs(value.s - gamma * before), rounding * gamma * std::abs(before - centre));
  mode.error = value.rounding + std::min(of_search, mode.condition * mode.residual * std::abs(mode.s));
  if (std::abs(mode.s) <= mode.error && mode.error <= small * gamma) mode.s = 0;
  mode.error = widened_by_neighbours(mode.error, mode.s, pair.right, pair.left, system, problem);
  normalise(mode, problem);
  return mode;
}

// Where several values nearly coincide, what one of them is may be known to little more than that it is there.
std::string doubt_about_vague(const std::vector<Mode>& modes) {
  constexpr double vague = 0.1;
  for (const Mode& mode : modes) {
    if (mode.s != 0.0 && mode.error > vague * std::abs(mode.s))
      return fmt::format("of a value of {:.3g} rad/s little more is known than its size: it may be off by {:.2g}",
                         std::abs(mode.s), mode.error);
  }
  return {};
}

// Right and left vectors at right angles, in the metric of mass and damping: several values share one vector, and
// rounding moves them by a root of itself, which quotients do not see. (Two of one oscillator, critically damped, are
// not meant: theirs see it.)
bool shares_its_vector(const Mode& mode, const BorderedProblem& problem) {
  constexpr double right_angle = 1e-5, far_from_it = 1e4;  // the second: a condition
  if (mode.condition < far_from_it) return false;
  const Eigen::VectorXcd x = mode.shape.cwiseQuotient(problem.coordinate_scale()),
                         y = mode.left.cwiseQuotient(problem.coordinate_scale());
  const Eigen::VectorXd x_size = x.cwiseAbs(), y_size = y.cwiseAbs();
  const auto size_of = [&](const SparseMatrix& A) {
    const SparseMatrix sizes = A.cwiseAbs();
    return std::sqrt(x_size.dot(sizes * x_size) * y_size.dot(sizes * y_size));
  };
  const double of_mass = size_of(problem.M()), of_damping = size_of(problem.C());
  const Complex s = mode.s / problem.frequency_scale(), mass = y.dot(problem.M() * x),
                slope = 2.0 * s * mass + y.dot(problem.C() * x);
  return std::abs(mass) <= right_angle * of_mass &&
         std::abs(slope) <= right_angle * (2 * std::abs(s) * of_mass + of_damping);
}

// Their bars are what a change by rounding makes of them, to first order, of vectors that are hardly known.
std::string doubt_about_shared_vectors(std::vector<Mode>& modes, const BorderedProblem& problem) {
  constexpr double change = 10 * std::numeric_limits<double>::epsilon();
  std::string doubt;
  bool shares = false;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    Mode& mode = modes[i];
    if (!is_second_of_pair(modes, i)) shares = mode.s != 0.0 && shares_its_vector(mode, problem);
    if (!shares) continue;
    mode.error += std::abs(mode.s) * std::min(1.0, change * mode.condition);
    doubt = fmt::format("values near {:.3g} rad/s nearly share one vector: they may be off by {:.2g}, or more",
                        std::abs(mode.s), mode.error);
  }
  return doubt;
}

// What polishing has led to a mode that is known already: vectors of equal values that depend on each other. (Zero,
// often being double, has its vectors twice.)
std::string doubt_about_copies(const std::vector<Mode>& modes, const Eigen::VectorXd& scale) {
  for (const Mode& mode : modes) {
    if (mode.s == 0.0) continue;
    std::vector<const Mode*> equal;
    for (const Mode& other : modes) {
      if (std::abs(other.s - mode.s) <= other.error + mode.error) equal.push_back(&other);
    }
    if (equal.size() == 1 || equal.front() != &mode) continue;
    Eigen::MatrixXcd shapes(scale.size(), static_cast<Eigen::Index>(equal.size()));
    for (std::size_t k = 0; k < equal.size(); ++k)
      shapes.col(static_cast<Eigen::Index>(k)) = equal[k]->shape.cwiseQuotient(scale).normalized();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> products(shapes.adjoint() * shapes, Eigen::EigenvaluesOnly);
    if (products.eigenvalues()[0] < dependent)
      return fmt::format("of {} modes near {:.6g} rad/s some look the same: one may stand for another", equal.size(),
                         std::abs(mode.s));
  }
  return {};
}

std::string doubt_about_missing(const QuadraticPairs& found) {
  if (found.missing == 0 || !found.doubt.empty()) return found.doubt;
  return fmt::format("{} more were counted where these are", found.missing);
}

// On the way from what was counted to modes of a real system some may have got lost beside the real axis.
std::string doubt_about_count(const QuadraticPairs& found, Complex centre, double gamma,
                              const std::vector<Mode>& modes) {
  if (!found.inside) return {};
  const auto inside = std::count_if(modes.begin(), modes.end(), [&](const Mode& mode) {
    return std::abs(mode.s - gamma * centre) < gamma * found.radius;
  });
  if (inside == *found.inside) return {};
  return fmt::format("{} eigenvalues were counted, but {} are told apart", *found.inside, inside);
}

// A pair, where it is none but for rounding two real ones.
std::vector<Mode> modes_of(Complex before, const Pair& pair, const LinearSystem& system, const BorderedProblem& problem,
                           const Polish& polish, Complex centre) {
  const Mode mode = mode_of(before, pair, system, problem, centre);
  if (before.imag() == 0) return {mode};
  if (mode.s.imag() != 0 && std::abs(mode.s.imag()) <= mode.error) {
    const double s = before.real();
    const auto twins = real_twins(problem.frequency_scale() * s, pair.right, pair.left, problem);
    const auto of_twin = [&](std::size_t k) { return Pair{s, twins->right[k], twins->left[k]}; };
    if (twins && polish.residual(of_twin(0)) <= good && polish.residual(of_twin(1)) <= good)
      return {mode_of(s, of_twin(0), system, problem, centre), mode_of(s, of_twin(1), system, problem, centre)};
  }
  return {mode, conjugate(mode)};
}

struct Asked {
  QuadraticRequest request;
  std::string region;  ///< what is said of it, before and after its radius
  std::string beyond{};
  std::string doubt{};
};

Asked asked_for(const ModesOptions& options, const BorderedProblem& problem, const QuadraticPencil& pencil) {
  const double gamma = problem.frequency_scale();
  const Index everything = 2 * pencil.freedom();
  Asked asked{.request = {.count = options.count,
                          .most = options.most_in_band,
                          .counts = options.certify,
                          .progress = options.progress},
              .region = "with |s| < "};
  if (options.near) {
    const Complex centre(options.near->real(), std::abs(options.near->imag()));
    asked.request.centre = centre / gamma;
    if (centre != 0.0) asked.region = fmt::format("with |s - ({:g} + {:g}i)| < ", centre.real(), centre.imag());
    if (centre.imag() != 0) asked.beyond = " and their conjugates";
  } else if (options.band) {
    asked.request.distance = 2 * std::numbers::pi * options.band->to / gamma;
    asked.request.from = 2 * std::numbers::pi * options.band->from / gamma;
  } else if (options.growing) {
    if (const std::optional<double> radius = radius_of_growth(problem, pencil)) {
      asked.request.distance = *radius;
      asked.beyond = ", beyond which nothing grows";
    } else {
      asked.doubt = "nothing bounds where motions might grow: these are of the lowest modes only";
    }
  } else if (options.all) {
    asked.request.count = everything;
  }
  asked.request.count = std::min(asked.request.count, everything);
  return asked;
}

bool are_all(const std::vector<Mode>& modes, const QuadraticPencil& pencil) {
  return static_cast<Index>(modes.size()) >= 2 * pencil.freedom();
}

// Where these are all, they say more than the energy, unless rounding hides on which side of the axis one is.
std::optional<Spectrum::Counted> count_all(const std::vector<Mode>& modes, const BorderedProblem& problem,
                                           const QuadraticPencil& pencil) {
  if (!are_all(modes, pencil)) return {};
  std::optional<Spectrum::Counted> counted = count_by_signs(modes, problem);
  if (counted) counted->by_spectrum = true;
  return counted;
}

std::optional<Spectrum::Counted> no_growth_by_energy(const BorderedProblem& problem, const QuadraticPencil& pencil) {
  std::optional<Spectrum::Counted> counted = count_by_energy(problem, pencil, {0, {}});
  return counted && counted->growing == 0 ? counted : std::nullopt;
}

// Nothing that would have to be searched for.
Spectrum without_growth(const QuadraticPencil& pencil, const Spectrum::Counted& counted, double seconds) {
  Spectrum spectrum{.method = "rcs", .solver = "signs of the energy", .size = pencil.size()};
  spectrum.region = "with Re s > 0";
  spectrum.counted = counted;
  spectrum.seconds = seconds;
  return spectrum;
}

}  // namespace

Spectrum solve_general(const LinearSystem& system, const ModesOptions& options) {
  const Stopwatch watch;
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const double gamma = problem.frequency_scale();
  if (options.growing) {
    if (const auto counted = no_growth_by_energy(problem, pencil))
      return without_growth(pencil, *counted, watch.seconds());
  }
  const Asked asked = asked_for(options, problem, pencil);
  Polish polish(problem, pencil);
  QuadraticPairs found = find_nearest(problem, pencil, asked.request);
  if (asked.request.centre.imag() != 0) {
    const double size = std::abs(asked.request.centre) + found.radius;
    if (!keep_upper(found.s, found.x, problem, size) && found.doubt.empty())
      found.doubt = "which values are real could not be told for all of them";
  }

  Spectrum spectrum{.method = "rcs",
                    .solver = options.certify ? found.solver + ", counted" : "uncounted " + found.solver,
                    .size = pencil.size()};
  for (Eigen::Index k = 0; k < found.s.size(); ++k) {
    const Pair pair = polish(found.s[k], found.x.col(k));
    if (polish.residual(pair) > sound) {
      spectrum.expected += found.s[k].imag() != 0 ? 2 : 1;
      doubt(spectrum,
            fmt::format("a mode near {:.3g} rad/s could not be told from others", gamma * std::abs(found.s[k])));
      continue;
    }
    for (Mode& mode : modes_of(found.s[k], pair, system, problem, polish, asked.request.centre))
      spectrum.modes.push_back(std::move(mode));
  }
  const auto edge = [&](double radius) {
    return edge_in_digits(gamma * radius, spectrum.modes, gamma * asked.request.centre);
  };
  spectrum.region = found.inner > 0 ? fmt::format("with {} < |s| < {} rad/s", edge(found.inner), edge(found.radius))
                                    : fmt::format("{}{} rad/s{}", asked.region, edge(found.radius), asked.beyond);
  if (!are_all(spectrum.modes, pencil)) doubt(spectrum, asked.doubt);
  doubt(spectrum, doubt_about_copies(spectrum.modes, problem.coordinate_scale()));
  doubt(spectrum, doubt_about_shared_vectors(spectrum.modes, problem));
  doubt(spectrum, doubt_about_vague(spectrum.modes));
  if (spectrum.certified) doubt(spectrum, doubt_about_count(found, asked.request.centre, gamma, spectrum.modes));
  spectrum.expected += static_cast<Index>(spectrum.modes.size()) + found.missing;
  if (options.certify) spectrum.certificate_seconds = found.counting_seconds;
  doubt(spectrum, options.certify ? doubt_about_missing(found) : "that no mode is missing was not proved, as asked");
  const double around_zero = found.inner > 0 ? 0 : std::max(0.0, found.radius - std::abs(asked.request.centre));
  spectrum.counted = count_all(spectrum.modes, problem, pencil);
  if (!spectrum.counted) spectrum.counted = count_by_energy(problem, pencil, {around_zero, spectrum.modes});
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

bool is_known_not_to_grow(const LinearSystem& system) {
  const BorderedProblem problem(system);
  return no_growth_by_energy(problem, QuadraticPencil(problem)).has_value();
}

Spectrum solve_some(const LinearSystem& system, const ModesOptions& options) {
  if (options.growing || !is_conservative(system)) return solve_general(system, options);
  if (!options.near) return solve_conservative(system, options);
  if (std::optional<Spectrum> found = solve_conservative_near(system, options)) return *found;
  return solve_general(system, options);
}

}  // namespace stillpoint
