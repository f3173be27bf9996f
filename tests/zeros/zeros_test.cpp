// Zeros in closed form, and those of large systems near a point.

#include "stillpoint/zeros.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "stillpoint/error.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"
#include "support/stopping.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd;

namespace {

/// N masses of 1 kg on springs of 1 N/m between them and to a wall on the left; free on the right. Sparse.
LinearSystem spring_chain(Index masses, const std::vector<Index>& driven, const std::vector<Index>& shown) {
  std::vector<Eigen::Triplet<double, Index>> M, K, F, H;
  for (Index i = 0; i < masses; ++i) {
    M.emplace_back(i, i, 1.0);
    K.emplace_back(i, i, i + 1 < masses ? 2.0 : 1.0);
    if (i > 0) K.emplace_back(i, i - 1, -1.0);
    if (i > 0) K.emplace_back(i - 1, i, -1.0);
  }
  for (std::size_t k = 0; k < driven.size(); ++k) F.emplace_back(driven[k], static_cast<Index>(k), 1.0);
  for (std::size_t k = 0; k < shown.size(); ++k) H.emplace_back(static_cast<Index>(k), shown[k], 1.0);
  LinearSystem system;
  system.name = "spring_chain";
  const auto fill = [](SparseMatrix& A, Index rows, Index columns, const auto& entries) {
    A.resize(rows, columns);
    A.setFromTriplets(entries.begin(), entries.end());
  };
  fill(system.M, masses, masses, M);
  fill(system.K, masses, masses, K);
  fill(system.F, masses, static_cast<Index>(driven.size()), F);
  fill(system.Hq, static_cast<Index>(shown.size()), masses, H);
  return checked(std::move(system));
}

/// The system without the outputs that it has.
LinearSystem without_channels_shown(LinearSystem system) {
  for (SparseMatrix* const H : {&system.Hq, &system.Hv, &system.Ha, &system.Hl, &system.Hu}) *H = SparseMatrix();
  system.output_name = {};
  system.output_unit = {};
  return system;
}

/// All zeros with their multiplicities, and whether they are certified.
void check_zeros(const Zeros& found, const std::vector<Complex>& expected, double tolerance = 1e-10) {
  CHECK_MESSAGE(found.certified, (found.reasons.empty() ? "" : found.reasons.front()));
  REQUIRE(found.count() == static_cast<Index>(expected.size()));
  for (const Complex exact : expected) {
    const Zero* nearest = nullptr;
    for (const Zero& zero : found.invariant) {
      if (!nearest || std::abs(zero.s - exact) < std::abs(nearest->s - exact)) nearest = &zero;
    }
    CAPTURE(exact);
    CHECK(std::abs(nearest->s - exact) <= nearest->error + 1e-15 * std::abs(exact));
    CHECK(std::abs(nearest->s - exact) <= tolerance * (1 + std::abs(exact)));
  }
}

/// ±iω of the first `count` of fixed-free or fixed-fixed chains of unit masses and springs.
std::vector<Complex> chain_frequencies(Index masses, bool both_ends_fixed) {
  std::vector<Complex> values;
  for (Index k = 1; k <= masses; ++k) {
    const double angle = both_ends_fixed ? std::numbers::pi * k / (2.0 * (masses + 1))
                                         : std::numbers::pi * (2 * k - 1) / (2.0 * (2 * masses + 1));
    for (const double sign : {1.0, -1.0}) values.emplace_back(0, sign * 2 * std::sin(angle));
  }
  return values;
}

LinearSystem cart_pole(const std::string& output) {
  LinearSystem system = system_of_case("cart_pole", {{"theta_guess", 0}});
  return with_channels(system, {"u"}, {output});
}

}  // namespace

