// Counts of unstable eigenvalues by energy, on systems of two coordinates that anyone can work out.

#include "modes/count/energy_count.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>
#include <complex>

#include "support/forms/systems.h"

using namespace stillpoint;
using Counted = Spectrum::Counted;
using Eigen::MatrixXd;
using Eigen::Vector2d;

namespace {

const MatrixXd unit = MatrixXd::Identity(2, 2), none = MatrixXd::Zero(2, 2), skew{{0, 1}, {-1, 0}};

MatrixXd diagonal(double a, double b) { return Vector2d(a, b).asDiagonal().toDenseMatrix(); }

std::optional<Counted> count(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K, const MatrixXd& J = {}) {
  const LinearSystem system = system_of(M, K, J, C);
  const BorderedProblem problem(system);
  const std::vector<Mode> nothing;
  return count_by_energy(problem, QuadraticPencil(problem), {0, nothing});
}

std::optional<double> radius(const MatrixXd& C, const MatrixXd& K) {
  const LinearSystem system = system_of(unit, K, {}, C);
  const BorderedProblem problem(system);
  const auto found = radius_of_instability(problem, QuadraticPencil(problem));
  return found ? std::optional(*found * problem.frequency_scale()) : std::nullopt;
}

Mode mode(std::complex<double> s, double error) {
  Mode result;
  result.s = s;
  result.error = error;
  result.shape = result.left = Eigen::VectorXcd::Unit(2, 0);
  return result;
}

}  // namespace

TEST_CASE("energy count: a symmetric system has as many unstable eigenvalues as K has negative ones, damped or not") {
  for (const MatrixXd& C : {none, MatrixXd(diagonal(0.3, 0)), MatrixXd(0.1 * unit)}) {
    CHECK(count(unit, C, diagonal(2, 1)).value().unstable == 0);
    CHECK(count(unit, C, diagonal(2, -1)).value().unstable == 1);
    CHECK(count(unit, C, diagonal(-2, -1)).value().unstable == 2);
  }
}

TEST_CASE("energy count: constraints hold what K does not") {
  MatrixXd J(1, 2);
  J << 0, 1;
  CHECK(count(unit, none, diagonal(2, -1), J).value().unstable == 0);
  CHECK(count(unit, none, diagonal(-2, 1), J).value().unstable == 1);
}

TEST_CASE("energy count: gyroscopic forces leave a minimum stable, and may or may not hold a maximum") {
  CHECK(count(unit, 3 * skew, diagonal(2, 1)).value().unstable == 0);
  CHECK(!count(unit, 3 * skew, diagonal(-2, -1)));
  // With damping of every velocity a maximum falls, however fast it turns (Kelvin, Tait and Chetaev).
  CHECK(count(unit, 3 * skew + 0.01 * unit, diagonal(-2, -1)).value().unstable == 2);
}

TEST_CASE("energy count: which velocities are damped") {
  CHECK(count(unit, none, unit).value().damping == Counted::Damping::none);
  CHECK(count(unit, skew, unit).value().damping == Counted::Damping::none);
  CHECK(count(unit, diagonal(1, 0), unit).value().damping == Counted::Damping::partial);
  CHECK(count(unit, skew + unit, unit).value().damping == Counted::Damping::complete);
}

TEST_CASE("energy count: no answer for damping that supplies energy, negative mass, and forces without mass") {
  CHECK(!count(unit, -0.1 * unit, unit));
  CHECK(!count(diagonal(1, -1), none, unit));
  CHECK(!count(diagonal(1, 0), none, diagonal(1, -1)));  // pushed away, but without inertia
}

TEST_CASE("energy count: circulatory forces are outweighed by damping beyond |s| = a/d") {
  // K = k + a skew, C = d: the bound is ρ > a/d, found to a tenth.
  for (const auto& forces : {std::pair{0.5, 0.1}, {2.0, 0.5}, {1e-3, 1.0}}) {
    const double a = forces.first, d = forces.second;
    CAPTURE(a);
    const auto found = radius(d * unit, 4 * unit + a * skew);
    REQUIRE(found);
    CHECK(*found >= a / d * (1 - 1e-9));
    CHECK(*found <= std::max(1.11 * a / d, 1e-2));  // the search begins at a thousandth of the typical frequency
  }
  CHECK(!radius(none, 4 * unit + 0.1 * skew));
}

TEST_CASE("energy count: with a potential the bound is where K + ρ² M becomes positive") {
  const auto found = radius(none, diagonal(1, -9));
  REQUIRE(found);
  CHECK(*found >= 3 * (1 - 1e-9));
  CHECK(*found <= 3.31);
}

TEST_CASE("energy count: in a known region that holds all that may be unstable the known ones decide") {
  const LinearSystem system = system_of(unit, 4 * unit + 0.5 * skew, {}, 0.1 * unit);  // (11.11) beyond 5
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const double gamma = problem.frequency_scale();
  const std::vector<Mode> known{mode({0.07, 2}, 1e-9), mode({0.07, -2}, 1e-9), mode({-0.17, 2}, 1e-9),
                                mode({-0.17, -2}, 1e-9)};
  const auto all = count_by_energy(problem, pencil, {6 / gamma, known});
  REQUIRE(all);
  CHECK(all->unstable == 2);
  CHECK(all->by_region);
  CHECK(!count_by_energy(problem, pencil, {4 / gamma, known}));
}

TEST_CASE("energy count: signs are counted unless an error bound reaches the axis") {
  const LinearSystem system = system_of(unit, unit, {}, 0.1 * unit);
  const BorderedProblem problem(system);
  const std::vector<Mode> clear{mode({-0.1, 1}, 1e-3), mode({0.2, 1}, 1e-3), mode(0, 1e-9)};
  const auto counted = count_by_signs(clear, problem);
  REQUIRE(counted);
  CHECK(counted->unstable == 1);
  CHECK(counted->at_zero == 1);
  CHECK(!count_by_signs({mode({-0.1, 1}, 0.2)}, problem));
}

// An unstable one of the two is known, and so is that no other grows: nothing is left to be counted.
TEST_CASE("energy count: where nothing grows beyond the known region, the known ones are the unstable ones") {
  const LinearSystem system = system_of(unit, diagonal(2, -1), {}, 0.1 * unit);
  const BorderedProblem problem(system);
  const QuadraticPencil pencil(problem);
  const double growth = std::sqrt(1.0025) - 0.05;
  const double radius = 1.3 / problem.frequency_scale();
  const auto count_with = [&](double error, bool nothing_grows_beyond) {
    const std::vector<Mode> known{mode(growth, error), mode(-growth - 0.1, 1e-9)};
    return count_by_energy(problem, pencil, {radius, known, nothing_grows_beyond}).value();
  };
  CHECK(count_with(1e-9, true).unstable == 1);
  CHECK(count_with(1e-9, true).damping == Counted::Damping::complete);
  CHECK(count_with(1e-9, false).unstable == 1);
  CHECK(count_with(2, true).unstable == 1);  // an error that hides the sign: the stiffness tells
  // It is not counted anew.
  const std::vector<Mode> no_modes;
  CHECK(count_by_energy(problem, pencil, {radius, no_modes, true}).value().unstable == 0);
}
