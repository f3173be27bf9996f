// Random responses against closed forms of the single mass, and of two inputs.

#include "stillpoint/random_response.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "loads/kronrod.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"
#include "support/forms/systems.h"
#include "support/scratch_folder.h"
#include "support/stopping.h"

using namespace stillpoint;
using Complex = std::complex<double>;

namespace {

constexpr double pi = std::numbers::pi;

/// A mass on a spring and a damper, with two forces.
struct Oscillator {
  double m = 2, k = 800, c = 4;

  double omega() const { return std::sqrt(k / m); }
  double zeta() const { return c / (2 * std::sqrt(k * m)); }
  Complex response(double hertz) const {
    const Complex s(0, 2 * pi * hertz);
    return 1.0 / (m * s * s + c * s + k);
  }
  LinearSystem system() const {
    const Model model = read_model_text(R"(
stillpoint: 1
parameters: {m: 1, k: 1, c: 1}
mechanism:
  - scalar: x
    value: 0
    mass: m
    unit: m
  - scalar_spring: spring
    of: x
    stiffness: k
    damping: c
  - input: f
  - input: g
  - scalar_force: f
    on: x
    magnitude: 1
    input: f
  - scalar_force: g
    on: x
    magnitude: 1
    input: g
)",
                                        "oscillator", {{"m", m}, {"k", k}, {"c", c}});
    return linearize(model, find_equilibrium(model, {.rest = EquilibriumRequest::nearest}));
  }
};

/// The part of σ² = S₀/(4 c k) below a frequency: the integral of |H|² in closed form.
double part_below(double hertz, const Oscillator& o) {
  const double r = 2 * pi * hertz / o.omega(), zeta = o.zeta(), root = std::sqrt(1 - zeta * zeta);
  return std::atan2(2 * zeta * r, 1 - r * r) / pi +
         zeta / (2 * pi * root) * std::log((1 + r * r + 2 * root * r) / (1 + r * r - 2 * root * r));
}

RandomResponse force_on(const LinearSystem& system, const SpectralDensity& S, const RandomOptions& options = {}) {
  return random_response(system, {{"f", 0, S}}, {"x"}, options);
}

}  // namespace

TEST_CASE(
    "random response: white noise on a single mass has σ² = S₀/(4 c k), and crosses zero at its natural frequency") {
  const Oscillator o;
  const RandomResponse found = force_on(o.system(), white_noise(0.3));
  CHECK(found.method == "Lyapunov's equation");
  CHECK(found.variance[0] == doctest::Approx(0.3 / (4 * o.c * o.k)).epsilon(1e-12));
  CHECK(found.crossing_rate[0] == doctest::Approx(o.omega() / (2 * pi)).epsilon(1e-12));
  CHECK(found.error[0] <= 1e-12 * found.variance[0]);
  CHECK(std::isinf(found.to));
}

// The tolerance of the quadrature, 1e-9; resonances narrower than a part of 1e-6 are found from the poles.
TEST_CASE("random response: noise in a band has the closed form of the single mass, also where it is lightly damped") {
  for (const double c : {40.0, 4.0, 0.04, 4e-5}) {
    CAPTURE(c);
    const Oscillator o{.c = c};
    for (const auto& band : {std::pair{0.0, 10.0}, {1.0, 3.0}, {2.5, 100.0}, {4.0, 5.0}}) {
      const double from = band.first, to = band.second;
      CAPTURE(to);
      const RandomResponse found = force_on(o.system(), white_noise(0.3, from, to));
      const double expected = 0.3 / (4 * o.c * o.k) * (part_below(to, o) - part_below(from, o));
      REQUIRE(found.converged);
      // Above the resonance the closed form is a difference of numbers near one.
      const double cancelled = 1e-15 * 0.3 / (4 * o.c * o.k);
      CHECK(std::abs(found.variance[0] - expected) <= 1e-9 * expected + cancelled);
      CHECK(found.error[0] <= 1e-9 * found.variance[0]);
    }
  }
}

