#include "stillpoint/modes.h"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/at.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"
#include "stillpoint/stability.h"
#include "support/modes/random_systems.h"

using namespace stillpoint;
using namespace stillpoint::testing;
using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

namespace {

Matrix dense(std::initializer_list<std::initializer_list<double>> rows) { return Matrix(rows); }

std::vector<Complex> genuine(const Spectrum& spectrum) {
  std::vector<Complex> values;
  for (const Mode& mode : spectrum.modes) {
    if (mode.kind == ModeClass::genuine) values.push_back(mode.s);
  }
  return values;
}

Spectrum minimal_spectrum(const LinearSystem& system) { return solve_modes(system, minimal_form(system)); }

Spectrum descriptor_spectrum(const LinearSystem& system, const DescriptorOptions& options = {}) {
  return solve_modes(system, descriptor_form(system, options), count_true(system, minimal_form(system)));
}

Spectrum penalty_spectrum(const LinearSystem& system, const PenaltyOptions& options = {}) {
  return solve_modes(system, penalty_form(system, options), count_true(system, minimal_form(system)));
}

/// The values of a penalty form after correction, with their own error bars.
Spectrum corrected(Spectrum spectrum) {
  for (Mode& mode : spectrum.modes) {
    mode.s = mode.corrected;
    mode.error = mode.corrected_error;
  }
  return spectrum;
}

void check_values(const Spectrum& spectrum, const std::vector<Complex>& expected, double relative) {
  const std::vector<Complex> found = genuine(spectrum);
  REQUIRE(found.size() == expected.size());
  const std::vector<Match> matches = match(found, expected);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(found[i].real());
    CAPTURE(found[i].imag());
    CHECK(matches[i].distance <= relative * std::max(1e-3, std::abs(found[i])));
  }
}

Verdict verdict_of(const LinearSystem& system) {
  const MinimalForm form = minimal_form(system);
  return judge(form, solve_modes(system, form));
}

// Two masses on a lever whose arms differ by that part, and a damper between them: it feels the free motion by the
// square.
LinearSystem damped_lever(double difference) {
  return system_of(Matrix::Identity(2, 2), dense({{1, -1}, {-1, 1}}), Matrix::Zero(2, 2),
                   dense({{1, -1 - difference}}));
}

}  // namespace

TEST_CASE("modes: an aeroelastic wing, not symmetric at all, flutters as published") {
  // [Tisseur & Higham 2001], NLEVP "wing".
  const LinearSystem wing = system_of(dense({{17.6, 1.28, 2.89}, {1.28, .824, .413}, {2.89, .413, .725}}),
                                      dense({{7.66, 2.45, 2.1}, {.23, 1.04, .223}, {.6, .756, .658}}),
                                      dense({{121, 18.9, 15.9}, {0, 2.7, .145}, {11.9, 3.64, 15.5}}));
  const Spectrum spectrum = minimal_spectrum(wing);
  check_values(spectrum,
               {{-0.8848302463, 8.4415121592},
                {-0.8848302463, -8.4415121592},
                {0.0947217258, 2.5228765877},
                {0.0947217258, -2.5228765877},
                {-0.9179981715, 1.7605842044},
                {-0.9179981715, -1.7605842044}},
               1e-10);
  for (const Mode& mode : spectrum.modes) CHECK(mode.backward_error < 1e-14);
  CHECK(verdict_of(wing).stability == Stability::unstable);
  CHECK(verdict_of(wing).unstable_roots == 2);
}

TEST_CASE("modes: the sleeper track has its closed form, double eigenvalues included") {
  // NLEVP "sleeper": K = I + A + A², C = I + A², A circulant.
  for (const Eigen::Index n : {10, 32}) {  // not 30: its −1 is defective
    Matrix A = Matrix::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      A(i, i) = -2;
      A(i, (i + 1) % n) = A((i + 1) % n, i) = 1;
    }
    const Matrix I = Matrix::Identity(n, n);
    std::vector<Complex> expected;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double x = std::sin(std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n)), mu = -4 * x * x;
      const Complex root = std::sqrt(Complex(mu * mu * mu * mu - 2 * mu * mu - 4 * mu - 3));
      const Complex s = -(1 + mu * mu + root) / 2.0;
      expected.push_back(s);
      expected.push_back((1 + mu + mu * mu) / s);
    }
    check_values(minimal_spectrum(system_of(I, I + A * A, I + A + A * A)), expected, 1e-11);
  }
}

