// Controllability and observability: against exact ranks in integers, in closed form, and by two routes.

#include "stillpoint/controllability.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "stillpoint/error.h"
#include "stillpoint/reduce.h"
#include "stillpoint/zeros.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"
#include "support/plants/random_plants.h"
#include "support/seeded.h"
#include "support/stopping.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Systems

LinearSystem with_outputs(LinearSystem system, const MatrixXd& Hq, const MatrixXd& Hv = {}) {
  system.Hq = Hq.sparseView();
  system.Hv = SparseMatrix(Hq.rows(), Hq.cols());
  if (Hv.size() > 0) system.Hv = Hv.sparseView();
  system.Ha = SparseMatrix(Hq.rows(), Hq.cols());
  system.Hl = SparseMatrix(Hq.rows(), system.constraints());
  system.Hu = SparseMatrix(Hq.rows(), system.inputs());
  system.output_name = {};
  system.output_unit = {};
  return checked(std::move(system));
}

/// ẋ = A x + B u, y = C x as a system without mass.
LinearSystem first_order(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C) {
  const Eigen::Index n = A.rows();
  return with_outputs(system_of(MatrixXd::Zero(n, n), -A, {}, MatrixXd::Identity(n, n), {}, B), C);
}

MatrixXd unit_columns(Eigen::Index rows, const std::vector<Eigen::Index>& places) {
  MatrixXd B = MatrixXd::Zero(rows, std::ssize(places));
  for (Eigen::Index k = 0; k < B.cols(); ++k) B(places[static_cast<std::size_t>(k)], k) = 1;
  return B;
}

/// Unit masses on unit springs between two walls; forces on some, the motion of some is shown.
LinearSystem chain(Eigen::Index masses, const std::vector<Eigen::Index>& driven, const std::vector<Eigen::Index>& shown,
                   double damping = 0) {
  MatrixXd K = 2 * MatrixXd::Identity(masses, masses);
  for (Eigen::Index i = 1; i < masses; ++i) K(i, i - 1) = K(i - 1, i) = -1;
  return with_outputs(
      system_of(MatrixXd::Identity(masses, masses), K, {}, damping * K, {}, unit_columns(masses, driven)),
      unit_columns(masses, shown).transpose());
}

/// All modes by both routes.
struct BothRoutes {
  Controllability whole, by_vectors;
};
BothRoutes by_both(const LinearSystem& system) {
  return {find_controllability(system), find_controllability(system, {.which = All{}})};
}

void check_counts(const Controllability& found, Index count, Index unmoved, Index unshown) {
  CAPTURE(found.solver);
  CHECK(found.count == count);
  CHECK(found.unmoved == unmoved);
  CHECK(found.unshown == unshown);
  CHECK(found.undecided == 0);
}

void check_both(const LinearSystem& system, Index count, Index unmoved, Index unshown) {
  const BothRoutes both = by_both(system);
  check_counts(both.whole, count, unmoved, unshown);
  check_counts(both.by_vectors, count, unmoved, unshown);
}

/// The number of input-decoupling and output-decoupling zeros, those of a pair counted once.
std::pair<Index, Index> decoupling_zeros(const LinearSystem& system) {
  const Zeros zeros = find_zeros(system);
  CHECK_MESSAGE(zeros.certified, (zeros.reasons.empty() ? "" : zeros.reasons.front()));
  const auto count = [](const std::vector<Zero>& of) {
    Index sum = 0;
    for (const Zero& zero : of) sum += zero.s.imag() >= 0 ? zero.multiplicity : 0;
    return sum;
  };
  return {count(zeros.unmoved), count(zeros.unshown)};
}

// ---------------------------------------------------------------------------------------------------------------------
// Exact ranks: integers modulo a prime

constexpr std::int64_t prime = 2'147'483'647;

using Whole = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic>;

Whole reduced(Whole A) {
  for (std::int64_t& entry : A.reshaped()) entry = ((entry % prime) + prime) % prime;
  return A;
}

Whole times(const Whole& A, const Whole& B) {
  Whole C = Whole::Zero(A.rows(), B.cols());
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < B.cols(); ++j)
      for (Eigen::Index k = 0; k < A.cols(); ++k) C(i, j) = (C(i, j) + A(i, k) * B(k, j)) % prime;
  return C;
}