TEST_CASE("random response: a wide band agrees with Lyapunov's equation on a mechanism of many modes") {
  const LinearSystem system = system_of_case("drive_train");
  const std::vector<RandomInput> white{{"motor", 0, white_noise(1)}};
  CHECK_THROWS_WITH_AS(random_response(system, white, {"shaft"}), doctest::Contains("is not damped"),
                       Error);  // turns freely
  const LinearSystem rotor = system_of_case("jeffcott_rotor", {{"Omega", 200}, {"kc", -30000}});
  const RandomResponse exact =
      random_response(rotor, {{"fx", 0, white_noise(2)}, {"fy", 0, white_noise(1)}}, {"disc.x", "disc.y"});
  const RandomResponse band = random_response(
      rotor, {{"fx", 0, white_noise(2, 0, 1e4)}, {"fy", 0, white_noise(1, 0, 1e4)}}, {"disc.x", "disc.y"});
  // What is above f is S/(3 m² (2π)⁴ f³), a part of 1e-9 here.
  for (Eigen::Index i = 0; i < 2; ++i) CHECK(band.variance[i] == doctest::Approx(exact.variance[i]).epsilon(1e-8));
  CHECK(band.crossing_rate[0] == doctest::Approx(exact.crossing_rate[0]).epsilon(1e-4));  // f² S decreases as 1/f²
}

TEST_CASE("random response: densities are |H|² S, cross-spectra H₁ S H₂*, and inputs add up by their coherence") {
  const Oscillator o;
  const LinearSystem system = o.system();
  const std::vector<RandomInput> both{{"f", 0, white_noise(0.5, 1, 20)}, {"g", 0, white_noise(2, 1, 20)}};
  RandomOptions options{.frequencies = {1.5, 3.2, 10, 30}};
  const RandomResponse apart = random_response(system, both, {"x"}, options);
  options.coherence = [](double) { return Eigen::MatrixXcd::Ones(2, 2).eval(); };
  const RandomResponse together = random_response(system, both, {"x"}, options);
  for (std::size_t k = 0; k < 4; ++k) {
    const double power = std::norm(o.response(options.frequencies[k])) * (k < 3 ? 1 : 0);  // 30 Hz is beyond the tables
    CHECK(apart.psd[k](0, 0).real() == doctest::Approx(2.5 * power).epsilon(1e-12));
    CHECK(together.psd[k](0, 0).real() == doctest::Approx(4.5 * power).epsilon(1e-12));  // (√0.5 + √2)²
  }
  CHECK(together.variance[0] == doctest::Approx(4.5 / 2.5 * apart.variance[0]).epsilon(1e-9));

  const LinearSystem rotor = system_of_case("jeffcott_rotor", {{"Omega", 200}, {"kc", -30000}});
  const RandomResponse cross =
      random_response(rotor, {{"fx", 0, white_noise(1, 10, 100)}}, {"disc.x", "disc.y"}, {.frequencies = {25, 40}});
  for (const Eigen::MatrixXcd& S : cross.psd) {  // of rank one: coherent
    CHECK(std::abs(S(0, 1)) > 0);
    CHECK(std::norm(S(0, 1)) == doctest::Approx((S(0, 0) * S(1, 1)).real()).epsilon(1e-10));
    CHECK(std::abs(S(0, 1) - std::conj(S(1, 0))) <= 1e-14 * std::abs(S(0, 1)));
  }
}

// Of a base whose acceleration is known: the transmissibility of the absolute acceleration.
TEST_CASE("random response: the acceleration of a base is divided by ω⁴, and Miles' equation is the limit") {
  const double m = 2, k = 800, c = 4, S = 0.1;
  const LinearSystem system = system_of_case("base_excited");
  const RandomResponse found = random_response(system, {{"base", 2, white_noise(S, 0.1, 2000)}}, {"felt.y"});
  const auto transmitted = [&](double hertz) {
    const Complex s(0, 2 * pi * hertz);
    return S * std::norm((c * s + k) / (m * s * s + c * s + k));
  };
  double expected = 0;  // Simpson's rule in log f
  const int steps = 200'000;
  const double step = std::log(2000 / 0.1) / steps;
  for (int i = 0; i <= steps; ++i) {
    const double hertz = 0.1 * std::exp(step * i);
    expected += step / 3 * (i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2) * hertz * transmitted(hertz);
  }
  CHECK(found.variance[0] == doctest::Approx(expected).epsilon(1e-8));
  const double fn = 20 / (2 * pi), zeta = c / (2 * std::sqrt(k * m));
  const double miles = pi * fn * S * (1 + 4 * zeta * zeta) / (4 * zeta);
  CHECK(found.variance[0] == doctest::Approx(miles).epsilon(5e-3));  // without what lies outside of the band
}