TEST_CASE("zeros: a collocated chain has those of the chain with the driven mass held") {
  for (const Index N : {2, 5, 12}) {
    // The free end: what is left when it is held is a chain between two walls.
    check_zeros(find_zeros(spring_chain(N, {N - 1}, {N - 1})), chain_frequencies(N - 1, true));
    // A mass within: a chain between walls on its left, and one that is free on the right.
    std::vector<Complex> both = chain_frequencies(1, true);
    const std::vector<Complex> right = chain_frequencies(N - 2, false);
    both.insert(both.end(), right.begin(), right.end());
    if (N > 2) check_zeros(find_zeros(spring_chain(N, {1}, {1})), both);
  }
}

TEST_CASE("zeros: a chain from one end to the other has none, and between them those of the masses beyond") {
  for (const Index N : {2, 6, 8}) check_zeros(find_zeros(spring_chain(N, {0}, {N - 1})), {});
  // The transfer function of a long one falls as s⁻²ᴺ: beyond |s| = 4 all points are zeros to rounding, and it says so.
  const Zeros open = find_zeros(spring_chain(14, {0}, {13}));
  CHECK(!open.certified);
  CHECK(contains(open.reasons.front(), "a rank in the deflation is not clear"));
  // Force on mass 2, motion of mass 4 of 7: the chain on the left of 2 (fixed-fixed, 1), on the right of 4 (free, 3).
  std::vector<Complex> expected = chain_frequencies(1, true);
  const std::vector<Complex> right = chain_frequencies(3, false);
  expected.insert(expected.end(), right.begin(), right.end());
  check_zeros(find_zeros(spring_chain(7, {1}, {3})), expected);
}

TEST_CASE("zeros: of a square plant with two inputs and outputs those with both masses held") {
  std::vector<Complex> expected = chain_frequencies(2, true);
  const std::vector<Complex> right = chain_frequencies(3, false);
  expected.insert(expected.end(), right.begin(), right.end());
  check_zeros(find_zeros(spring_chain(7, {2, 3}, {2, 3})), expected);
}

TEST_CASE("zeros: a rectangular plant has those that all outputs share") {
  // Mass 3 of 7 is driven; 3 and 5 are shown. With mass 3 held, modes of the two masses on its left move none of them.
  check_zeros(find_zeros(spring_chain(7, {2}, {2, 4})), chain_frequencies(2, true));
  // The same with the roles of inputs and outputs exchanged.
  check_zeros(find_zeros(spring_chain(7, {2, 4}, {2})), chain_frequencies(2, true));
  check_zeros(find_zeros(spring_chain(7, {2}, {1, 4})), {});
}

TEST_CASE("zeros: the cart-pole has those of the pole with the cart held, and rests at zero for the angle") {
  const double g = 9.81, l = 0.5;
  check_zeros(find_zeros(cart_pole("position")), {Complex(0, std::sqrt(g / l)), Complex(0, -std::sqrt(g / l))});
  const Zeros angle = find_zeros(cart_pole("angle"));
  CHECK(angle.certified);
  REQUIRE(angle.invariant.size() == 1);  // the position of the cart: free, and not shown
  CHECK(angle.invariant[0].s == 0.0);
  CHECK(angle.invariant[0].multiplicity == 2);
  CHECK(angle.invariant[0].output_decoupling == 2);
  CHECK(angle.invariant[0].transmission == 0);
  CHECK(angle.unmoved.empty());
  CHECK(angle.unshown.size() == 1);
}

TEST_CASE("zeros: the two-mass drive has those of the load on its shaft, and one of the damper alone") {
  const double k = 400, d = 0.05, J2 = 0.5;
  const LinearSystem system = system_of_case("drive_train");
  const Complex root = std::sqrt(Complex(d * d / (4 * J2 * J2) - k / J2)), real = -d / (2 * J2);
  check_zeros(find_zeros(with_channels(system, {"motor"}, {"rotor.phi"})), {real + root, real - root});
  check_zeros(find_zeros(with_channels(system, {"motor"}, {"load.phi"})), {-k / d});
  // The speed of the motor shows no angle: the free turning of all is one more zero.
  const Zeros speed = find_zeros(with_channels(system, {"motor"}, {"motor_speed"}));
  check_zeros(speed, {0, real + root, real - root});
  CHECK(speed.invariant[0].output_decoupling == 1);
  CHECK(speed.invariant[1].transmission == 1);
}

