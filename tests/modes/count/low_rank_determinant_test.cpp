// The count by the small determinant of low-rank damping, against all eigenvalues in long double.

#include "modes/count/low_rank_determinant.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using namespace stillpoint::testing;
using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

namespace {

/// With 1 … 5 dampers along random directions, from hardly felt to as stiff as a constraint; some have rigid-body
/// motions.
LinearSystem damped_system(std::uint64_t seed) {
  std::mt19937 engine(static_cast<std::mt19937::result_type>(seed));
  SystemKind kind = random_kind(engine);
  kind.dampers = 0;
  kind.follower_forces = false;
  kind.massless = 0;
  const LinearSystem still = random_system(kind, engine);
  Random random(seed);
  const Index n = still.coordinates();
  Matrix C = Matrix::Zero(n, n);
  for (int k = random.whole(1, 5); k > 0; --k) {
    const double damping = random.scaled(1e-3, 1e3);
    const Index i = random.below(n), j = random.below(n);
    C(i, i) += damping;
    if (i == j || random.maybe(0.5)) continue;
    C(j, j) += damping;
    C(i, j) -= damping;
    C(j, i) -= damping;
  }
  return system_of(still.M.toDense(), C, still.K.toDense(), still.J.toDense());
}

}  // namespace

TEST_CASE("count with low-rank damping: of 300 random systems as many as there are, or none is given") {
  int asked = 0, given = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const LinearSystem system = damped_system(seed);
    std::vector<double> sizes;
    for (const Complex s : reference_eigenvalues(system)) sizes.push_back(std::abs(s));
    std::sort(sizes.begin(), sizes.end());
    if (sizes.size() < 6) continue;
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    for (std::size_t k = sizes.size() / 4; k < 3 * sizes.size() / 4; k += 3) {
      const double room = (sizes[k] - sizes[k - 1]) / sizes[k];
      if (room < 1e-3 || sizes[k] < 1e-6) continue;  // zeros come out as the root of rounding
      ++asked;
      const double radius = (sizes[k] + sizes[k - 1]) / 2 / problem.frequency_scale();
      const LogDeterminant determinant = log_determinant_of_low_rank(problem, pencil, radius);
      if (!determinant) continue;
      const auto count = ArgumentCount(determinant, 0, radius, room).unknown({});
      if (!count) continue;
      ++given;
      CHECK(*count == static_cast<Index>(k));
    }
  }
  CHECK(asked > 500);
  CHECK(given > asked / 3);
}

TEST_CASE(
    "count with low-rank damping: the small determinant is that of the pencil, but for a factor without damping") {
  constexpr double negligible = 0.02;  // the series stops where what it leaves out changes no count
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    const LinearSystem system = damped_system(seed);
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    const double radius = 0.3;
    const LogDeterminant small = log_determinant_of_low_rank(problem, pencil, radius);
    if (!small) continue;
    const LogDeterminant whole = log_determinant_of(pencil);
    const Complex at(0.1, 0.2);  // without damping the determinant is the same at −s
    const Complex difference = small(at) - small(-at) - (whole(at) - whole(-at));
    if (!std::isfinite(difference.real())) continue;
    ++compared;
    CHECK(std::abs(difference.real()) < negligible);
    CHECK(std::abs(std::remainder(difference.imag(), 2 * std::numbers::pi)) < negligible);
  }
  CHECK(compared > 20);
}

TEST_CASE("count with low-rank damping: none is given for gyroscopic or circulatory forces, or where all is damped") {
  const Index n = 260;
  const Matrix I = Matrix::Identity(n, n);
  Matrix C = Matrix::Zero(n, n), K = 2 * I, G = C;
  K.diagonal(1).setConstant(-1);
  K.diagonal(-1).setConstant(-1);
  C(3, 3) = 0.1;
  G(0, 1) = 0.1;
  G(1, 0) = -0.1;
  const auto is_given = [](const LinearSystem& system) {
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    return static_cast<bool>(log_determinant_of_low_rank(problem, pencil, 0.1));
  };
  CHECK(is_given(system_of(I, C, K)));
  CHECK(!is_given(system_of(I, C + G, K)));
  CHECK(!is_given(system_of(I, C, K + G)));
  CHECK(!is_given(system_of(I, I, K)));
  CHECK(!is_given(system_of(I, -C, K)));
}
