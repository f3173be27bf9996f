// LU factors of the bordered matrix of equilibrium, real and complex: solutions, and that they do not fill up where
// joints in space leave no diagonal entries to multipliers.

#include <doctest/doctest.h>

#include <complex>

#include "algebra/lu/klu_factors.h"
#include "algebra/lu/sparse_lu.h"
#include "algebra/sparse/bordered.h"
#include "stillpoint/assembly.h"
#include "stillpoint/read_model.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::VectorXd;

namespace {

/// Of a chain at its guess, with multipliers that look random.
BorderedMatrix bordered_matrix_of(const std::string& name, double rods) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, {{"N", rods}});
  Random random(1);
  State state = model.initial_state();
  state.lambda = random.vector(model.constraints(), -1, 1);
  Assembly assembly(model);
  const Matrices& at = assembly.at(state);
  const Scaling none{VectorXd::Ones(model.coordinates()), VectorXd::Ones(model.constraints())};
  BorderedMatrix bordered(at.K, at.J);
  bordered.set(at.K, at.J, none, 1, {1e-3, 0});
  return bordered;
}

template <class Scalar>
double entries_of_row(KluFactors<Scalar>& klu, const typename KluFactors<Scalar>::Matrix& A) {
  REQUIRE(klu.factor(A));
  return static_cast<double>(klu.numeric()->lnz + klu.numeric()->unz) / static_cast<double>(A.cols());
}

}  // namespace

TEST_CASE("LU of a bordered matrix: solutions have the residual of rounding") {
  for (const char* const name : {"n_pendulum", "universal_chain", "four_bar"}) {
    CAPTURE(name);
    const BorderedMatrix bordered = bordered_matrix_of(name, 50);
    const SparseMatrix& A = bordered.matrix();
    SparseLu lu(A, bordered.multipliers());
    REQUIRE(lu.factor(A));
    Random random(2);
    const VectorXd b = random.vector(A.cols(), -1, 1), x = lu.solve(b);
    CHECK((A * x - b).norm() < 1e-15 * (A.norm() * x.norm() + b.norm()));
  }
}

TEST_CASE("LU of a bordered matrix: factors of a chain of universal joints have few entries in a row") {
  const BorderedMatrix bordered = bordered_matrix_of("universal_chain", 200);
  const SparseMatrix& A = bordered.matrix();
  const Eigen::SparseMatrix<std::complex<double>, Eigen::ColMajor, Index> as_complex = A.cast<std::complex<double>>();
  KluFactors<double> real(A, bordered.multipliers()), without_pairs(A);
  KluFactors<std::complex<double>> complex(A, bordered.multipliers());
  CHECK(entries_of_row(real, A) < 25);
  CHECK(entries_of_row(complex, as_complex) < 25);
  CHECK(entries_of_row(without_pairs, A) > 100);  // this order counts on pivots on the diagonal
}
