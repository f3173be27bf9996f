#include "modes/accuracy/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "modes/accuracy/selection.h"
#include "modes/tolerances.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr Index largest_dense = 12000;  // 1.2 GB for each matrix of QZ, and hours

// Sorts by |s|; of a conjugate pair the member with Im s > 0 comes first, also where |s| differs by rounding.
bool comes_before(const Mode& a, const Mode& b) {
  if (a.is_infinite() || b.is_infinite()) return !a.is_infinite() && b.is_infinite();
  const double magnitude_a = std::abs(a.s), magnitude_b = std::abs(b.s);
  if (magnitude_a != magnitude_b) return magnitude_a < magnitude_b;
  if (std::abs(a.s.imag()) != std::abs(b.s.imag())) return std::abs(a.s.imag()) < std::abs(b.s.imag());
  return a.s.imag() > b.s.imag();
}

void sort(std::vector<Mode>& modes) {
  std::stable_sort(modes.begin(), modes.end(), comes_before);
  // Of equal pairs each member stands beside its conjugate.
  for (std::size_t i = 0; i + 1 < modes.size(); ++i) {
    if (modes[i].is_infinite() || modes[i].s.imag() == 0) continue;
    for (std::size_t j = i + 1; j < modes.size(); ++j) {
      if (modes[j].is_infinite() || std::abs(modes[j].s) > (1 + tolerance::copies) * std::abs(modes[i].s)) break;
      if (modes[j].kind != modes[i].kind ||
          std::abs(modes[j].s - std::conj(modes[i].s)) > tolerance::copies * std::abs(modes[i].s)) {
        continue;
      }
      std::rotate(modes.begin() + static_cast<std::ptrdiff_t>(i) + 1, modes.begin() + static_cast<std::ptrdiff_t>(j),
                  modes.begin() + static_cast<std::ptrdiff_t>(j) + 1);
      if (modes[i].s.imag() < 0) std::swap(modes[i], modes[i + 1]);
      modes[i + 1].s = std::conj(modes[i].s);  // the problem is real, so the difference is rounding
      modes[i + 1].corrected = std::conj(modes[i].corrected);
      modes[i].error = modes[i + 1].error = std::max(modes[i].error, modes[i + 1].error);
      ++i;
      break;
    }
  }
}

bool are_parallel(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  return std::abs(a.dot(b)) >= (1 - tolerance::dependent_vectors) * a.norm() * b.norm();
}

// Defective eigenvalues have parallel vectors, and each is known no better than the least known one whose bound reaches
// it.
void share_error_bounds(std::vector<Mode>& modes, const Eigen::VectorXd& scale) {
  const auto in_numbers = [&](const Eigen::VectorXcd& x) { return Eigen::VectorXcd(x.cwiseQuotient(scale)); };
  std::vector<double> errors;
  for (const Mode& mode : modes) errors.push_back(mode.error);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i].kind != ModeClass::genuine || modes[i].s == 0.0) continue;
    for (const Mode& other : modes) {
      if (other.kind != ModeClass::genuine || !(other.error > errors[i]) ||
          !(std::abs(other.s - modes[i].s) < other.error))
        continue;
      if (are_parallel(in_numbers(modes[i].shape), in_numbers(other.shape)) &&
          are_parallel(in_numbers(modes[i].left), in_numbers(other.left)))
        errors[i] = other.error;
    }
  }
  for (std::size_t i = 0; i < modes.size(); ++i) modes[i].error = errors[i];
}

// An infinite bound replaces one that is not a number: at a defective eigenvalue the derivative of the pencil may
// vanish.
std::string reason_about_unknown(std::vector<Mode>& modes) {
  std::string uncertainty;
  for (Mode& mode : modes) {
    if (mode.kind != ModeClass::genuine || mode.is_infinite() || std::isfinite(mode.error)) continue;
    mode.error = std::numeric_limits<double>::infinity();
    uncertainty = fmt::format("no error bound can be computed for an eigenvalue near {:.3g} rad/s: it is defective",
                              std::abs(mode.s));
  }
  return uncertainty;
}