std::int64_t inverse_of(std::int64_t a) {
  std::int64_t result = 1;
  for (std::int64_t power = prime - 2; power > 0; power /= 2, a = a * a % prime) {
    if (power % 2 == 1) result = result * a % prime;
  }
  return result;
}

Index exact_rank(Whole A) {
  Index rank = 0;
  for (Eigen::Index j = 0; j < A.cols() && rank < A.rows(); ++j) {
    Eigen::Index pivot = rank;
    while (pivot < A.rows() && A(pivot, j) == 0) ++pivot;
    if (pivot == A.rows()) continue;
    A.row(pivot).swap(A.row(rank));
    const std::int64_t inverse = inverse_of(A(rank, j));
    for (Eigen::Index i = rank + 1; i < A.rows(); ++i) {
      const std::int64_t factor = A(i, j) * inverse % prime;
      for (Eigen::Index k = j; k < A.cols(); ++k) A(i, k) = ((A(i, k) - factor * A(rank, k)) % prime + prime) % prime;
    }
    ++rank;
  }
  return rank;
}

/// The dimension of the left root vectors of the eigenvalues σ ± iω that no column of [B, A B, ...] moves [Kalman
/// 1963].
Index exactly_hidden(const Whole& A, const Whole& B, std::int64_t sigma, std::int64_t omega) {
  const Eigen::Index n = A.rows();
  Whole shifted = A;
  shifted.diagonal().array() -= sigma;
  shifted = reduced(shifted);
  Whole factor = shifted;
  if (omega != 0) {
    factor = times(shifted, shifted);
    factor.diagonal().array() += omega * omega;
    factor = reduced(factor);
  }
  Whole power = factor, columns = reduced(B);
  for (Eigen::Index k = 1; k < n; ++k) power = times(power, factor);
  Whole all(n, n + n * B.cols());
  all.leftCols(n) = power;
  for (Eigen::Index k = 0; k < n; ++k, columns = times(reduced(A), columns))
    all.middleCols(n + k * B.cols(), B.cols()) = columns;
  return static_cast<Index>(n) - exact_rank(all);
}

/// A matrix of whole numbers with known eigenvalues, some of them repeated, some with chains, and sparse channels.
struct WholePlant {
  Whole A, B, C;
  std::vector<std::pair<std::int64_t, std::int64_t>> values;  ///< σ, ω
};

WholePlant whole_plant(std::uint64_t seed) {
  Random random(seed);
  WholePlant plant;
  const Eigen::Index n = random.whole(3, 8);
  plant.A = Whole::Zero(n, n);
  for (Eigen::Index i = 0; i < n;) {
    const bool is_pair = i + 2 <= n && random.maybe(0.4);
    const std::int64_t sigma = random.whole(-2, 0), omega = is_pair ? random.whole(1, 2) : 0;
    const Eigen::Index size = is_pair ? 2 : 1;
    for (Eigen::Index k = 0; k < size; ++k) plant.A(i + k, i + k) = sigma;
    if (is_pair) {
      plant.A(i, i + 1) = omega;
      plant.A(i + 1, i) = -omega;
    }
    const bool has_same = !plant.values.empty() && plant.values.back() == std::pair{sigma, omega};
    if (has_same && random.maybe(0.5)) plant.A.block(i - size, i, size, size).setIdentity();
    plant.values.emplace_back(sigma, omega);
    i += size;
  }
  const auto channels = [&](Eigen::Index count) {
    Whole B(n, count);
    for (std::int64_t& entry : B.reshaped()) entry = random.maybe(0.6) ? 0 : random.whole(-1, 1);
    return B;
  };
  plant.B = channels(random.whole(1, 2));
  plant.C = channels(random.whole(1, 2)).transpose();
  for (int k = 0; k < 6; ++k) {  // row i += row j, column j -= column i
    const Eigen::Index i = random.below(static_cast<Index>(n)), j = random.below(static_cast<Index>(n));
    if (i == j) continue;
    plant.A.row(i) += plant.A.row(j);
    plant.A.col(j) -= plant.A.col(i);
    plant.B.row(i) += plant.B.row(j);
    plant.C.col(j) -= plant.C.col(i);
  }
  return plant;
}

}  // namespace