TEST_CASE("zeros: an acceleration has a double zero at rest, and feedthrough has as many zeros as poles") {
  // m q̈ + c q̇ + k q = u, y = q̈: s² / (m s² + c s + k).
  const double m = 2, c = 3, k = 50;
  LinearSystem system = without_channels_shown(system_of(MatrixXd::Constant(1, 1, m), MatrixXd::Constant(1, 1, k), {},
                                                         MatrixXd::Constant(1, 1, c), {}, MatrixXd::Constant(1, 1, 1)));
  system.Ha = MatrixXd::Constant(1, 1, 1).sparseView();
  const Zeros acceleration = find_zeros(checked(system));
  check_zeros(acceleration, {0, 0}, 1e-12);
  CHECK(acceleration.invariant[0].transmission == 2);
  // y = q + D u: D m s² + D c s + D k + 1 = 0.
  const double D = 0.25;
  system.Ha = {};
  system.Hq = MatrixXd::Constant(1, 1, 1).sparseView();
  system.Hu = MatrixXd::Constant(1, 1, D).sparseView();
  const Complex root = std::sqrt(Complex(c * c - 4 * m * (k + 1 / D)));
  check_zeros(find_zeros(checked(system)), {(-c + root) / (2 * m), (-c - root) / (2 * m)});
}

TEST_CASE("zeros: a relaxation has one where spring and damper are in series") {
  // A mass on a spring and a damper in series, driven and shown: with the mass held the joint relaxes, s = −k/c.
  const LinearSystem system = system_of_case("maxwell_mass");
  const Zeros found = find_zeros(with_channels(system, {"mass.x"}, {"mass.x"}));
  check_zeros(found, {-15});
}

TEST_CASE("zeros: modes that no input moves and those that no output shows are told apart") {
  // Two equal oscillators of their own, and one that is driven and shown: each is hidden in its way.
  MatrixXd M = MatrixXd::Identity(4, 4), K = MatrixXd::Zero(4, 4), F = MatrixXd::Zero(4, 1);
  K.diagonal() << 1, 4, 9, 16;
  F << 1, 1, 0, 0;  // 3 and 4 are not moved
  LinearSystem system = without_channels_shown(system_of(M, K, {}, {}, {}, F));
  MatrixXd H(1, 4);
  H << 1, 0, 1, 0;  // 2 and 4 are not shown
  system.Hq = H.sparseView();
  const Zeros found = find_zeros(checked(system));
  check_zeros(found, {Complex(0, 2), Complex(0, -2), Complex(0, 3), Complex(0, -3), Complex(0, 4), Complex(0, -4)});
  CHECK(found.unmoved.size() == 4);
  CHECK(found.unshown.size() == 4);
  for (const Zero& zero : found.invariant) {
    const double omega = std::abs(zero.s);
    CHECK(zero.transmission == 0);
    CHECK(zero.input_decoupling == (omega > 2.5 ? 1 : 0));
    CHECK(zero.output_decoupling == (omega < 2.5 || omega > 3.5 ? 1 : 0));
  }
}

TEST_CASE("zeros: constraints stay in the pencil, and a prescribed motion is an input") {
  // A mass on a spring whose foot is moved: from the foot to the mass none, to the force of the foot those of the pole.
  MatrixXd M = MatrixXd::Zero(2, 2), K(2, 2), J(1, 2), G = MatrixXd::Constant(1, 1, 1);
  M(1, 1) = 3;
  K << 12, -12, -12, 12;
  J << 1, 0;
  LinearSystem system = without_channels_shown(system_of(M, K, J, {}, G, MatrixXd::Zero(2, 1)));
  system.Hq = (MatrixXd(1, 2) << 0, 1).finished().sparseView();
  check_zeros(find_zeros(checked(system)), {});
  // λ = −k (foot − mass): zero for all rigid motion, s² = 0, as 3 s² q + 12 q = 12 u and q = u.
  system.Hq = {};
  system.Hl = MatrixXd::Constant(1, 1, 1).sparseView();
  check_zeros(find_zeros(checked(system)), {0, 0}, 1e-12);
}

