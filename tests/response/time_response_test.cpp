// Steps and impulses: closed forms, an exponential in long double, and what is said where there is no final value.
#include "stillpoint/time_response.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "base/at.h"
#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"
#include "support/plants/made_plants.h"
#include "support/plants/random_plants.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

/// A state space with one input for each column of B; poles are not known.
Plant plant_of(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C, const MatrixXd& D) {
  Plant plant;
  plant.name = "made";
  plant.first = {{}, A.sparseView(), B.sparseView(), C.sparseView(), D.sparseView()};
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    plant.channels.push_back({static_cast<Index>(j), 0});
    plant.input_names.push_back("u" + std::to_string(j + 1));
  }
  for (Eigen::Index i = 0; i < C.rows(); ++i) plant.output_names.push_back("y" + std::to_string(i + 1));
  return plant;
}

/// m ẍ + c ẋ + k x = u, y = x
Plant mass_plant(double m, double c, double k) {
  MatrixXd A(2, 2), B(2, 1), C(1, 2);
  A << 0, 1, -k / m, -c / m;
  B << 0, 1 / m;
  C << 1, 0;
  return plant_of(A, B, C, MatrixXd::Zero(1, 1));
}

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

/// e^A by 40 terms of Taylor's series and repeated squaring in long double: nothing that the library uses.
LongMatrix long_exponential(LongMatrix A) {
  int squarings = 0;
  while (A.cwiseAbs().rowwise().sum().maxCoeff() > 0.5L) {
    A *= 0.5L;
    ++squarings;
  }
  const LongMatrix identity = LongMatrix::Identity(A.rows(), A.cols());
  LongMatrix sum = identity;
  for (int k = 40; k > 0; --k) sum = identity + A * sum / static_cast<long double>(k);
  for (int k = 0; k < squarings; ++k) sum = (sum * sum).eval();
  return sum;
}

/// The outputs at a time after a step or an impulse at an input.
VectorXd by_long_exponential(const Plant& plant, Eigen::Index input, TimeInput kind, double time) {
  const LongMatrix A = plant.first.A.toDense().cast<long double>(), B = plant.first.B.toDense().cast<long double>(),
                   C = plant.first.C.toDense().cast<long double>();
  const Eigen::Index n = A.rows();
  LongMatrix whole = LongMatrix::Zero(n + 1, n + 1);
  whole.topLeftCorner(n, n) = A * static_cast<long double>(time);
  whole.topRightCorner(n, 1) = B.col(input) * static_cast<long double>(time);
  const LongMatrix exponential = long_exponential(whole);
  if (kind == TimeInput::impulse) return (C * exponential.topLeftCorner(n, n) * B.col(input)).cast<double>();
  return (C * exponential.topRightCorner(n, 1)).cast<double>() + plant.first.D.toDense().col(input);
}

