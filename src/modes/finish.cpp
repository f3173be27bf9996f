#include "modes/finish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "modes/selection.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Complex = std::complex<double>;

constexpr Index largest_dense = 12000;  // 1.2 GB for each matrix of QZ, and hours
constexpr double small_beside_others = 1e-3;
constexpr double nearly_equal = 1e-9;  // relative: of two values whose order would be decided by rounding

// By |s|; of a conjugate pair the one with the positive imaginary part first, also where |s| differs by rounding.
bool comes_before(const Mode& a, const Mode& b) {
  if (a.is_infinite() || b.is_infinite()) return !a.is_infinite() && b.is_infinite();
  const double size_a = std::abs(a.s), size_b = std::abs(b.s);
  if (size_a != size_b) return size_a < size_b;
  if (std::abs(a.s.imag()) != std::abs(b.s.imag())) return std::abs(a.s.imag()) < std::abs(b.s.imag());
  return a.s.imag() > b.s.imag();
}

void sort(std::vector<Mode>& modes) {
  std::stable_sort(modes.begin(), modes.end(), comes_before);
  // Equal pairs: each member beside its conjugate.
  for (std::size_t i = 0; i + 1 < modes.size(); ++i) {
    if (modes[i].is_infinite() || modes[i].s.imag() == 0) continue;
    for (std::size_t j = i + 1; j < modes.size(); ++j) {
      if (modes[j].is_infinite() || std::abs(modes[j].s) > (1 + nearly_equal) * std::abs(modes[i].s)) break;
      if (modes[j].kind != modes[i].kind ||
          std::abs(modes[j].s - std::conj(modes[i].s)) > nearly_equal * std::abs(modes[i].s)) {
        continue;
      }
      std::rotate(modes.begin() + static_cast<std::ptrdiff_t>(i) + 1, modes.begin() + static_cast<std::ptrdiff_t>(j),
                  modes.begin() + static_cast<std::ptrdiff_t>(j) + 1);
      if (modes[i].s.imag() < 0) std::swap(modes[i], modes[i + 1]);
      modes[i + 1].s = std::conj(modes[i].s);  // of a real problem: what differs is rounding
      modes[i + 1].corrected = std::conj(modes[i].corrected);
      modes[i].error = modes[i + 1].error = std::max(modes[i].error, modes[i + 1].error);
      ++i;
      break;
    }
  }
}

bool are_parallel(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b) {
  constexpr double parallel = 1e-6;
  return std::abs(a.dot(b)) >= (1 - parallel) * a.norm() * b.norm();
}

// Values that share one vector are known no better than the least known of them that reaches them.
void share_error_bars(std::vector<Mode>& modes, const Eigen::VectorXd& scale) {
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

// What is divided by nothing: of several values with one vector no slope may be left.
std::string doubt_about_unknown(std::vector<Mode>& modes) {
  std::string doubt;
  for (Mode& mode : modes) {
    if (mode.kind != ModeClass::genuine || mode.is_infinite() || std::isfinite(mode.error)) continue;
    mode.error = std::numeric_limits<double>::infinity();
    doubt = fmt::format("how far a value near {:.3g} rad/s is off cannot be told: others share its vector",
                        std::abs(mode.s));
  }
  return doubt;
}

void count_multiplicities(std::vector<Mode>& modes) {
  for (Mode& mode : modes) {
    mode.multiplicity = static_cast<Index>(std::count_if(modes.begin(), modes.end(), [&](const Mode& other) {
      return !other.is_infinite() && !mode.is_infinite() && other.kind == mode.kind &&
             (&other == &mode || std::norm(other.s - mode.s) <= std::pow(other.error + mode.error, 2));
    }));
  }
}

// The multipliers are known up to Σ c ν only: s depends on c unless all B = ∂(Jᵀν)/∂q are zero on x.
void mark_arbitrary(std::vector<Mode>& modes, const LinearSystem& system) {
  for (const SparseMatrix& B : system.free_stiffness) {
    for (Mode& mode : modes) {
      if (mode.shape.size() == 0) continue;
      // Only what acts on possible motions counts: those of all modes.
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

Mode conjugate(Mode mode) {
  if (mode.s != 0.0) mode.s = std::conj(mode.s);
  mode.shape = mode.shape.conjugate().eval();
  mode.left = mode.left.conjugate().eval();
  return mode;
}

bool is_second_of_pair(const std::vector<Mode>& modes, std::size_t i) {
  return i > 0 && modes[i].kind == modes[i - 1].kind && modes[i].s.imag() != 0 &&
         modes[i].s == std::conj(modes[i - 1].s);
}

std::vector<Mode> with_mirrored(std::vector<Mode> different, const std::vector<Eigenpair>& pairs) {
  std::vector<Mode> modes;
  modes.reserve(pairs.size());
  auto next = different.begin();
  for (const Eigenpair& pair : pairs) modes.push_back(pair.is_mirrored ? conjugate(modes.back()) : std::move(*next++));
  return modes;
}

void normalise(Mode& mode, const BorderedProblem& problem) {
  const auto by_largest = [](Eigen::VectorXcd& x) {
    Eigen::Index largest = 0;
    if (x.size() > 0 && x.cwiseAbs().maxCoeff(&largest) > 0) x /= Complex(x[largest]);
  };
  by_largest(mode.shape);
  by_largest(mode.left);
  const Eigen::VectorXcd slope = problem.slope(mode.s, mode.shape);
  const Complex product = mode.left.dot(slope);
  const double size = mode.left.norm() * slope.norm();
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
  std::string doubt;
  const auto zeros = std::min(static_cast<std::size_t>(count), genuine.size());
  if (zeros < genuine.size() && std::abs(genuine[zeros - 1]->s) > small_beside_others * std::abs(genuine[zeros]->s)) {
    doubt = fmt::format("{} eigenvalues are zero by structure, but the {}th found is {:.3g} in size, the next {:.3g}",
                        count, zeros, std::abs(genuine[zeros - 1]->s), std::abs(genuine[zeros]->s));
  }
  for (std::size_t i = 0; i < zeros; ++i) {
    const double before = std::abs(genuine[i]->s), known = genuine[i]->error;
    genuine[i]->error = std::isfinite(known) ? before + known : before;
    genuine[i]->s = 0;
  }
  return doubt;
}

void doubt(Spectrum& spectrum, const std::string& text) {
  if (text.empty()) return;
  spectrum.warnings.push_back(text);
  spectrum.certified = false;
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
  share_error_bars(spectrum.modes, problem.coordinate_scale());
  doubt(spectrum, doubt_about_unknown(spectrum.modes));
  count_multiplicities(spectrum.modes);
  if (system.singular) mark_arbitrary(spectrum.modes, system);
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine) ++spectrum.found;
    else if (mode.kind == ModeClass::spurious) ++spectrum.spurious;
    if (mode.kind == ModeClass::genuine && mode.s == 0.0) ++spectrum.at_zero;
  }
  if (spectrum.found != spectrum.expected) spectrum.certified = false;
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
  throw Error(fmt::format("{} leads to a dense eigenvalue problem of order {}; {} is the most that is attempted", what,
                          order, largest_dense));
}

double frequency(const Mode& mode) { return std::abs(mode.s.imag()) / (2 * 3.14159265358979323846); }

double damping_ratio(const Mode& mode) { return mode.s == 0.0 ? 0 : -mode.s.real() / std::abs(mode.s); }

}  // namespace stillpoint