TEST_CASE("zeros: a transfer function that is zero is told by its rank") {
  LinearSystem system = spring_chain(3, {0}, {0});
  system.Hq = SparseMatrix(1, 3);
  const Zeros found = find_zeros(checked(system));
  CHECK(found.normal_rank == 0);
  CHECK(found.certified);
  CHECK(found.unshown.size() == 6);
  CHECK(found.unmoved.empty());
}

TEST_CASE("zeros: those of a hundred thousand masses near a point are certified") {
  const Index N = 100'000;
  for (const bool is_collocated : {true, false}) {
    const LinearSystem system = spring_chain(N, {N - 1}, {is_collocated ? N - 1 : N - 3});
    const Zeros found = find_zeros(system, {.near = Complex(0, 1), .count = 4});
    CHECK_MESSAGE(found.certified, (found.reasons.empty() ? "" : found.reasons.front()));
    REQUIRE(found.invariant.size() == 8);
    // With the last mass held N − 1 are left between walls; the motion of another one has those of the N − 3 before it.
    const Index held = is_collocated ? N - 1 : N - 3;
    for (const Zero& zero : found.invariant) {
      if (zero.s.imag() < 0) continue;
      const double number = std::asin(zero.s.imag() / 2) * 2 * (held + 1) / std::numbers::pi;
      const double exact = 2 * std::sin(std::numbers::pi * std::round(number) / (2.0 * (held + 1)));
      CHECK(std::abs(zero.s - Complex(0, exact)) <= zero.error);
      CHECK(zero.error < 1e-6);
      CHECK(zero.transmission == 1);
    }
  }
}

TEST_CASE("zeros: near a point, a rectangular plant keeps those of all outputs only") {
  // As above: of the chain between walls on the left of the driven mass.
  const LinearSystem system = spring_chain(60, {30}, {30, 40});
  const Zeros found = find_zeros(system, {.near = Complex(0, 1), .count = 12});
  CHECK_MESSAGE(found.certified, (found.reasons.empty() ? "" : found.reasons.front()));
  REQUIRE(!found.invariant.empty());
  for (const Zero& zero : found.invariant) {
    double nearest = 1;
    for (const Complex exact : chain_frequencies(30, true)) nearest = std::min(nearest, std::abs(zero.s - exact));
    CHECK(nearest <= zero.error + 1e-12);
  }
}

TEST_CASE("zeros: all at once are refused where the pencil is large") {
  CHECK_THROWS_WITH_AS(find_zeros(spring_chain(1000, {0}, {0})),
                       doctest::Contains("a dense pencil of order 2001; allowed is 700: give a point"), Error);
}

TEST_CASE("zeros: a multiple one at rest that outputs hide is found, or said not to be clear") {
  // Two free masses, a force on the first, its velocity as the output. The greatest common right divisor of s² I and
  // (s, 0) is diag(s, s²): no output shows three zeros at s = 0, and no input moves two of them.
  LinearSystem system = spring_chain(2, {0}, {0});
  system.K.setZero();
  system.Hv = system.Hq;
  system.Hq = SparseMatrix(1, 2);
  const Zeros found = find_zeros(checked(std::move(system)));
  Index unshown = 0, unmoved = 0;
  for (const Zero& zero : found.unshown) unshown += zero.multiplicity;
  for (const Zero& zero : found.unmoved) unmoved += zero.multiplicity;
  CHECK((!found.certified || unshown == 3));
  CHECK((!found.certified || unmoved == 2));
}

TEST_CASE("zeros: the work tells its progress, and can be stopped there") {
  const LinearSystem small = spring_chain(8, {0}, {3}), large = spring_chain(2000, {0}, {3});
  testing::check_that_it_can_be_stopped([&](const auto& listener) { find_zeros(small, {.progress = listener}); });
  testing::check_that_it_can_be_stopped(
      [&](const auto& listener) { find_zeros(large, {.near = Complex(0, 1), .count = 4, .progress = listener}); });
}
