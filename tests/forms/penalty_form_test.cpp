#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

#include "stillpoint/modes.h"
#include "support/error_texts.h"
#include "support/forms/systems.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

// Sums of a few products.
constexpr double rounding = 1e-14;

double difference(const MatrixXd& A, const MatrixXd& B) { return (A - B).norm() / B.norm(); }

}  // namespace

TEST_CASE("penalty form: the matrices are those of González 2017, entry by entry") {
  for (const NamedSystem& named : all_systems()) {
    const LinearSystem& system = named.system;
    if (system.constraints() == 0) continue;
    CAPTURE(named.name);
    Eigen::VectorXd alpha(system.constraints());
    for (Index i = 0; i < alpha.size(); ++i) alpha[i] = 1e3 + 100 * i;
    const double xi = 0.6, omega = 20;
    const PenaltyForm form = penalty_form(system, {.alpha = alpha, .xi = xi, .omega = omega});
    const MatrixXd J = system.J, stiff = J.transpose() * alpha.asDiagonal() * J;
    CHECK(difference(form.M, MatrixXd(system.M) + stiff) < rounding);
    CHECK(difference(form.C, MatrixXd(system.C) + 2 * xi * omega * stiff) < rounding);
    CHECK(difference(form.K, MatrixXd(system.K) + omega * omega * stiff) < rounding);
    const MatrixXd M = system.M, M_p = form.M;
    if (M == M.transpose()) CHECK(M_p == M_p.transpose());
    CHECK(form.alpha == alpha);
  }
}

TEST_CASE("penalty form: prescribed motion pulls by stiffness, damper and mass") {
  MatrixXd J(1, 2), G(1, 1), F(2, 1), I = MatrixXd::Identity(2, 2);
  J << 2, -1;
  G << 3;
  F << 5, 6;
  const PenaltyForm form =
      penalty_form(system_of(I, I, J, {}, G, F), {.alpha = Eigen::VectorXd::Constant(1, 100), .xi = 0.5, .omega = 4});
  CHECK(form.F.coeff(0, 0) == 5 + 2 * 100 * 16 * 3);
  CHECK(form.F.coeff(1, 0) == 6 - 100 * 16 * 3);
  CHECK(form.Fv.coeff(0, 0) == 2 * 100 * 4 * 3);
  CHECK(form.Fa.coeff(0, 0) == 2 * 100 * 3);
}

TEST_CASE("penalty form: redundant constraints take part, all of them") {
  const LinearSystem system = system_of_case("five_bar_parallelogram");
  CHECK(penalty_form(system).alpha.size() == 12);
}

TEST_CASE("penalty form: g has its roots where the spurious eigenvalues cluster") {
  PenaltyForm form;
  form.xi = 1;
  form.omega = 10;
  CHECK(form.g(-10) == std::complex<double>(0, 0));
  CHECK(form.g(0) == std::complex<double>(100, 0));
}

TEST_CASE("penalty form: its frequency is that of González 2017, unless the system is much faster or slower") {
  const auto oscillator = [](double omega) {
    return system_of(MatrixXd::Identity(2, 2), omega * omega * MatrixXd::Identity(2, 2), MatrixXd::Ones(1, 2));
  };
  CHECK(penalty_frequency(oscillator(2)) == 10);
  CHECK(penalty_frequency(oscillator(64)) == 10);
  CHECK(penalty_frequency(oscillator(std::ldexp(1, 20))) == std::ldexp(1, 16));
  CHECK(penalty_frequency(oscillator(std::ldexp(1, -10))) == std::ldexp(1, -6));
  CHECK(penalty_frequency(oscillator(1e6), {.alpha = Eigen::VectorXd::Constant(1, 1e6)}) == 10);
  CHECK(penalty_frequency(oscillator(2), {.omega = 3}) == 3);
}

TEST_CASE("penalty factors: one for all, one for each, or a clear error") {
  const LinearSystem system = system_of_case("four_bar");
  CHECK(penalty_factors(system, {.alpha = Eigen::VectorXd::Constant(1, 5)}) == Eigen::VectorXd::Constant(4, 5));
  CHECK(contains(error_of([&] { penalty_form(system, {.alpha = Eigen::VectorXd::Ones(3)}); }),
                 "3 penalty factors were given for 4 constraints"));
  Eigen::VectorXd negative = Eigen::VectorXd::Ones(4);
  negative[2] = -1;
  CHECK(contains(error_of([&] { penalty_form(system, {.alpha = negative}); }),
                 "'" + system.constraint_name(2) + "' is -1; it must be positive"));
  CHECK(contains(error_of([&] { penalty_form(system, {.alpha = Eigen::VectorXd::Zero(1)}); }), "alpha is 0"));
  CHECK(contains(error_of([&] { penalty_form(system, {.xi = 0}); }), "xi is 0"));
  CHECK(contains(error_of([&] { penalty_form(system, {.omega = std::nan("")}); }), "omega is nan"));
}

