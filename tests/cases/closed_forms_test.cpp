// Families of cases that have a closed form in a parameter: every N of the four-bar linkage, and the load at which
// Ziegler's column starts to flutter.

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/linearize.h"
#include "stillpoint/stability.h"
#include "support/case_runs.h"

using namespace stillpoint;

namespace {

struct Judged {
  Equilibrium rest;
  std::vector<Mode> modes;
  Stability stability;
};

Judged judged(const std::string& name, const Parameters& parameters) {
  const Model model = read_model((cases::root() / "cases" / name).string(), parameters);
  const Equilibrium rest = find_equilibrium(model);
  const LinearSystem system = linearize(model, rest);
  const MinimalForm form = minimal_form(system);
  const Spectrum spectrum = solve_modes(system, form);
  return {rest, spectrum.modes, judge(form, spectrum).stability};
}

/// The four-bar linkage of N loops with all cranks parallel (cases/four_bar/README.md).
struct ParallelLoops {
  double N;
  double k = 25, l0 = std::numbers::sqrt2, g = 9.81;

  double weight() const { return g * ((N + 1) / 2 + N); }
  double stretch(double phi) const { return 2 * std::cos(phi / 2) - l0; }
  double slope(double phi) const { return weight() * std::cos(phi) - N * k * stretch(phi) * std::sin(phi / 2); }
  double curvature(double phi) const {
    const double s = std::sin(phi / 2);
    return -weight() * std::sin(phi) + N * k * (s * s - stretch(phi) * std::cos(phi / 2) / 2);
  }
  double rest() const {
    double phi = 2;
    for (int i = 0; i < 50; ++i) phi -= slope(phi) / curvature(phi);
    return phi;
  }
  /// The one with Im s > 0.
  std::complex<double> eigenvalue(double c) const {
    const double phi = rest(), inertia = (N + 1) / 3 + N;
    const double decay = N * c * std::pow(std::sin(phi / 2), 2) / (2 * inertia);
    return {-decay, std::sqrt(curvature(phi) / inertia - decay * decay)};
  }
};

/// Routh and Hurwitz on 2s⁴ + (b₁+6b₂)s³ + (7−2P+b₁b₂)s² + (b₁+b₂)s + 1, l = c = m = 1: the load at which the first
/// pair reaches the imaginary axis.
double critical_load(double b1, double b2) {
  const double p1 = b1 + 6 * b2, p3 = b1 + b2;
  return 3.5 + b1 * b2 / 2 - (2 * p3 / p1 + p1 / p3) / 2;
}

/// Between a load that is not unstable and one that is.
double bisected_load(double b1, double b2, double width) {
  const auto is_unstable = [&](double P) {
    return judged("ziegler_column", {{"P", P}, {"b1", b1}, {"b2", b2}}).stability == Stability::unstable;
  };
  double below = 0.1, above = 3;
  REQUIRE(!is_unstable(below));
  REQUIRE(is_unstable(above));
  while (above - below > width) {
    const double middle = (below + above) / 2;
    (is_unstable(middle) ? above : below) = middle;
  }
  return (below + above) / 2;
}

const double undamped_load = 3.5 - std::numbers::sqrt2;
constexpr double six_digits = 5e-7;

}  // namespace

TEST_CASE("closed forms: the four-bar linkage rests and swings as it must for every N up to 20") {
  // Table 1 prints N = 1, 5, 10, 15 and 20; for N = 15 φ₀ = 1.8230, which is a misprint.
  CHECK(std::abs(ParallelLoops{15}.rest() - 1.8296) < 5e-5);
  CHECK(std::abs(ParallelLoops{15}.eigenvalue(0).imag() - 1.3955) < 5e-5);
  constexpr double rounding = 1e-11;
  for (int N = 1; N <= 20; ++N) {
    for (const int c : {0, 1}) {
      CAPTURE(N);
      CAPTURE(c);
      const ParallelLoops loops{static_cast<double>(N)};
      const Parameters parameters = {{"N", N}, {"c", c}};
      const Judged found = judged("four_bar", parameters);
      CHECK(found.stability == (c == 0 ? Stability::stable : Stability::asymptotically_stable));
      CHECK(std::abs(found.rest.state.q[2 * N + 2] - loops.rest()) < rounding);
      REQUIRE(found.modes.size() == 2);
      CHECK(std::abs(found.modes[0].s - loops.eigenvalue(c)) < rounding);
      CHECK(std::abs(found.modes[1].s - std::conj(loops.eigenvalue(c))) < rounding);
    }
  }
}

TEST_CASE("closed forms: Ziegler's column flutters from 7/2 − √2 on, and the verdict finds that to six digits") {
  CHECK(std::abs(bisected_load(0, 0, 1e-8) - undamped_load) < six_digits);
  CHECK(judged("ziegler_column", {{"P", undamped_load - six_digits}}).stability == Stability::oscillatory);
  CHECK(judged("ziegler_column", {{"P", undamped_load + six_digits}}).stability == Stability::unstable);
}

TEST_CASE("closed forms: damping makes Ziegler's column flutter at a lower load, however small it is") {
  struct Damping {
    double b1, b2;
  };
  for (const Damping b : {Damping{1e-4, 1e-4}, Damping{0.01, 0.01}, Damping{0.2, 0.2}, Damping{0.02, 0.005},
                          Damping{0.003, 0.05}, Damping{0.01, 0}}) {
    CAPTURE(b.b1);
    CAPTURE(b.b2);
    const double load = critical_load(b.b1, b.b2);
    CHECK(std::abs(bisected_load(b.b1, b.b2, 1e-8) - load) < six_digits);
    CHECK(load < undamped_load);
    CHECK(judged("ziegler_column", {{"P", load - six_digits}, {"b1", b.b1}, {"b2", b.b2}}).stability ==
          Stability::asymptotically_stable);
  }
  // Equal dampers: 41/28 + b²/2, which does not go back to the undamped load as b does to zero.
  CHECK(std::abs(critical_load(1e-4, 1e-4) - 41.0 / 28) < 1e-8);
  CHECK(std::abs(critical_load(0.2, 0.2) - 41.0 / 28 - 0.02) < 1e-12);
}