TEST_CASE("controllability: random plants of whole numbers have the ranks of exact arithmetic") {
  Index hidden = 0, repeated = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const WholePlant plant = whole_plant(seed);
    const LinearSystem system = first_order(plant.A.cast<double>(), plant.B.cast<double>(), plant.C.cast<double>());
    const Controllability found = find_controllability(system);
    for (const ModeReach& mode : found.modes) {
      const auto sigma = static_cast<std::int64_t>(std::round(mode.s.real())),
                 omega = static_cast<std::int64_t>(std::round(mode.s.imag()));
      CAPTURE(mode.s);
      REQUIRE(std::abs(mode.s - Complex(static_cast<double>(sigma), static_cast<double>(omega))) < 1e-6);
      const Index each = omega == 0 ? 1 : 2;
      CHECK(mode.multiplicity == std::count(plant.values.begin(), plant.values.end(), std::pair{sigma, omega}));
      CHECK(each * mode.moved.hidden == exactly_hidden(plant.A, plant.B, sigma, omega));
      CHECK(each * mode.shown.hidden == exactly_hidden(plant.A.transpose(), plant.C.transpose(), sigma, omega));
      CHECK(!mode.moved.undecided);
      CHECK(!mode.shown.undecided);
      hidden += mode.moved.hidden;
      repeated += mode.multiplicity > 1 ? 1 : 0;
    }
    // The minimal realisation has the order that exact arithmetic finds: the rank of the Hankel matrix.
    const Eigen::Index n = plant.A.rows();
    Whole reach(n, n * plant.B.cols()), sight(n * plant.C.rows(), n);
    Whole columns = reduced(plant.B), rows = reduced(plant.C);
    for (Eigen::Index k = 0; k < n; ++k) {
      reach.middleCols(k * plant.B.cols(), plant.B.cols()) = columns;
      sight.middleRows(k * plant.C.rows(), plant.C.rows()) = rows;
      columns = times(reduced(plant.A), columns);
      rows = times(rows, reduced(plant.A));
    }
    const Index order = exact_rank(times(sight, reach));
    if (order == 0) continue;
    CHECK(reduce(system, {.method = Reduction::minimal}).plant.first.A.rows() == order);
  }
  CHECK(hidden > 100);
  CHECK(repeated > 100);
}

TEST_CASE("controllability: a force in the middle of a symmetric chain moves no antisymmetric mode") {
  for (const Eigen::Index masses : {3, 7, 15}) {
    const LinearSystem system = chain(masses, {masses / 2}, {0});
    const auto hidden = static_cast<Index>(masses / 2);
    check_both(system, static_cast<Index>(masses), hidden, 0);
    CHECK(decoupling_zeros(system) == std::pair<Index, Index>{hidden, 0});
    // The modes are sines, each of which has its part of an impulse: φ_k(middle)² / Σ φ_k² = 2 / (N + 1).
    for (const ModeReach& mode : find_controllability(system).modes) {
      const double expected = mode.moved.hidden > 0 ? 0 : std::sqrt(2.0 / static_cast<double>(masses + 1));
      CHECK(mode.inputs[0] <= expected + 1e-12);
      CHECK(mode.inputs[0] >= expected * 0.5);
    }
  }
}

TEST_CASE("controllability: a chain at a node of one mode") {
  // Five masses between walls: mode 3 of 5 has nodes at the masses 2 and 4.
  check_both(chain(5, {1}, {0}), 5, 1, 0);
  check_both(chain(5, {0}, {1, 3}), 5, 0, 1);
  check_both(chain(5, {1}, {3}), 5, 1, 1);
}

