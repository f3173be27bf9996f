// The count of gyroscopic systems by the inertia of a Hermitian matrix, against all eigenvalues in long double.

#include "modes/count/gyroscopic_inertia.h"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "modes/count/disc_count.h"
#include "support/modes/random_systems.h"
#include "support/seeded.h"

using namespace stillpoint;
using namespace stillpoint::testing;
using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

namespace {

/// With `softness` times M taken from K, which may leave it without a minimum of the potential energy.
LinearSystem gyroscopic_system(std::uint64_t seed, double softness) {
  std::mt19937 engine(static_cast<std::mt19937::result_type>(seed));
  SystemKind kind = random_kind(engine);
  kind.dampers = 0;
  kind.follower_forces = false;
  kind.massless = 0;
  kind.free_motions = 0;
  const LinearSystem still = random_system(kind, engine);
  Random random(seed);
  const Index n = still.coordinates();
  Matrix G = Matrix::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    const Index i = random.below(n), j = random.below(n);
    const double g = random.entry();
    G(i, j) += g;
    G(j, i) -= g;
  }
  return system_of(still.M.toDense(), G, still.K.toDense() - softness * still.M.toDense(), still.J.toDense());
}

/// The middle of the widest relative gap between magnitudes.
double edge_of(const std::vector<Complex>& values) {
  std::vector<double> sizes;
  for (const Complex s : values) sizes.push_back(std::abs(s));
  std::sort(sizes.begin(), sizes.end());
  double widest = 0, edge = 2 * sizes.back();
  for (std::size_t k = 0; k + 1 < sizes.size(); ++k) {
    if (sizes[k + 1] / sizes[k] <= widest) continue;
    widest = sizes[k + 1] / sizes[k];
    edge = std::sqrt(sizes[k] * sizes[k + 1]);
  }
  return edge;
}

}  // namespace

TEST_CASE("count of gyroscopic systems: of 400 random ones as many as there are, or none is given") {
  int given = 0, soft_given = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    const bool is_soft = seed % 2 == 1;
    const LinearSystem system = gyroscopic_system(seed, is_soft ? 0.3 : 0);
    const std::vector<Complex> values = reference_eigenvalues(system);
    if (values.empty() || system.C.nonZeros() == 0) continue;
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    const double edge = edge_of(values);
    const auto count = count_gyroscopic(problem, pencil, edge / problem.frequency_scale());
    if (!count) continue;
    ++given;
    soft_given += is_soft;
    CHECK(*count == std::count_if(values.begin(), values.end(), [&](Complex s) { return std::abs(s) < edge; }));
  }
  CHECK(given > 300);
  CHECK(soft_given > 100);
}

TEST_CASE("count of gyroscopic systems: in a band of the imaginary axis") {
  int given = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const LinearSystem system = gyroscopic_system(seed, 0);
    const std::vector<Complex> values = reference_eigenvalues(system);
    if (values.empty() || system.C.nonZeros() == 0) continue;
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    const double to = edge_of(values), from = 0.37 * to, scale = problem.frequency_scale();
    const auto count = count_gyroscopic(problem, pencil, FrequencyBand{from / scale, to / scale});
    if (!count) continue;
    ++given;
    CHECK(*count ==
          std::count_if(values.begin(), values.end(), [&](Complex s) { return s.imag() > from && s.imag() < to; }));
  }
  CHECK(given > 100);
}

TEST_CASE("count of gyroscopic systems: none is given of others, nor where the stiffness is too negative") {
  const Matrix I = Matrix::Identity(2, 2), G{{0, 1}, {-1, 0}}, damper{{0.1, 0}, {0, 0}};
  const auto count = [](const LinearSystem& system, double radius) {
    const BorderedProblem problem(system);
    const QuadraticPencil pencil(problem);
    return count_gyroscopic(problem, pencil, radius / problem.frequency_scale());
  };
  CHECK(count(system_of(I, G, I), 1) == 2);  // ω = (√5 ± 1)/2
  CHECK(count(system_of(I, G, I), 2) == 4);
  CHECK(!count(system_of(I, G + damper, I), 1));
  CHECK(!count(system_of(I, G, I + 0.1 * G), 1));
  CHECK(!count(system_of(I, 4 * G, -I), 0.5));  // held by its spin alone: ω = 2 ± √3
  CHECK(count(system_of(I, 4 * G, -I), 2) == 2);
}
