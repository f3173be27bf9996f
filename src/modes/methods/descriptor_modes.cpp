// RCS: all eigenvalues of the matrix pencil (E, A) by QZ [Moler & Stewart 1973], and the filter that separates true
// from spurious ones, theory (7.1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algebra/dense/lapack.h"
#include "base/at.h"
#include "base/in_parallel.h"
#include "base/stopwatch.h"
#include "modes/accuracy/equilibrium_error.h"
#include "modes/accuracy/filter.h"
#include "modes/accuracy/finish.h"
#include "modes/accuracy/inverse_iteration.h"
#include "modes/accuracy/vector_errors.h"
#include "modes/dense/quadratic_modes.h"
#include "modes/problem/bordered_problem.h"
#include "modes/tolerances.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// E and A without units: (q, v, λ) = (S q̂, γ S v̂, W λ̂), with rows divided by (γ S, 1/S, 1/W).
class ScaledPencil {
 public:
  ScaledPencil(const DescriptorForm& form, const BorderedProblem& problem)
      : n_(form.n), r_(form.r), moved_(form.moved) {
    const double gamma = gamma_ = problem.frequency_scale();
    const Eigen::VectorXd &S = problem.coordinate_scale(), &W = problem.multiplier_scale();
    Eigen::VectorXd rows(2 * n_ + r_), columns(2 * n_ + r_);
    rows << (gamma * S).cwiseInverse(), S, W;
    columns << S, gamma * S, W;
    E_ = (gamma * rows).asDiagonal() * form.E * columns.asDiagonal();
    A_ = rows.asDiagonal() * form.A * columns.asDiagonal();
    S_ = S;
    W_ = W;
    if (rows.size() == 0) return;  // Eigen has no norm of a sparse matrix without rows
    E_norm_ = E_.norm();
    A_norm_ = A_.norm();
  }

  PencilEigen solve() const { return solve_pencil(A_.toDense(), E_.toDense()); }

  double backward_error(Complex alpha, double beta, const Eigen::VectorXcd& z) const {
    const Eigen::VectorXcd residual_vector = beta * (A_ * z) - alpha * (E_ * z);
    return residual_vector.norm() / ((beta * A_norm_ + std::abs(alpha) * E_norm_) * z.norm());
  }

  // Takes q or v = s q, whichever is not a small difference of large numbers.
  BorderedVector right(Complex s, const Eigen::VectorXcd& z) const {
    const Complex s_hat = s / gamma_;
    const Eigen::VectorXcd q = std::abs(s_hat) > 1 ? Eigen::VectorXcd(z.segment(n_, n_) / s_hat) : z.head(n_);
    const Complex rate = moved_.Jt_on_rates ? s : 1;
    return {S_.cwiseProduct(q), rate * W_.cwiseProduct(z.tail(r_))};
  }
  BorderedVector left(Complex s, const Eigen::VectorXcd& z) const {
    const Complex rate = moved_.J_on_velocities ? std::conj(s) : 1;
    return {S_.cwiseProduct(z.segment(n_, n_)), rate * W_.cwiseProduct(z.tail(r_))};
  }

 private:
  Eigen::Index n_, r_;
  DescriptorOptions moved_;
  double gamma_ = 1;
  SparseMatrix E_, A_;
  Eigen::VectorXd S_, W_;
  double E_norm_ = 0, A_norm_ = 0;
};

Mode infinite_mode() {
  Mode mode;
  mode.s = {std::numeric_limits<double>::infinity(), 0};
  mode.kind = ModeClass::spurious;
  return mode;
}

struct Candidate {
  Mode mode;
  BorderedVector x, y;
  bool is_confirmed = false;  ///< a refined vector leads to the same root of theory (6.1), and to no root of another
};

Eigen::VectorXcd stacked(const BorderedVector& vector) {
  Eigen::VectorXcd both(vector.coordinates.size() + vector.multipliers.size());
  both << vector.coordinates, vector.multipliers;
  return both;
}

// Makes the left vectors of coinciding eigenvalues biorthogonal to the right ones, multipliers included.
void pair_up(std::vector<Candidate*> genuine, const BorderedProblem& problem) {
  std::vector<Eigenpair> pairs;
  for (const Candidate* candidate : genuine) {
    pairs.push_back({candidate->mode.s, stacked(candidate->x), stacked(candidate->y)});
  }
  const Eigen::Index n = problem.coordinate_scale().size();
  stillpoint::pair_up(
      [&](Complex s, const Eigen::VectorXcd& x) -> Eigen::VectorXcd {
        Eigen::VectorXcd derivative = Eigen::VectorXcd::Zero(x.size());
        derivative.head(n) = problem.derivative(s, x.head(n));
        return derivative;
      },
      pairs);
  const Eigen::Index r = problem.multiplier_scale().size();
  for (std::size_t i = 0; i < genuine.size(); ++i) {
    genuine[i]->x = {pairs[i].x.head(n), pairs[i].x.tail(r)};
    genuine[i]->y = {pairs[i].y.head(n), pairs[i].y.tail(r)};
  }
}

