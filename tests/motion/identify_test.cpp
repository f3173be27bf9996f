// Frequencies and damping ratios that are found again in signals and in motions.
#include "stillpoint/identify.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "stillpoint/elements/all.h"
#include "stillpoint/motion.h"
#include "support/error_texts.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::VectorXd;
using std::numbers::pi;

namespace {

struct Signal {
  std::vector<double> times;
  VectorXd values;
};

Signal sampled(double end, double step, const std::function<double(double)>& x) {
  Signal signal{times_until(end, step), {}};
  signal.values.resize(std::ssize(signal.times));
  for (Eigen::Index k = 0; k < signal.values.size(); ++k)
    signal.values[k] = x(signal.times[static_cast<std::size_t>(k)]);
  return signal;
}

Identified identified(const Signal& signal) { return identify(signal.times, signal.values); }

}  // namespace

TEST_CASE("identify: a damped mass on a spring has the frequency and the damping ratio of its mode") {
  const double mass = 2, stiffness = 50;
  const double omega0 = std::sqrt(stiffness / mass);
  for (const double zeta : {0.002, 0.02, 0.1, 0.2}) {
    CAPTURE(zeta);
    ModelBuilder build("oscillator");
    build.scalar("x", 0.3, {.mass = mass});
    build.add("spring", ScalarSpring{.of = build.coordinate("x"),
                                     .stiffness = stiffness,
                                     .damping = 2 * zeta * std::sqrt(stiffness * mass)});
    const Model model = build.model();
    const Motion motion = integrate(model, consistent_state(model, model.initial_state()),
                                    {.times = times_until(12, 0.05), .tolerance = 1e-12, .keeps_states = true});
    VectorXd values(std::ssize(motion.states));
    for (Eigen::Index k = 0; k < values.size(); ++k) values[k] = motion.states[static_cast<std::size_t>(k)].q[0];
    const Identified found = identify(motion.times, values);
    REQUIRE_MESSAGE(found.decay, found.note);
    // 25 samples of a period, polynomials of degree 6: an error of (ω h)⁷ is 6e-5, and extrema see its square.
    const double damped = omega0 * std::sqrt(1 - zeta * zeta) / (2 * pi);
    CHECK(std::abs(found.decay->frequency - damped) < 1e-5 * damped);
    CHECK(std::abs(found.decay->damping_ratio - zeta) < 1e-5);
    CHECK(found.decay->scatter < 1e-3);
    REQUIRE(found.peaks.size() == 1);
    // The peak of a damped oscillation is where its envelope through the window is; it moves with the damping.
    CHECK(std::abs(found.peaks[0].frequency - damped) < (zeta < 0.05 ? 1e-4 : 3e-2) * damped);
  }
}

TEST_CASE("identify: neither mean, nor phase, nor growth, nor the end of the record matters to the decrement") {
  for (const double mean : {0.0, -3.0, 100.0}) {
    for (const double sigma : {0.3, 0.0, -0.2}) {
      for (const double phase : {0.0, 1.0, 2.5}) {
        CAPTURE(mean);
        CAPTURE(sigma);
        CAPTURE(phase);
        const Signal signal = sampled(9.97, 0.04, [&](double t) {
          return mean + 0.7 * std::exp(-sigma * t) * std::cos(2 * pi * 1.3 * t + phase);
        });
        const Identified found = identified(signal);
        REQUIRE_MESSAGE(found.decay, found.note);
        CHECK(std::abs(found.decay->frequency - 1.3) < 1e-5);
        const double omega = 2 * pi * 1.3;
        CHECK(std::abs(found.decay->damping_ratio - sigma / std::hypot(sigma, omega)) < 1e-5);
      }
    }
  }
}

TEST_CASE("identify: two tones are two peaks and no decrement") {
  const double first = 1.237, second = 3.519;
  const Signal signal = sampled(20, 0.02, [&](double t) {
    return 5 + 0.8 * std::cos(2 * pi * first * t + 0.4) + 0.3 * std::sin(2 * pi * second * t);
  });
  const Identified found = identified(signal);
  CHECK(!found.decay);
  CHECK(contains(found.note, "it is not one oscillation"));
  REQUIRE(found.peaks.size() == 2);
  // Side lobes are 92 dB down: 3e-5 of the width of a lobe, which is 4/20 Hz.
  CHECK(std::abs(found.peaks[0].frequency - first) < 1e-4 * first);
  CHECK(std::abs(found.peaks[1].frequency - second) < 1e-4 * second);
  CHECK(std::abs(found.peaks[0].amplitude - 0.8) < 1e-3);
  CHECK(std::abs(found.peaks[1].amplitude - 0.3) < 1e-3);
}

TEST_CASE("identify: in a constant, in its rounding, in a drift and in too short a record nothing is found") {
  const Identified constant = identified(sampled(10, 0.05, [](double) { return 3; }));
  CHECK(!constant.decay);
  CHECK(constant.peaks.empty());
  CHECK(constant.note == "it is constant");
  CHECK(identified(sampled(10, 0.05, [](double) { return 0; })).note == "it is constant");
  Random random(7);
  const Identified noise = identified(sampled(10, 0.05, [&](double) { return 3 + random.between(-1e-12, 1e-12); }));
  CHECK(noise.note == "it is constant");
  const Identified drift = identified(sampled(10, 0.05, [](double t) { return 3 * t; }));
  CHECK(!drift.decay);
  CHECK(contains(drift.note, "0 extrema are too few"));
  const Identified aperiodic = identified(sampled(10, 0.05, [](double t) { return std::exp(-t); }));
  CHECK(!aperiodic.decay);
  CHECK(contains(identified(sampled(1, 0.2, [](double t) { return t; })).note, "6 values are too few"));
  CHECK(identify({}, VectorXd()).note == "0 values are too few; 16 are needed");
  const std::string table = identification_table({{"tip.x", constant}, {"y", noise}});
  const std::string row = table.substr(table.find("tip.x"));
  CHECK(std::count(row.begin(), row.end(), '-') == 8);
  CHECK(contains(row, "  -; it is constant\n"));
}

TEST_CASE("identify: steps that differ and values that are none are refused") {
  Signal signal = sampled(10, 0.1, [](double t) { return std::sin(t); });
  Signal uneven = signal;
  uneven.times[7] += 0.01;
  CHECK(contains(error_of([&] { identified(uneven); }), "equal steps of time"));
  signal.values[3] = std::nan("");
  CHECK(contains(error_of([&] { identified(signal); }), "must be finite"));
}