TEST_CASE("controllability: rigid-body motion counts as chains of two") {
  // A free mass in the plane with a force along x: y and its rate are not moved.
  const MatrixXd I = MatrixXd::Identity(2, 2), O = MatrixXd::Zero(2, 2);
  const LinearSystem free = with_outputs(system_of(I, O, {}, {}, {}, unit_columns(2, {0})), I);
  check_both(free, 4, 2, 0);
  // The rate of x alone shows one of the two of x, and none of y.
  MatrixXd along_x(1, 2);
  along_x << 1, 0;
  const LinearSystem by_rate = with_outputs(free, MatrixXd::Zero(1, 2), along_x);
  check_both(by_rate, 4, 2, 3);
  // A force along the diagonal moves a combination.
  check_both(with_outputs(system_of(I, O, {}, {}, {}, MatrixXd::Ones(2, 1)), I), 4, 2, 0);
}

TEST_CASE("controllability: integrators in parallel are one for their input, and one without input none") {
  const MatrixXd O = MatrixXd::Zero(2, 2), both = MatrixXd::Ones(2, 1);
  check_counts(find_controllability(first_order(O, both, MatrixXd::Identity(2, 2))), 2, 1, 0);
  check_counts(find_controllability(first_order(O, unit_columns(2, {0}), both.transpose())), 2, 1, 1);
  // One after the other: a chain, of which the end shows all.
  MatrixXd series = O;
  series(1, 0) = 1;
  check_counts(find_controllability(first_order(series, unit_columns(2, {0}), unit_columns(2, {1}).transpose())), 2, 0,
               0);
  check_counts(find_controllability(first_order(series, unit_columns(2, {1}), unit_columns(2, {0}).transpose())), 2, 1,
               1);
}

TEST_CASE("controllability: a double pole with a chain is moved by one input, two equal oscillators are not") {
  // Critical damping: (s + 1)².
  const MatrixXd one = MatrixXd::Ones(1, 1);
  const LinearSystem critical = with_outputs(system_of(one, one, {}, 2 * one, {}, one), one);
  const Controllability found = find_controllability(critical);
  check_counts(found, 2, 0, 0);
  REQUIRE(found.modes.size() == 1);
  CHECK(found.modes[0].multiplicity == 2);
  CHECK(std::abs(found.modes[0].s + 1.0) < 1e-7);
  for (const Eigen::Index copies : {2, 5}) {
    const MatrixXd I = MatrixXd::Identity(copies, copies);
    const auto missing = static_cast<Index>(copies - 1);
    check_both(with_outputs(system_of(I, 9 * I, {}, {}, {}, MatrixXd::Ones(copies, 1)), I), missing + 1, missing, 0);
    check_both(with_outputs(system_of(I, 9 * I, {}, 0.1 * I, {}, MatrixXd::Ones(copies, 1)), I), missing + 1, missing,
               0);
  }
  // Equal chains beside each other, with a force on the first and one that pushes the first two apart.
  LinearSystem twins = system_of_case("twin_chains");
  twins = with_channels(twins, {"mass[1,1].x", "mass[2,2].x"}, {"mass[1,2].x"});
  check_both(twins, 8, 4, 6);
  CHECK(decoupling_zeros(twins) == std::pair<Index, Index>{4, 6});
}

TEST_CASE("controllability: the cart-pole is controllable, and its angle does not show where the cart is") {
  // It hangs: a double zero of the cart, and a pair.
  const LinearSystem system = system_of_case("cart_pole");
  check_both(with_channels(system, {"u"}, {"position"}), 3, 0, 0);
  check_both(with_channels(system, {"u"}, {"angle"}), 3, 0, 2);
}

TEST_CASE("controllability: a drive of two masses without a measured angle shows its speed only") {
  const LinearSystem system = system_of_case("drive_train");
  for (const char* const output : {"motor_speed", "load_speed"}) {
    check_both(with_channels(system, {"motor"}, {output}), 3, 0, 1);
    CHECK(decoupling_zeros(with_channels(system, {"motor"}, {output})) == std::pair<Index, Index>{0, 1});
  }
  check_both(with_channels(system, {"motor"}, {"shaft"}), 3, 0, 2);
}

