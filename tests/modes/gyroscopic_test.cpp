// Gyroscopic forces: what they keep on the imaginary axis is said to be there.

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "stillpoint/read_model.h"
#include "stillpoint/stability.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using namespace stillpoint::testing;
using Matrix = Eigen::MatrixXd;

namespace {

Matrix dense(std::initializer_list<std::initializer_list<double>> rows) { return Matrix(rows); }

Verdict verdict_of(const LinearSystem& system) {
  const MinimalForm form = minimal_form(system);
  return judge(form, solve_modes(system, form));
}

// Lagrange's top, upright: A s² ∓ i C n s − m g l = 0, so it stands from n = 2 √(A m g l) / C on.
constexpr double A = 0.02, C = 0.004, mgl = 0.4905;

LinearSystem top(double spin, double damping = 0) {
  const double n = spin * 2 * std::sqrt(A * mgl) / C;
  const Matrix I = Matrix::Identity(2, 2);
  return system_of(A * I, dense({{damping, C * n}, {-C * n, damping}}), -mgl * I);
}

LinearSystem beside(const LinearSystem& a, const LinearSystem& b) {
  const auto both = [](const SparseMatrix& first, const SparseMatrix& second) {
    Matrix all = Matrix::Zero(first.rows() + second.rows(), first.cols() + second.cols());
    all.topLeftCorner(first.rows(), first.cols()) = first.toDense();
    all.bottomRightCorner(second.rows(), second.cols()) = second.toDense();
    return all;
  };
  return system_of(both(a.M, b.M), both(a.C, b.C), both(a.K, b.K));
}

}  // namespace

TEST_CASE("verdict: a sleeping top stands by its spin, has no real part at all, and falls if damped") {
  for (const double spin : {1.1, 1.5}) {
    CAPTURE(spin);
    for (const Mode& mode : solve_modes(top(spin), minimal_form(top(spin))).modes) CHECK(mode.s.real() == 0);
    CHECK(verdict_of(top(spin)).stability == Stability::oscillatory);
    CHECK(verdict_of(top(spin, 1e-6)).stability == Stability::unstable);
  }
  CHECK(verdict_of(top(0.9)).stability == Stability::unstable);
}

TEST_CASE("verdict: a top at its critical spin may be on either side, also beside others") {
  CHECK(verdict_of(top(1)).stability == Stability::undecided);
  CHECK(verdict_of(beside(top(1), top(1))).stability == Stability::undecided);
}

TEST_CASE("verdict: equal sleeping tops stand together; one that moves against the others' sense may fall") {
  const LinearSystem two = beside(top(1.3), top(1.3)), three = beside(two, top(1.3));
  for (const LinearSystem& tops : {two, three}) {
    CHECK(verdict_of(tops).stability == Stability::oscillatory);
    for (const Mode& mode : solve_modes(tops, minimal_form(tops)).modes) CHECK(mode.s.real() == 0);
  }
  // The slow precession of the top has a negative sign, an oscillator of the same frequency a positive one.
  const LinearSystem one = top(1.3);
  const double slow = std::abs(solve_modes(one, minimal_form(one)).modes.front().s);
  const Matrix I = Matrix::Identity(2, 2);
  const LinearSystem mixed = beside(one, system_of(I, Matrix::Zero(2, 2), slow * slow * I));
  CHECK(verdict_of(mixed).stability == Stability::undecided);
}

