// Fine meshes of beams: modes from strains, where entries of K are rounded by more than bending is stiff.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "stillpoint/modes.h"
#include "support/forms/systems.h"
#include "support/sanitized.h"

using namespace stillpoint;

namespace {

ModesOptions lowest(Index count) { return {.which = Lowest{count}}; }

/// Of the upper half plane.
std::vector<Mode> vibrations(const Spectrum& spectrum) {
  std::vector<Mode> modes;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s.imag() > 0) modes.push_back(mode);
  }
  return modes;
}

}  // namespace

TEST_CASE("strains: with the rest they are K again, in every case that has linear ones") {
  int tried = 0;
  double largest = 0;
  for (const NamedSystem& named : all_systems()) {
    const Strains& strains = named.system.strains;
    if (strains.empty()) continue;
    CAPTURE(named.name);
    ++tried;
    const Eigen::MatrixXd B = strains.B.toDense(), K = named.system.K.toDense();
    const Eigen::MatrixXd again = strains.rest.toDense() + B.transpose() * strains.D.asDiagonal() * B;
    const Eigen::VectorXd scale = K.diagonal().cwiseAbs().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd difference = scale.asDiagonal() * (again - K) * scale.asDiagonal();
    CHECK(difference.cwiseAbs().maxCoeff() < 1e-12);  // some hundred ε: both are sums over neighbours
    largest = std::max(largest, difference.cwiseAbs().maxCoeff());
  }
  CHECK(largest > 0);
  CHECK(tried >= 1);
}

TEST_CASE("strains: the frame of a floating beam strains nothing at all") {
  const LinearSystem system = system_of_case("flexible_double_pendulum");
  for (Index i = 0; i < system.coordinates(); ++i) {
    const std::string name = system.coordinate_name(i);
    const bool of_frame = name.starts_with("upper") || name.starts_with("lower");
    CHECK((system.strains.B.col(i).nonZeros() == 0) == of_frame);
  }
}

TEST_CASE("strains: those of another K are refused") {
  LinearSystem system = system_of_case("flexible_double_pendulum");
  system.K *= 2;
  CHECK_THROWS_AS(checked(system), Error);
  system.strains = {};
  CHECK_NOTHROW(checked(system));
}

// The lateral motions of both rods, assembled by hand from the same shapes with 113 bits and solved by inverse
// iteration there; the axial ones are those of one rod of 8 m, too high by (kh)²/24 of themselves.
// (Ten seconds; the sanitizers see the same code with a tenth of the elements, below.)
TEST_CASE("strains: twice ten thousand elements, the first ten modes certified and as exact as their bars say" *
          doctest::skip(draws(0, 1) == 1)) {
  const LinearSystem system = system_of_case("flexible_double_pendulum", {{"n_p", 10000}});
  CHECK(system.coordinates() == 60012);
  const Spectrum spectrum = solve_conservative(system, lowest(10));
  CHECK(spectrum.certified);
  const std::vector<Mode> modes = vibrations(spectrum);
  REQUIRE(modes.size() == 10);
  const auto along = [](int k) {
    const double wave = (2 * k - 1) * 3.14159265358979324 / 16, h = 4.0 / 10000;
    return std::sqrt(1e8 / 1500) * wave * (1 + wave * wave * h * h / 24);
  };
  const double expected[]{1.335731248271771, 3.524425391906542, 9.417479523584746, 22.40535684739798, 49.18825581118252,
                          along(1),          68.30308439562236, 110.5723598294296, 137.4241054535397, along(2)};
  for (std::size_t k = 0; k < 10; ++k) {
    CAPTURE(k);
    CHECK(modes[k].error < 1e-8 * expected[k]);
    CHECK(std::abs(modes[k].s.imag() - expected[k]) < modes[k].error);
  }
}

TEST_CASE("strains: without them rounding of K leaves two digits, and the bars say so") {
  LinearSystem system = system_of_case("flexible_double_pendulum", {{"n_p", 1000}});
  const double expected = 9.417479525154238;
  const Mode with = vibrations(solve_conservative(system, lowest(3)))[2];
  CHECK(std::abs(with.s.imag() - expected) < with.error);
  CHECK(with.error < 1e-9 * expected);
  system.strains = {};
  const Mode without = vibrations(solve_conservative(system, lowest(3)))[2];
  CHECK(std::abs(without.s.imag() - expected) < without.error);
  CHECK(std::abs(without.s.imag() - expected) > 1e-6 * expected);
}