// Tells whether the vectors are conjugates, so that one result holds for both.
bool are_conjugate(const Candidate& a, const Candidate& b) {
  const auto is_conjugate = [](const BorderedVector& one, const BorderedVector& other) {
    return one.coordinates == other.coordinates.conjugate() && one.multipliers == other.multipliers.conjugate();
  };
  return a.mode.s.imag() != 0 && is_conjugate(a.x, b.x) && is_conjugate(a.y, b.y);
}

void take_quotient(Candidate& candidate, const BorderedProblem& problem) {
  const Complex before = candidate.mode.s;
  const RayleighValue value = rayleigh_value(problem.modal_coefficients(candidate.x, candidate.y), candidate.mode.s);
  candidate.mode.s = value.s;
  candidate.mode.error = value.rounding;
  if (value.rounding > 0) return;
  // QZ may leave no left vector of a zero at all; the right one takes its place in the bound.
  candidate.mode.s = before;
  const BorderedVector left{candidate.x.coordinates.conjugate(), candidate.x.multipliers.conjugate()};
  candidate.mode.error = rayleigh_value(problem.modal_coefficients(candidate.x, left), before).rounding;
}

void refine(Candidate& candidate, const std::vector<Complex>& before, std::size_t of, const BorderedProblem& problem,
            const InverseIteration& iteration) {
  Mode& mode = candidate.mode;
  const BorderedVector &x = candidate.x, &y = candidate.y;
  const std::optional<Refined> refined = iteration.refine(mode.s, x, y);
  candidate.is_confirmed = refined && is_same_root(*refined, before, of) &&
                           refined->error < tolerance::confirmed_error * std::abs(refined->s);
  if (!refined && mode.s == 0.0) return;  // its condition number is infinite
  if (!refined) {
    mode.error += problem.condition(mode.s, x.coordinates, y.coordinates) * mode.backward_error * std::abs(mode.s);
  } else if (candidate.is_confirmed) {
    mode.s = refined->s;
    mode.error = refined->error;
  } else {
    mode.error += std::abs(refined->s - mode.s) + refined->error;
  }
}

void take_conjugate_copies(Candidate& candidate, const Candidate& other) {
  candidate.mode.s = std::conj(other.mode.s);
  candidate.mode.error = other.mode.error;
  candidate.is_confirmed = other.is_confirmed;
}

// Returns the values with those that are zero by structure put there. What rounding has made of a double zero says
// nothing about how its motion resists a rate: the defective pair is felt by others as its inertia and damping.
std::vector<Complex> with_zeros(std::vector<Complex> values, Index by_structure) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(values[a]) < std::abs(values[b]); });
  for (std::size_t i = 0; i < std::min(at(by_structure), order.size()); ++i) values[order[i]] = 0;
  return values;
}

// Takes the quotient of the vectors from QZ and that of refined ones, whose difference measures the error of the first.
// Among close eigenvalues an iteration might converge to another one, so there the difference only joins the error
// bound.
void finish_values(const std::vector<Candidate*>& genuine, const BorderedProblem& problem, Index zeros_by_structure) {
  const InverseIteration iteration(problem);
  const auto count = static_cast<Index>(genuine.size());
  const bool pays = iteration.pays_in_parallel(genuine.size());
  in_parallel(
      count, [&](Index i) { take_quotient(*genuine[at(i)], problem); }, pays);
  std::vector<Complex> before;
  for (const Candidate* candidate : genuine) before.push_back(candidate->mode.s);
  const std::vector<Complex> values = with_zeros(before, zeros_by_structure);
  std::vector<char> is_conjugate_copy(genuine.size());
  for (std::size_t i = 1; i < genuine.size(); ++i) {
    is_conjugate_copy[i] = before[i] == std::conj(before[i - 1]) && are_conjugate(*genuine[i], *genuine[i - 1]);
  }
  const auto refine_one = [&](Index i) {
    if (!is_conjugate_copy[at(i)] && values[at(i)] != 0.0) refine(*genuine[at(i)], before, at(i), problem, iteration);
  };
  in_parallel(count, refine_one, pays);
  for (std::size_t i = 1; i < genuine.size(); ++i) {
    if (is_conjugate_copy[i]) take_conjugate_copies(*genuine[i], *genuine[i - 1]);
  }
  std::vector<BorderedPair> pairs;
  for (std::size_t i = 0; i < genuine.size(); ++i) pairs.push_back({values[i], &genuine[i]->x, &genuine[i]->y});
  const Eigen::VectorXd of_vectors = errors_of_vectors(problem, pairs);
  for (std::size_t i = 0; i < genuine.size(); ++i) genuine[i]->mode.error += of_vectors[static_cast<Eigen::Index>(i)];
}

