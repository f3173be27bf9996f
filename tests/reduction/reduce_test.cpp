// Modal form and reductions: what is kept exactly, bounds, and Hankel singular values against Octave's.

#include "stillpoint/reduce.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "algebra/dense/lyapunov.h"
#include "algebra/dense/schur.h"
#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"
#include "support/tool.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXd, Eigen::VectorXd;

namespace {

MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

/// The flexible pendulum with damped beams, and its tip.
LinearSystem damped_pendulum(int n_p = 4) {
  LinearSystem system = with_channels(system_of_case("flexible_double_pendulum", {{"n_p", n_p}}), {}, {"tip.x"});
  system.C = 0.1 * system.M + 2e-4 * system.K;
  return system;
}

std::vector<Complex> eigenvalues(const MatrixXd& A) {
  const Eigen::VectorXcd values = dense::eigenvalues(A);
  return {values.begin(), values.end()};
}

/// What Octave prints, one number a line; its control package must be there.
std::vector<double> octave(const std::string& program) {
  const ScratchFolder folder;
  const Answer answer = shell("octave-cli --norc --quiet '" + folder.write("program.m", program) + "'");
  REQUIRE_MESSAGE(answer.code == 0, answer.err);
  std::vector<double> numbers;
  std::istringstream stream(answer.out);
  for (double number = 0; stream >> number;) numbers.push_back(number);
  return numbers;
}

std::string octave_matrix(const char* name, const MatrixXd& A) {
  std::string text = std::string(name) + " = [";
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    for (Eigen::Index j = 0; j < A.cols(); ++j) text += fmt::format(" {:.17g}", A(i, j));
    text += ";\n";
  }
  return text + "];\n";
}

bool has_note(const Plant& plant, const std::string& text) {
  return std::any_of(plant.notes.begin(), plant.notes.end(),
                     [&](const std::string& note) { return contains(note, text); });
}

constexpr double rounding = 1e-11;

}  // namespace

TEST_CASE("reduce: factors of gramians solve Lyapunov's equation") {
  for (const unsigned seed : {1U, 2U, 3U}) {
    CAPTURE(seed);
    const Eigen::Index n = 9;
    MatrixXd A = random_matrix(n, n, seed);
    A.diagonal().array() -= dense::eigenvalues(A).real().maxCoeff() + 0.3;
    const MatrixXd B = random_matrix(n, seed, seed + 10), L = gramian_factor(A, B), P = L * L.transpose();
    CHECK((A * P + P * A.transpose() + B * B.transpose()).norm() < 1e-12 * P.norm());
    CHECK(P.norm() > 0.1);
  }
}

TEST_CASE("reduce: the modal form has the response of the state space, and poles that can be read from its blocks") {
  for (const LinearSystem& system :
       {system_of_case("cart_pole"), system_of_case("drive_train"), system_of_case("base_excited"),
        system_of_case("actuated_four_bar"), damped_pendulum(), system_of_case("flexible_double_pendulum")}) {
    CAPTURE(system.name);
    const Plant plant = modal_form(system);
    CHECK(plant.form == PlantForm::modal);
    const VectorXd omega = state_space(system).check.omega;
    CHECK(response_error(frequency_response(system, omega), plant).relative < 1e-8);
    const MatrixXd A = plant.first.A;
    std::vector<Complex> poles, found;
    for (const Plant::Pole& pole : plant.poles) poles.push_back(pole.s);
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const bool is_pair = i + 1 < A.rows() && A(i + 1, i) != 0;
      found.emplace_back(A(i, i), is_pair ? A(i, i + 1) : 0);
      if (is_pair) found.push_back(std::conj(found.back()));
      if (is_pair) CHECK(A(i, i + 1) == -A(i + 1, i));
      if (is_pair) ++i;
    }
    REQUIRE(found.size() == poles.size());
    CHECK(distance(found, poles, 1e-300) < 1e-15);  // the very same numbers
    CHECK(distance(poles, found, 1e-300) < 1e-15);
  }
}

TEST_CASE("reduce: rigid-body zeros share a block with nothing below its diagonal") {
  const MatrixXd A = modal_form(system_of_case("drive_train")).first.A;
  CHECK(A(0, 0) == 0);
  CHECK(A(1, 0) == 0);
  CHECK(A(1, 1) == 0);
  CHECK(A(0, 1) != 0);
}