TEST_CASE("controllability: gains are those of partial fractions, and energies those of Lyapunov's equation") {
  const LinearSystem system = chain(4, {1}, {3}, 0.05);
  const BothRoutes both = by_both(system);
  REQUIRE(both.whole.modes.size() == both.by_vectors.modes.size());
  // H(s) = Σ c b / (s − s_k) + conjugates
  const double omega = 0.37;
  const Plant plant = state_space(system);
  const Eigen::MatrixXcd H = response_of(plant, VectorXd::Constant(1, omega))[0];
  for (const Controllability* const found : {&both.whole, &both.by_vectors}) {
    Complex sum = 0;
    for (const ModeReach& mode : found->modes) {
      const Complex residue = mode.output_gains[0] * mode.input_gains[0];
      sum += residue / (Complex(0, omega) - mode.s) + std::conj(residue) / (Complex(0, omega) - std::conj(mode.s));
    }
    CHECK(std::abs(sum - H(0, 0)) < 1e-12);
  }
  for (std::size_t k = 0; k < both.whole.modes.size(); ++k) {
    const ModeReach &a = both.whole.modes[k], &b = both.by_vectors.modes[k];
    // The sign depends on which of two coordinates that move equally far is taken for the largest.
    CHECK(std::abs(std::abs(a.input_gains[0]) - std::abs(b.input_gains[0])) < 1e-11 * std::abs(a.input_gains[0]));
    CHECK(a.energy_to_move == doctest::Approx(b.energy_to_move).epsilon(1e-10));
    CHECK(a.energy_shown == doctest::Approx(b.energy_shown).epsilon(1e-10));
  }
  // A P + P Aᵀ + B Bᵀ = 0 by its linear equations; the Hankel singular values are the roots of the values of P Q.
  const MatrixXd A = plant.first.A, B = plant.first.B, C = plant.first.C;
  const auto gramian = [](const MatrixXd& F, const MatrixXd& G) {
    const Eigen::Index n = F.rows();
    MatrixXd all = MatrixXd::Zero(n * n, n * n);
    for (Eigen::Index j = 0; j < n; ++j) {
      all.block(j * n, j * n, n, n) += F;
      for (Eigen::Index i = 0; i < n; ++i) all.block(j * n, i * n, n, n) += F(j, i) * MatrixXd::Identity(n, n);
    }
    const MatrixXd right = -G * G.transpose();
    return MatrixXd(VectorXd(all.fullPivLu().solve(VectorXd(right.reshaped()))).reshaped(n, n));
  };
  const MatrixXd P = gramian(A, B), Q = gramian(A.transpose(), C.transpose());
  VectorXd squares = Eigen::EigenSolver<MatrixXd>(P * Q, false).eigenvalues().real();
  std::sort(squares.begin(), squares.end(), std::greater<>());
  REQUIRE(both.whole.hankel.size() == squares.size());
  for (Eigen::Index i = 0; i < 4; ++i)
    CHECK(both.whole.hankel[i] == doctest::Approx(std::sqrt(squares[i])).epsilon(1e-8));
  // 1/energy_to_move = wᴴ P w with the left vectors of A.
  const Eigen::EigenSolver<MatrixXd> eigen(A.transpose());
  for (const ModeReach& mode : both.whole.modes) {
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      if (std::abs(eigen.eigenvalues()[i] - mode.s) > 1e-9) continue;
      Eigen::VectorXcd w = eigen.eigenvectors().col(i), v(2 * mode.shape.size());
      v << mode.shape, mode.s * mode.shape;  // all coordinates are states
      w /= (w.transpose() * v)(0, 0);
      const Complex share = (w.transpose() * P * w.conjugate())(0, 0);
      CHECK(1 / mode.energy_to_move == doctest::Approx(share.real()).epsilon(1e-9));
    }
  }
}

TEST_CASE("controllability: without asymptotic stability there are no Gramians, and it is said why") {
  const Controllability found = find_controllability(system_of_case("cart_pole"));
  CHECK(found.hankel.size() == 0);
  CHECK(found.no_gramians ==
        "Gramians and Hankel singular values exist only where all modes are asymptotically stable: 2 at zero, 1 "
        "undamped");
  CHECK(contains(find_controllability(chain(3, {0}, {0})).no_gramians, ": 3 undamped"));
}

