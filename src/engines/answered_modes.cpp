#include "engines/answered_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.h"
#include "base/stopwatch.h"
#include "modes/accuracy/finish.h"
#include "modes/count/disc_count.h"
#include "modes/methods/spectrum_of_pairs.h"
#include "modes/problem/real_pairs.h"
#include "modes/tolerances.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

/// Up to so many unknowns a damped system whose damping is not light is counted in this process, by the argument
/// principle: some tens of complex factorisations.
constexpr Index most_counted_here = 200'000;

/// Of ŝ. A free motion has zero twice with one vector, and rounding separates the two by its square root or more.
constexpr double beside_zero = 1e-5;

/// The values of an answer that are modes, and why others are not.
struct Accepted {
  std::vector<Complex> values;
  std::string refusal;     ///< of a vector that does not solve the problem
  std::string dependence;  ///< of a vector that repeats others
};

double residual_of(const BorderedProblem& problem, Complex value, const BorderedVector& vector) {
  return problem.residual(problem.frequency_scale() * value, vector.coordinates, problem.forces(vector.multipliers));
}

std::string words_about_residual(Complex value, double residual, double gamma) {
  return fmt::format(
      "a vector of the engine near {:.6g} rad/s does not solve the problem: its residual is {:.2g}, and at most {:g} "
      "is "
      "accepted",
      gamma * std::abs(value), residual, tolerance::largest_residual);
}

std::string words_about_copy(Complex value, double gamma) {
  return fmt::format("a vector of the engine near {:.6g} rad/s depends on others: it is no further mode",
                     gamma * std::abs(value));
}

/// Tells whether a vector is new beside those of nearly equal values.
class IndependentVectors {
 public:
  bool add(Complex value, const Eigen::VectorXcd& vector) {
    Eigen::VectorXcd rest = vector.normalized();
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (std::abs(values_[k] - value) > tolerance::shared_eigenspace * std::abs(value) + zero_of_engines()) continue;
      rest -= directions_[k] * directions_[k].dot(rest);
    }
    if (rest.squaredNorm() < tolerance::dependent_vectors) return false;
    values_.push_back(value);
    directions_.push_back(rest.normalized());
    return true;
  }

 private:
  std::vector<Complex> values_;
  std::vector<Eigen::VectorXcd> directions_;
};

// What is refused may be a mode that is missing; beside a full count it is none.
void take_refusals(const Accepted& accepted, bool is_short, Spectrum& spectrum) {
  if (is_short) {
    mark_uncertified(spectrum, Uncertified::large_residual, accepted.refusal);
    mark_uncertified(spectrum, Uncertified::missing, accepted.dependence);
  } else if (!accepted.refusal.empty()) {
    spectrum.warnings.push_back(accepted.refusal);
  }
}

void note(std::string& where, const std::string& text) {
  if (where.empty()) where = text;
}

// ----- Symmetric problems

/// μ by the quotient of a vector; not a number where the vector has no mass.
double quotient_of(const BorderedProblem& problem, const BorderedVector& vector) {
  const ModalCoefficients at = problem.modal_coefficients(vector, vector);
  if (!(at.m.real() > tolerance::rounding_of_sums * at.m_magnitude)) return Mode::unset;
  return at.k.real() / at.m.real() / std::pow(problem.frequency_scale(), 2);
}

Complex value_of(double mu) { return mu > 0 ? Complex(0, std::sqrt(mu)) : Complex(std::sqrt(-mu), 0); }

// Bounds the error of each quotient: by the residual, and by its square over the distance of the others.
Eigen::VectorXd errors_of_quotients(const BorderedProblem& problem, const ConservativePairs& found) {
  constexpr double apart = 10;  // of the bound by the residual: nearer values may share their vectors
  const Index n = static_cast<Index>(problem.J().cols());
  Eigen::VectorXd residuals(found.mu.size());
  double longest = 0;
  for (Eigen::Index k = 0; k < found.mu.size(); ++k) {
    const BorderedVector vector = problem.unscaled(found.z.col(k).cast<Complex>());
    const Complex s = problem.frequency_scale() * value_of(found.mu[k]);
    const Eigen::VectorXcd forces = problem.forces(vector.multipliers);
    residuals[k] = std::hypot(problem.scaled_residual(s, vector.coordinates, forces).norm(),
                              (problem.J() * found.z.col(k).head(n)).norm());
    longest = std::max(longest, found.z.col(k).norm());
  }
  const double end = found.region.centre + found.region.radius, begin = found.region.centre - found.region.radius;
  Eigen::VectorXd errors(found.mu.size());
  for (Eigen::Index k = 0; k < found.mu.size(); ++k) {
    const double first = residuals[k] * longest, mu = found.mu[k];
    double gap = std::min(end - mu, mu - begin);
    for (const double other : found.mu) {
      if (const double distance = std::abs(other - mu); distance > apart * first) gap = std::min(gap, distance);
    }
    errors[k] = gap > apart * first ? tolerance::safety_of_vector_errors * first * first / gap : first;
  }
  return errors;
}