TEST_CASE("modes: whether a free motion is damped is not certified where rounding hides it") {
  for (const auto& solve : {minimal_spectrum, +[](const LinearSystem& system) { return descriptor_spectrum(system); },
                            +[](const LinearSystem& system) { return penalty_spectrum(system); }}) {
    const Spectrum free = solve(damped_lever(0)), damped = solve(damped_lever(0.1)), unsure = solve(damped_lever(1e-7));
    CAPTURE(free.method);
    CHECK(free.certified);
    CHECK(free.at_zero == 2);
    CHECK(damped.certified);
    CHECK(damped.at_zero == 1);
    CHECK_FALSE(unsure.certified);
    REQUIRE_FALSE(unsure.warnings.empty());
    CHECK(unsure.warnings.front().find("it is uncertain whether a free motion is damped") == 0);
  }
}

// s⁸ = 0: forces without a potential leave the one motion that no stiffness resists no inertia of its own. And springs
// 1 … 12 beside much greater such forces, of which singular values see nothing: there are no zeros.
TEST_CASE("modes: how many zeros there are is not certified where free motions have no inertia of their own") {
  const Matrix nilpotent = dense({{0, 1, 1, 2}, {0, 0, 1, 0}, {0, -1, 0, -1}, {0, 0, 0, 0}});
  Matrix graded = Eigen::VectorXd::LinSpaced(12, 1, 12).asDiagonal();
  for (int i = 0; i < 11; ++i) graded(i, i + 1) = 1000;
  const Matrix masses = dense({{1, 0, 0, 0}, {0, 1, 1, 2}, {0, -1, 1, 0}, {0, 0, 1, 1}});
  for (const LinearSystem& system : {system_of(masses, nilpotent / 128, nilpotent),
                                     system_of(Matrix::Identity(12, 12), Matrix::Zero(12, 12), graded)}) {
    const Spectrum spectrum = minimal_spectrum(system);
    CHECK_FALSE(spectrum.certified);
    CHECK(judge(minimal_form(system), spectrum).stability == Stability::undecided);
  }
}

// (s² + s/128 + 2)⁶ (s² + s/128 + 1)², by chains of springs and forces.
TEST_CASE("modes: of values that share one vector no bar is shorter than that of another that reaches it") {
  const Matrix M = dense({{1, 0, 0, 0, 0, 0, 0, 0},
                          {0, 1, 0, 0, 0, 1, 0, 0},
                          {0, 0, 1, -1, 0, 1, 0, 0},
                          {-1, 0, 0, 1, 0, 0, 0, 0},
                          {0, 0, 0, -1, 1, 0, 0, 0},
                          {0, 0, 0, -1, 1, 1, 0, 0},
                          {0, 0, 0, 0, 0, 0, 1, 0},
                          {0, 0, 0, 0, 0, 0, 0, 1}});
  const double t = std::ldexp(1.0, -10);
  const Matrix K = dense({{1, t, 0, 0, 0, t, 0, 0},
                          {0, 1, 0, 0, 0, 1, 0, 0},
                          {0, 0, 2, t - 2, 0, 2, 0, 0},
                          {-1, -t, 0, 2, 0, -t, 0, 0},
                          {0, 0, 0, -2, 2, t, 0, 0},
                          {0, 0, 0, -2, 2, 2 + t, t, 0},
                          {0, 0, 0, 0, 0, 0, 2, t},
                          {0, 0, 0, 0, 0, 0, 0, 2}});
  const auto root = [](double k) { return Complex(-1.0 / 256, std::sqrt(k - std::ldexp(1.0, -16))); };
  const LinearSystem system = system_of(M, M / 128, K);
  for (const Spectrum& spectrum : {minimal_spectrum(system), descriptor_spectrum(system)}) {
    REQUIRE(spectrum.modes.size() == 16);
    for (const Mode& mode : spectrum.modes) {
      const Complex s(mode.s.real(), std::abs(mode.s.imag()));
      CHECK(std::min(std::abs(s - root(1)), std::abs(s - root(2))) <= mode.error);
    }
  }
}

