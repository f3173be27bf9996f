#include "modes/penalty/penalty_correction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/at.h"
#include "base/in_parallel.h"
#include "modes/accuracy/finish.h"
#include "modes/tolerances.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// Estimates the second order of compliance. It couples motions i and j by about √(δᵢ δⱼ), where δ is the change of
// each, so the second order is Σ δᵢ δⱼ / |sᵢ − sⱼ| over the other motions and those of the constraints near the roots
// of g.
double second_order(const Mode& mode, const std::vector<Mode>& modes, const PenaltyForm& form) {
  double sum = 0;
  const auto add = [&](double coupling, Complex other) {
    const double distance = std::abs(other - mode.s);
    if (distance > coupling) sum += mode.penalty_error * coupling / distance;
  };
  for (const Mode& other : modes) {
    if (&other != &mode && other.kind == ModeClass::genuine) add(other.penalty_error, other.s);
  }
  for (const Complex root : form.roots_of_g()) add(mode.penalty_error, root);
  return tolerance::safety_of_compliance * sum;
}

/// Bounds the effect of rounding in the penalty problem on s and on the mixing of close vectors. Beside a double root
/// near zero it is s² that moves.
double own_rounding(const Mode& mode) {
  const double relative = mode.condition * mode.backward_error;
  return std::abs(mode.s) * std::min(relative, std::sqrt(2 * relative));
}

// Stands for a value that is close to no other.
constexpr Complex no_close_value{std::numeric_limits<double>::infinity(), 0};

// Tells whether mode i is the conjugate of the one before it, vectors included, so that its results are the same.
bool is_conjugate_copy(const std::vector<Mode>& modes, std::size_t i) {
  if (!(modes[i].s.imag() < 0) || !is_second_of_pair(modes, i)) return false;
  const Mode &mode = modes[i], &other = modes[i - 1];
  return mode.shape == other.shape.conjugate() && mode.left == other.left.conjugate();
}

}  // namespace

Eigen::VectorXcd Correction::multipliers(Complex g, const Eigen::VectorXcd& x) const {
  return g * form.alpha.cwiseProduct(form.J * x);
}

ModalCoefficients Correction::modal_coefficients(const Mode& mode) const {
  const Complex g = form.g(mode.s);
  const Eigen::VectorXcd lambda = multipliers(g, mode.shape), mu = multipliers(std::conj(g), mode.left);
  const Eigen::VectorXcd Jx = system.J * mode.shape, Jy = system.J * mode.left;
  const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(problem.J().rows());
  ModalCoefficients at = problem.modal_coefficients({mode.shape, none}, {mode.left, none});
  at.k += Jy.dot(lambda) + mu.dot(Jx);
  // J x itself is a sum with cancellation, so its magnitudes are taken.
  const Eigen::VectorXd Jx_magnitude = system.J.cwiseAbs() * mode.shape.cwiseAbs();
  const Eigen::VectorXd Jy_magnitude = system.J.cwiseAbs() * mode.left.cwiseAbs();
  at.k_magnitude += Jy_magnitude.dot(lambda.cwiseAbs()) + Jx_magnitude.dot(mu.cwiseAbs());
  return at;
}

namespace {

void correct_to_first_order(Mode& mode, const Correction& correction) {
  if (mode.s == 0.0) {  // by structure
    mode.corrected = mode.penalty_error = mode.corrected_error = 0;
    return;
  }
  const RayleighValue value = rayleigh_value(correction.modal_coefficients(mode), mode.s);
  mode.corrected = value.s;
  mode.penalty_error = value.change;
  mode.corrected_error = value.rounding;
}

/// The refined value, and whether it certainly belongs to the mode.
struct Result {
  Refined refined;
  bool is_confirmed = true;
};

Result result_of(std::size_t i, const std::vector<Mode>& modes, const std::vector<Complex>& first,
                 const Correction& correction, const InverseIteration& iteration, std::optional<Refined> refined) {
  const Mode& mode = modes[i];
  const auto to_second_order = [&]() -> Refined {
    return {mode.corrected, mode.corrected_error + second_order(mode, modes, correction.form)};
  };
  if (mode.kind != ModeClass::genuine || mode.s == 0.0) return {to_second_order()};
  if (!refined) {
    const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(correction.problem.J().rows());
    refined = iteration.refine(mode.corrected, {mode.shape, none}, {mode.left, none});
  }
  const bool stays = refined && is_same_root(*refined, first, i);
  Refined result = stays ? *refined : to_second_order();
  // Without a step the value cannot be distinguished from zero.
  const double moved = std::abs(mode.corrected - (refined ? refined->s : 0));
  if (!stays) result.error += tolerance::safety_of_close_values * (moved + mode.penalty_error) + own_rounding(mode);
  if (stays && result.error > tolerance::wide_bound * std::abs(result.s))
    result.error = tolerance::safety_of_wide_bound * result.error + own_rounding(mode);
  return {result, stays};
}

void take(const Refined& refined, Mode& mode) {
  mode.corrected = refined.s;
  mode.corrected_error = refined.error;
  if (mode.s == 0.0) return;  // its error is unchanged
  mode.penalty_error = std::abs(mode.s - mode.corrected);
  mode.error = mode.penalty_error + mode.corrected_error;
}

void take_conjugate_copies(Mode& mode, const Mode& other) {
  mode.corrected = std::conj(other.corrected);
  mode.corrected_error = other.corrected_error;
  mode.penalty_error = other.penalty_error;
  mode.error = other.error;
}

}  // namespace

bool correct(std::vector<Mode>& modes, const Correction& correction,
             const std::vector<std::optional<Refined>>& at_hand) {
  const InverseIteration iteration(correction.problem);  // theory (5.4)
  const bool pays = iteration.pays_in_parallel(modes.size());
  std::vector<char> conjugate_copies(modes.size());
  std::vector<std::size_t> different;  // only these are work for threads
  for (std::size_t i = 0; i < modes.size(); ++i) {
    conjugate_copies[i] = is_conjugate_copy(modes, i);
    if (!conjugate_copies[i]) different.push_back(i);
  }
  const auto count = static_cast<Index>(different.size());
  in_parallel(
      count, [&](Index k) { correct_to_first_order(modes[different[at(k)]], correction); }, pays);
  std::vector<Complex> first;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (conjugate_copies[i]) take_conjugate_copies(modes[i], modes[i - 1]);
    first.push_back(modes[i].kind == ModeClass::genuine ? modes[i].corrected : no_close_value);
  }

  std::vector<Result> results(modes.size());
  const auto to_the_end = [&](Index k) {
    const std::size_t i = different[at(k)];
    const std::optional<Refined> known = at_hand.empty() ? std::nullopt : at_hand[i];
    results[i] = result_of(i, modes, first, correction, iteration, known);
  };
  in_parallel(count, to_the_end, pays);
  bool are_confirmed = true;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (conjugate_copies[i]) {
      take_conjugate_copies(modes[i], modes[i - 1]);
    } else {
      take(results[i].refined, modes[i]);
      are_confirmed &= results[i].is_confirmed;
    }
  }
  return are_confirmed;
}

}  // namespace stillpoint