TEST_CASE("reduce: the slowest mode, the one of largest participation and the one that rings longest may be three") {
  // Oscillators beside each other, q̈ + 2 ζ ω q̇ + ω² q = b u, y = Σ q.
  struct Oscillator {
    double omega, zeta, b;
  };
  const std::vector<Oscillator> all{{1, 0.5, 1e-3}, {10, 0.5, 100}, {11, 1e-4, 1}};
  MatrixXd C = MatrixXd::Zero(3, 3), K = C, B(3, 1);
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto [omega, zeta, b] = all[static_cast<std::size_t>(i)];
    C(i, i) = 2 * zeta * omega;
    K(i, i) = omega * omega;
    B(i, 0) = b;
  }
  LinearSystem system;
  system.M = MatrixXd::Identity(3, 3).sparseView();
  system.C = C.sparseView();
  system.K = K.sparseView();
  system.F = B.sparseView();
  system.Hq = MatrixXd::Ones(1, 3).sparseView();
  system = checked(std::move(system));
  const auto kept = [&](Importance keep) {
    const Plant plant = reduce(system, {.method = Reduction::modal, .order = 2, .keep = keep}).plant;
    return std::abs(eigenvalues(plant.first.A)[0]);
  };
  CHECK(std::abs(kept(Importance::frequency) - 1) < 1e-9);
  CHECK(std::abs(kept(Importance::participation) - 10) < 1e-9);
  CHECK(std::abs(kept(Importance::gramian) - 11) < 1e-9);
  const ReducedPlant blown =
      reduce(system, {.method = Reduction::modal, .order = 2, .keep = Importance::participation});
  CHECK(has_note(blown.plant, "the modes of largest participation in the impulse response"));
}

TEST_CASE("reduce: modal truncation has the exact gain at rest, and keeps the poles that it keeps") {
  const LinearSystem system = damped_pendulum();
  for (const Importance keep : {Importance::frequency, Importance::gramian}) {
    const ReducedPlant reduced = reduce(system, {.method = Reduction::modal, .order = 8, .keep = keep});
    CHECK(reduced.full_order == 52);
    CHECK(reduced.plant.first.A.rows() == 8);
    const VectorXd rest = VectorXd::Zero(1);
    const Complex exact = frequency_response(system, rest).response[0](0, 0);
    const Complex found = response_of(reduced.plant, rest)[0](0, 0);
    CHECK(std::abs(found - exact) < 1e-9 * std::abs(exact));
    std::vector<Complex> poles;
    for (const Plant::Pole& pole : reduced.plant.poles) poles.push_back(pole.s);
    CHECK(distance(eigenvalues(reduced.plant.first.A), poles, 1e-3) < 1e-9);
    CHECK(reduced.measured.relative < 0.05);  // the peaks of the modes that are left out
    CHECK(reduce(system, {.method = Reduction::modal, .order = 16, .keep = keep}).measured.relative <
          0.2 * reduced.measured.relative);
    CHECK(has_note(reduced.plant, "reduced from 52 to 8 states"));
  }
  const ReducedPlant plain = reduce(system, {.method = Reduction::modal, .order = 8, .static_correction = false});
  CHECK(plain.plant.first.D.nonZeros() == 0);
}