bool warns_of(const TimeResponse& response, const std::string& words) {
  for (const std::string& warning : response.warnings) {
    if (contains(warning, words)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("time response: a damped mass has the figures of the closed form, found between the grid points") {
  for (const double zeta : {0.02, 0.3, 0.7}) {
    const double omega = 3, damped = omega * std::sqrt(1 - zeta * zeta), k = 50, m = k / (omega * omega);
    const TimeResponse step = time_response(mass_plant(m, 2 * zeta * omega * m, k));
    REQUIRE(step.channels.size() == 1);
    const TimeChannel& channel = step.channels[0];
    CAPTURE(zeta);
    CHECK(channel.behaviour == Behaviour::settles);
    const auto exact = [&](double t) {
      return (1 - std::exp(-zeta * omega * t) * (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t))) /
             k;
    };
    for (Eigen::Index i = 0; i < step.times.size(); ++i)
      CHECK(std::abs(channel.value[i] - exact(step.times[i])) < 1e-13 / k);
    const TimeFigures& figures = channel.figures;
    CHECK(figures.initial == 0);
    CHECK(figures.final_value == doctest::Approx(1 / k).epsilon(1e-14));
    CHECK(figures.overshoot == doctest::Approx(std::exp(-std::numbers::pi * zeta * omega / damped)).epsilon(1e-11));
    CHECK(figures.peak_time == doctest::Approx(std::numbers::pi / damped).epsilon(1e-9));
    CHECK(figures.peak == doctest::Approx(exact(std::numbers::pi / damped)).epsilon(1e-13));
    CHECK(figures.undershoot == 0);
    // The exact answer takes the values that define the times.
    double begin = 0, end = 0;
    for (double t = 0; exact(t) < 0.1 / k; t += 1e-6) begin = t;
    for (double t = begin; exact(t) < 0.9 / k; t += 1e-6) end = t;
    CHECK(std::abs(figures.rise_time - (end - begin)) < 3e-6);
    CHECK(std::abs(std::abs(exact(figures.settling_time) * k - 1) - 0.02) < 1e-11);
    for (double t = figures.settling_time + 1e-9; t < figures.searched; t += 0.01)
      CHECK(std::abs(exact(t) * k - 1) < 0.02);
  }
}

TEST_CASE("time response: steps and impulses of random plants are those of an exponential in long double") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const LinearSystem system = testing::controlled_system(seed).system;
    if (system.singular || system.dof() > 5) continue;
    Plant plant;
    if (!error_of([&] { plant = state_space(system); }).empty()) continue;
    if (plant.channels.size() != at(system.inputs())) continue;  // rates of inputs are compared in closed form
    const double fastest = dense::eigenvalues(plant.first.A).cwiseAbs().maxCoeff();
    for (const TimeInput kind : {TimeInput::step, TimeInput::impulse}) {
      TimeResponse found;
      const std::string refusal = error_of([&] { found = time_response(plant, {.input = kind, .points = 4}); });
      CAPTURE(seed);
      REQUIRE_MESSAGE(refusal.empty(), refusal);
      const Eigen::Index inputs = plant.first.B.cols(), outputs = plant.first.C.rows();
      for (Eigen::Index j = 0; j < inputs; ++j) {
        for (Eigen::Index k = 1; k < found.times.size(); ++k) {
          const VectorXd expected = by_long_exponential(plant, j, kind, found.times[k]);
          for (Eigen::Index i = 0; i < outputs; ++i) {
            const VectorXd& values = found.channels[at(i * inputs + j)].value;
            // Rounding of A, or of its exponential, turns the phase of the fastest motion by ε times its radians.
            const double rounding = 1000 * 2.2e-16 * (1000 + fastest * found.times[k]);
            const double size = std::max(values.cwiseAbs().maxCoeff(), std::abs(expected[i]));
            CHECK(std::abs(values[k] - expected[i]) <= rounding * size + 1e-300);
            ++compared;
          }
        }
      }
    }
  }
  CHECK(compared > 150);
}

TEST_CASE("time response: a two-mass drive turns as the double zero and the oscillation say") {
  const double J1 = 0.02, J2 = 0.5, k = 400, d = 0.05, J = J1 * J2 / (J1 + J2);
  const LinearSystem system =
      with_channels(system_of_case("drive_train"), {"motor"}, {"rotor.phi", "shaft", "load_speed"});
  const TimeResponse step = time_response(state_space(system), {.until = 0.5});
  const double sigma = d / J / 2, omega = std::sqrt(k / J - sigma * sigma);
  CHECK(step.channels[0].behaviour == Behaviour::integrates);
  CHECK(step.channels[1].behaviour == Behaviour::settles);
  CHECK(step.channels[2].behaviour == Behaviour::integrates);
  CHECK(std::isnan(step.channels[0].figures.final_value));
  CHECK(std::abs(step.channels[1].figures.final_value) == doctest::Approx(J2 / (J1 + J2)).epsilon(1e-12));
  for (Eigen::Index i = 0; i < step.times.size(); ++i) {
    const double t = step.times[i];
    // The twist φ₁ − φ₂ follows J (δ̈) + d δ̇ + k δ = J/J₁.
    const double twist =
        J / J1 / k * (1 - std::exp(-sigma * t) * (std::cos(omega * t) + sigma / omega * std::sin(omega * t)));
    const double angle = t * t / 2 / (J1 + J2) + J2 / (J1 + J2) * twist;
    CHECK(std::abs(step.channels[0].value[i] - angle) < 1e-11 * (angle + J / J1 / k));
  }
}