void count_multiplicities(std::vector<Mode>& modes) {
  for (Mode& mode : modes) {
    mode.multiplicity = static_cast<Index>(std::count_if(modes.begin(), modes.end(), [&](const Mode& other) {
      return !other.is_infinite() && !mode.is_infinite() && other.kind == mode.kind &&
             (&other == &mode || std::norm(other.s - mode.s) <= std::pow(other.error + mode.error, 2));
    }));
  }
}

// The multipliers are known up to Σ c ν, so s depends on c unless all B = ∂(Jᵀν)/∂q vanish on x.
void mark_arbitrary(std::vector<Mode>& modes, const LinearSystem& system) {
  for (const SparseMatrix& B : system.free_stiffness) {
    for (Mode& mode : modes) {
      if (mode.shape.size() == 0) continue;
      // Only forces on possible motions matter, which the shapes of all modes span.
      const Eigen::VectorXcd force = B * mode.shape;
      for (const Mode& other : modes) {
        if (other.kind != ModeClass::genuine || other.shape.size() == 0) continue;
        const double felt = std::abs(other.shape.dot(force));
        if (felt > 1e-8 * B.norm() * other.shape.norm() * mode.shape.norm()) mode.depends_on_constraint_scaling = true;
      }
    }
  }
}

}  // namespace

std::string reason_about_loose_bounds(const std::vector<Mode>& modes, double loose) {
  for (const Mode& mode : modes) {
    if (mode.kind == ModeClass::genuine && mode.s != 0.0 && mode.error > loose * std::abs(mode.s))
      return fmt::format("an eigenvalue of {:.3g} rad/s is hardly known: its error bound is {:.2g}", std::abs(mode.s),
                         mode.error);
  }
  return {};
}

Mode conjugate(Mode mode) {
  if (mode.s != 0.0) mode.s = std::conj(mode.s);
  mode.shape = mode.shape.conjugate();
  mode.left = mode.left.conjugate();
  return mode;
}

bool is_second_of_pair(const std::vector<Mode>& modes, std::size_t i) {
  return i > 0 && modes[i].kind == modes[i - 1].kind && modes[i].s.imag() != 0 &&
         modes[i].s == std::conj(modes[i - 1].s);
}

std::vector<Mode> with_conjugate_copies(std::vector<Mode> different, const std::vector<Eigenpair>& pairs) {
  std::vector<Mode> modes;
  modes.reserve(pairs.size());
  auto next = different.begin();
  for (const Eigenpair& pair : pairs)
    modes.push_back(pair.is_conjugate_copy ? conjugate(modes.back()) : std::move(*next++));
  return modes;
}

void normalise(Mode& mode, const BorderedProblem& problem) {
  const auto by_largest = [](Eigen::VectorXcd x) {
    Eigen::Index largest = 0;
    if (x.size() > 0 && x.cwiseAbs().maxCoeff(&largest) > 0) x /= Complex(x[largest]);
    return x;
  };
  const bool is_conjugate = mode.left.is_kept_as_conjugate_of(mode.shape);
  mode.shape = by_largest(std::move(mode.shape));
  mode.left = is_conjugate ? mode.shape.conjugate() : ModeVector(by_largest(std::move(mode.left)));
  const Eigen::VectorXcd derivative = problem.derivative(mode.s, mode.shape);
  const Complex product = mode.left.dot(derivative);
  const double size = mode.left.norm() * derivative.norm();
  if (std::abs(product) > 1e-14 * size) mode.left /= std::conj(product);
}