TEST_CASE("reduce: Hankel singular values are those of Octave's control package, and errors stay below the bound") {
  const LinearSystem system = damped_pendulum(2);
  const Plant full = state_space(system);
  const std::string plant = "pkg load control\n" + octave_matrix("A", full.first.A) + octave_matrix("B", full.first.B) +
                            octave_matrix("C", full.first.C) + "plant = ss(A, B, C, 0);\n";
  const std::vector<double> expected = octave(plant + "printf('%.17g\\n', hsvd(plant));\n");
  const ReducedPlant reduced = reduce(system, {.method = Reduction::balanced, .order = 6});
  REQUIRE(static_cast<std::size_t>(reduced.hankel.size()) == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(reduced.hankel[static_cast<Eigen::Index>(i)] - expected[i]) < 1e-8 * expected[0]);
  }
  // And its reduced plant has the same response.
  const std::vector<double> theirs = octave(
      plant + "small = btamodred(plant, 6);\nH = freqresp(small, 3.1);\nprintf('%.17g\\n', real(H), imag(H));\n");
  REQUIRE(theirs.size() == 2);
  const Complex ours = response_of(reduced.plant, VectorXd::Constant(1, 3.1))[0](0, 0);
  CHECK(std::abs(ours - Complex(theirs[0], theirs[1])) < 1e-8 * std::abs(ours));
  for (const Index order : {2, 6, 10, 16}) {
    CAPTURE(order);
    const ReducedPlant smaller = reduce(system, {.method = Reduction::balanced, .order = order});
    CHECK(smaller.plant.first.A.rows() == order);
    CHECK(smaller.gain_error <= smaller.bound * (1 + 1e-9) + 1e-12 * smaller.hankel[0]);
    CHECK(smaller.gain_error >= 1e-6 * smaller.bound);  // the bound says something
    for (const Complex s : eigenvalues(smaller.plant.first.A)) CHECK(s.real() < 0);
  }
  CHECK(has_note(reduced.plant,
                 fmt::format("Hankel singular values: {:.3g}, {:.3g}, {:.3g}", expected[0], expected[1], expected[2])));
  CHECK(has_note(reduced.plant, fmt::format("are kept; {:.3g}, ", expected[6])));
  CHECK(has_note(reduced.plant, fmt::format("; the error bound is {:.1e} (largest", reduced.bound)));
  const ReducedPlant whole = reduce(system_of_case("actuated_four_bar"), {.method = Reduction::balanced});
  CHECK(has_note(whole.plant, "; nothing is left out"));
  CHECK(!has_note(whole.plant, "bound"));
}

TEST_CASE("reduce: balanced truncation of an unstable plant keeps its unstable and free poles as they are") {
  // The cart-pole upright with a damped oscillator on the cart.
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/cart_pole", {{"theta_guess", 3}});
  LinearSystem system =
      linearize(model, find_equilibrium(model, model.initial_state(), {.rest = EquilibriumRequest::nearest}));
  const double unstable = std::sqrt(11 * 9.81 / (10 * 0.5));
  const ReducedPlant upright = reduce(system, {.method = Reduction::balanced, .order = 3});
  CHECK(upright.kept_exactly == 3);
  const std::vector<Complex> found = eigenvalues(upright.plant.first.A);
  CHECK(distance({Complex(unstable)}, found, 1) < 1e-13);
  CHECK(std::count_if(found.begin(), found.end(), [](Complex s) { return s == 0.0; }) == 2);
  CHECK(upright.bound > 0);
  CHECK(upright.gain_error <= upright.bound * (1 + 1e-9));
  CHECK(contains(error_of([&] { reduce(system, {.method = Reduction::balanced, .order = 2}); }),
                 "an order of 2 is too small: 3 states are not asymptotically stable"));
  const ReducedPlant whole = reduce(system, {.method = Reduction::balanced, .order = 4});
  CHECK(whole.measured.relative < rounding);
}

TEST_CASE("reduce: Craig and Bampton's basis is exact at rest, and with all modes everywhere") {
  const LinearSystem system = damped_pendulum();
  const ReducedPlant small = reduce(system, {.method = Reduction::craig_bampton, .order = 16});
  CHECK(small.plant.first.A.rows() == 16);
  CHECK(std::count(small.plant.state_names.begin(), small.plant.state_names.end(), "upper.phi") == 1);
  const VectorXd rest = VectorXd::Zero(1);
  const Complex exact = frequency_response(system, rest).response[0](0, 0);
  CHECK(std::abs(response_of(small.plant, rest)[0](0, 0) - exact) < 1e-9 * std::abs(exact));
  const ReducedPlant more = reduce(system, {.method = Reduction::craig_bampton, .order = 32});
  CHECK(small.measured.relative < 0.2);
  CHECK(more.measured.relative < 0.2 * small.measured.relative);
  CHECK(more.measured.relative > 1e-9);
  const ReducedPlant all = reduce(system, {.method = Reduction::craig_bampton, .order = 52});
  CHECK(all.measured.relative < 1e-8);
  CHECK(contains(error_of([&] { reduce(system, {.method = Reduction::craig_bampton, .boundary = {"uper.phi"}}); }),
                 "option 'boundary': there is no coordinate 'uper.phi' (did you mean 'upper.phi'?)"));
  CHECK(contains(error_of([&] {
                   reduce(system, {.method = Reduction::craig_bampton, .boundary = {"upper.phi", "upper.phi"}});
                 }),
                 "option 'boundary': 'upper.phi' is named twice"));
  CHECK(contains(error_of([&] {
                   reduce(system, {.method = Reduction::craig_bampton, .boundary = {"upper.x", "upper.phi"}});
                 }),
                 "option 'boundary': 'upper.x' cannot be chosen freely, because the constraints fix it"));
}