// Values of 10⁵ and 4·10⁶ rad/s. With ω = 10 rad/s the values of the constraints were listed in place of true ones.
TEST_CASE("modes: the penalty method finds a frequency for fast systems, and what is mixed up with ω is no mode") {
  Matrix K = Matrix::Zero(6, 6), J(2, 6);
  const double diagonal[] = {28, 31, 35, 43, 34, 23}, beside[] = {37, 33, 46, 41, 36};
  for (int i = 0; i < 6; ++i) K(i, i) = std::ldexp(1.0, static_cast<int>(diagonal[i]));
  for (int i = 0; i < 5; ++i) {
    K(i, i + 1) = std::ldexp(1.0, static_cast<int>(beside[i]));
    K(i + 1, i) = -K(i, i + 1);
  }
  J << -1, 1, -1, 0, -1, 1, -1, 0, 1, -1, -1, 1;
  const LinearSystem system = system_of(Matrix::Identity(6, 6), Matrix::Zero(6, 6), K, J);
  const Spectrum minimal = minimal_spectrum(system);
  const Spectrum usual = penalty_spectrum(system), slow = penalty_spectrum(system, {.omega = 10});
  CHECK(minimal.certified);
  CHECK(usual.certified);
  check_values(corrected(usual), genuine(minimal), 1e-12);
  CHECK_FALSE(slow.certified);
}

TEST_CASE("modes: undamped oscillations have no real part at all, and the verdict rests on the energy") {
  const LinearSystem chain = system_of(dense({{2, 0}, {0, 3}}), Matrix::Zero(2, 2), dense({{5, -2}, {-2, 2}}));
  for (const Mode& mode : minimal_spectrum(chain).modes) CHECK(mode.s.real() == 0);
  CHECK(verdict_of(chain).stability == Stability::stable);
  CHECK(verdict_of(chain).basis == "energy");
}

TEST_CASE("modes: Ziegler's column flutters at 7/2 − √2, found by bisection on the verdict") {
  const auto column = [](double P, double b) {
    return system_of(dense({{3, 1}, {1, 1}}), dense({{2 * b, -b}, {-b, b}}), dense({{2 - P, P - 1}, {-1, 1}}));
  };
  const auto load = [&](double b) {
    double below = 1, above = 3;
    while (above - below > 1e-9) {
      const double P = (below + above) / 2;
      (verdict_of(column(P, b)).stability == Stability::unstable ? above : below) = P;
    }
    return above;
  };
  CHECK(load(0) == doctest::Approx(3.5 - std::sqrt(2)).epsilon(1e-7));
  // The paradox: a little damping lowers the load, to 41/28 for equal small dampers [Herrmann & Jong 1965].
  CHECK(load(1e-3) == doctest::Approx(41.0 / 28).epsilon(1e-4));
  check_values(minimal_spectrum(column(1, 0)),
               {{0, 1.510223959}, {0, -1.510223959}, {0, 0.468213192}, {0, -0.468213192}}, 1e-8);
  CHECK(verdict_of(column(1, 0)).stability == Stability::oscillatory);
}

// Each mass is pushed by the one before it: all pairs coincide and have one vector. Rounding moves them by εᵏ⁻¹, k to
// each.
TEST_CASE("modes: error bars hold for eigenvalues of which many coincide in one vector") {
  for (const double damping : {std::ldexp(1.0, -15), 0.125, 2.0}) {
    for (int masses = 1; masses <= 4; ++masses) {
      CAPTURE(damping);
      CAPTURE(masses);
      Matrix K = Matrix::Identity(masses, masses);
      for (int i = 1; i < masses; ++i) K(i, i - 1) = 1;
      const LinearSystem system =
          system_of(Matrix::Identity(masses, masses), damping * Matrix::Identity(masses, masses), K);
      const Complex exact(-damping / 2, std::sqrt(1 - damping * damping / 4));
      for (const Spectrum& spectrum :
           {minimal_spectrum(system), descriptor_spectrum(system), corrected(penalty_spectrum(system))}) {
        CAPTURE(spectrum.method);
        REQUIRE(spectrum.modes.size() == static_cast<std::size_t>(2 * masses));
        for (const Mode& mode : spectrum.modes) {
          CAPTURE(mode.s.real());
          CHECK(std::min(std::abs(mode.s - exact), std::abs(mode.s - std::conj(exact))) <= mode.error);
          CHECK(mode.error < (spectrum.method == "ucs" ? 0.15 : 0.06));  // UCS knows its vectors less well
          if (spectrum.method != "ucs") CHECK(mode.backward_error < 1e-14);
        }
      }
      CHECK(verdict_of(system).stability != Stability::unstable);
    }
  }
}