ConservativePairs pairs_of(const BorderedProblem& problem, const EngineAnswer& answer, Accepted& accepted) {
  const double gamma = problem.frequency_scale();
  const Index n = static_cast<Index>(problem.J().cols());
  std::vector<std::pair<double, Eigen::VectorXd>> pairs;
  IndependentVectors independent;
  for (Eigen::Index k = 0; k < answer.vectors.cols(); ++k) {
    const Eigen::VectorXcd column = answer.vectors.col(k);
    const BorderedVector vector = problem.unscaled(column);
    const double mu = quotient_of(problem, vector);
    const Complex value = value_of(std::isnan(mu) ? answer.values[at(k)].real() : mu);
    const double residual = std::isnan(mu) ? 1 : residual_of(problem, value, vector);
    if (!(residual <= tolerance::largest_residual)) {
      note(accepted.refusal, words_about_residual(value, residual, gamma));
      continue;
    }
    if (!(mu > answer.from && mu < answer.to)) continue;
    if (!independent.add(mu, column.head(n))) {
      note(accepted.dependence, words_about_copy(value, gamma));
      continue;
    }
    const Eigen::VectorXd z = column.real();
    pairs.emplace_back(mu, z / std::sqrt(z.head(n).dot(problem.M() * z.head(n))));
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  ConservativePairs found;
  found.mu.resize(static_cast<Eigen::Index>(pairs.size()));
  found.z.resize(answer.vectors.rows(), found.mu.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    found.mu[static_cast<Eigen::Index>(k)] = pairs[k].first;
    found.z.col(static_cast<Eigen::Index>(k)) = pairs[k].second;
  }
  return found;
}

// Of the lowest modes the region ends as far below zero as above, of the others zero may lie beside it.
std::string count_by_inertia(const EngineRequest& request, const EngineAnswer& answer, ConservativePairs& found) {
  const Index rows = request.constraints;
  const std::optional<Index> begin = answer.below(answer.from, rows), end = answer.below(answer.to, rows);
  found.expected = found.size();
  if (!begin || !end)
    return "the engine gives no clear inertia at the ends of the region: what lies there is not counted";
  if (*begin < 0 || *end < *begin + found.size())
    return fmt::format(
        "the engine contradicts itself: its inertia counts {} eigenvalues in the region, and {} of its vectors solve "
        "the problem there",
        2 * (*end - *begin), 2 * found.size());
  found.expected = *end - *begin;
  found.before = found.below = *begin;
  if (found.expected > found.size())
    return fmt::format("{} eigenvalues were counted by the inertia of two factorisations, and {} were found",
                       2 * found.expected, 2 * found.size());
  if (request.kind == EngineRequest::Kind::lowest) return {};
  const double zero = zero_of_engines();
  if (answer.from < -zero && answer.to > zero) return {};
  const std::optional<Index> negative = answer.below(-zero, rows), not_positive = answer.below(zero, rows);
  if (!negative || !not_positive)
    return "the engine gives no clear inertia beside zero: unstable modes are not counted";
  found.below = answer.from < -zero ? *negative - found.expected : *negative;
  found.at_zero = answer.from <= zero ? 0 : *not_positive - *negative;
  return {};
}

// A region that ends at another place than was asked for leaves modes out.
std::string reason_about_region(const EngineRequest& request, const EngineAnswer& answer, Index found) {
  using Kind = EngineRequest::Kind;
  const double from = request.from * request.from, to = request.to * request.to, omega = request.at.imag();
  if (request.kind == Kind::lowest && std::abs(answer.from + answer.to) > 1e-9 * answer.to)
    return "the region of the engine does not end as far below zero as above: other modes may be lower";
  if (request.kind == Kind::band && (answer.from > from || answer.to < to))
    return "the region of the engine does not cover the band";
  if (request.kind == Kind::near) {
    const double low = omega - std::sqrt(std::max(0.0, answer.from)), high = std::sqrt(answer.to) - omega;
    if (answer.from <= 0 || std::abs(low - high) > 1e-6 * high)
      return "the region of the engine does not reach as far on both sides of the point: other modes may be nearer";
  }
  if (request.kind != Kind::band && found < request.count)
    return fmt::format("the engine has found {} of the {} modes that were asked for", found, request.count);
  return {};
}

Spectrum symmetric_spectrum(const LinearSystem& system, const EngineProblem& problem, const EngineAnswer& answer,
                            const ModesOptions& options) {
  const EngineRequest& request = problem.request();
  const BorderedProblem& bordered = problem.bordered();
  ConservativePencil pencil(bordered);
  Accepted accepted;
  ConservativePairs found = pairs_of(bordered, answer, accepted);
  found.region = {0.5 * (answer.from + answer.to), 0.5 * (answer.to - answer.from)};
  found.error = errors_of_quotients(bordered, found);
  found.uncertainty = request.counts ? count_by_inertia(request, answer, found) : "";
  if (!request.counts) found.expected = found.size();
  const std::string solver = answer.engine + (request.counts ? ", counted" : ", uncounted");
  std::optional<Spectrum> spectrum;
  if (request.kind == EngineRequest::Kind::near) {
    spectrum = spectrum_of_pairs_near(system, bordered, pencil, found, solver, options);
    if (!spectrum)
      throw Undecided(
          "unstable modes may be as near to the point as those that the engine has found: '--engine sparse' "
          "looks for these, too");
  } else {
    spectrum = spectrum_of_pairs(system, bordered, pencil, found, solver, options);
  }
  mark_uncertified(*spectrum, Uncertified::missing, reason_about_region(request, answer, found.size()));
  take_refusals(accepted, found.size() < found.expected || !request.counts, *spectrum);
  return *std::move(spectrum);
}

// ----- Quadratic problems

/// An engine of complex numbers gives real eigenvalues with imaginary parts that are rounding. The vector of such a
/// value is a multiple of a real one.
bool is_real(Complex value, const Eigen::VectorXcd& vector, double size) {
  if (value.imag() == 0) return true;
  if (std::abs(value.imag()) > tolerance::certainly_real * size) return false;
  Eigen::Index largest = 0;
  vector.cwiseAbs().maxCoeff(&largest);
  return (vector / vector[largest]).imag().squaredNorm() < tolerance::dependent_vectors * vector.squaredNorm();
}

QuadraticPairs quadratic_pairs_of(const EngineProblem& problem, const EngineAnswer& answer, Accepted& accepted) {
  const BorderedProblem& bordered = problem.bordered();
  const EngineRequest& request = problem.request();
  const double gamma = bordered.frequency_scale(), radius = 0.5 * (answer.from + answer.to);
  const Index n = request.coordinates;
  IndependentVectors independent;
  std::vector<Eigen::Index> order(answer.values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    return std::abs(answer.values[at(a)] - request.at) < std::abs(answer.values[at(b)] - request.at);
  });
  Eigen::MatrixXcd vectors(answer.vectors.rows(), answer.vectors.cols());
  for (const Eigen::Index k : order) {
    Complex value = answer.values[at(k)];
    if (!(std::abs(value - request.at) < radius)) continue;
    Eigen::VectorXcd column = answer.vectors.col(k);
    const double length = column.head(n).norm();
    if (length > 0) column /= length;
    if (length > 0 && is_real(value, column.head(n), std::abs(request.at) + radius)) {
      value = value.real();
      column = real_part(column).cast<Complex>();
    }
    const double residual = length > 0 ? residual_of(bordered, value, bordered.unscaled(column)) : 1;
    if (!(residual <= tolerance::largest_residual)) {
      note(accepted.refusal, words_about_residual(value, residual, gamma));
      continue;
    }
    const bool is_beside_zero = std::abs(value) < beside_zero;
    if (!independent.add(value, column.head(n)) && !is_beside_zero) {
      note(accepted.dependence, words_about_copy(value, gamma));
      continue;
    }
    vectors.col(static_cast<Eigen::Index>(accepted.values.size())) = column;
    accepted.values.push_back(value);
  }
  QuadraticPairs found;
  const auto count = static_cast<Eigen::Index>(accepted.values.size());
  found.s = Eigen::Map<const Eigen::VectorXcd>(accepted.values.data(), count);
  found.x = vectors.leftCols(count);
  found.radius = radius;
  found.solver = answer.engine;
  return found;
}