TEST_CASE("reduce: Krylov's basis has the response and its slope at the frequencies asked for") {
  const LinearSystem system = damped_pendulum();
  const Eigen::Vector2d omega(1.0, 12.0);
  const ReducedPlant reduced = reduce(system, {.method = Reduction::krylov, .order = 16, .frequencies = omega});
  CHECK(reduced.plant.first.A.rows() <= 16);  // fewer where the next derivative brings nothing new
  CHECK(reduced.plant.first.A.rows() >= 12);
  CHECK(response_error(frequency_response(system, omega), reduced.plant).relative < 1e-9);
  // One vector pair at each frequency gives the value there, and not the slope; two give both.
  const auto error_near = [&](Index order) {
    const ReducedPlant plant = reduce(system, {.method = Reduction::krylov, .order = order, .frequencies = omega});
    const VectorXd near = VectorXd::Constant(1, 1.01);
    const Complex exact = frequency_response(system, near).response[0](0, 0);
    return std::abs(exact - response_of(plant.plant, near)[0](0, 0)) / std::abs(exact);
  };
  CHECK(error_near(8) > 1e-9);
  CHECK(error_near(16) < 0.01 * error_near(8));
  CHECK(reduced.measured.relative < 0.05);
}

TEST_CASE("reduce: too few motions for all frequencies asked for are refused, and poles that are lost are told") {
  const LinearSystem pendulum = damped_pendulum();
  CHECK(contains(error_of([&] {
                   reduce(pendulum, {.method = Reduction::krylov, .order = 6, .frequencies = Eigen::Vector2d(1, 12)});
                 }),
                 "an order of 6 is too small to match the response at all of these frequencies: 8 suffices"));
  // A chain whose last mass stands on a spring that pushes it away, far from where it is driven.
  const Eigen::Index n = 6;
  MatrixXd K = 2 * MatrixXd::Identity(n, n);
  for (Eigen::Index i = 1; i < n; ++i) K(i, i - 1) = K(i - 1, i) = -1;
  K(n - 1, n - 1) = -1;
  MatrixXd F = MatrixXd::Zero(n, 1);
  F(0, 0) = 1;
  LinearSystem chain;
  chain.M = MatrixXd(MatrixXd::Identity(n, n)).sparseView();
  chain.K = K.sparseView();
  chain.F = F.sparseView();
  chain.Hq = MatrixXd(F.transpose()).sparseView();
  chain = checked(std::move(chain));
  const std::string warning = "WARNING: 1 unstable pole is missing; reduction 'balanced' and reduction 'modal' keep";
  const ReducedPlant small =
      reduce(chain, {.method = Reduction::krylov, .order = 4, .frequencies = VectorXd::Constant(1, 1.1)});
  CHECK(has_note(small.plant, warning));
  CHECK_FALSE(has_note(reduce(chain, {.method = Reduction::krylov, .order = 12}).plant, warning));
  chain.F.setZero();
  CHECK(contains(error_of([&] { reduce(chain, {.method = Reduction::krylov, .order = 4}); }),
                 "the inputs cause no motion that the constraints permit"));
}