// Unit masses in relative coordinates, springs from 10¹² to 1: a slow vector has ε times 10¹² of others.
TEST_CASE("modes: error bars hold where symmetric solvers leave much of fast motions in slow ones") {
  constexpr int masses = 12;
  const Matrix L = Matrix::Ones(masses, masses).triangularView<Eigen::Lower>();
  Matrix K = Matrix::Zero(masses, masses);
  for (int i = 0; i < masses; ++i) K(i, i) = std::ldexp(1.0, 40 - 40 * i / (masses - 1));
  const LinearSystem chain = system_of(L.transpose() * L, Matrix::Zero(masses, masses), K);
  const Spectrum one = minimal_spectrum(chain), other = descriptor_spectrum(chain);
  REQUIRE(one.modes.size() == other.modes.size());
  for (std::size_t i = 0; i < one.modes.size(); ++i) {
    CHECK(std::abs(one.modes[i].s - other.modes[i].s) <= one.modes[i].error + other.modes[i].error);
    CHECK(one.modes[i].error < 1e-6 * std::abs(one.modes[i].s));
  }
}

TEST_CASE("modes: error bars hold for a triple eigenvalue of which two parts have no mass") {
  const LinearSystem row =
      system_of(dense({{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}}), Matrix::Identity(4, 4),
                dense({{2, -1, 0, 0}, {-1, 2, -1, 0}, {0, -1, 2, -1}, {0, 0, -1, 2}}));
  for (const Spectrum& spectrum : {minimal_spectrum(row), descriptor_spectrum(row), corrected(penalty_spectrum(row))}) {
    CAPTURE(spectrum.method);
    int around = 0;
    for (const Mode& mode : spectrum.modes) {
      if (mode.kind != ModeClass::genuine || std::abs(mode.s + 1.0) > 0.01) continue;
      ++around;
      CHECK(std::abs(mode.s + 1.0) <= mode.error);
    }
    CHECK(around == 3);
  }
}

TEST_CASE("verdict: equal frequencies that have motions of their own do not flutter; those that share one may") {
  const Matrix I = Matrix::Identity(4, 4), none = Matrix::Zero(4, 4);
  const auto with = [&](double coupling) {  // of the forces without potential between the two equal ones
    return system_of(I, none, dense({{4, coupling, 0, 0}, {0, 4, 0, 0}, {0, 0, 1, 0.5}, {0, 0, 0, 2}}));
  };
  CHECK(verdict_of(with(0)).stability == Stability::oscillatory);
  CHECK(verdict_of(with(1)).stability == Stability::undecided);
}

TEST_CASE("verdict: what the energy keeps from growing is stable though rounding hides whether it decays") {
  // The damper does not meet the second mass, to first order.
  const LinearSystem hardly =
      system_of(Matrix::Identity(2, 2), dense({{0.1, 0}, {0, 0}}), dense({{1, 1e-9}, {1e-9, 4}}));
  CHECK(verdict_of(hardly).stability == Stability::stable);
  CHECK(verdict_of(hardly).basis == "energy");
  const LinearSystem driven = system_of(Matrix::Identity(2, 2), dense({{0.1, 0}, {0, 0}}),
                                        dense({{1, 1e-9}, {2e-9, 4}}));  // forces without a potential may let it grow
  CHECK(verdict_of(driven).stability == Stability::undecided);
}