// The inertia of the engine replaces factorisations here; of large systems no other count is possible.
void count_here(const EngineProblem& problem, const QuadraticPencil& pencil, const EngineAnswer& answer,
                const ModesOptions& options, QuadraticPairs& found) {
  const EngineRequest& request = problem.request();
  const Stopwatch watch;
  const Gap gap{answer.from, answer.to};
  const UndampedBelow undamped{.exactly = [&](double mu) { return answer.below(mu, request.constraints); },
                               .at_least = {}};
  const std::vector<Complex> known = with_conjugates(found.s);
  std::optional<Index> unknown;
  if (request.unknowns() <= most_counted_here) {
    unknown = DiscCount(problem.bordered(), pencil, request.at, gap, undamped, {options.progress, options.deadline})
                  .unknown(known);
  } else if (request.at == 0.0) {
    const std::optional<Index> inside = count_weakly_damped(problem.bordered(), pencil, gap, undamped);
    if (inside) unknown = *inside - static_cast<Index>(known.size());
  }
  found.counting_seconds = watch.seconds();
  if (!unknown)
    found.uncertainty =
        "the eigenvalues in this region are not counted: the damping is not light enough for inertia, or others lie at "
        "the edge of the region";
  else if (*unknown < 0)
    found.uncertainty = fmt::format("{} eigenvalues were counted in this region, and the engine gives {}",
                                    static_cast<Index>(known.size()) + *unknown, known.size());
  else found.missing = *unknown;
}

