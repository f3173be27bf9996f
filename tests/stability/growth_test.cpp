// Zero eigenvalues whose motion grows faster than at a constant rate, against chains of known length.

#include <doctest/doctest.h>

#include "stillpoint/stability.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

using Matrix = Eigen::MatrixXd;

Verdict verdict_of(const Matrix& M, const Matrix& C, const Matrix& K) {
  LinearSystem system;
  system.M = M.sparseView();
  system.C = C.sparseView();
  system.K = K.sparseView();
  const LinearSystem whole = checked(std::move(system));
  const AnalysisOptions options;
  ModeFinder finder(whole, options);
  return judge(finder, finder.find(Method::mcs, false));
}

}  // namespace

TEST_CASE("stability: a chain of zeros that grows like t³ is told from one that drifts") {
  Matrix K = Matrix::Zero(2, 2);
  K(0, 1) = 1;  // q₂ drifts, and drives q₁: four zeros in one chain
  const Verdict growing = verdict_of(Matrix::Identity(2, 2), Matrix::Zero(2, 2), K);
  // The numbers alone may leave it open; neutral it is not.
  const bool is_told = growing.stability == Stability::growing || growing.stability == Stability::undecided;
  CHECK(is_told);
  CHECK(verdict_of(Matrix::Identity(2, 2), Matrix::Zero(2, 2), Matrix::Zero(2, 2)).stability == Stability::neutral);
}

TEST_CASE("stability: beside a circulatory force, motions that drift alone stay neutral") {
  Random random(3);
  for (int k = 0; k < 30; ++k) {
    // Two coordinates with a stiffness that is not symmetric, and two that drift, one of them with a damper.
    Matrix K = Matrix::Zero(4, 4), C = Matrix::Zero(4, 4);
    K(0, 0) = random.scaled(1, 10);
    K(1, 1) = random.scaled(1, 10) + 12;
    K(0, 1) = 0.5;
    K(1, 0) = 0.2;
    C(0, 0) = C(1, 1) = 0.3;
    C(3, 3) = random.scaled(0.1, 1);
    const Verdict verdict = verdict_of(Matrix::Identity(4, 4), C, K);
    CHECK(verdict.stability == Stability::neutral);
    CHECK(verdict.reason.find("3 eigenvalues at zero") == 0);
  }
}

TEST_CASE("stability: in words, conservative is only what is") {
  const Matrix I = Matrix::Identity(2, 2), none = Matrix::Zero(2, 2);
  CHECK(in_words(verdict_of(I, none, 4 * I)) == "stable (conservative)");
  Matrix spin = none;
  spin(0, 1) = 1;
  spin(1, 0) = -1;
  CHECK(in_words(verdict_of(I, spin, 4 * I)) == "stable (conservative, with gyroscopic forces)");
  Matrix one_damper = none, two = 4 * I;
  one_damper(0, 0) = 0.1;
  CHECK(in_words(verdict_of(I, one_damper, two)) == "stable (some motions do not decay)");
  CHECK(in_words(verdict_of(I, 0.1 * I, two)) == "asymptotically stable");
}