TEST_CASE(
    "verdict: motions beside each other of which a damper feels only some are stable, with gyroscopic forces or not") {
  const Matrix K = Matrix(Eigen::Vector3d(4, 1, 2).asDiagonal());
  for (const double gyroscopic : {0.0, 1.0}) {
    Matrix C = Matrix::Zero(3, 3);
    C(1, 1) = 0.1;
    C(1, 2) = -gyroscopic;
    C(2, 1) = gyroscopic;
    C(2, 2) = 0.2;
    const Verdict verdict = verdict_of(system_of(Matrix::Identity(3, 3), C, K));
    CHECK(verdict.stability == Stability::stable);
    CHECK(verdict.basis == "energy");
    CHECK(verdict.reason.find("2 eigenvalues are on the imaginary axis") != std::string::npos);
    // Off the minimum, or beside a force without a potential, nothing but the spectrum says so.
    Matrix following = K;
    following(1, 2) = 0.01;
    const Verdict without = verdict_of(system_of(Matrix::Identity(3, 3), C, following));
    CHECK(without.stability == Stability::oscillatory);
    CHECK(without.reason.starts_with("2 eigenvalues are on the imaginary axis, and no minimum"));
  }
}

TEST_CASE("verdict: equal conical pendulums in a turning frame are neutral, as one of them is") {
  for (const Index copies : {1, 2, 5}) {
    Matrix K = Matrix::Zero(2 * copies, 2 * copies), C = K;
    for (Index i = 0; i < copies; ++i) {
      K(2 * i, 2 * i) = 3.1;
      C(2 * i, 2 * i + 1) = -1.7;
      C(2 * i + 1, 2 * i) = 1.7;
    }
    const LinearSystem system = system_of(Matrix::Identity(2 * copies, 2 * copies), C, K);
    CAPTURE(copies);
    CHECK(verdict_of(system).stability == Stability::neutral);
  }
}

TEST_CASE("modes: stiffness that cancelled but for rounding does not decide in what units eigenvalues are found") {
  Matrix K = 1e-28 * Matrix::Identity(6, 6), J = Matrix::Zero(4, 6);
  K(0, 0) = 900;
  K(1, 1) = 1600;
  J.rightCols(4).setIdentity();
  const LinearSystem system = system_of(Matrix::Identity(6, 6), Matrix::Zero(6, 6), K, J);
  const std::vector<Complex> expected{{0, 30}, {0, -30}, {0, 40}, {0, -40}};
  check_values(minimal_spectrum(system), expected, 1e-14);
  check_values(descriptor_spectrum(system), expected, 1e-14);
}

TEST_CASE("modes: a mass on a Maxwell element has three eigenvalues, by all three forms") {
  // m ẍ + c (ẋ − ż) = 0, c (ż − ẋ) + k z = 0: z is without mass. As a spring and a damper in line.
  const double m = 2, c = 0.7, k = 5;
  const Matrix M = dense({{m, 0}, {0, 0}}), C = dense({{c, -c}, {-c, c}}), K = dense({{0, 0}, {0, k}});
  const LinearSystem system = system_of(M, C, K);
  const TrueCount count = count_true(system, minimal_form(system));
  CHECK(count.eigenvalues == 3);
  CHECK(count.at_zero == 1);
  // s (m c s² + m k s + c k) = 0.
  const Complex root = std::sqrt(Complex(m * k * m * k - 4 * m * c * c * k));
  const std::vector<Complex> expected{0, (-m * k + root) / (2 * m * c), (-m * k - root) / (2 * m * c)};
  check_values(minimal_spectrum(system), expected, 1e-12);
  check_values(descriptor_spectrum(system), expected, 1e-12);
  check_values(penalty_spectrum(system), expected, 1e-12);
}