std::string reason_about_distance(const EngineRequest& request, const EngineAnswer& answer, const QuadraticPairs& found,
                                  Index asked) {
  if (request.kind == EngineRequest::Kind::band)
    return answer.from < request.to && answer.to < request.to ? "the region of the engine does not cover the band" : "";
  const Index given = static_cast<Index>(found.s.size()), dof = request.coordinates - request.constraints;
  const bool is_all = static_cast<Index>(with_conjugates(found.s).size()) >= 2 * dof;
  if (is_all || given >= asked) return {};
  return fmt::format("the engine has found {} of the {} modes that were asked for", given, asked);
}

Spectrum quadratic_spectrum(const LinearSystem& system, const EngineProblem& problem, const EngineAnswer& answer,
                            const ModesOptions& options) {
  const QuadraticPencil pencil(problem.bordered());
  Accepted accepted;
  QuadraticPairs found = quadratic_pairs_of(problem, answer, accepted);
  if (problem.request().counts) count_here(problem, pencil, answer, options, found);
  const std::string region =
      reason_about_distance(problem.request(), answer, found, requested_count(options.which).value_or(0));
  const bool is_short = found.missing > 0 || !found.uncertainty.empty() || !problem.request().counts;
  Spectrum spectrum = spectrum_of_pairs(system, problem.bordered(), pencil, std::move(found), options);
  mark_uncertified(spectrum, Uncertified::missing, region);
  take_refusals(accepted, is_short, spectrum);
  return spectrum;
}

}  // namespace

Spectrum spectrum_of_answer(const LinearSystem& system, const EngineProblem& problem, const EngineAnswer& answer,
                            const ModesOptions& options) {
  Spectrum spectrum = problem.request().is_quadratic ? quadratic_spectrum(system, problem, answer, options)
                                                     : symmetric_spectrum(system, problem, answer, options);
  if (!answer.is_converged)
    mark_uncertified(spectrum, Uncertified::missing, fmt::format("the engine says: {}", answer.message));
  if (!options.certify) mark_uncertified(spectrum, Uncertified::not_counted);
  return spectrum;
}

FoundModes modes_by_engine(const LinearSystem& system, const EngineProblem& problem, const ModesOptions& options,
                           Method method, const std::string& folder) {
  if (method == Method::ucs)
    throw Error("an engine solves the bordered problem, of which no penalty is a part: method 'ucs' has its own");
  const Stopwatch watch;
  const EngineAnswer answer = read_engine_answer(folder, problem);
  FoundModes found;
  found.method = method;
  found.structure = structure_of(system);
  found.planned = {.engine = Engine::external,
                   .method = method,
                   .why = "it was asked for",
                   .proof = "the inertia that it gives at the ends of the region counts them, or else a count here"};
  found.spectrum = spectrum_of_answer(system, problem, answer, options);
  found.spectrum.method = key_of(method);
  found.spectrum.seconds = watch.seconds();
  found.computed = true;
  return found;
}

FoundModes modes_by_engine(const LinearSystem& system, const ModesOptions& options, Method method,
                           const std::string& folder) {
  return modes_by_engine(system, EngineProblem(system, options), options, method, folder);
}

}  // namespace stillpoint