// s² = 1 and −½; half way between them one motion grows by e in 2 s, which neither does.
TEST_CASE("reduce: poles that grow and that the plant has not are told") {
  LinearSystem system;
  system.M = MatrixXd(MatrixXd::Identity(2, 2)).sparseView();
  system.K = MatrixXd(Eigen::Vector2d(-1, 0.5).asDiagonal()).sparseView();
  system.F = MatrixXd{{1}, {0.5}}.sparseView();
  system.Hq = MatrixXd{{1, 0}}.sparseView();
  system = checked(std::move(system));
  const auto notes_of = [&](Index order) {
    return reduce(system, {.method = Reduction::krylov, .order = order, .frequencies = VectorXd::Constant(1, 0.1)})
        .plant;
  };
  const std::string with =
      "WARNING: 1 unstable pole is not one of the system; reduction 'balanced' and reduction 'modal' keep";
  CHECK(has_note(notes_of(2), with));
  CHECK_FALSE(has_note(notes_of(4), with));
}

TEST_CASE("reduce: Craig and Bampton's boundary has what is seen by its rate or acceleration only") {
  LinearSystem system = damped_pendulum();
  const SparseMatrix tip = system.Hq;
  const auto names_seen_by = [&](bool by_rate) {
    LinearSystem other = system;
    other.Hq = SparseMatrix(tip.rows(), tip.cols());
    (by_rate ? other.Hv : other.Ha) = tip;
    return reduce(other, {.method = Reduction::craig_bampton, .order = 16}).plant.state_names;
  };
  const std::vector<std::string> expected =
      reduce(system, {.method = Reduction::craig_bampton, .order = 16}).plant.state_names;
  CHECK(names_seen_by(true) == expected);
  CHECK(names_seen_by(false) == expected);
}

TEST_CASE("reduce: a moved base is held as it moves, with no state of its own") {
  // A mass between two springs, one on the ground, the other on a base: at rest it stands at k2/(k1 + k2) of its
  // motion.
  MatrixXd M = MatrixXd::Zero(2, 2), K(2, 2), J(1, 2), G(1, 1);
  M(1, 1) = 3;
  K << 20, -20, -20, 50;
  J << 1, 0;
  G << 1;
  LinearSystem system;
  system.M = M.sparseView();
  system.K = K.sparseView();
  system.J = J.sparseView();
  system.G = G.sparseView();
  system.Hq = MatrixXd(Eigen::RowVector2d(0, 1)).sparseView();
  system = checked(std::move(system));
  const Plant plant =
      reduce(system, {.method = Reduction::craig_bampton, .order = 2, .boundary = {system.coordinate_name(1)}}).plant;
  const Complex H = response_of(plant, VectorXd::Constant(1, 2.0))[0](0, 0);
  CHECK(std::abs(H - 20.0 / (50 - 3 * 4)) < 1e-12);
}

TEST_CASE("reduce: without frequencies Krylov's basis takes some that are no poles") {
  // Undamped, the tenth of the range is the tenth mode itself; with one mode there is nothing else.
  const LinearSystem ring = system_of_case("four_bar", {{"N", 20}});
  const ReducedPlant one = reduce(with_channels(ring, {"phi"}, {"B[3].x"}), {.method = Reduction::krylov, .order = 2});
  CHECK(one.measured.relative < 1e-12);
  CHECK(has_note(one.plant,
                 "reduced from 1 degree of freedom to 2 states by Krylov moment matching at some frequencies"));
  const LinearSystem pendulum = with_channels(system_of_case("flexible_double_pendulum"), {}, {"tip.x"});
  CHECK(reduce(pendulum, {.method = Reduction::krylov, .order = 24}).plant.first.A.rows() == 24);
  const std::string text = error_of([] {
    const LinearSystem free = system_of_case("drive_train");
    reduce(free, {.method = Reduction::krylov, .order = 2, .frequencies = VectorXd::Zero(1)});
  });
  CHECK(contains(text, "there is a pole at 0 Hz (0 rad/s), where the response has no value to match"));
}