// QZ may return an exact zero for a value that is not zero.
std::string reason_about_further_zeros(const std::vector<Mode>& modes, Index by_structure) {
  const auto zeros = std::count_if(modes.begin(), modes.end(),
                                   [](const Mode& mode) { return mode.kind == ModeClass::genuine && mode.s == 0.0; });
  if (zeros <= by_structure) return {};
  return fmt::format("{} eigenvalues came out as zero, of which only {} are zero by structure", zeros, by_structure);
}

// If the failures do not separate the two sets, takes the confirmed roots of theory (6.1), if their number agrees with
// the count. Zeros by structure cannot be confirmed by iteration; they are the least of the others. Returns false
// otherwise.
bool choose_confirmed(const std::vector<Candidate*>& among, const TrueCount& count) {
  std::vector<Candidate*> others;
  Index missing = count.eigenvalues;
  for (Candidate* candidate : among) {
    if (candidate->is_confirmed) --missing;
    else others.push_back(candidate);
  }
  if (missing < 0 || missing > count.at_zero || at(missing) > others.size()) return false;
  std::stable_sort(others.begin(), others.end(),
                   [](const Candidate* a, const Candidate* b) { return std::abs(a->mode.s) < std::abs(b->mode.s); });
  for (Candidate* candidate : among) {
    const bool is_zero = std::find(others.begin(), others.begin() + missing, candidate) != others.begin() + missing;
    candidate->mode.kind = candidate->is_confirmed || is_zero ? ModeClass::genuine : ModeClass::spurious;
  }
  return true;
}

}  // namespace

Spectrum solve_modes(const LinearSystem& system, const DescriptorForm& form, const TrueCount& count,
                     const ModesOptions& options) {
  const Stopwatch watch;
  Spectrum spectrum{.method = "rcs", .solver = "dense QZ", .size = 2 * form.n + form.r, .expected = count.eigenvalues};
  require_dense_order(spectrum.size, "the descriptor form");
  mark_uncertified(spectrum, Uncertified::rank_unclear, count.uncertainty);
  const BorderedProblem problem(system);
  const ScaledPencil pencil(form, problem);
  const PencilEigen found = pencil.solve();

  std::vector<Candidate> candidates;
  std::vector<Failure> failures;
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    if (found.is_infinite(i)) {
      spectrum.modes.push_back(infinite_mode());
      continue;
    }
    Candidate candidate;
    Mode& mode = candidate.mode;
    mode.s = problem.frequency_scale() * found.value(i);
    mode.backward_error = pencil.backward_error(found.alpha[i], found.beta[i], found.right.col(i));
    candidate.x = pencil.right(mode.s, found.right.col(i));
    candidate.y = pencil.left(mode.s, found.left.col(i));
    mode.violation = problem.violation(candidate.x.coordinates);
    mode.residual = problem.residual(mode.s, candidate.x.coordinates, problem.forces(candidate.x.multipliers));
    failures.push_back({mode.residual, std::abs(mode.s)});  // masses that are rounding cause true eigenvalues far out
    candidates.push_back(std::move(candidate));
  }

  Separation separation = separate(failures, count.eigenvalues, tolerance::rounding_of_failures);
  std::vector<Candidate*> possible;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].mode.kind = separation.kinds[i];
    if (separation.kinds[i] != ModeClass::spurious) possible.push_back(&candidates[i]);
  }
  pair_up(possible, problem);
  finish_values(possible, problem, count.at_zero);
  if (!separation.agrees) separation.agrees = choose_confirmed(possible, count);
  report(separation, spectrum);
  for (Candidate& candidate : candidates) {
    Mode& mode = candidate.mode;
    mode.condition = problem.condition(mode.s, candidate.x.coordinates, candidate.y.coordinates);
    if (mode.kind != ModeClass::genuine) {
      mode.error = mode.condition * mode.backward_error * std::abs(mode.s);
    }
    mode.shape = std::move(candidate.x.coordinates);
    mode.left = std::move(candidate.y.coordinates);
    normalise(mode, problem);
    spectrum.modes.push_back(std::move(mode));
  }
  mark_uncertified(spectrum, Uncertified::zeros_unclear, put_structural_zeros(spectrum, count.at_zero));
  mark_uncertified(spectrum, Uncertified::zeros_unclear, reason_about_further_zeros(spectrum.modes, count.at_zero));
  widen_by_equilibrium_error(spectrum.modes, system, problem);
  mark_uncertified(spectrum, Uncertified::loose_error_bound,
                   reason_about_loose_bounds(spectrum.modes, tolerance::loose_bound_of_qz));
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
