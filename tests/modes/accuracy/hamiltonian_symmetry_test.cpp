// Eigenvalues that keep to the imaginary axis by the structure of the system.

#include "modes/accuracy/hamiltonian_symmetry.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "support/forms/systems.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

namespace {

const MatrixXd unit = MatrixXd::Identity(2, 2), skew{{0, 1}, {-1, 0}};

Mode mode(Complex s, double error, const VectorXcd& shape = VectorXcd::Unit(2, 0)) {
  Mode result;
  result.s = s;
  result.error = error;
  result.shape = result.left = shape;
  return result;
}

bool keeps(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K) {
  return keeps_energy(minimal_form(system_of(M, K, {}, C)));
}

}  // namespace

TEST_CASE("Hamiltonian symmetry: symmetric M and K with a skew C keep the energy, nothing else does") {
  CHECK(keeps(unit, 0 * unit, unit));
  CHECK(keeps(unit, skew, unit));
  CHECK(!keeps(unit, skew + 0.01 * unit, unit));
  CHECK(!keeps(unit, skew, unit + 0.01 * skew));
}

TEST_CASE("Hamiltonian symmetry: an eigenvalue whose bound reaches the axis, alone there, is put on it") {
  const LinearSystem system = system_of(unit, unit);
  std::vector<Mode> modes{mode({1e-12, 1}, 1e-11), mode({1e-12, -1}, 1e-11), mode({-1e-9, 5}, 1e-11)};
  put_on_axis(system, modes);
  CHECK(modes[0].s == Complex(0, 1));
  CHECK(modes[1].s == Complex(0, -1));
  CHECK(modes[2].s == Complex(-1e-9, 5));  // its bound does not reach the axis
}

TEST_CASE("Hamiltonian symmetry: two that may be partners of each other stay off unless the Krein form has one sign") {
  const LinearSystem system = system_of(unit, unit);  // two equal oscillators: 2ωM is definite
  std::vector<Mode> equal{mode({1e-12, 1}, 1e-11), mode({-1e-12, 1}, 1e-11, VectorXcd::Unit(2, 1))};
  put_on_axis(system, equal);
  CHECK(equal[0].s.real() == 0);
  CHECK(equal[1].s.real() == 0);

  // With C = −4 skew and x = (1, ±i): 2ωM − iC is 2 ∓ 4, of both signs.
  const LinearSystem turning = system_of(unit, unit, {}, -4 * skew);
  const VectorXcd forwards{{1, Complex(0, 1)}}, backwards{{1, Complex(0, -1)}};
  std::vector<Mode> mixed{mode({1e-12, 1}, 1e-11, forwards), mode({-1e-12, 1}, 1e-11, backwards)};
  put_on_axis(turning, mixed);
  CHECK(mixed[0].s.real() == 1e-12);
  CHECK(mixed[1].s.real() == -1e-12);
}

TEST_CASE("Hamiltonian symmetry: two values with one vector have no form of one sign") {
  const LinearSystem system = system_of(unit, unit);
  std::vector<Mode> defective{mode({1e-6, 1}, 1e-5), mode({-1e-6, 1}, 1e-5)};
  put_on_axis(system, defective);
  CHECK(defective[0].s.real() == 1e-6);
}

TEST_CASE("Hamiltonian symmetry: real values and zeros are left alone") {
  const LinearSystem system = system_of(unit, unit);
  std::vector<Mode> modes{mode({1e-12, 0}, 1e-11), mode(0, 1e-9)};
  put_on_axis(system, modes);
  CHECK(modes[0].s == Complex(1e-12, 0));
  CHECK(modes[1].s == Complex(0, 0));
}