TEST_CASE("reduce: Krylov's basis keeps motions without mass apart, with and without dampers") {
  const LinearSystem maxwell = system_of_case("maxwell_mass");
  const ReducedPlant whole =
      reduce(with_channels(maxwell, {"mass.x"}, {"joint.x", "mass.x"}), {.method = Reduction::krylov});
  CHECK(whole.plant.first.A.rows() == 3);
  CHECK(whole.measured.relative < 1e-12);
  // A chain of springs in which every other mass is missing, and every fourth joint is damped.
  const Eigen::Index n = 12;
  MatrixXd M = MatrixXd::Zero(n, n), K = 40 * MatrixXd::Identity(n, n), C = M;
  for (Eigen::Index i = 0; i + 1 < n; ++i) K(i, i + 1) = K(i + 1, i) = -20;
  for (Eigen::Index i = 0; i < n; i += 2) M(i, i) = 1.5;
  for (Eigen::Index i = 1; i < n; i += 4) C(i, i) = 3;
  LinearSystem chain;
  chain.M = M.sparseView();
  chain.K = K.sparseView();
  chain.C = C.sparseView();
  chain.F = MatrixXd(MatrixXd::Identity(n, 1)).sparseView();
  chain.Hq = MatrixXd(MatrixXd::Identity(n, n).bottomRows(1)).sparseView();
  chain = checked(std::move(chain));
  const Eigen::Vector2d omega(1, 4);
  const ReducedPlant few = reduce(chain, {.method = Reduction::krylov, .order = 14, .frequencies = omega});
  const ReducedPlant all = reduce(chain, {.method = Reduction::krylov, .order = 24});
  CHECK(few.plant.first.A.rows() < 14);
  CHECK(all.measured.relative < 1e-9);
  CHECK(response_error(frequency_response(chain, omega), few.plant).relative < 1e-9);
}

TEST_CASE("reduce: Krylov's basis of a shaken base follows it, and of a long chain needs no dense matrix") {
  const ReducedPlant shaken =
      reduce(system_of_case("base_excited"),
             {.method = Reduction::krylov, .order = 2, .frequencies = VectorXd::Constant(1, 15.0)});
  CHECK(shaken.measured.relative < 1e-10);  // one freedom: nothing is lost
  const LinearSystem chain = system_of_case("n_pendulum", {{"N", 1500}});
  LinearSystem system = with_channels(chain, {chain.coordinate_name(0)}, {chain.coordinate_name(0)});
  system.C = 0.05 * system.M;
  const ReducedPlant reduced = reduce(system, {.method = Reduction::krylov,
                                               .order = 40,
                                               .frequencies = Eigen::Vector3d(0.1, 0.3, 1),
                                               .plant = {.poles = false}});
  CHECK(reduced.full_order == 3000);
  CHECK(response_error(frequency_response(system, Eigen::Vector3d(0.1, 0.3, 1)), reduced.plant).relative < 1e-8);
}

TEST_CASE("reduce: undamped systems have nothing to balance, and say so; their modes can be left out") {
  const LinearSystem system = with_channels(system_of_case("flexible_double_pendulum"), {}, {"tip.x"});
  CHECK(contains(error_of([&] { reduce(system, {.method = Reduction::balanced, .order = 12}); }),
                 "an order of 12 is too small: 64 states are not asymptotically stable (undamped ones are not)"));
  const ReducedPlant whole = reduce(system, {.method = Reduction::balanced});
  CHECK(whole.kept_exactly == 64);
  CHECK(whole.hankel.size() == 0);
  CHECK(has_note(whole.plant, "no pole is asymptotically stable, so nothing can be left out"));
  CHECK(whole.bound == 0);
  const ReducedPlant few = reduce(system, {.method = Reduction::modal, .order = 12, .keep = Importance::gramian});
  CHECK(few.plant.first.A.rows() == 12);
  // Its T and S give the static displacement of all coordinates.
  const Plant full = state_space(system);
  const MatrixXd A = few.plant.first.A, q = few.plant.S - few.plant.T * dense::solve(A, few.plant.first.B),
                 A_full = full.first.A, q_full = -(full.T * dense::solve(A_full, full.first.B));
  CHECK(difference(q, q_full) < 1e-9);
}

TEST_CASE("reduce: too few states for what must stay are refused") {
  CHECK(
      contains(error_of([] { reduce(system_of_case("drive_train"), {.method = Reduction::modal, .order = 1}); }),
               "an order of 1 is too small: unstable modes and rigid-body motions must be kept, and have at least 2"));
  for (const Reduction method : {Reduction::krylov, Reduction::craig_bampton}) {
    CHECK(error_of([&] { reduce(system_of_case("drive_train"), {.method = method, .order = 1}); }) ==
          "an order of 1 is too small: one motion has two states");
  }
}