TEST_CASE("random response: a table is a straight line in the logarithms, and zero outside") {
  const ScratchFolder folder;
  folder.write("table.csv", "# from a test\nHz, (m/s2)2/Hz\n10, 1\n100; 100\r\n200 0\n");
  const SpectralDensity S = read_spectral_density(folder / "table.csv");
  CHECK(S.at(10) == 1);
  CHECK(S.at(std::sqrt(1000.0)) == doctest::Approx(10).epsilon(1e-14));
  CHECK(S.at(100) == doctest::Approx(100).epsilon(1e-14));
  CHECK(S.at(150) == doctest::Approx(50).epsilon(1e-14));  // down to zero in a straight line
  CHECK(S.at(200) == 0);
  CHECK(S.at(9.99) == 0);
  CHECK(S.at(201) == 0);
  // In the table f² S(f)/100 = 1: a mass without spring sees 1/(m ω²)², so that σ² = ∫ S/(m² (2πf)⁴) df is known.
  const Oscillator stiff{.m = 1e-9, .k = 10, .c = 1e-9};  // follows the force: x = f/k below 10⁴ Hz
  const RandomResponse found = force_on(stiff.system(), S);
  const double table = (1e6 - 1e3) / (3 * 100) + 100 * 100 / 2.0;          // ∫ f²/100 df, and the triangle
  CHECK(found.variance[0] == doctest::Approx(table / 100).epsilon(2e-4));  // (200/16000)²
  for (const auto& [text, message] : {std::pair{"10 1\n", "needs two frequencies at least"},
                                      {"10 1\n5 2\n", "2: the frequencies must ascend: 5 follows 10"},
                                      {"1 2\n3 -1\n", "2: frequency and value must be finite and not negative"},
                                      {"1 2 3\n4 5\n", "1: a line of a spectral density"},
                                      {"1 2\nx y\n3 4\n", "2: a line of a spectral density"}}) {
    folder.write("bad.csv", text);
    CHECK_THROWS_WITH_AS(read_spectral_density(folder / "bad.csv"), doctest::Contains(message), Error);
  }
}

TEST_CASE("random response: what has no stationary or finite response is told") {
  const Oscillator o;
  const RandomResponse undamped = force_on(Oscillator{.c = 0}.system(), white_noise(1, 1, 10));
  CHECK_FALSE(undamped.converged);
  CHECK(std::isnan(undamped.variance[0]));
  REQUIRE(!undamped.warnings.empty());
  CHECK(undamped.warnings.front().find("has no damping") != std::string::npos);
  CHECK(force_on(Oscillator{.c = 0}.system(), white_noise(1, 5, 10)).converged);  // its resonance is at 3.2 Hz
  CHECK_THROWS_WITH_AS(force_on(Oscillator{.c = 0}.system(), white_noise(1)), doctest::Contains("is not damped"),
                       Error);
  CHECK_THROWS_WITH_AS(force_on(Oscillator{.c = -1}.system(), white_noise(1, 1, 10)), doctest::Contains("is unstable"),
                       Error);
  const LinearSystem shaken = system_of_case("base_excited");
  CHECK_THROWS_WITH_AS(random_response(shaken, {{"base", 0, white_noise(1)}}, {"felt.y"}),
                       doctest::Contains("has no finite velocity"), Error);
  CHECK_THROWS_WITH_AS(random_response(shaken, {{"base", 2, white_noise(1)}}, {"felt.y"}),
                       doctest::Contains("white noise of a derivative"), Error);
  CHECK_THROWS_WITH_AS(random_response(shaken, {{"base", 2, white_noise(1, 0, 5)}}, {"felt.y"}),
                       doctest::Contains("begin above zero"), Error);
  CHECK_THROWS_WITH_AS(random_response(shaken, {{"base", 3, white_noise(1, 1, 5)}}, {"felt.y"}),
                       doctest::Contains("derivative 3 of an input"), Error);
  const LinearSystem system = o.system();
  CHECK_THROWS_WITH_AS(random_response(system, {}, {"x"}), doctest::Contains("needs an input"), Error);
  CHECK_THROWS_WITH_AS(random_response(system, {{"f", 0, white_noise(1)}, {"g", 0, white_noise(1, 1, 2)}}, {"x"}),
                       doctest::Contains("give the noise a band"), Error);
  CHECK_THROWS_WITH_AS(random_response(system, {{"f", 0, {{1}, {1}}}}, {"x"}),
                       doctest::Contains("in two lines at least"), Error);
  CHECK_THROWS_WITH_AS(random_response(system, {{"f", 0, {{2, 1}, {1, 1}}}}, {"x"}), doctest::Contains("must ascend"),
                       Error);
  CHECK_THROWS_WITH_AS(random_response(system, {{"f", 0, white_noise(1)}}), doctest::Contains("has no outputs"), Error);
  CHECK_THROWS_WITH_AS(white_noise(-1), doctest::Contains("not negative"), Error);
  CHECK_THROWS_WITH_AS(white_noise(1, 5, 5), doctest::Contains("the first frequency must be below the second"), Error);
  const std::vector<RandomInput> both{{"f", 0, white_noise(1, 1, 20)}, {"g", 0, white_noise(1, 1, 20)}};
  RandomOptions wrong;
  wrong.coherence = [](double) { return Eigen::MatrixXcd((Eigen::MatrixXcd(2, 2) << 1, 2, 2, 1).finished()); };
  CHECK_THROWS_WITH_AS(random_response(system, both, {"x"}, wrong), doctest::Contains("must be Hermitian"), Error);
  wrong.coherence = [](double) { return Eigen::MatrixXcd(Eigen::MatrixXcd::Identity(3, 3)); };
  CHECK_THROWS_WITH_AS(random_response(system, both, {"x"}, wrong), doctest::Contains("a coherence of 3 × 3"), Error);
}