// A string of N equal pieces with a mass at every second end hangs straight but for what Newton's method leaves. Its
// joints without mass have no first-order freedom along the string, and no eigenvalues across.
TEST_CASE("modes: a joint without mass that hangs straight but for rounding has no eigenvalue of its own") {
  const auto string_of = [](int pieces, const std::string& damper) {
    std::string text =
        "stillpoint: 1\ngravity: 0, -9.81\nmechanism:\n- fixed: P[0]\n  at: 0, 0\n- for: i in 1.." +
        std::to_string(pieces) +
        "\n  do:\n  - point: P[i]\n    at: 0.1*i, -i\n  - point_mass: m[i]\n    at: P[i]\n    mass: \"i/2 == "
        "rint(i/2) ? 2 : 0\"\n  - distance: s[i]\n    between: P[i-1], P[i]\n    length: 1\n";
    const Model model = read_model_text(text + damper, "string.yaml");
    return linearize(model, find_equilibrium(model));
  };
  const double g = 9.81, root_2 = std::sqrt(2.0);
  const std::vector<double> squares_of_two{g / 2}, squares_of_four{(g / 2) * (2 - root_2), (g / 2) * (2 + root_2)};
  for (const std::vector<double>& squares : {squares_of_two, squares_of_four}) {
    const LinearSystem system = string_of(2 * static_cast<int>(squares.size()), "");
    std::vector<Complex> expected;
    for (const double square : squares) {
      for (const double sign : {1.0, -1.0}) expected.emplace_back(0, sign * std::sqrt(square));
    }
    for (const NullSpaceBasis basis :
         {NullSpaceBasis::projective, NullSpaceBasis::lu, NullSpaceBasis::svd, NullSpaceBasis::qr}) {
      CAPTURE(static_cast<int>(basis));
      const Spectrum spectrum = solve_modes(system, minimal_form(system, {.basis = basis}));
      CHECK(spectrum.certified);
      check_values(spectrum, expected, 1e-12);
    }
    const TrueCount count = count_true(system, minimal_form(system));
    check_values(solve_modes(system, descriptor_form(system), count), expected, 1e-12);
    const Spectrum ucs = solve_modes(system, penalty_form(system, {.alpha = Eigen::VectorXd::Constant(1, 1e9)}), count);
    CHECK(ucs.certified);
    check_values(corrected(ucs), expected, 1e-10);  // the others are wrong by ε α
  }
  const LinearSystem damped = string_of(2, "- damper: d\n  between: ground(5, -1), P[1]\n  damping: 3\n");
  CHECK(solve_modes(damped, minimal_form(damped)).found == 3);
}

TEST_CASE("modes: a damped coordinate without mass has its eigenvalue in any units of force") {
  // With s = 10⁴ t: t³ + 3 t² + 4 t + 3 = 0.
  const double t = -1.6823278038280193, real = (-3 - t) / 2, imaginary = std::sqrt(-3 / t - real * real);
  const std::vector<Complex> expected{1e4 * Complex(real, imaginary), 1e4 * Complex(real, -imaginary), 1e4 * t};
  for (const double unit : {1.0, 10.0, 1e9}) {
    CAPTURE(unit);
    const LinearSystem system = system_of(unit * dense({{1e-17, 0}, {0, 0}}), unit * dense({{1e-13, 0}, {0, 1e-13}}),
                                          unit * dense({{2e-9, -1e-9}, {-1e-9, 2e-9}}));
    const Spectrum spectrum = solve_modes(system, minimal_form(system));
    CHECK(spectrum.certified);
    check_values(spectrum, expected, 1e-12);
  }
}

TEST_CASE("verdict: what has no mass and is pushed away from rest is not called a minimum of the energy") {
  const LinearSystem pushed = system_of(dense({{1, 0}, {0, 0}}), Matrix::Zero(2, 2), dense({{1, 0}, {0, -1}}));
  CHECK(verdict_of(pushed).stability == Stability::undecided);
}

TEST_CASE("modes: a direction without mass, damping and stiffness is refused by name") {
  const LinearSystem system = system_of(dense({{1, 0}, {0, 0}}), Matrix::Zero(2, 2), dense({{1, 0}, {0, 0}}));
  CHECK_THROWS_WITH_AS(minimal_spectrum(system), doctest::Contains("'q[2]'"), Error);
}