TEST_CASE("controllability: what is barely moved has its distance, and what rounding hides is undecided") {
  const auto with_weak_force = [](double weak) {
    MatrixXd K = MatrixXd::Zero(2, 2), F(2, 1);
    K.diagonal() << 1, 4;
    F << 1, weak;
    return with_outputs(system_of(MatrixXd::Identity(2, 2), K, {}, {}, {}, F), MatrixXd::Identity(2, 2));
  };
  for (const double weak : {1e-6, 1e-9}) {
    const Controllability found = find_controllability(with_weak_force(weak));
    CHECK(found.unmoved == 0);
    CHECK(found.barely_moved == 1);
    // Within the factor that scaling a state by a power of two, and a mode of displacement and rate, can make.
    CHECK(found.modes[1].moved.distance < 2 * weak);
    CHECK(found.modes[1].moved.distance > weak / 4);
    CHECK(found.modes[0].moved.distance > 0.1);
  }
  CHECK(find_controllability(with_weak_force(3e-13)).undecided == 1);
  CHECK(find_controllability(with_weak_force(1e-18)).unmoved == 1);
  // Two oscillators that differ by 1e-9: one input moves both, but barely.
  MatrixXd K = MatrixXd::Identity(2, 2);
  K(1, 1) += 2e-9;
  const Controllability close = find_controllability(
      with_outputs(system_of(MatrixXd::Identity(2, 2), K, {}, {}, {}, MatrixXd::Ones(2, 1)), MatrixXd::Identity(2, 2)));
  REQUIRE(close.modes.size() == 1);
  CHECK(close.modes[0].moved.hidden == 0);
  CHECK(close.barely_moved == 1);
  CHECK(close.modes[0].moved.distance < 1e-9);
  CHECK(close.modes[0].moved.distance > 1e-11);
}

TEST_CASE("controllability: verdicts, gains and energies do not depend on the basis of the motions") {
  const LinearSystem system = system_of_case("actuated_four_bar");
  const Controllability usual = find_controllability(system);
  for (const NullSpaceBasis basis : {NullSpaceBasis::svd, NullSpaceBasis::projective}) {
    const Controllability other = find_controllability(system, {.minimal = {.basis = basis}});
    REQUIRE(other.modes.size() == usual.modes.size());
    CHECK(other.unmoved == usual.unmoved);
    CHECK(other.unshown == usual.unshown);
    for (std::size_t k = 0; k < usual.modes.size(); ++k) {
      if (usual.modes[k].multiplicity > 1) continue;
      const VectorXd a = usual.modes[k].input_gains.cwiseAbs(), b = other.modes[k].input_gains.cwiseAbs();
      CHECK((a - b).norm() < 1e-9 * a.norm());
    }
  }
}

TEST_CASE("controllability: of random plants the state space and the vectors of the bordered problem agree") {
  Index compared = 0, hidden = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const testing::ControlledSystem drawn = testing::controlled_system(seed);
    const LinearSystem& system = drawn.system;
    CAPTURE(seed);
    CAPTURE(drawn.kind);
    Controllability whole, by_vectors;
    try {
      whole = find_controllability(system);
      by_vectors = find_controllability(system, {.which = All{}});
    } catch (const Error&) {
      continue;  // a reaction that is not determined, a motion without mass: refused by either
    }
    if (whole.undecided + by_vectors.undecided > 0 || whole.count != by_vectors.count) continue;
    ++compared;
    hidden += whole.unmoved + whole.unshown;
    CHECK(whole.unmoved == by_vectors.unmoved);
    CHECK(whole.unshown == by_vectors.unshown);
  }
  CHECK(compared > 60);
  CHECK(hidden > 20);
}

TEST_CASE("controllability: an input of prescribed motion counts with its derivatives, as in its transfer function") {
  const LinearSystem system = system_of_case("base_excited");
  const BothRoutes both = by_both(system);
  CHECK(both.whole.unmoved == both.by_vectors.unmoved);
  CHECK(both.whole.unshown == both.by_vectors.unshown);
  CHECK(decoupling_zeros(system) == std::pair{both.whole.unmoved, both.whole.unshown});
}

