// Margins against closed forms, and Nyquist's criterion against the eigenvalues of loops that are closed.
#include "stillpoint/margins.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <random>

#include "base/at.h"
#include "stillpoint/close_loops.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"
#include "support/plants/made_plants.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::VectorXd;
using Complex = std::complex<double>;

namespace {

Plant loop_plant(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C, const MatrixXd& D) {
  Plant plant;
  plant.name = "loop";
  plant.first = {{}, A.sparseView(), B.sparseView(), C.sparseView(), D.sparseView()};
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    plant.channels.push_back({static_cast<Index>(j), 0});
    plant.input_names.push_back("u" + std::to_string(j + 1));
  }
  for (Eigen::Index i = 0; i < C.rows(); ++i) plant.output_names.push_back("y" + std::to_string(i + 1));
  return plant;
}

/// numerator/denominator by descending powers, in controllable canonical form; the numerator has a lower degree.
Plant transfer(std::vector<double> numerator, const std::vector<double>& denominator) {
  const auto n = std::ssize(denominator) - 1;
  MatrixXd A = MatrixXd::Zero(n, n), B = MatrixXd::Zero(n, 1), C = MatrixXd::Zero(1, n);
  if (n > 1) A.topRightCorner(n - 1, n - 1).setIdentity();
  for (Eigen::Index k = 0; k < n; ++k) A(n - 1, k) = -denominator[at(n - k)] / denominator[0];
  B(n - 1, 0) = 1 / denominator[0];
  for (std::size_t k = 0; k < numerator.size(); ++k)
    C(0, std::ssize(numerator) - 1 - static_cast<Eigen::Index>(k)) = numerator[k];
  return loop_plant(A, B, C, MatrixXd::Zero(1, 1));
}

Index unstable_values(const MatrixXd& A) {
  return static_cast<Index>((Eigen::EigenSolver<MatrixXd>(A).eigenvalues().real().array() > 0).count());
}

}  // namespace

TEST_CASE("margins: three equal lags have the gain margin 8 at tan 60 degrees") {
  // L = k/(s + 1)³: the phase is −180° at ω = √3, where |L| = k/8.
  const LoopAnalysis loops = analyse_loops(transfer({4}, {1, 3, 3, 1}));
  const LoopFigures& figures = loops.channels[0];
  REQUIRE(figures.gain_margins.size() == 1);
  CHECK(figures.gain_margins[0].omega == doctest::Approx(std::sqrt(3.0)).epsilon(1e-12));
  CHECK(figures.gain_margins[0].factor == doctest::Approx(2).epsilon(1e-12));
  REQUIRE(figures.phase_margins.size() == 1);
  const double omega = std::sqrt(std::pow(4, 2.0 / 3) - 1);
  CHECK(figures.phase_margins[0].omega == doctest::Approx(omega).epsilon(1e-12));
  const double margin = std::numbers::pi - 3 * std::atan(omega);
  CHECK(figures.phase_margins[0].degrees == doctest::Approx(margin * 180 / std::numbers::pi).epsilon(1e-11));
  CHECK(figures.delay_margin() == doctest::Approx(margin / omega).epsilon(1e-11));
  CHECK(figures.is_counted);
  CHECK(figures.closed_unstable == 0);
  CHECK(figures.static_gain == doctest::Approx(4).epsilon(1e-14));
  // |H| = 4/√2 where (1 + ω²)³ = 2.
  CHECK(figures.bandwidth == doctest::Approx(std::sqrt(std::cbrt(2.0) - 1)).epsilon(1e-12));

  const LoopFigures unstable = analyse_loops(transfer({9}, {1, 3, 3, 1})).channels[0];
  CHECK(unstable.closed_unstable == 2);
  CHECK(unstable.gain_margin_below() == doctest::Approx(8.0 / 9).epsilon(1e-12));
  CHECK(std::isinf(unstable.gain_margin_above()));
}

TEST_CASE("margins: integrators, single and double, have the margins of the closed form") {
  // k/(s (s + 1) (s + 2)): the gain margin is 6/k at √2.
  const LoopFigures type_1 = analyse_loops(transfer({1.5}, {1, 3, 2, 0})).channels[0];
  REQUIRE(type_1.gain_margins.size() == 1);
  CHECK(type_1.gain_margins[0].omega == doctest::Approx(std::numbers::sqrt2).epsilon(1e-12));
  CHECK(type_1.gain_margins[0].factor == doctest::Approx(4).epsilon(1e-12));
  REQUIRE(type_1.axis_poles.size() == 1);
  CHECK(type_1.axis_poles[0].omega == 0);
  CHECK(type_1.axis_poles[0].order == 1);
  CHECK(type_1.is_counted);
  CHECK(type_1.closed_unstable == 0);
  CHECK(std::isnan(type_1.static_gain));
  CHECK(std::isinf(type_1.peak));

  // (2 s + 1)/s² with the crossover ω² = 2 + √5 and the phase margin atan 2ω.
  const LoopFigures type_2 = analyse_loops(transfer({2, 1}, {1, 0, 0})).channels[0];
  REQUIRE(type_2.phase_margins.size() == 1);
  const double omega = std::sqrt(2 + std::sqrt(5.0));
  CHECK(type_2.phase_margins[0].omega == doctest::Approx(omega).epsilon(1e-12));
  CHECK(type_2.phase_margins[0].degrees ==
        doctest::Approx(std::atan(2 * omega) * 180 / std::numbers::pi).epsilon(1e-11));
  REQUIRE(type_2.axis_poles.size() == 1);
  CHECK(type_2.axis_poles[0].order == 2);
  CHECK_MESSAGE(type_2.is_counted, type_2.why_not_counted);
  CHECK(type_2.closed_unstable == 0);
  CHECK(analyse_loops(transfer({-2, 1}, {1, 0, 0})).channels[0].closed_unstable == 2);
}