// Rounding puts half of the real parts above zero.
TEST_CASE("verdict: gyroscopic forces take nothing from a minimum of the potential, dense and sparse") {
  Random random(7);
  for (int k = 0; k < 20; ++k) {
    const Eigen::Index n = random.whole(4, 12);
    Matrix B(n, n), G(n, n);
    for (double& entry : B.reshaped()) entry = random.between(-1, 1);
    for (double& entry : G.reshaped()) entry = random.between(-1, 1);
    const Matrix I = Matrix::Identity(n, n), K = B * B.transpose() + 0.1 * I;
    const LinearSystem spinning = system_of(I, 10 * (G - G.transpose()), K);
    CHECK(verdict_of(spinning).stability == Stability::stable);
    CHECK(verdict_of(spinning).basis == "energy");
    CHECK(judge_part(solve_general(spinning, {.which = Lowest{1}})).stability == Stability::stable);
    // As assembled, skew but for rounding.
    Matrix rounded = 10 * (G - G.transpose());
    for (double& entry : rounded.reshaped()) entry *= 1 + 1e-15 * random.between(-1, 1);
    const LinearSystem assembled = system_of(I, rounded, K);
    for (const Mode& mode : solve_modes(assembled, minimal_form(assembled)).modes) CHECK(mode.s.real() == 0);
    CHECK(judge_part(solve_general(assembled, {.which = Lowest{1}})).stability == Stability::stable);
    const LinearSystem damped = system_of(I, 10 * (G - G.transpose()) + 1e-3 * I, K);
    CHECK(verdict_of(damped).stability == Stability::asymptotically_stable);
    const LinearSystem driven = system_of(I, 10 * (G - G.transpose()) - 1e-3 * I, K);
    CHECK(verdict_of(driven).stability == Stability::unstable);
  }
}

// Its twist has no mass, but for the square of what rounding bends it by: in a turning frame that was coupled to
// others.
TEST_CASE("modes: a shaft of beams that spins in its bearings has its whirls, whatever its mesh") {
  const char* const shaft = R"(
stillpoint: 1
dimension: 3
parameters: {n: {value: 10, integer: true}, spin: 30}
angular_velocity: spin, 0, 0
mechanism:
  - for: i in 0..n
    do:
      - body: b[i]
        at: i/n, 0, 0
  - for: i in 1..n
    do:
      - beam: e[i]
        between: b[i-1], b[i]
        length: 1/n
        axial_stiffness: 1e7
        torsion_stiffness: 100
        bending_stiffness: 100, 100
        mass_per_length: 2
  - spherical: left
    between: ground, b[0]
  - point_on_line: right
    line: ground(0, 0, 0, 0, 90*deg, 0)
    point: b[n]
  - scalar: twist
  - angle: twist
    of: twist
    between: ground(0, 0, 0, 0, 90*deg, 0), b[0](0, 0, 0, 0, 90*deg, 0)
  - coupling: held
    coordinates: twist
    factors: 1
)";
  constexpr double pi = std::numbers::pi, bending = pi * pi * 7.0710678118654752;  // √(EI / ρA l⁴) = √50
  for (const int n : {3, 7, 10}) {
    CAPTURE(n);
    const Model model = read_model_text(shaft, "shaft.yaml", {{"n", static_cast<double>(n)}});
    const LinearSystem system = linearize(model, find_equilibrium(model));
    const MinimalForm form = minimal_form(system);
    const TrueCount count = count_true(system, form);
    const Spectrum sparse = solve_some(system, {.which = Lowest{2}});
    CHECK(judge(form, solve_modes(system, form)).stability == Stability::stable);
    CHECK(judge_part(sparse).stability == Stability::stable);
    for (const Spectrum& spectrum : {solve_modes(system, form), solve_modes(system, descriptor_form(system), count),
                                     solve_modes(system, penalty_form(system), count), sparse}) {
      CAPTURE(spectrum.method);
      CHECK(spectrum.certified);
      std::vector<double> whirls;
      for (const Mode& mode : spectrum.modes) {
        if (mode.kind == ModeClass::genuine && mode.s.imag() > 0) whirls.push_back(mode.s.imag());
      }
      REQUIRE(whirls.size() >= 2);
      CHECK(whirls[0] == doctest::Approx(bending - 30).epsilon(2e-3));
      CHECK(whirls[1] == doctest::Approx(bending + 30).epsilon(2e-3));
    }
  }
}
