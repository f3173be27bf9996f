// Block diagonalization: each eigenvalue keeps its subspace, and zeros by structure are exactly zero.
#include "reduction/modal_parts.h"

#include <doctest/doctest.h>

#include "support/seeded.h"

using namespace stillpoint;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

std::vector<Plant::Pole> poles(const std::vector<double>& values) {
  std::vector<Plant::Pole> result;
  for (const double s : values) result.push_back({.s = s});
  return result;
}

/// A matrix with these real eigenvalues, and with vectors that are not orthogonal.
MatrixXd matrix_with(const std::vector<double>& values, std::uint64_t seed) {
  const auto n = static_cast<Eigen::Index>(values.size());
  Random random(seed);
  MatrixXd V = MatrixXd::Identity(n, n);
  for (double& entry : V.reshaped()) entry += random.between(-0.3, 0.3);
  return V * Eigen::Map<const VectorXd>(values.data(), n).asDiagonal() * V.inverse();
}

}  // namespace

// A single zero was taken to be the eigenvalue that comes first in the Schur form: another one became zero in its
// place, and the Gramians of a part with a pole at zero were NaN.
TEST_CASE("modal parts: a single zero is split off wherever the Schur form has it") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    std::vector<double> values{-1, -2.5, -7, 0};
    std::rotate(values.begin(), values.begin() + static_cast<int>(seed % 4), values.end());
    const MatrixXd A = matrix_with(values, seed);
    const ModalParts all = modal_parts(A, poles(values));
    REQUIRE(all.parts.size() == 4);
    CHECK(all.parts[0].s[0] == 0.0);
    CHECK(all.A(0, 0) == 0);
    CHECK(!all.parts[0].is_stable());
    for (std::size_t k = 1; k < 4; ++k) CHECK(all.parts[k].is_stable());
    CHECK((all.W.transpose() * A * all.V - all.A).norm() < 1e-12);
    CHECK((all.V * all.A * all.W.transpose() - A).norm() < 1e-12);
  }
}

TEST_CASE("modal parts: several zeros are one block with zeros on its diagonal") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const std::vector<double> values{-3, 0, -1, 0};
    const MatrixXd A = matrix_with(values, seed);
    const ModalParts all = modal_parts(A, poles(values));
    REQUIRE(all.parts.size() == 3);
    CHECK(all.parts[0].size == 2);
    CHECK(all.A.topLeftCorner(2, 2).diagonal().isZero(0));
    CHECK((all.V * all.A * all.W.transpose() - A).norm() < 1e-10);
  }
}

// A double real eigenvalue that rounding splits into a pair took the value of the real pole: its block became a
// multiple of the identity, and the chain was lost from the modal form.
TEST_CASE("modal parts: a defective real eigenvalue keeps its chain") {
  for (const double angle : {0.1, 0.7, 1.3, 2.2}) {
    CAPTURE(angle);
    MatrixXd J(3, 3), Q = MatrixXd::Identity(3, 3), A;
    J << -1, 1, 0, 0, -1, 0, 0, 0, 2;
    for (Eigen::Index i = 0; i < 2; ++i) {
      MatrixXd turn = MatrixXd::Identity(3, 3);
      turn.block(i, i, 2, 2) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
      Q *= turn;
    }
    A = Q * J * Q.transpose();
    const ModalParts all = modal_parts(A, poles({-1, -1, 2}));
    CHECK((all.V * all.A * all.W.transpose() - A).norm() < 1e-7);
  }
  MatrixXd A(3, 3);
  A << -2, 2, -1, 0, -2, 1, 1, -4, 2;  // −1 with a chain, and 0
  const ModalParts all = modal_parts(A, poles({-1, -1, 0}));
  CHECK((all.V * all.A * all.W.transpose() - A).norm() < 1e-7);
}