TEST_CASE("margins: a loop that crosses 0 dB several times has a margin for each") {
  // A resonance of ζ = 0.01 at 10 rad/s behind an integrator: 0.5/s · 100/(s² + 0.2 s + 100).
  const LoopFigures figures = analyse_loops(transfer({50}, {1, 0.2, 100, 0})).channels[0];
  REQUIRE(figures.phase_margins.size() == 3);
  for (const PhaseMargin& margin : figures.phase_margins) {
    const Complex s(0, margin.omega), L = 50.0 / (s * (s * s + 0.2 * s + 100.0));
    CHECK(std::abs(L) == doctest::Approx(1).epsilon(1e-11));
    CHECK(margin.degrees == doctest::Approx(std::arg(-L) * 180 / std::numbers::pi).epsilon(1e-9));
  }
  // The phase is −180° at ω = 10, where |L| = 5/2.
  REQUIRE(figures.gain_margins.size() == 1);
  CHECK(figures.gain_margins[0].factor == doctest::Approx(0.4).epsilon(1e-10));
  CHECK(figures.closed_unstable == 2);
  const LoopFigures alone = analyse_loops(transfer({100}, {1, 0.2, 100})).channels[0];
  const double zeta = 0.01;
  CHECK(alone.peak == doctest::Approx(1 / (2 * zeta * std::sqrt(1 - zeta * zeta))).epsilon(1e-11));
  CHECK(alone.peak_omega == doctest::Approx(10 * std::sqrt(1 - 2 * zeta * zeta)).epsilon(1e-6));
}

TEST_CASE("margins: the distance to -1 is that of the closed form") {
  // L = 1/(s (s + 1)): |1 + L|² = ((1 − ω²)² + ω²)/(ω⁴ + ω²), least where ω⁴ − 2ω² − 1 ... found by a fine search here.
  const LoopFigures figures = analyse_loops(transfer({1}, {1, 1, 0})).channels[0];
  double least = 10;
  for (double omega = 0.5; omega < 5; omega += 1e-5) {
    const Complex s(0, omega);
    least = std::min(least, std::abs(1.0 + 1.0 / (s * (s + 1.0))));
  }
  CHECK(figures.least_distance == doctest::Approx(least).epsilon(1e-9));
}

TEST_CASE("margins: turns around -1 agree with the eigenvalues of the closed loop, on random plants") {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  int counted = 0, unstable_open = 0, unstable_closed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Eigen::Index n = 2 + trial % 5;
    const MatrixXd A =
        MatrixXd::NullaryExpr(n, n, [&] { return normal(random); }) - (trial % 3) * MatrixXd::Identity(n, n);
    const MatrixXd B = MatrixXd::NullaryExpr(n, 1, [&] { return normal(random); }),
                   C = MatrixXd::NullaryExpr(1, n, [&] { return 2 * normal(random); }),
                   D = MatrixXd::Constant(1, 1, trial % 2 == 0 ? 0.0 : 0.4);
    const LoopFigures figures = analyse_loops(loop_plant(A, B, C, D)).channels[0];
    CAPTURE(trial);
    CHECK_MESSAGE(figures.is_counted, figures.why_not_counted);
    const MatrixXd closed = A - B * C / (1 + D(0, 0));
    CHECK(figures.open_unstable == unstable_values(A));
    CHECK(figures.closed_unstable == unstable_values(closed));
    counted += figures.is_counted;
    unstable_open += figures.open_unstable > 0;
    unstable_closed += figures.closed_unstable > 0;
  }
  CHECK(counted > 55);
  CHECK(unstable_open > 10);
  CHECK(unstable_closed > 10);
  CHECK(unstable_closed < 55);
}

