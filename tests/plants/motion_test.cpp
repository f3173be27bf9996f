// The frequency response against the nonlinear model in motion, shaken gently until what it started with has died away.

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "base/at.h"
#include "stillpoint/assembly.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/outputs.h"
#include "support/plants/closed_forms.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

/// Accelerations and multipliers of M v̇ + Jᵀλ = f, J v̇ + J̇ v = 0.
class Mechanism {
 public:
  explicit Mechanism(const Model& model) : model_(model), assembly_(model) {}

  State accelerated(State state) {
    const Index n = model_.coordinates(), m = model_.constraints();
    state.a = VectorXd::Zero(n);
    const VectorXd force = applied_forces(model_, state) - inertia_forces(model_, state);
    MatrixXd whole = MatrixXd::Zero(n + m, n + m);
    const auto [M, J] = matrices(state.q, state);
    whole << M, J.transpose(), J, MatrixXd::Zero(m, m);
    VectorXd right(n + m);
    right << force, -turning(state);
    const VectorXd solution = whole.partialPivLu().solve(right);
    state.a = solution.head(n);
    state.lambda = solution.tail(m);
    return state;
  }

 private:
  std::pair<MatrixXd, MatrixXd> matrices(const VectorXd& q, const State& state) {
    State still = state;
    still.q = q;
    still.v = still.a = VectorXd();
    still.lambda = VectorXd::Zero(model_.constraints());
    const Matrices& at = assembly_.at(still);
    return {at.M, at.J};
  }
  /// J̇ v, by central differences.
  VectorXd turning(const State& state) {
    constexpr double step = 1e-4;
    const MatrixXd after = matrices(state.q + step * state.v, state).second;
    const MatrixXd before = matrices(state.q - step * state.v, state).second;
    return (after - before) * state.v / (2 * step);
  }

  const Model& model_;
  Assembly assembly_;
};

/// Runge and Kutta's method of fourth order.
State stepped(Mechanism& mechanism, const State& state, double t, double h, const std::function<double(double)>& u) {
  const auto rate = [&](const State& from, double dq, const State& slope, double time) {
    State next = from;
    next.q = from.q + dq * slope.v;
    next.v = from.v + dq * slope.a;
    next.u[0] = u(time);
    return mechanism.accelerated(next);
  };
  const State k1 = rate(state, 0, state, t), k2 = rate(state, h / 2, k1, t + h / 2),
              k3 = rate(state, h / 2, k2, t + h / 2), k4 = rate(state, h, k3, t + h);
  State next = state;
  next.q += h / 6 * (k1.v + 2 * k2.v + 2 * k3.v + k4.v);
  next.v += h / 6 * (k1.a + 2 * k2.a + 2 * k3.a + k4.a);
  return next;
}

/// The outputs' part at the frequency of u₀ + amplitude · cos ωt over the last period, relative to the amplitude.
Eigen::VectorXcd shaken(const Model& model, State state, double omega, double amplitude, int periods) {
  constexpr int steps = 100;  // of a period
  const double h = 2 * std::numbers::pi / omega / steps, u0 = state.u[0];
  const auto u = [&](double t) { return u0 + amplitude * std::cos(omega * t); };
  Mechanism mechanism(model);
  state.v = state.a = VectorXd::Zero(model.coordinates());
  const VectorXd y0 = observe(model, state).y;
  Eigen::VectorXcd part = Eigen::VectorXcd::Zero(model.outputs());
  for (int k = 0; k < periods * steps; ++k) {
    const double t = k * h;
    if (k >= (periods - 1) * steps) {
      State now = state;
      now.u[0] = u(t);
      const VectorXd y = observe(model, mechanism.accelerated(now)).y - y0;
      part += std::exp(Complex(0, -omega * t)) * (2.0 / steps / amplitude) * y.cast<Complex>();
    }
    state = stepped(mechanism, state, t, h, u);
  }
  return part;
}

}  // namespace

TEST_CASE("response: the nonlinear four-bar, shaken gently, answers as its linear system does") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/actuated_four_bar");
  const Equilibrium rest = find_equilibrium(model);
  const LinearSystem system = linearize(model, rest);
  constexpr double amplitude = 1e-3;  // N m: a ten-thousandth of a radian
  constexpr int periods = 24;         // e^(−0.83 t) is below 1e-6 then
  for (const double omega : {8.0, 9.9}) {
    CAPTURE(omega);
    const Eigen::VectorXcd found = shaken(model, rest.state, omega, amplitude, periods);
    const Eigen::VectorXcd expected = frequency_response(system, VectorXd::Constant(1, omega)).response[0].col(0);
    for (Index i = 0; i < system.outputs(); ++i) {
      CAPTURE(system.output_name(i));
      CHECK(std::abs(found[i] - expected[i]) < 1e-4 * std::abs(expected[i]));
      CHECK(found[i] != expected[i]);
    }
  }
}
