#include "modes/penalty_correction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/at.h"
#include "base/in_parallel.h"
#include "modes/finish.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

// What the first order leaves, roughly. Compliance couples motions i and j by about √(δᵢ δⱼ), δ: what it changes in
// each, so the second order is Σ δᵢ δⱼ / |sᵢ − sⱼ|, over the other motions and the constraints' own, near the roots of
// g. (Measured on 150 random systems: the sum falls short by a factor of up to 4, because constraints couple more than
// δ tells.)
constexpr double more_than_the_sum = 10;

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
  return more_than_the_sum * sum;
}

// Among neighbours, whose vectors compliance mixes, the first order may be as wrong as it is large (measured on 460 000
// random mechanisms: but for one up to 4 times, that one 8 times).
constexpr double unsure = 12;
// Beside a double root near zero a bar is the square root of rounding, and as long as its value: others are there, too,
// and its vectors are worse (measured on 20 000 random mechanisms: up to three times as far off).
constexpr double long_bar = 0.01, further_off = 4;

/// How far rounding of the penalty problem may have moved s and mixed its vectors with those of its neighbours: beside
/// a double root near zero s² is what moves.
double own_rounding(const Mode& mode) {
  const double relative = mode.condition * mode.backward_error;
  return std::abs(mode.s) * std::min(relative, std::sqrt(2 * relative));
}

constexpr Complex far_away{std::numeric_limits<double>::infinity(), 0};  // not a neighbour

// The conjugate of the one before it: what happens to it is the same.
bool is_mirrored(const std::vector<Mode>& modes, std::size_t i) {
  if (!(modes[i].s.imag() < 0) || !is_second_of_pair(modes, i)) return false;
  const Mode &mode = modes[i], &other = modes[i - 1];
  return mode.shape == other.shape.conjugate() && mode.left == other.left.conjugate();
}

}  // namespace

Eigen::VectorXcd Correction::multipliers(Complex g, const Eigen::VectorXcd& x) const {
  return g * form.alpha.cwiseProduct(form.J * x);
}

Sandwich Correction::sandwich(const Mode& mode) const {
  const Complex g = form.g(mode.s);
  const Eigen::VectorXcd lambda = multipliers(g, mode.shape), mu = multipliers(std::conj(g), mode.left);
  const Eigen::VectorXcd Jx = system.J * mode.shape, Jy = system.J * mode.left;
  const Eigen::VectorXcd none = Eigen::VectorXcd::Zero(problem.J().rows());
  Sandwich at = problem.sandwich({mode.shape, none}, {mode.left, none});
  at.k += Jy.dot(lambda) + mu.dot(Jx);
  const Eigen::VectorXd Jx_size = system.J.cwiseAbs() * mode.shape.cwiseAbs();  // J x itself is what terms leave
  const Eigen::VectorXd Jy_size = system.J.cwiseAbs() * mode.left.cwiseAbs();
  at.k_size += Jy_size.dot(lambda.cwiseAbs()) + Jx_size.dot(mu.cwiseAbs());
  return at;
}

namespace {

void correct_to_first_order(Mode& mode, const Correction& correction) {
  if (mode.s == 0.0) {  // by structure
    mode.corrected = mode.penalty_error = mode.corrected_error = 0;
    return;
  }
  const RayleighValue value = rayleigh_value(correction.sandwich(mode), mode.s);
  mode.corrected = value.s;
  mode.penalty_error = value.change;
  mode.corrected_error = value.rounding;
}

/// What the corrected value was refined to, and whether that is certainly its own.
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
  const double moved = std::abs(mode.corrected - (refined ? refined->s : 0));  // without a step: not told from zero
  if (!stays) result.error += unsure * (moved + mode.penalty_error) + own_rounding(mode);
  if (stays && result.error > long_bar * std::abs(result.s))
    result.error = further_off * result.error + own_rounding(mode);
  return {result, stays};
}

void take(const Refined& refined, Mode& mode) {
  mode.corrected = refined.s;
  mode.corrected_error = refined.error;
  if (mode.s == 0.0) return;  // its error is what it was
  mode.penalty_error = std::abs(mode.s - mode.corrected);
  mode.error = mode.penalty_error + mode.corrected_error;
}

void take_mirrored(Mode& mode, const Mode& other) {
  mode.corrected = std::conj(other.corrected);
  mode.corrected_error = other.corrected_error;
  mode.penalty_error = other.penalty_error;
  mode.error = other.error;
}

}  // namespace

bool correct(std::vector<Mode>& modes, const Correction& correction,
             const std::vector<std::optional<Refined>>& at_hand) {
  const auto count = static_cast<Index>(modes.size());
  const InverseIteration iteration(correction.problem);  // (T17a)
  const bool pays = iteration.is_much_work(modes.size());
  std::vector<char> mirrored(modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i) mirrored[i] = is_mirrored(modes, i);
  const auto to_first_order = [&](Index i) {
    if (!mirrored[at(i)]) correct_to_first_order(modes[at(i)], correction);
  };
  in_parallel(count, to_first_order, pays);
  std::vector<Complex> first;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (mirrored[i]) take_mirrored(modes[i], modes[i - 1]);
    first.push_back(modes[i].kind == ModeClass::genuine ? modes[i].corrected : far_away);
  }

  std::vector<Result> results(modes.size());
  const auto to_the_end = [&](Index i) {
    if (mirrored[at(i)]) return;
    const std::optional<Refined> known = at_hand.empty() ? std::nullopt : at_hand[at(i)];
    results[at(i)] = result_of(at(i), modes, first, correction, iteration, known);
  };
  in_parallel(count, to_the_end, pays);
  bool are_confirmed = true;
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (mirrored[i]) {
      take_mirrored(modes[i], modes[i - 1]);
    } else {
      take(results[i].refined, modes[i]);
      are_confirmed &= results[i].is_confirmed;
    }
  }
  return are_confirmed;
}

}  // namespace stillpoint