TEST_CASE("margins: undamped modes on the axis are passed on the right, and agree with the eigenvalues") {
  // A chain of masses without damping: collocated feedback of the rate is stable, of the other end it is not.
  for (const double gain : {0.5, 3.0}) {
    MatrixXd A = MatrixXd::Zero(4, 4), B = MatrixXd::Zero(4, 1);
    A.topRightCorner(2, 2).setIdentity();
    A.bottomLeftCorner(2, 2) << -200, 100, 100, -200;
    B(2, 0) = 1;
    for (const Eigen::Index output : {2, 3}) {
      MatrixXd C = MatrixXd::Zero(1, 4);
      C(0, output) = gain;
      const LoopAnalysis loops = analyse_loops(loop_plant(A, B, C, MatrixXd::Zero(1, 1)));
      const LoopFigures& figures = loops.channels[0];
      CAPTURE(output);
      REQUIRE(figures.axis_poles.size() == 2);
      CHECK(figures.axis_poles[0].omega == doctest::Approx(10).epsilon(1e-9));
      CHECK(figures.axis_poles[0].order == 1);
      REQUIRE_MESSAGE(figures.is_counted, figures.why_not_counted);
      CHECK(figures.closed_unstable == unstable_values(A - B * C));
      REQUIRE(loops.warnings.size() == 1);
      CHECK(contains(loops.warnings[0], "at 10 rad/s, and 1 more: the path passes it on the right"));
    }
  }
}

TEST_CASE("margins: of the whole sparse system they are those of its plant") {
  const LinearSystem system = with_channels(system_of_case("drive_train"), {"motor"}, {"shaft", "load_speed"});
  const LoopAnalysis sparse = analyse_loops(system), plant = analyse_loops(state_space(system));
  REQUIRE(sparse.channels.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const LoopFigures &a = sparse.channels[k], &b = plant.channels[k];
    CAPTURE(k);
    REQUIRE(a.phase_margins.size() == b.phase_margins.size());
    for (std::size_t i = 0; i < a.phase_margins.size(); ++i)
      CHECK(a.phase_margins[i].omega == doctest::Approx(b.phase_margins[i].omega).epsilon(1e-9));
    CHECK(a.is_counted == b.is_counted);
    CHECK(a.closed_unstable == b.closed_unstable);
  }
  CHECK(std::abs(sparse.channels[0].static_gain) == doctest::Approx(0.5 / 0.52).epsilon(1e-6));
}

TEST_CASE("margins: what is asked in vain is refused or told") {
  CHECK(contains(error_of([] { analyse_loops(two_masses(PlantForm::descriptor)); }), "choose form 'state-space'"));
  CHECK(contains(error_of([] {
                   analyse_loops(transfer({1}, {1, 1}), {.from = 5, .to = 2});
                 }),
                 "the first must be below the second"));
  const LoopFigures given = analyse_loops(transfer({4}, {1, 3, 3, 1}), {.from = 0.1, .to = 10}).channels[0];
  CHECK(!given.is_counted);
  CHECK(given.why_not_counted == "the range of frequencies was given");
  const LoopAnalysis few = analyse_loops(transfer({100}, {1, 1e-6, 100}), {.most_points = 410});
  CHECK(!few.channels[0].is_counted);
  CHECK(contains(few.warnings[0], "the curves turn faster than 410 frequencies show"));
}

TEST_CASE("margins: CSV, JSON, tables and pictures carry the loops") {
  const LoopAnalysis loops = analyse_loops(transfer({4}, {1, 3, 3, 1}));
  CHECK(to_csv(loops).starts_with("frequency_hz,omega_rad_s,\"y1/u1 re\""));
  const std::string json = to_json(loops, "lags");
  CHECK(contains(json, "\"schema\": \"stillpoint.loops/1\""));
  CHECK(contains(json, "\"closed_unstable\": 0"));
  const std::string table = to_text(loops, "lags", true, false);
  CHECK(contains(table, "y1 by u1"));
  CHECK(contains(table, "6.021"));
  CHECK(contains(to_text(loops, "lags", false, false), "0.5098"));
  const std::string nyquist = to_svg(loops, LoopPlot::nyquist, "lags"),
                    nichols = to_svg(loops, LoopPlot::nichols, "lags");
  CHECK(contains(nyquist, "−1"));
  CHECK(contains(nyquist, "closed: 0 unstable"));
  CHECK(contains(nichols, "phase (°)"));
  CHECK(contains(nichols, "3 dB"));
}

TEST_CASE("singular values: those of a diagonal response are its magnitudes, in descending order") {
  FrequencyResponse response;
  response.omega = VectorXd::LinSpaced(2, 1, 2);
  response.input_names = {"a", "b"};
  response.output_names = {"c", "d"};
  Eigen::MatrixXcd H = Eigen::MatrixXcd::Zero(2, 2);
  H(0, 0) = Complex(0, 3);
  H(1, 1) = -5;
  response.response = {H, H * std::nan("")};
  const SingularValueCurves curves = singular_values_of(response);
  REQUIRE(curves.values.cols() == 2);
  CHECK(curves.values(0, 0) == doctest::Approx(5));
  CHECK(curves.values(0, 1) == doctest::Approx(3));
  CHECK(std::isnan(curves.values(1, 0)));
  CHECK(to_csv(curves).starts_with("frequency_hz,omega_rad_s,sigma_1,sigma_2\n"));
  CHECK(contains(to_json(curves, response, "two"), "\"schema\": \"stillpoint.singular_values/1\""));
  CHECK(contains(to_svg(curves, "two"), "singular values (dB)"));
}
