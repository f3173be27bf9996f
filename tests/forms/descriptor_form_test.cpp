#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "stillpoint/modes.h"
#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/forms/systems.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Complex = std::complex<double>;

// Infinite eigenvalues are in blocks of size 3, so rounding ε leaves ε^(1/3) of their inverses; what is finite here is
// far larger.
constexpr double infinite = 1e-4;

// Finite eigenvalues of the pencil and of the minimal form, relative to the largest.
constexpr double same = 1e-7;

/// Inverses 1 / (s − σ) of all eigenvalues, the largest first.
std::vector<Complex> inverses(const DescriptorForm& form, double sigma) {
  const MatrixXd E = form.E, A = form.A;
  const Eigen::VectorXcd mu = dense::eigenvalues(dense::solve(A - sigma * E, E));
  std::vector<Complex> result(mu.begin(), mu.end());
  std::sort(result.begin(), result.end(), [](Complex a, Complex b) { return std::abs(a) > std::abs(b); });
  return result;
}

/// Finite eigenvalues: as many as are expected, and a gap behind them.
std::vector<Complex> finite_eigenvalues(const DescriptorForm& form, std::size_t count, double sigma) {
  const std::vector<Complex> mu = inverses(form, sigma);
  std::vector<Complex> result;
  for (std::size_t k = 0; k < mu.size(); ++k) {
    if (k < count) result.push_back(sigma + 1.0 / mu[k]);
    if (k >= count) CHECK(std::abs(mu[k]) < infinite);
  }
  return result;
}

/// Two masses on springs, tied by a rigid bar, and a third on the ground by a damper.
LinearSystem tied_masses() {
  MatrixXd C = MatrixXd::Zero(3, 3), J(1, 3), F(3, 1);
  C(2, 2) = 0.4;
  J << 1, -2, 0;
  F << 0, 0, 1;
  MatrixXd K(3, 3);
  K << 4, -1, -1, -1, 3, 0, -1, 0, 5;
  return system_of(Eigen::Vector3d(1, 2, 3).asDiagonal(), K, J, C, {}, F);
}

}  // namespace

TEST_CASE("descriptor form: the blocks stand where they belong") {
  const LinearSystem system = tied_masses();
  const DescriptorForm form = descriptor_form(system);
  MatrixXd E = MatrixXd::Zero(7, 7), A = MatrixXd::Zero(7, 7), B = MatrixXd::Zero(7, 1);
  E.topLeftCorner(3, 3).setIdentity();
  E.block(3, 3, 3, 3) = MatrixXd(system.M);
  A.block(0, 3, 3, 3).setIdentity();
  A.block(3, 0, 3, 3) = -MatrixXd(system.K);
  A.block(3, 3, 3, 3) = -MatrixXd(system.C);
  A.block(3, 6, 3, 1) = -MatrixXd(system.J).transpose();
  A.block(6, 0, 1, 3) = -MatrixXd(system.J);
  B.block(3, 0, 3, 1) = MatrixXd(system.F);
  CHECK(MatrixXd(form.E) == E);
  CHECK(MatrixXd(form.A) == A);
  CHECK(MatrixXd(form.B) == B);
  CHECK(form.n == 3);
  CHECK(form.r == 1);
  CHECK(form.dropped.empty());
}

TEST_CASE("descriptor form: its finite eigenvalues are those of the minimal form, in every case") {
  for (const NamedSystem& named : all_systems()) {
    const LinearSystem& system = named.system;
    if (system.coordinates() > 60) continue;
    CAPTURE(named.name);
    const MinimalForm minimal = minimal_form(system);
    if (count_true(system, minimal).massless > 0) continue;  // spectrum() needs a nonsingular M
    const auto expected = spectrum(minimal.M, minimal.C, minimal.K);
    double largest = 1;
    for (const Complex& s : expected) largest = std::max(largest, std::abs(s));
    if (largest > 500) continue;  // stiff ones need scaling, as solve_modes does it; here nothing is scaled
    // A point off all eigenvalues, of their size.
    const auto found = finite_eigenvalues(descriptor_form(system), expected.size(), 0.37 * largest);
    CHECK(distance(expected, found, largest) < same);
    CHECK(distance(found, expected, largest) < same);
  }
}

TEST_CASE("descriptor form: dependent rows are left out, by name") {
  const LinearSystem system = system_of_case("five_bar_parallelogram");
  const DescriptorForm form = descriptor_form(system);
  CHECK(form.r == 11);
  CHECK(form.E.rows() == 2 * 12 + 11);
  REQUIRE(form.dropped.size() == 1);
  CHECK(form.dropped[0] == system.constraint_name(system.rows.dependent[0]));
  // With all rows the pencil would be singular for every s.
  const MatrixXd pencil = MatrixXd(form.A) - 0.7 * MatrixXd(form.E);
  CHECK(dense::rank(pencil) == form.E.rows());
}

TEST_CASE("descriptor form: J and Jᵀ moved to E make zeros of infinities, and change nothing else") {
  const LinearSystem system = tied_masses();
  const auto expected = spectrum(minimal_form(system).M, minimal_form(system).C, minimal_form(system).K);
  for (const bool J_moves : {false, true}) {
    for (const bool Jt_moves : {false, true}) {
      CAPTURE(J_moves);
      CAPTURE(Jt_moves);
      const DescriptorForm form = descriptor_form(system, {.J_on_velocities = J_moves, .Jt_on_rates = Jt_moves});
      const std::size_t zeros = (J_moves ? 1 : 0) + (Jt_moves ? 1 : 0);
      const auto found = finite_eigenvalues(form, expected.size() + zeros, 1.3);
      CHECK(distance(expected, found, 1) < same);
      CHECK(static_cast<std::size_t>(
                std::count_if(found.begin(), found.end(), [](Complex s) { return std::abs(s) < 1e-6; })) == zeros);
    }
  }
}

TEST_CASE("descriptor form: J is not moved where rigid-body motion has the same zeros") {
  const LinearSystem cart = system_of_case("cart_pole");
  for (const DescriptorOptions& options : {DescriptorOptions{true, false}, DescriptorOptions{false, true}}) {
    const std::string text = error_of([&] { descriptor_form(cart, options); });
    CHECK(text.find("'cart.x'") != std::string::npos);
    CHECK(text.find("J cannot be moved to E here: no stiffness resists 1 motion") != std::string::npos);
    CHECK(error_of([&] { descriptor_form(system_of_case("four_bar"), options); }) == "");
  }
  CHECK(error_of([&] { descriptor_form(cart, {}); }) == "");
}

TEST_CASE("descriptor form: prescribed motion stands in B, and needs J on positions") {
  MatrixXd J(2, 2), G(2, 1), I = MatrixXd::Identity(2, 2);
  J << 1, 0, 2, 0;
  G << 3, 6;
  const LinearSystem system = system_of(I, I, J, {}, G);
  const DescriptorForm form = descriptor_form(system);
  CHECK(form.r == 1);
  const Index row = form.rows[0];
  CHECK(form.B.coeff(4, 0) == G(row, 0));
  CHECK(error_of([&] { descriptor_form(system, {.J_on_velocities = true}); }).find("rates of the inputs") !=
        std::string::npos);
  CHECK(error_of([&] { descriptor_form(system, {.Jt_on_rates = true}); }) == "");
}

}  // namespace stillpoint
