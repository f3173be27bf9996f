#include "support/modes/graded_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "support/modes/precise.h"
#include "support/modes/random_systems.h"

namespace stillpoint::testing {

namespace {

constexpr int limbs = 14, more_limbs = 22;  // 134 and 211 decimal digits

using Complex = std::complex<long double>;

// Adds a spring or damper of this size between two neighbours, or between one and the ground.
void tie(Eigen::VectorXd& diagonal, Eigen::VectorXd& beside, Index i, double size) {
  diagonal[i] += size;
  diagonal[i + 1] += size;
  beside[i] -= size;
}

/// Sizes over a number of decades that is drawn first.
class Decades {
 public:
  explicit Decades(Random& random) : random_(random), half_(std::pow(10, random.between(0, 9))) {}
  double next() { return random_.scaled(1 / half_, half_); }

 private:
  Random& random_;
  double half_;
};

template <int digits>
Index negative_pivots(const GradedChain& chain, double mu, double shift) {
  using Number = Precise<digits>;
  Number before = 0.0, minor = 1.0;
  Index negative = 0;
  for (Index i = 0; i < chain.size(); ++i) {
    const Number entry = Number(chain.stiffness[i]) + Number(shift) * Number(std::abs(chain.stiffness[i])) -
                         Number(mu) * Number(chain.mass[i]);
    const Number beside = i > 0 ? Number(chain.coupling_stiffness[i - 1]) : Number(0.0);
    const Number next = entry * minor - beside * beside * before;
    if (next.sign() * minor.sign() < 0) ++negative;
    before = minor;
    minor = next;
  }
  return negative;
}

/// det(s²M + sC + K) and its derivative, and their quotient where both are in range.
template <int digits>
struct Determinant {
  PreciseComplex<digits> value, derivative;
};

template <int digits>
Determinant<digits> determinant(const GradedChain& chain, const PreciseComplex<digits>& s) {
  using Number = PreciseComplex<digits>;
  const auto real = [](double x) { return Number{x, 0.0}; };
  Determinant<digits> before{real(0), real(0)}, minor{real(1), real(0)};
  const Number square = s * s;
  for (Index i = 0; i < chain.size(); ++i) {
    const Number entry = chain.mass[i] * square + chain.damping[i] * s + real(chain.stiffness[i]);
    const Number rate = (2 * chain.mass[i]) * s + real(chain.damping[i]);
    Determinant<digits> next{entry * minor.value, rate * minor.value + entry * minor.derivative};
    if (i > 0) {
      const Number beside = chain.coupling_damping[i - 1] * s + real(chain.coupling_stiffness[i - 1]);
      const Number product = beside * beside, product_rate = (2 * chain.coupling_damping[i - 1]) * beside;
      next.value = next.value - product * before.value;
      next.derivative = next.derivative - product_rate * before.value - product * before.derivative;
    }
    before = minor;
    minor = next;
  }
  return minor;
}

// All roots at once: each step is Newton's, with the other roots divided out.
template <int digits>
std::optional<std::vector<PreciseComplex<digits>>> roots_in(const GradedChain& chain,
                                                            const std::vector<std::complex<double>>& guesses) {
  constexpr int most_steps = 200;
  constexpr long double exact = 1e-30L;
  using Number = PreciseComplex<digits>;
  std::vector<Number> s;
  for (std::size_t k = 0; k < guesses.size(); ++k) {
    // Guesses that coincide must not stay together.
    const double size = std::max(std::abs(guesses[k]), 1e-12), angle = 2.4 * static_cast<double>(k);
    s.push_back({guesses[k].real() + 1e-6 * size * std::cos(angle), guesses[k].imag() + 1e-6 * size * std::sin(angle)});
  }
  std::vector<char> is_exact(s.size(), 0);
  for (int step = 0; step < most_steps; ++step) {
    bool changed = false;
    for (std::size_t k = 0; k < s.size(); ++k) {
      if (is_exact[k]) continue;
      const Determinant<digits> p = determinant(chain, s[k]);
      if (p.value.real.sign() == 0 && p.value.imag.sign() == 0) {
        is_exact[k] = 1;
        continue;
      }
      Complex others = 0;
      for (std::size_t j = 0; j < s.size(); ++j) {
        if (j != k) others += Complex(1) / (s[k] - s[j]).rounded();
      }
      const Complex move = Complex(1) / (p.derivative.rounded() / p.value.rounded() - others);
      if (!std::isfinite(move.real()) || !std::isfinite(move.imag())) return {};
      // The step has the digits of long double, and each step adds as many to those that are right.
      const auto in_two = [](long double x) {
        const auto first = static_cast<double>(x);
        return Precise<digits>(first) + Precise<digits>(static_cast<double>(x - static_cast<long double>(first)));
      };
      s[k] = s[k] - Number{in_two(move.real()), in_two(move.imag())};
      changed = true;
      if (std::abs(move) <= exact * std::abs(s[k].rounded())) is_exact[k] = 1;
    }
    if (!changed) break;
  }
  return s;
}

// The discs |s − s_k| ≤ 2n |p(s_k) / (a Π (s_k − s_j))| hold all roots, connected ones as many as there are discs.
template <int digits>
std::vector<ExactRoot> with_discs(const GradedChain& chain, const std::vector<PreciseComplex<digits>>& s) {
  std::vector<ExactRoot> roots;
  for (std::size_t k = 0; k < s.size(); ++k) {
    const Complex value = determinant(chain, s[k]).value.rounded();
    long double logarithm = std::log(std::abs(value));
    for (const double mass : chain.mass) logarithm -= std::log(static_cast<long double>(mass));
    for (std::size_t j = 0; j < s.size(); ++j) {
      if (j != k) logarithm -= std::log(std::abs((s[k] - s[j]).rounded()));
    }
    const auto degree = static_cast<long double>(s.size());
    roots.push_back({s[k].rounded(), std::abs(value) == 0 ? 0 : degree * std::exp(logarithm)});
  }
  return roots;
}

// Adds what is missing of 2n guesses, with the magnitudes of single masses.
std::vector<std::complex<double>> completed(const GradedChain& chain, std::vector<std::complex<double>> guesses) {
  for (Index i = 0; guesses.size() < 2 * at(chain.size()); ++i) {
    const Index k = i / 2 % chain.size();
    guesses.push_back(std::polar(std::sqrt(std::abs(chain.stiffness[k]) / chain.mass[k]), 0.7 + 1.3 * i));
  }
  return guesses;
}

}  // namespace

GradedChain random_chain(Random& random) {
  const auto n = static_cast<Eigen::Index>(random.whole(2, 24));
  Decades masses(random), springs(random), dampers(random);
  const Eigen::VectorXd none = Eigen::VectorXd::Zero(n), none_beside = Eigen::VectorXd::Zero(n - 1);
  GradedChain chain{none, none, none, none_beside, none_beside};
  for (double& mass : chain.mass) mass = masses.next();
  for (Index i = 0; i + 1 < n; ++i) tie(chain.stiffness, chain.coupling_stiffness, i, springs.next());
  const double grounded = random.maybe(0.2) ? 0 : random.between(0, 0.5);
  for (Index i = 0; i < n; ++i) {
    if (random.maybe(grounded)) chain.stiffness[i] += springs.next();
  }
  if (random.maybe(0.1)) chain.stiffness[random.below(static_cast<Index>(n))] -= springs.next();
  if (random.maybe(0.5)) return chain;
  const double damped = random.between(0, 1);
  for (Index i = 0; i + 1 < n; ++i) {
    if (random.maybe(damped)) tie(chain.damping, chain.coupling_damping, i, dampers.next());
  }
  for (Index i = 0; i < n; ++i) {
    if (random.maybe(0.5 * damped)) chain.damping[i] += dampers.next();
  }
  return chain;
}

LinearSystem system_of(const GradedChain& chain) {
  const auto tridiagonal = [&](const Eigen::VectorXd& diagonal, const Eigen::VectorXd& beside) {
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(chain.size(), chain.size());
    A.diagonal() = diagonal;
    A.diagonal(1) = A.diagonal(-1) = beside;
    return A;
  };
  return system_of(chain.mass.asDiagonal().toDenseMatrix(), tridiagonal(chain.damping, chain.coupling_damping),
                   tridiagonal(chain.stiffness, chain.coupling_stiffness));
}

std::optional<Index> count_below(const GradedChain& chain, double mu, double shift) {
  const Index count = negative_pivots<limbs>(chain, mu, shift);
  return count == negative_pivots<more_limbs>(chain, mu, shift) ? std::optional(count) : std::nullopt;
}

std::optional<std::vector<ExactRoot>> exact_roots(const GradedChain& chain,
                                                  const std::vector<std::complex<double>>& guesses) {
  constexpr long double small = 1e-18L, least = 1e-25L;  // relative; rad/s, far below all bounds
  const auto found = roots_in<limbs>(chain, completed(chain, guesses));
  if (!found) return {};
  std::vector<PreciseComplex<more_limbs>> longer;
  for (const PreciseComplex<limbs>& s : *found)
    longer.push_back({Precise<more_limbs>(s.real), Precise<more_limbs>(s.imag)});
  std::vector<ExactRoot> roots = with_discs(chain, longer);
  for (const ExactRoot& root : roots) {
    if (!(root.radius <= small * std::max(std::abs(root.s), least))) return {};
  }
  return roots;
}

}  // namespace stillpoint::testing