TEST_CASE("time response: direct feedthrough stands at once, and impulses of the output are told") {
  // y = ẍ = (u − c ẋ − k x)/m has the direct part 1/m.
  const double m = 2, c = 3, k = 50;
  Plant plant = mass_plant(m, c, k);
  MatrixXd C(1, 2);
  C << -k / m, -c / m;
  plant.first.C = C.sparseView();
  plant.first.D = MatrixXd::Constant(1, 1, 1 / m).sparseView();
  const TimeResponse step = time_response(plant), impulse = time_response(plant, {.input = TimeInput::impulse});
  CHECK(step.channels[0].value[0] == 1 / m);
  CHECK(step.channels[0].figures.initial == 1 / m);
  CHECK(step.channels[0].impulses.empty());
  CHECK(step.channels[0].figures.peak == 1 / m);
  CHECK(step.channels[0].figures.peak_time == 0);
  CHECK(impulse.channels[0].impulses == std::vector{1 / m});
  CHECK(impulse.channels[0].value[0] == doctest::Approx(-c / m / m).epsilon(1e-14));
  CHECK(warns_of(impulse, "at t = 0 'y1' has an impulse of area 0.5 after an impulse of 'u1'"));
}

TEST_CASE("time response: a base that jumps throws the mass, as the derivatives of the input say") {
  const double m = 2, k = 800, c = 4, sigma = c / m / 2, omega = std::sqrt(k / m - sigma * sigma);
  const LinearSystem system = with_channels(system_of_case("base_excited"), {"base"}, {"P.y", "felt.y"});
  const Plant plant = state_space(system);
  REQUIRE(plant.channels.size() > 1);
  const TimeResponse step = time_response(plant, {.until = 2});
  // P follows as H = (c s + k)/(m s² + c s + k): x = 1 − e^{−σt}(cos ωt − σ/ω sin ωt).
  for (Eigen::Index i = 0; i < step.times.size(); ++i) {
    const double t = step.times[i];
    const double x = 1 - std::exp(-sigma * t) * (std::cos(omega * t) - sigma / omega * std::sin(omega * t));
    CHECK(std::abs(step.channels[0].value[i] - x) < 1e-12);
  }
  CHECK(step.channels[0].figures.final_value == doctest::Approx(1).epsilon(1e-12));
  CHECK(step.channels[0].impulses.empty());
  // Its acceleration s² H has the impulse c/m.
  REQUIRE(step.channels[1].impulses.size() == 1);
  CHECK(step.channels[1].impulses[0] == doctest::Approx(c / m).epsilon(1e-12));
  CHECK(step.channels[1].value[0] == doctest::Approx(k / m - c * c / m / m).epsilon(1e-12));
}

TEST_CASE("time response: what does not settle is told: oscillation, drift, growth; an unstable answer is cut off") {
  CHECK(time_response(mass_plant(1, 0, 9)).channels[0].behaviour == Behaviour::oscillates);
  CHECK(time_response(mass_plant(1, 0, 0)).channels[0].behaviour == Behaviour::integrates);
  CHECK(time_response(mass_plant(1, 2, 0)).channels[0].behaviour == Behaviour::integrates);
  const TimeResponse unstable = time_response(mass_plant(1, 0, -4));
  const TimeChannel& channel = unstable.channels[0];
  CHECK(channel.behaviour == Behaviour::unstable);
  CHECK(channel.leading_pole.real() == doctest::Approx(2).epsilon(1e-12));
  CHECK(warns_of(unstable, "unstable: 'y1' grows after a step of 'u1', by the pole 2 "));
  CHECK(std::isnan(channel.figures.final_value));
  CHECK(std::isnan(channel.figures.rise_time));
  const double end = unstable.times[unstable.times.size() - 1];
  CHECK(std::exp(2 * end) > 900);
  CHECK(std::exp(2 * end) < 2000);
  CHECK(channel.value[channel.value.size() - 1] == doctest::Approx((std::cosh(2 * end) - 1) / 4).epsilon(1e-11));
}

TEST_CASE("time response: a motion that an output does not show says nothing about it") {
  // An unstable pole beside a stable one; the output sees the stable one alone.
  MatrixXd A(2, 2), B(2, 1), C(2, 2);
  A << -1, 0, 0, 3;
  B << 1, 1;
  C << 1, 0, 1, 1;
  const TimeResponse both = time_response(plant_of(A, B, C, MatrixXd::Zero(2, 1)), {.until = 2});
  CHECK(both.channels[0].behaviour == Behaviour::settles);
  CHECK(both.channels[0].figures.final_value == doctest::Approx(1).epsilon(1e-13));
  CHECK(both.channels[0].figures.settling_time == doctest::Approx(std::log(50)).epsilon(1e-9));
  CHECK(both.channels[0].figures.rise_time == doctest::Approx(std::log(9)).epsilon(1e-9));
  CHECK(both.channels[1].behaviour == Behaviour::unstable);
}