TEST_CASE("penalty factors: chosen ones follow the units of constraints and coordinates") {
  const LinearSystem system = system_of_case("slider_crank_spatial");
  LinearSystem mixed = system;
  Eigen::VectorXd u(mixed.coordinates()), v(mixed.constraints());
  for (Index i = 0; i < u.size(); ++i) u[i] = std::pow(2.0, (i * 5) % 7 - 3);
  for (Index i = 0; i < v.size(); ++i) v[i] = std::pow(2.0, (i * 3) % 7 - 3);
  for (SparseMatrix* const A : {&mixed.M, &mixed.C, &mixed.K}) *A = u.asDiagonal() * *A * u.asDiagonal();
  mixed.J = v.asDiagonal() * mixed.J * u.asDiagonal();
  const Eigen::VectorXd a = penalty_factors(system), b = penalty_factors(mixed);
  // The orientation of the slider is held by itself and has no inertia: no unit to go by in the last three.
  for (Index i = 0; i < 14; ++i) CHECK(b[i] * v[i] * v[i] == doctest::Approx(a[i]).epsilon(1e-10));
}

TEST_CASE("penalty factors: chosen ones keep eigenvalues to five digits where nothing else disturbs them") {
  // Measured on all cases: 1e-8 to 4e-6. Multiple zeros (cart_pole) and massless coordinates that the constraints leave
  // free have no relative accuracy to lose.
  for (const std::string name : {"four_bar", "five_bar_parallelogram", "slider_crank", "n_pendulum", "double_pendulum",
                                 "spatial_double_pendulum", "slider_crank_spatial", "four_bar_spatial",
                                 "universal_chain", "scissor_frame", "pendulum", "ziegler_column"}) {
    CAPTURE(name);
    const LinearSystem system = system_of_case(name);
    const MinimalForm minimal = minimal_form(system);
    const PenaltyForm form = penalty_form(system);
    CHECK(form.alpha.minCoeff() > 0);
    CHECK(distance(spectrum(minimal.M, minimal.C, minimal.K), spectrum(form.M, form.C, form.K), 1e-3) < 1e-5);
  }
}

TEST_CASE("penalty factors: chosen ones are as good for fine beams as for bodies") {
  // Relative, of the six lowest: the nodes that are held are light, and what hangs on them is not. Penalties by the
  // mass of the nodes left 1e-3 of the cantilever, 4e-4 of the column and 2e-3 of the pendulum.
  const auto genuine = [](const Spectrum& spectrum) {
    std::vector<std::complex<double>> values;
    for (const Mode& mode : spectrum.modes) {
      if (mode.kind == ModeClass::genuine) values.push_back(mode.s);
    }
    return values;
  };
  const std::vector<LinearSystem> systems{system_of_case("cantilever"), system_of_case("beck_column"),
                                          system_of_case("flexible_double_pendulum", {{"n_p", 20}})};
  for (const LinearSystem& system : systems) {
    CAPTURE(system.name);
    const MinimalForm minimal = minimal_form(system);
    const auto exact = genuine(solve_modes(system, minimal));
    const auto found = genuine(solve_modes(system, penalty_form(system), count_true(system, minimal)));
    for (std::size_t k = 0; k < 12; ++k) {
      double off = std::abs(exact[k]);
      for (const std::complex<double> s : found) off = std::min(off, std::abs(s - exact[k]));
      CHECK(off < 2e-5 * std::abs(exact[k]));
    }
  }
}

TEST_CASE(
    "penalty factors: what a constraint holds resists by its mass, its damping and its stiffness of either sign") {
  // 1e7 |k + s c + s² m| / ω², s = ω √i, and s² 1e-6 m so that nothing is without mass.
  const double m = 3, omega = 10;
  const auto matrix = [](double value) { return MatrixXd::Constant(1, 1, value); };
  for (const double k : {0.0, 4e5, -4e5, 20.0}) {
    for (const double c : {0.0, 70.0}) {
      const LinearSystem system = system_of(matrix(m), matrix(k), matrix(2), matrix(c));
      const std::complex<double> s = omega * std::sqrt(std::complex<double>(0, 1));
      const double resists = std::abs(k + s * c + s * s * m) / (omega * omega);
      CHECK(penalty_factors(system, {.omega = omega})[0] ==
            doctest::Approx(1e7 * std::max(resists, m) / 4).epsilon(1e-5));
    }
  }
}

TEST_CASE("penalty factors: a body of two parts that are stiffly joined is as heavy as both") {
  MatrixXd M = MatrixXd::Zero(2, 2), K(2, 2), J(1, 2);
  M.diagonal() << 1e-3, 5;  // the node that is held is light
  K << 1e8, -1e8, -1e8, 1e8;
  J << 1, 0;
  CHECK(penalty_factors(system_of(M, K, J), {.omega = 10})[0] == doctest::Approx(5.001e7).epsilon(1e-4));
  CHECK(penalty_factors(system_of(M, 1e-13 * K, J), {.omega = 10})[0] == doctest::Approx(1e4).epsilon(1e-3));
}

TEST_CASE("penalty factors: a floating frame, which has neither mass nor stiffness of its own, is held all the same") {
  // q₁ + q₂ is where the body is; the first row holds q₁, which nothing else does, the second where the body is.
  MatrixXd J(2, 2);
  J << 1, 0, 1, 1;
  const Eigen::VectorXd alpha = penalty_factors(system_of(MatrixXd::Ones(2, 2), MatrixXd::Zero(2, 2), J));
  CHECK(alpha[0] == doctest::Approx(1e7).epsilon(1e-5));
  CHECK(alpha[1] == doctest::Approx(1e7).epsilon(1e-5));
}

}  // namespace stillpoint