std::string put_structural_zeros(Spectrum& spectrum, Index count) {
  if (count == 0) return {};
  std::vector<Mode*> genuine;
  for (Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine && !mode.is_infinite()) genuine.push_back(&mode);
  }
  std::stable_sort(genuine.begin(), genuine.end(),
                   [](const Mode* a, const Mode* b) { return std::abs(a->s) < std::abs(b->s); });
  std::string uncertainty;
  const auto zeros = std::min(static_cast<std::size_t>(count), genuine.size());
  if (zeros < genuine.size() &&
      std::abs(genuine[zeros - 1]->s) > tolerance::zero_to_next * std::abs(genuine[zeros]->s)) {
    uncertainty = fmt::format(
        "{} eigenvalues are zero by structure, but the magnitude of the {}th computed one is {:.3g}, and that of the "
        "next {:.3g}",
        count, zeros, std::abs(genuine[zeros - 1]->s), std::abs(genuine[zeros]->s));
  }
  // A double zero is defective, and the vectors of a copy may say nothing about it: then the bounds of the others hold,
  // or else the largest distance from zero at which rounding has put any of them.
  double largest_bound = 0, farthest = 0;
  for (std::size_t i = 0; i < zeros; ++i) {
    farthest = std::max(farthest, std::abs(genuine[i]->s));
    if (std::isfinite(genuine[i]->error)) largest_bound = std::max(largest_bound, genuine[i]->error);
  }
  for (std::size_t i = 0; i < zeros; ++i) {
    const double before = std::abs(genuine[i]->s), known = genuine[i]->error;
    genuine[i]->error = std::isfinite(known) ? before + known : farthest + largest_bound;
    genuine[i]->s = 0;
  }
  return uncertainty;
}

void mark_uncertified(Spectrum& spectrum, Uncertified reason) {
  spectrum.certified = false;
  if (std::find(spectrum.reasons.begin(), spectrum.reasons.end(), reason) == spectrum.reasons.end())
    spectrum.reasons.push_back(reason);
}

void mark_uncertified(Spectrum& spectrum, Uncertified reason, const std::string& text) {
  if (text.empty()) return;
  spectrum.warnings.push_back(text);
  mark_uncertified(spectrum, reason);
}

std::string edge_in_digits(double radius, const std::vector<Mode>& modes, Complex centre) {
  double room = radius;
  for (const Mode& mode : modes) {
    const double size = std::min(std::abs(mode.s - centre), std::abs(std::conj(mode.s) - centre));
    if (size < radius) room = std::min(room, radius - size);
  }
  const double digits = room > 0 ? std::ceil(std::log10(radius / room)) + 1 : 0;
  return fmt::format("{:.{}g}", radius, static_cast<int>(std::clamp(digits, 6.0, 16.0)));
}

void finish(Spectrum& spectrum, const LinearSystem& system, const BorderedProblem& problem,
            const ModesOptions& options) {
  sort(spectrum.modes);
  share_error_bounds(spectrum.modes, problem.coordinate_scale());
  mark_uncertified(spectrum, Uncertified::no_error_bound, reason_about_unknown(spectrum.modes));
  count_multiplicities(spectrum.modes);
  if (system.singular) mark_arbitrary(spectrum.modes, system);
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine) ++spectrum.found;
    else if (mode.kind == ModeClass::spurious) ++spectrum.spurious;
    if (mode.kind == ModeClass::genuine && mode.s == 0.0) ++spectrum.at_zero;
  }
  if (spectrum.found != spectrum.expected && spectrum.certified) mark_uncertified(spectrum, Uncertified::count_differs);
  if (!options.spurious) {
    std::erase_if(spectrum.modes, [](const Mode& mode) { return mode.kind == ModeClass::spurious; });
  }
  keep_selected(spectrum, options);
}

void keep_selected(Spectrum& spectrum, const ModesOptions& options) {
  const std::size_t before = spectrum.modes.size();
  select(spectrum.modes, options);
  if (spectrum.modes.size() < before) spectrum.kept = words_for_selection(options);
}

void require_dense_order(Index order, const char* what) {
  if (order <= largest_dense) return;
  throw Error(
      fmt::format("{} leads to a dense eigenvalue problem of order {}; the largest order that is attempted is {}", what,
                  order, largest_dense));
}

double frequency(const Mode& mode) { return std::abs(mode.s.imag()) / (2 * std::numbers::pi); }

double damping_ratio(const Mode& mode) { return mode.s == 0.0 ? 0 : -mode.s.real() / std::abs(mode.s); }

}  // namespace stillpoint
