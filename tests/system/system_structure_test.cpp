// Which kind of system the matrices say it is.

#include "stillpoint/system_structure.h"

#include <doctest/doctest.h>

#include <Eigen/Core>

#include "support/seeded.h"

using namespace stillpoint;
using Eigen::Matrix3d;
using Eigen::MatrixXd;

namespace {

SystemStructure structure(const MatrixXd& M, const MatrixXd& C, const MatrixXd& K) {
  return structure_of(SparseMatrix(M.sparseView()), SparseMatrix(C.sparseView()), SparseMatrix(K.sparseView()));
}

const Matrix3d unit = Matrix3d::Identity(), none = Matrix3d::Zero();
const Matrix3d springs{{2, -1, 0}, {-1, 2, -1}, {0, -1, 1}};
const Matrix3d skew{{0, 1, 0}, {-1, 0, 2}, {0, -2, 0}};

}  // namespace

TEST_CASE("structure: masses on springs are symmetric, undamped and conservative") {
  const SystemStructure found = structure(unit, none, springs);
  CHECK(found.symmetric());
  CHECK(found.undamped);
  CHECK(found.conservative());
  CHECK(found.passive());
  CHECK(!found.gyroscopic());
  CHECK(!found.circulatory());
  CHECK(found.damped_coordinates == 0);
  CHECK(found.massless_coordinates == 0);
  CHECK(to_words(found) == "symmetric, undamped");
}

TEST_CASE("structure: a stored zero is no damping") {
  SparseMatrix C = unit.sparseView();
  C.coeffs().setZero();
  CHECK(structure_of(SparseMatrix(unit.sparseView()), C, SparseMatrix(springs.sparseView())).undamped);
}

TEST_CASE("structure: gyroscopic forces do no work, and damping beside them is told apart") {
  const SystemStructure found = structure(unit, skew, springs);
  CHECK(found.gyroscopic());
  CHECK(found.skew_damping);
  CHECK(found.dissipative);
  CHECK(found.passive());
  CHECK(!found.symmetric());
  CHECK(!found.conservative());
  CHECK(to_words(found) == "unsymmetric, gyroscopic");
  const SystemStructure damped = structure(unit, skew + unit, springs);
  CHECK(!damped.gyroscopic());
  CHECK(damped.dissipative);
  CHECK(to_words(damped) == "unsymmetric, damped and gyroscopic");
}

TEST_CASE("structure: follower forces make a system circulatory") {
  const SystemStructure found = structure(unit, none, springs + 0.1 * skew);
  CHECK(found.circulatory());
  CHECK(!found.symmetric());
  CHECK(!found.conservative());
  CHECK(to_words(found) == "unsymmetric, undamped, circulatory");
  CHECK(!structure(unit, none, springs + 1e-14 * skew).circulatory());  // rounding
}

TEST_CASE("structure: dampers are dissipative, and one that pushes is not, however small beside others") {
  CHECK(structure(unit, springs, springs).dissipative);
  CHECK(to_words(structure(unit, springs, springs)) == "symmetric, damped");
  Matrix3d C = springs;
  C(2, 2) = 0.4;  // xᵀCx < 0 for x = (1, 2, 3): 2 + 8 + 3.6 − 4 − 12
  const SystemStructure found = structure(unit, C, springs);
  CHECK(!found.dissipative);
  CHECK(!found.passive());
  CHECK(to_words(found) == "symmetric, with damping that feeds energy in");
}

TEST_CASE("structure: the rank of the damping is at most the number of damped coordinates") {
  Matrix3d C = none;
  C.topLeftCorner(2, 2) << 1, -1, -1, 1;  // one damper between two coordinates
  CHECK(structure(unit, C, springs).damped_coordinates == 2);
  CHECK(structure(unit, springs, springs).damped_coordinates == 3);
  Matrix3d one = none;
  one(1, 1) = 5;
  CHECK(structure(unit, one, springs).damped_coordinates == 1);
}

TEST_CASE("structure: coordinates without mass are counted, and negative masses are found") {
  Matrix3d M = unit;
  M(1, 1) = 0;
  CHECK(structure(M, none, springs).massless_coordinates == 1);
  CHECK(structure(M, none, springs).conservative());
  M(1, 1) = -0.1;
  const SystemStructure found = structure(M, none, springs);
  CHECK(found.massless_coordinates == 0);
  CHECK(!found.nonnegative_mass);
  CHECK(!found.conservative());
  CHECK(!found.passive());
  CHECK(to_words(found) == "symmetric, undamped, with negative mass");
  M = unit;
  M(0, 2) = M(2, 0) = 1.1;  // a negative mass of the motion (1, 0, −1)
  CHECK(!structure(M, none, springs).nonnegative_mass);
}

TEST_CASE("structure: of a system it is that of its matrices, and the energy criterion is not asked") {
  LinearSystem system;
  system.M = unit.sparseView();
  system.C = skew.sparseView();
  system.K = springs.sparseView();
  const SystemStructure found = structure_of(checked(system));
  CHECK(found.gyroscopic());
  CHECK(!found.known_stable);
}