// An acceleration by a force has direct feedthrough: white noise makes it infinite.
TEST_CASE("random response: an output on which white noise acts directly has no RMS") {
  const Model model = read_model_text(R"(
stillpoint: 1
mechanism:
  - input: f
  - point: P
    at: 0, 0
    mass: 1
  - spring: s
    between: ground(-1, 0), P
    stiffness: 10
    free_length: 1
    damping: 1
  - spring: t
    between: ground(0, -1), P
    stiffness: 10
    free_length: 1
    damping: 1
  - force: push
    at: P
    vector: 1, 0
    input: f
  - output: felt
    acceleration: P
)",
                                      "felt");
  const LinearSystem system = linearize(model, find_equilibrium(model));
  CHECK_THROWS_WITH_AS(random_response(system, {{"f", 0, white_noise(1)}}, {"felt.x"}),
                       doctest::Contains("RMS is infinite"), Error);
  CHECK(random_response(system, {{"f", 0, white_noise(1, 1, 100)}}, {"felt.x"}).converged);
}

TEST_CASE("random response: the quadrature has what is known of a polynomial, a peak and a root") {
  const Integrand functions = [](const std::vector<double>& points) {
    Eigen::MatrixXd values(3, static_cast<Eigen::Index>(points.size()));
    for (std::size_t k = 0; k < points.size(); ++k) {
      const double x = points[k];
      values.col(static_cast<Eigen::Index>(k)) << std::pow(x, 9), 1e-3 / (1e-6 + std::pow(x - 0.3, 2)), std::sqrt(x);
    }
    return values;
  };
  const Quadrature found = integrate_adaptively(functions, {0, 0.5, 1}, 1e-10, 3);
  REQUIRE(found.converged);
  CHECK(found.value[0] == doctest::Approx(0.1).epsilon(1e-14));
  CHECK(found.value[1] == doctest::Approx(std::atan(700.0) + std::atan(300.0)).epsilon(1e-10));
  CHECK(found.value[2] == doctest::Approx(2.0 / 3).epsilon(1e-10));
  for (Eigen::Index i = 0; i < 3; ++i) CHECK(found.error[i] <= 1e-10 * found.value[i]);
}

TEST_CASE("random response: apostrophes of a name are derivatives, and pairs of inputs have a coherence") {
  CHECK(random_input("base", white_noise(1)).derivative == 0);
  const RandomInput base = random_input("base''", white_noise(1, 1, 5)), push = random_input("push'", white_noise(2));
  CHECK(base.input == "base");
  CHECK(base.derivative == 2);
  CHECK(push.input == "push");
  CHECK(push.derivative == 1);
  CHECK_FALSE(coherence_between({base, push}, {}));
  const Eigen::MatrixXcd gamma = coherence_between({base, push}, {{"push", "base", -0.5}})(3);
  CHECK(gamma == Eigen::MatrixXcd((Eigen::MatrixXcd(2, 2) << 1, -0.5, -0.5, 1).finished()));
  CHECK_THROWS_WITH_AS(coherence_between({base, push}, {{"push", "bas", 1}}),
                       doctest::Contains("no spectral density is given for 'bas' (did you mean 'base'?)"), Error);
  CHECK_THROWS_WITH_AS(coherence_between({base, push}, {{"push", "push", 1}}),
                       doctest::Contains("two inputs are meant"), Error);
}

TEST_CASE("random response: the work tells its progress, and can be stopped there") {
  const LinearSystem system = Oscillator().system();
  testing::check_that_it_can_be_stopped(
      [&](const auto& listener) { force_on(system, white_noise(1, 0.1, 50), {.progress = listener}); });
}