TEST_CASE("modes: rigid-body motion is zero exactly and counted, damped or not") {
  const Matrix K = dense({{1, -1, 0}, {-1, 2, -1}, {0, -1, 1}}), M = Matrix::Identity(3, 3);
  for (const double damping : {0.0, 0.1}) {
    CAPTURE(damping);
    const LinearSystem free = system_of(M, damping * K, K);
    for (const Spectrum& spectrum : {minimal_spectrum(free), descriptor_spectrum(free), penalty_spectrum(free)}) {
      CAPTURE(spectrum.method);
      CHECK(spectrum.certified);
      CHECK(spectrum.at_zero == 2);
      CHECK(spectrum.modes[0].s == 0.0);
      CHECK(spectrum.modes[1].s == 0.0);
      CHECK(spectrum.found == 6);
    }
    CHECK(verdict_of(free).stability == Stability::neutral);
  }
  // A damper to the ground: a single zero and a real root.
  const LinearSystem dragged = system_of(M, Matrix::Identity(3, 3), K);
  CHECK(count_true(dragged, minimal_form(dragged)).at_zero == 3 - 2);
  check_values(
      minimal_spectrum(dragged),
      {0, -1, {-0.5, std::sqrt(0.75)}, {-0.5, -std::sqrt(0.75)}, {-0.5, std::sqrt(2.75)}, {-0.5, -std::sqrt(2.75)}},
      1e-12);
}

// 0.1 + 0.2 in doubles is 2.8e-17 more than both: these matrices have ±3.04e-9 i in place of two zeros.
TEST_CASE("modes: zeros of rigid-body motion have a bar that holds what rounding of the stiffness makes of them") {
  const Matrix K = dense({{0.1, -0.1, 0}, {-0.1, 0.1 + 0.2, -0.2}, {0, -0.2, 0.2}});
  const LinearSystem free = system_of(Matrix::Identity(3, 3), Matrix::Zero(3, 3), K);
  for (const Spectrum& spectrum : {minimal_spectrum(free), descriptor_spectrum(free)}) {
    CHECK(spectrum.certified);
    for (int i = 0; i < 2; ++i) {
      CHECK(spectrum.modes[at(i)].s == 0.0);
      CHECK(spectrum.modes[at(i)].error >= 3.04e-9);
      CHECK(spectrum.modes[at(i)].error < 1e-7);
    }
  }
}

TEST_CASE("modes: identical sub-mechanisms keep all their copies") {
  const Matrix M = Matrix::Identity(8, 8), K = 4 * M;
  const Spectrum spectrum = minimal_spectrum(system_of(M, 0.2 * M, K));
  CHECK(spectrum.found == 16);
  for (const Mode& mode : spectrum.modes) {
    CHECK(mode.multiplicity == 8);
    CHECK(std::abs(mode.s - Complex(-0.1, mode.s.imag() > 0 ? std::sqrt(3.99) : -std::sqrt(3.99))) < 1e-14);
    CHECK(mode.error < 1e-13);
  }
}

TEST_CASE("modes: pairs stand together, the positive imaginary part first, by size") {
  std::mt19937 random(4);
  const LinearSystem system = random_system({.coordinates = 12, .constraints = 3, .dampers = 4}, random);
  const Spectrum spectrum = minimal_spectrum(system);
  for (std::size_t i = 0; i < spectrum.modes.size(); ++i) {
    const Mode& mode = spectrum.modes[i];
    if (mode.s.imag() > 0) {
      REQUIRE(i + 1 < spectrum.modes.size());
      CHECK(std::abs(spectrum.modes[i + 1].s - std::conj(mode.s)) < 1e-12 * std::abs(mode.s));
    }
    if (i > 0) CHECK(std::abs(mode.s) >= std::abs(spectrum.modes[i - 1].s) * (1 - 1e-9));
    CHECK(mode.shape.cwiseAbs().maxCoeff() == doctest::Approx(1));
    const Complex product = mode.left.dot(2.0 * mode.s * (system.M * mode.shape) + system.C * mode.shape);
    CHECK(std::abs(product - 1.0) < 1e-10);
  }
}

TEST_CASE("modes: the lowest few are kept, a pair counts once") {
  const LinearSystem system =
      system_of(Matrix::Identity(4, 4), Matrix::Zero(4, 4), Eigen::Vector4d(1, 4, 9, 16).asDiagonal().toDenseMatrix());
  const Spectrum spectrum = solve_modes(system, minimal_form(system), {.which = Lowest{2}});
  REQUIRE(spectrum.modes.size() == 4);
  CHECK(spectrum.modes[3].s == Complex(0, -2));
  CHECK(spectrum.found == 8);
}