// The row of an output that only rounding shows (the height of a hanging pendulum) was compared with its own size: one
// of two modes seemed to be shown.
TEST_CASE("controllability: of every case the state space and the vectors of the bordered problem agree") {
  Index compared = 0;
  for (const auto& named : all_systems()) {
    const LinearSystem& whole = named.system;
    if (whole.singular) continue;
    CAPTURE(whole.name);
    const bool has_channels = whole.inputs() > 0 && whole.outputs() > 0;
    const LinearSystem system = has_channels ? whole
                                             : with_channels(whole, {whole.coordinate_name(0)},
                                                             {whole.coordinate_name(whole.coordinates() - 1)});
    const BothRoutes both = by_both(system);
    CHECK(both.whole.count == both.by_vectors.count);
    CHECK(both.whole.unmoved == both.by_vectors.unmoved);
    CHECK(both.whole.unshown == both.by_vectors.unshown);
    ++compared;
  }
  CHECK(compared > 30);
}

TEST_CASE("controllability: some modes of a large chain") {
  // 2001 masses are too many for the state space; a force in the middle moves every second mode.
  const Eigen::Index N = 2001;
  std::vector<Eigen::Triplet<double, Index>> M, K, F, H;
  for (Index i = 0; i < N; ++i) {
    M.emplace_back(i, i, 1.0);
    K.emplace_back(i, i, 2.0);
    if (i > 0) K.emplace_back(i, i - 1, -1.0);
    if (i > 0) K.emplace_back(i - 1, i, -1.0);
  }
  F.emplace_back(N / 2, 0, 1.0);
  H.emplace_back(0, 0, 1.0);
  LinearSystem system;
  system.name = "chain";
  const auto fill = [](SparseMatrix& A, Index rows, Index columns, const auto& entries) {
    A.resize(rows, columns);
    A.setFromTriplets(entries.begin(), entries.end());
  };
  fill(system.M, N, N, M);
  fill(system.K, N, N, K);
  fill(system.F, N, 1, F);
  fill(system.Hq, 1, N, H);
  const Controllability found = find_controllability(checked(system), {.which = Lowest{10}});
  CHECK(!found.all_modes);
  check_counts(found, 10, 5, 0);
  CHECK(found.modes[1].moved.hidden == 1);
  CHECK(found.modes[0].moved.hidden == 0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Minimal realisation

namespace {

/// The largest difference of the responses, relative to the largest.
double largest_difference(const Plant& full, const Plant& small, const VectorXd& omega) {
  const auto H = response_of(full, omega), h = response_of(small, omega);
  double difference = 0, largest = 0;
  for (std::size_t k = 0; k < H.size(); ++k) {
    difference = std::max(difference, (H[k] - h[k]).cwiseAbs().maxCoeff());
    largest = std::max(largest, H[k].cwiseAbs().maxCoeff());
  }
  return largest > 0 ? difference / largest : difference;
}

/// The same between the plant and the sparse system.
double largest_difference_from(const LinearSystem& system, const Plant& plant) {
  const auto H = frequency_response(system, plant.check.omega).response,
             h = input_response_of(plant, plant.check.omega);
  double difference = 0, largest = 0;
  for (std::size_t k = 0; k < H.size(); ++k) {
    difference = std::max(difference, (H[k] - h[k]).cwiseAbs().maxCoeff());
    largest = std::max(largest, H[k].cwiseAbs().maxCoeff());
  }
  return largest > 0 ? difference / largest : difference;
}

}  // namespace

TEST_CASE("minimal realisation: it has the order of closed forms, and the frequency response stays") {
  struct Expected {
    LinearSystem system;
    Index order;
  };
  const MatrixXd I = MatrixXd::Identity(2, 2), O = MatrixXd::Zero(2, 2);
  LinearSystem twins = with_channels(system_of_case("twin_chains"), {"mass[1,1].x"}, {"mass[1,2].x"});
  const LinearSystem upright = system_of_case("cart_pole"), drive = system_of_case("drive_train");
  const std::vector<Expected> cases = {
      {chain(7, {3}, {3}), 8},                                                  // 4 symmetric modes
      {chain(5, {1}, {3}, 0.01), 8},                                            // without mode 3
      {with_outputs(system_of(I, O, {}, {}, {}, unit_columns(2, {0})), I), 2},  // x and its rate
      {first_order(O, MatrixXd::Ones(2, 1), MatrixXd::Identity(2, 2)), 1},      // one integrator
      {twins, 4},                                                               // one chain of four
      {with_channels(upright, {"u"}, {"angle"}), 2},                            // without the cart
      {with_channels(upright, {"u"}, {"position"}), 4},                         // all
      {with_channels(drive, {"motor"}, {"shaft"}), 2},                          // the twist
      {with_channels(drive, {"motor"}, {"load_speed"}), 3}};                    // without the angle
  for (const Expected& expected : cases) {
    CAPTURE(expected.system.name);
    const ReducedPlant small = reduce(expected.system, {.method = Reduction::minimal});
    CHECK(small.plant.first.A.rows() == expected.order);
    CHECK(static_cast<Index>(small.plant.state_names.size()) == expected.order);
    // Many frequencies, which by their irregular ratio are not on a pole.
    VectorXd omega = VectorXd::LinSpaced(60, 0.317, 9.731);
    omega = omega.cwiseProduct(omega);
    CHECK(largest_difference(state_space(expected.system), small.plant, omega) < 1e-9);
  }
}

TEST_CASE("minimal realisation: random plants keep their response") {
  Index made = 0, smaller = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const testing::ControlledSystem drawn = testing::controlled_system(seed);
    const LinearSystem& system = drawn.system;
    CAPTURE(seed);
    CAPTURE(drawn.kind);
    try {
      const ReducedPlant small = reduce(system, {.method = Reduction::minimal});
      ++made;
      smaller += small.plant.first.A.rows() < small.full_order ? 1 : 0;
      CHECK(small.measured.relative < 1e-6);  // beside the sparse system: with the rounding of the explicit form
      // Far below free motions an explicit form loses digits by itself: to as many as it has of the sparse system.
      const Plant full = state_space(system);
      const double own = largest_difference_from(system, full);
      CHECK(largest_difference(full, small.plant, full.check.omega) < std::max(1e-9, 8 * own));
    } catch (const Error&) {
      continue;
    }
  }
  CHECK(made > 30);
  CHECK(smaller > 5);
}

TEST_CASE("minimal realisation: its notes name what is left out, and an order is refused") {
  const LinearSystem system = with_channels(system_of_case("cart_pole"), {"u"}, {"angle"});
  const ReducedPlant small = reduce(system, {.method = Reduction::minimal});
  std::string all;
  for (const std::string& note : small.plant.notes) all += note + "\n";
  CHECK_MESSAGE(contains(all, "left out, because no output shows it: 2 at 0 rad/s (cart.x)"), all);
  CHECK_MESSAGE(contains(all, "reduced from 4 to 2 states by minimal realisation"), all);
  CHECK(contains(error_of([&] { reduce(system, {.method = Reduction::minimal, .order = 2}); }), "leave order out"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Text and JSON

TEST_CASE("controllability: the table says what no input moves, with the singular values that decide") {
  const LinearSystem system = chain(3, {1}, {0});
  const Controllability found = find_controllability(system);
  const std::string text = to_text(found, system);
  CHECK_MESSAGE(contains(text, "1 of 3: no input moves it"), text);
  CHECK_MESSAGE(contains(text, "controllable, observable"), text);
  CHECK_MESSAGE(contains(text, "Singular values, relative"), text);
  const auto json = nlohmann::json::parse(to_json(found, system));
  CHECK(json["schema"] == "stillpoint.controllability/1");
  CHECK(json["unmoved"] == 1);
  CHECK(json["unshown"] == 0);
  REQUIRE(json["modes"].size() == 3);
  CHECK(json["modes"][1]["moved"]["decision"] == "none");
  CHECK(json["modes"][1]["shown"]["decision"] == "all");
  CHECK(json["modes"][0]["input_participation"]["u[1]"].get<double>() > 0.4);
}

TEST_CASE("controllability: the work tells its progress, and can be stopped there") {
  const LinearSystem small = chain(8, {0}, {3}), large = chain(600, {0}, {3});
  testing::check_that_it_can_be_stopped(
      [&](const auto& listener) { find_controllability(small, {.progress = listener}); });
  testing::check_that_it_can_be_stopped(
      [&](const auto& listener) { find_controllability(large, {.which = Lowest{20}, .progress = listener}); });
}