TEST_CASE("time response: a zero in the right half plane undershoots") {
  // (1 − s)/(s + 1)² = 2/(s + 1)² − 1/(s + 1): the step is 1 − e^{−t}(1 + 2t), lowest at t = 1/2.
  MatrixXd A(2, 2), B(2, 1), C(1, 2);
  A << -1, 1, 0, -1;
  B << 0, 1;
  C << 2, -1;
  const TimeResponse step = time_response(plant_of(A, B, C, MatrixXd::Zero(1, 1)));
  CHECK(step.channels[0].figures.undershoot == doctest::Approx(2 * std::exp(-0.5) - 1).epsilon(1e-11));
  CHECK(step.channels[0].figures.overshoot == 0);
}

TEST_CASE("time response: a stiff plant keeps its slow motion") {
  // Two masses of 1 kg, tied by 10⁹ N/m with damping; together on a soft spring of 2 N/m with damping 0.4 N s/m.
  const double stiff = 1e9;
  MatrixXd A = MatrixXd::Zero(4, 4), B(4, 1), C(1, 4);
  A.topRightCorner(2, 2).setIdentity();
  A.bottomLeftCorner(2, 2) << -stiff - 2, stiff, stiff, -stiff;
  A.bottomRightCorner(2, 2) << -40.4, 40, 40, -40;
  B << 0, 0, 1, 1;
  C << 0.5, 0.5, 0, 0;
  const TimeResponse step = time_response(plant_of(A, B, C, MatrixXd::Zero(1, 1)), {.until = 30});
  const double sigma = 0.1, omega = std::sqrt(1 - sigma * sigma);
  const double t = 30, slow = 1 - std::exp(-sigma * t) * (std::cos(omega * t) + sigma / omega * std::sin(omega * t));
  // The soft spring acts on one mass: the shape is off by 10⁻⁹, and rounding of 10⁹ N/m takes seven more digits.
  CHECK(std::abs(step.channels[0].value[step.times.size() - 1] - slow) < 1e-5);
  CHECK(step.error < 1e-5);
}

TEST_CASE("time response: texts carry names, units and figures") {
  const TimeResponse step = time_response(two_masses(PlantForm::state_space), {.points = 3});
  const std::string csv = to_csv(step);
  CHECK(csv.starts_with("time_s,\""));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 4);
  const std::string json = to_json(step, "two masses");
  CHECK(contains(json, "\"schema\": \"stillpoint.time_response/1\""));
  CHECK(contains(json, "\"to\": \"step\""));
  const std::string table = to_text(step, "two masses");
  CHECK(contains(table, "overshoot"));
  CHECK(contains(table, "settles"));
  const std::string svg = to_svg(step, "two <masses>");
  CHECK(contains(svg, "two &lt;masses&gt;"));
  CHECK(contains(svg, "time (s)"));
}

TEST_CASE("time response: what cannot be answered is refused by a sentence") {
  CHECK(contains(error_of([] { time_response(mass_plant(1, 1, 1), {.until = -1}); }), "an answer until -1 s"));
  CHECK(contains(error_of([] { time_response(mass_plant(1, 1, 1), {.largest = 1}); }),
                 "'made' has 2 states; its answer in time is computed with up to 1"));
  CHECK(contains(error_of([] { time_response(two_masses(PlantForm::second_order)); }), "choose form 'state-space'"));
  CHECK(
      contains(error_of([] { time_response(mass_plant(1, 0, -1e6), {.until = 10}); }), "beyond the range of numbers"));
  MatrixXd A(1, 1), many = MatrixXd::Ones(1, 5);
  A << -1;
  const TimeResponse wide = time_response(plant_of(A, many, MatrixXd::Ones(1, 1), MatrixXd::Zero(1, 5)));
  CHECK(contains(error_of([&] { to_svg(wide, "wide"); }), "a picture shows up to 4 inputs"));
}
