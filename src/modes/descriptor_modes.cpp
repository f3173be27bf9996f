// RCS: all eigenvalues of E and A by QZ, and which of them belong to the mechanism.
#include <algorithm>
#include <cmath>

#include "algebra/lapack.h"
#include "base/at.h"
#include "base/in_parallel.h"
#include "base/stopwatch.h"
#include "modes/bordered_problem.h"
#include "modes/filter.h"
#include "modes/finish.h"
#include "modes/inverse_iteration.h"
#include "modes/neighbours.h"
#include "modes/quadratic_modes.h"
#include "modes/vector_errors.h"
#include "stillpoint/modes.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// Violations and residuals of true eigenvectors are rounding, those of spurious ones of the order one.
constexpr double rounding_of_failures = 1e-10;

// What an iteration settles at counts as a root only if its error bar is but a part of it.
constexpr double well_known = 0.01;

// E, A in numbers without units: (q, v, λ) = (S q̂, γ S v̂, W λ̂), rows divided by (γ S, 1/S, 1/W).
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
    E_norm_ = E_.norm();
    A_norm_ = A_.norm();
  }

  PencilEigen solve() const { return solve_pencil(A_.toDense(), E_.toDense()); }

  double backward_error(Complex alpha, double beta, const Eigen::VectorXcd& z) const {
    const Eigen::VectorXcd left_over = beta * (A_ * z) - alpha * (E_ * z);
    return left_over.norm() / ((beta * A_norm_ + std::abs(alpha) * E_norm_) * z.norm());
  }

  // Of q and v = s q the one that is not the small difference of large numbers.
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
  bool is_confirmed = false;  ///< a better vector leads to the same root of (T19), and to no other's
};

Eigen::VectorXcd stacked(const BorderedVector& vector) {
  Eigen::VectorXcd both(vector.coordinates.size() + vector.multipliers.size());
  both << vector.coordinates, vector.multipliers;
  return both;
}

// Left vectors of coinciding eigenvalues that fit the right ones, multipliers included.
void pair_up(std::vector<Candidate*> genuine, const BorderedProblem& problem) {
  std::vector<Eigenpair> pairs;
  for (const Candidate* candidate : genuine) {
    pairs.push_back({candidate->mode.s, stacked(candidate->x), stacked(candidate->y)});
  }
  const Eigen::Index n = problem.coordinate_scale().size();
  stillpoint::pair_up(
      [&](Complex s, const Eigen::VectorXcd& x) -> Eigen::VectorXcd {
        Eigen::VectorXcd slope = Eigen::VectorXcd::Zero(x.size());
        slope.head(n) = problem.slope(s, x.head(n));
        return slope;
      },
      pairs);
  const Eigen::Index r = problem.multiplier_scale().size();
  for (std::size_t i = 0; i < genuine.size(); ++i) {
    genuine[i]->x = {pairs[i].x.head(n), pairs[i].x.tail(r)};
    genuine[i]->y = {pairs[i].y.head(n), pairs[i].y.tail(r)};
  }
}

// Vectors of a conjugate pair: what happens to one happens to the other.
bool mirrors(const Candidate& a, const Candidate& b) {
  const auto is_conjugate = [](const BorderedVector& one, const BorderedVector& other) {
    return one.coordinates == other.coordinates.conjugate() && one.multipliers == other.multipliers.conjugate();
  };
  return a.mode.s.imag() != 0 && is_conjugate(a.x, b.x) && is_conjugate(a.y, b.y);
}

void take_quotient(Candidate& candidate, const BorderedProblem& problem) {
  const RayleighValue value = rayleigh_value(problem.sandwich(candidate.x, candidate.y), candidate.mode.s);
  candidate.mode.s = value.s;
  candidate.mode.error = value.rounding;
}

void refine(Candidate& candidate, const std::vector<Complex>& before, std::size_t of, const BorderedProblem& problem,
            const InverseIteration& iteration) {
  Mode& mode = candidate.mode;
  const BorderedVector &x = candidate.x, &y = candidate.y;
  const std::optional<Refined> refined = iteration.refine(mode.s, x, y);
  candidate.is_confirmed =
      refined && is_same_root(*refined, before, of) && refined->error < well_known * std::abs(refined->s);
  if (!refined) {
    mode.error += problem.condition(mode.s, x.coordinates, y.coordinates) * mode.backward_error * std::abs(mode.s);
  } else if (candidate.is_confirmed) {
    mode.s = refined->s;
    mode.error = refined->error;
  } else {
    mode.error += std::abs(refined->s - mode.s) + refined->error;
  }
}

void take_mirrored(Candidate& candidate, const Candidate& other) {
  candidate.mode.s = std::conj(other.mode.s);
  candidate.mode.error = other.mode.error;
  candidate.is_confirmed = other.is_confirmed;
}

// By the quotient of the vectors that QZ found, and of better ones: these tell how far the first were off. Among near
// neighbours an iteration might end at another, so there the difference is only part of the error bar.
void finish_values(const std::vector<Candidate*>& genuine, const BorderedProblem& problem) {
  const InverseIteration iteration(problem);
  const auto count = static_cast<Index>(genuine.size());
  const bool pays = iteration.is_much_work(genuine.size());
  in_parallel(
      count, [&](Index i) { take_quotient(*genuine[at(i)], problem); }, pays);
  std::vector<Complex> before;
  for (const Candidate* candidate : genuine) before.push_back(candidate->mode.s);
  std::vector<char> is_mirrored(genuine.size());
  for (std::size_t i = 1; i < genuine.size(); ++i) {
    is_mirrored[i] = before[i] == std::conj(before[i - 1]) && mirrors(*genuine[i], *genuine[i - 1]);
  }
  const auto refine_one = [&](Index i) {
    if (!is_mirrored[at(i)]) refine(*genuine[at(i)], before, at(i), problem, iteration);
  };
  in_parallel(count, refine_one, pays);
  for (std::size_t i = 1; i < genuine.size(); ++i) {
    if (is_mirrored[i]) take_mirrored(*genuine[i], *genuine[i - 1]);
  }
  std::vector<BorderedPair> pairs;
  for (std::size_t i = 0; i < genuine.size(); ++i) pairs.push_back({before[i], &genuine[i]->x, &genuine[i]->y});
  const Eigen::VectorXd of_vectors = errors_of_vectors(problem, pairs);
  for (std::size_t i = 0; i < genuine.size(); ++i) genuine[i]->mode.error += of_vectors[static_cast<Eigen::Index>(i)];
}

// Where failures do not tell the two sets apart: those that are roots of (T19), if they are as many as must be; zeros
// by structure have no iteration to confirm them, and are the least. False if they are not.
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
  doubt(spectrum, count.doubt);
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
    failures.push_back({mode.residual, std::abs(mode.s)});  // masses that are rounding make true eigenvalues, far out
    candidates.push_back(std::move(candidate));
  }

  Separation separation = separate(failures, count.eigenvalues, rounding_of_failures);
  std::vector<Candidate*> possible;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].mode.kind = separation.kinds[i];
    if (separation.kinds[i] != ModeClass::spurious) possible.push_back(&candidates[i]);
  }
  pair_up(possible, problem);
  finish_values(possible, problem);
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
  doubt(spectrum, put_structural_zeros(spectrum, count.at_zero));
  widen_by_neighbours(spectrum.modes, system, problem);
  finish(spectrum, system, problem, options);
  spectrum.seconds = watch.seconds();
  return spectrum;
}

}  // namespace stillpoint