TEST_CASE("modes: infinite eigenvalues of a descriptor form that come back finite are told from true ones") {
  // Rows of very different sizes make QZ return many of the 3r defective infinite eigenvalues as finite numbers.
  std::mt19937 random(11);
  Index finite = 0;
  for (int draw = 0; draw < 20; ++draw) {
    const LinearSystem system = random_system({.coordinates = 24, .constraints = 18, .dampers = 6}, random);
    const Spectrum spectrum = descriptor_spectrum(system);
    CHECK(spectrum.certified);
    CHECK(spectrum.found == 12);
    CHECK(spectrum.spurious == 3 * 18);
    CHECK(!(spectrum.margin <= 1e3));  // NaN: all spurious ones are infinite
    for (const Mode& mode : spectrum.modes) finite += mode.kind == ModeClass::spurious && !mode.is_infinite();
  }
  CHECK(finite > 0);  // otherwise this test shows nothing
}

TEST_CASE("modes: constraints moved to E leave the true eigenvalues where they are") {
  std::mt19937 random(5);
  const LinearSystem system = random_system({.coordinates = 10, .constraints = 4, .dampers = 3}, random);
  const std::vector<Complex> expected = genuine(minimal_spectrum(system));
  check_values(descriptor_spectrum(system, {.J_on_velocities = true}), expected, 1e-9);
  check_values(descriptor_spectrum(system, {.Jt_on_rates = true}), expected, 1e-9);
  check_values(descriptor_spectrum(system, {.J_on_velocities = true, .Jt_on_rates = true}), expected, 1e-9);
}

TEST_CASE("modes: spectra of all forms agree with long double within their error bars") {
  std::mt19937 random(20);
  constexpr int draws = 150;
  int wrong_count = 0, beyond = 0, checked_values = 0, uncertified = 0, hardly_known = 0;
  double worst_backward = 0;
  std::vector<double> overestimates;
  for (int draw = 0; draw < draws; ++draw) {
    const SystemKind kind = random_kind(random);
    CAPTURE(draw);
    const LinearSystem system = random_system(kind, random);
    const std::vector<Complex> expected = reference_eigenvalues(system);
    for (const Spectrum& spectrum :
         {minimal_spectrum(system), descriptor_spectrum(system), corrected(penalty_spectrum(system))}) {
      CAPTURE(spectrum.method);
      uncertified += !spectrum.certified;
      hardly_known += std::any_of(spectrum.modes.begin(), spectrum.modes.end(), [](const Mode& mode) {
        return mode.kind == ModeClass::genuine && mode.s != 0.0 && mode.error > std::abs(mode.s);
      });
      if (!spectrum.certified) MESSAGE(spectrum.method << " draw " << draw << ": " << spectrum.warnings.front());
      wrong_count += spectrum.found != spectrum.expected;
      const std::vector<Complex> found = genuine(spectrum);
      const std::vector<Match> matches = match(found, expected);
      std::size_t next = 0;
      for (const Mode& mode : spectrum.modes) {
        if (mode.kind != ModeClass::genuine) continue;
        const double distance = matches[next++].distance;
        worst_backward = std::max(worst_backward, mode.backward_error / static_cast<double>(spectrum.size));
        if (mode.s == 0.0) continue;  // defective: the reference itself is only good to the root of its precision
        ++checked_values;
        if (!(distance <= mode.error)) {
          MESSAGE(spectrum.method << " draw " << draw << " " << mode.s.real() << " " << mode.s.imag() << " off "
                                  << distance << " bar " << mode.error);
        }
        beyond += !(distance <= mode.error);
        overestimates.push_back(mode.error / std::max(distance, 1e-18 * std::abs(mode.s)));
      }
    }
  }
  CHECK(checked_values > 2000);
  CHECK(wrong_count == 0);
  CHECK(uncertified == hardly_known);  // a bound that exceeds its value is said, and nothing else is uncertain
  CHECK(hardly_known == 0);
  CHECK(beyond == 0);
  CHECK(worst_backward <= 10 * std::numeric_limits<double>::epsilon());
  std::nth_element(overestimates.begin(), overestimates.begin() + overestimates.size() / 2, overestimates.end());
  CHECK(overestimates[overestimates.size() / 2] < 100);  // an error bar that is always right is no use if it is wide
}
