// Real eigenvalues that rounding has moved off the axis come back to it.

#include "modes/problem/real_pairs.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <complex>

#include "support/forms/systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXcd;

namespace {

constexpr double noise = 1e-9;      // by which values and vectors are moved off the axis
constexpr double restored = 1e-13;  // the projection is onto the exact vectors but for the square of the noise
constexpr double size = 4;          // of all eigenvalues

/// Three oscillators with the eigenvalues −1, −2; −1, −4; −0.1 ± 0.995i.
LinearSystem three() {
  return system_of(MatrixXd::Identity(3, 3), Vector3d(2, 4, 1).asDiagonal(), {}, Vector3d(3, 5, 0.2).asDiagonal());
}

struct Values {
  VectorXcd s;  ///< scaled
  MatrixXcd x;
};

/// Eigenvalues of the system, on these coordinates, with noise.
Values noisy(const BorderedProblem& problem, const VectorXcd& s, const std::vector<Eigen::Index>& coordinates) {
  Random random(1);
  Values values{s / problem.frequency_scale(), MatrixXcd::Zero(problem.M().rows(), s.size())};
  for (Eigen::Index k = 0; k < s.size(); ++k) {
    values.x(coordinates[static_cast<std::size_t>(k)], k) = std::polar(1.0, random.between(0, 6));
    values.s[k] += noise * std::polar(1.0, random.between(0, 6));
  }
  return values;
}

}  // namespace

TEST_CASE("real pairs: real values and vectors are restored, and a pair far from the axis is left alone") {
  const LinearSystem system = three();
  const BorderedProblem problem(system);
  const Complex pair(-0.1, std::sqrt(0.99));
  Values found = noisy(problem, VectorXcd{{-1, -2, -1, -4, pair}}, {0, 0, 1, 1, 2});
  const Complex before = found.s[4];
  make_real(found.s, found.x, problem, size);
  const VectorXcd s = found.s * problem.frequency_scale();
  for (const auto& value : {std::pair{0, -1.0}, {1, -2.0}, {2, -1.0}, {3, -4.0}}) {
    const int k = value.first;
    const double exact = value.second;
    CAPTURE(k);
    CHECK(s[k].imag() == 0);
    CHECK(std::abs(s[k] - exact) < restored);
    CHECK(found.x.col(k).imag().norm() < restored);
  }
  CHECK(found.s[4] == before);
}

TEST_CASE("real pairs: both vectors of a double real value are kept, each an eigenvector") {
  const LinearSystem system = three();
  const BorderedProblem problem(system);
  Values found = noisy(problem, VectorXcd{{-1, -1}}, {0, 1});
  make_real(found.s, found.x, problem, size);
  for (Eigen::Index k = 0; k < 2; ++k) {
    const Complex s = found.s[k];
    const VectorXcd x = found.x.col(k);
    CHECK((s * s * (problem.M() * x) + s * (problem.C() * x) + problem.K() * x).norm() < restored);
  }
  const Eigen::Matrix2cd both = found.x.topRows(2);
  CHECK(std::abs(both(0, 0) * both(1, 1) - both(0, 1) * both(1, 0)) > 0.1);
}

TEST_CASE("real pairs: of both members of every pair only the upper ones are kept") {
  const LinearSystem system = three();
  const BorderedProblem problem(system);
  const Complex pair(-0.1, std::sqrt(0.99));
  Values found = noisy(problem, VectorXcd{{-1, pair, std::conj(pair), -4}}, {0, 2, 2, 1});
  CHECK(keep_upper(found.s, found.x, problem, size));
  REQUIRE(found.s.size() == 3);
  CHECK(found.x.cols() == 3);
  CHECK(found.s.imag().minCoeff() == 0);
}

TEST_CASE("real pairs: a pair beside the axis of which one member is missing is uncertain") {
  constexpr double beside = 1e-5;
  const LinearSystem system = system_of(MatrixXd{{1}}, MatrixXd{{1 + beside * beside}}, {}, MatrixXd{{2}});
  const BorderedProblem problem(system);
  const VectorXcd both = VectorXcd{{Complex(-1, beside), Complex(-1, -beside)}} / problem.frequency_scale();
  VectorXcd s = both;
  MatrixXcd x = MatrixXcd::Ones(1, 2);
  CHECK(keep_upper(s, x, problem, 1));
  REQUIRE(s.size() == 1);
  CHECK(std::abs(s[0] - both[0]) < 1e-10);  // the root of rounding, times ten
  s = both.head(1);
  x = MatrixXcd::Ones(1, 1);
  CHECK(!keep_upper(s, x, problem, 1));
}

TEST_CASE("real pairs: the vectors of two equal real values come apart, biorthogonal in P'(s)") {
  const LinearSystem system = three();
  const BorderedProblem problem(system);
  const VectorXcd none(0);
  const BorderedVector right{VectorXcd{{1, Complex(0.3, 2), 0}}, none}, left{VectorXcd{{Complex(0, 1), 1, 0}}, none};
  const auto pair = real_pair(-1, right, left, problem);
  REQUIRE(pair);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(pair->right[k].coordinates.imag().isZero(0));
    for (std::size_t l = 0; l < 2; ++l) {
      const Complex product = pair->left[l].coordinates.dot(problem.derivative(-1, pair->right[k].coordinates));
      CHECK(std::abs(product - (k == l ? 1.0 : 0.0)) < restored);
    }
  }
  const BorderedVector single{VectorXcd{{Complex(1, 2), 0, 0}}, none};
  CHECK(!real_pair(-1, single, single, problem));  // one direction only: defective
}
