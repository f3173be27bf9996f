// Closed loops, compared with springs and dampers that do the same, with closed forms, and with the algebra of
// frequency responses.

#include "stillpoint/close_loops.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <numeric>

#include "base/at.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/report.h"
#include "support/error_texts.h"
#include "support/plants/random_plants.h"

using namespace stillpoint;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Complex = std::complex<double>;

namespace {

SparseMatrix sparse(const MatrixXd& A) { return A.sparseView(); }

NameOf named(std::vector<std::string> names) {
  return [names](Index i) { return names[at(i)]; };
}

/// A mass m on a spring k with a force u; its position is measured.
LinearSystem mass_on_spring(double m, double k) {
  LinearSystem system;
  system.name = "mass";
  system.M = sparse(MatrixXd::Constant(1, 1, m));
  system.K = sparse(MatrixXd::Constant(1, 1, k));
  system.F = sparse(MatrixXd::Constant(1, 1, 1));
  system.Hq = sparse(MatrixXd::Constant(1, 1, 1));
  system.coordinate_name = named({"x"});
  system.input_name = named({"u"});
  system.output_name = named({"position"});
  return checked(system);
}

Controller connected(Controller block, std::vector<std::string> from, std::vector<std::string> to) {
  block.name = "c";
  block.from = std::move(from);
  block.to = std::move(to);
  return block;
}

Controller connected(Controller block) { return connected(std::move(block), {"position"}, {"u"}); }

std::vector<Complex> spectrum_of(const LinearSystem& system, Method method = Method::mcs) {
  const ModesReport report = report_modes({system}, method);
  CHECK_MESSAGE(is_certified(report), fmt::format("{}", fmt::join(report.warnings, "; ")));
  std::vector<Complex> found;
  for (const Mode& mode : report.result.spectrum.modes) {
    if (mode.kind == ModeClass::genuine && !mode.is_infinite()) found.push_back(mode.s);
  }
  return found;
}

/// The roots of a polynomial, the highest power first, by its companion matrix.
std::vector<Complex> roots_of(const std::vector<double>& a) {
  const auto order = std::ssize(a) - 1;
  MatrixXd A = MatrixXd::Zero(order, order);
  for (Eigen::Index k = 0; k < order; ++k) A(0, k) = -a[at(k + 1)] / a[0];
  A.bottomLeftCorner(order - 1, order - 1).setIdentity();
  const Eigen::VectorXcd roots = A.eigenvalues();
  return {roots.begin(), roots.end()};
}

/// The largest distance of a root to the nearest value that was found, if there are as many.
double distance(std::vector<Complex> found, const std::vector<Complex>& roots) {
  REQUIRE(found.size() == roots.size());
  double largest = 0;
  for (const Complex root : roots) {
    const auto nearest = std::min_element(
        found.begin(), found.end(), [root](Complex a, Complex b) { return std::abs(a - root) < std::abs(b - root); });
    largest = std::max(largest, std::abs(*nearest - root));
    found.erase(nearest);
  }
  return largest;
}

MatrixXcd response_of_block(const Controller& one, Complex s) {
  const Eigen::Index order = one.A.rows();
  const MatrixXcd resolvent = s * MatrixXcd::Identity(order, order) - one.A;
  const MatrixXcd D = one.D;
  if (order == 0) return D;
  return D + one.C * resolvent.partialPivLu().solve(MatrixXcd(one.B));
}

Controller random_block(Eigen::Index inputs, Eigen::Index outputs, Eigen::Index order) {
  return state_space_block(MatrixXd::Random(order, order) - MatrixXd::Identity(order, order),
                           MatrixXd::Random(order, inputs), MatrixXd::Random(outputs, order),
                           0.1 * MatrixXd::Random(outputs, inputs));
}

bool is_reaction(const LinearSystem& system, Index output) {
  return SparseMatrix(system.Hl.transpose()).col(output).nonZeros() > 0;
}

bool is_prescribed(const LinearSystem& system, Index input) { return system.G.col(input).nonZeros() > 0; }

}  // namespace

TEST_CASE("close_loops: a PD controller is a spring and a damper, to the last bit") {
  const LinearSystem open = mass_on_spring(2, 30);
  const LinearSystem closed =
      close_loops(open, {connected(gain(Eigen::RowVector2d(100, 4)), {"position", "position'"}, {"u"})});
  CHECK(MatrixXd(closed.M) == MatrixXd::Constant(1, 1, 2));
  CHECK(MatrixXd(closed.C) == MatrixXd::Constant(1, 1, 4));
  CHECK(MatrixXd(closed.K) == MatrixXd::Constant(1, 1, 130));
  CHECK(MatrixXd(closed.F) == Eigen::RowVector3d(1, 100, 4));
  CHECK(closed.input_name(1) == "c.reference[1]");
  CHECK(closed.output_name(1) == "c.u");
  CHECK(distance(spectrum_of(closed), roots_of({2, 4, 130})) < 1e-12);
}

TEST_CASE("close_loops: a coordinate is measured and driven as an output and an input are") {
  const LinearSystem open = mass_on_spring(2, 30);
  const Controller by_channel = connected(gain(Eigen::RowVector2d(100, 4)), {"position", "position'"}, {"u"});
  const Controller by_coordinate = connected(gain(Eigen::RowVector2d(100, 4)), {"x", "x'"}, {"x"});
  const LinearSystem first = close_loops(open, {by_channel}), second = close_loops(open, {by_coordinate});
  CHECK(MatrixXd(first.K) == MatrixXd(second.K));
  CHECK(MatrixXd(first.C) == MatrixXd(second.C));
  CHECK(MatrixXd(first.F) == MatrixXd(second.F));
}

TEST_CASE("close_loops: an integrator without mass under a gain has the one eigenvalue -k/c") {
  LinearSystem system = mass_on_spring(0, 0);
  system.C = sparse(MatrixXd::Constant(1, 1, 5));
  const std::vector<Complex> found = spectrum_of(close_loops(system, {connected(gain(MatrixXd::Constant(1, 1, 20)))}));
  CHECK(distance(found, {-4.0}) < 1e-14);
}

TEST_CASE("close_loops: a mass under PID control has the roots of its polynomial by all three methods") {
  const double m = 2, k = 30, kp = 100, ki = 50, kd = 20, T = 0.05;
  const LinearSystem closed = close_loops(mass_on_spring(m, k), {connected(pid({kp, ki, kd, T}))});
  // (m s² + k) s (T s + 1) + kp s (T s + 1) + ki (T s + 1) + kd s² = 0
  const std::vector<Complex> roots = roots_of({m * T, m, (k + kp) * T + kd, k + kp + ki * T, ki});
  CHECK(closed.coordinate_name(1) == "c.integral");
  CHECK(closed.coordinate_name(2) == "c.filtered");
  for (const Method method : {Method::mcs, Method::rcs, Method::ucs}) {
    CAPTURE(key_of(method));
    CHECK(distance(spectrum_of(closed, method), roots) < 1e-11);
  }
}

TEST_CASE("close_loops: an unstable loop is said to be, and positive feedback turns the sign") {
  const LinearSystem open = mass_on_spring(1, 1);
  Controller one = connected(pid({1, 10, 0, 0}));  // (s² + 2) s + 10: the integral is too strong
  CHECK(report_modes({close_loops(open, {one})}).verdict.stability == Stability::unstable);
  one = connected(gain(MatrixXd::Constant(1, 1, 3)));
  CHECK(report_modes({close_loops(open, {one})}).verdict.stability != Stability::unstable);
  one.positive_feedback = true;
  const LinearSystem pushed = close_loops(open, {one});
  CHECK(MatrixXd(pushed.K) == MatrixXd::Constant(1, 1, -2));
  CHECK(report_modes({pushed}).verdict.stability == Stability::unstable);
}

TEST_CASE("close_loops: a random system with random controllers responds as the algebra of its open response says") {
  int compared = 0, with_feedthrough = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const testing::ControlledSystem drawn = testing::controlled_system(seed);
    LinearSystem open = drawn.system;
    std::srand(static_cast<unsigned>(seed));
    if (seed % 2 == 0) {  // accelerations and feedthrough, of which the systems have none
      open.Ha = sparse(0.1 * MatrixXd::Random(open.outputs(), open.coordinates()));
      open.Hu = sparse(0.1 * MatrixXd::Random(open.outputs(), open.inputs()));
    }
    CAPTURE(seed);
    CAPTURE(drawn.kind);
    std::vector<std::string> from, to;
    std::vector<Index> measured, driven;
    for (Index i = 0; i < open.outputs(); ++i) {
      if (!is_reaction(open, i)) from.push_back(open.output_name(i)), measured.push_back(i);
    }
    for (Index i = 0; i < open.inputs(); ++i) {
      if (!is_prescribed(open, i)) to.push_back(open.input_name(i)), driven.push_back(i);
    }
    if (from.empty() || to.empty()) continue;
    const Controller one = connected(random_block(std::ssize(from), std::ssize(to), 1 + seed % 4), from, to);
    const LinearSystem closed = close_loops(open, {one});
    const Eigen::Vector3d omega(0.37, 1.9, 7.3);
    const FrequencyResponse without = frequency_response(open, omega, {.minimum_norm_reactions = true});
    const FrequencyResponse with = frequency_response(closed, omega, {.minimum_norm_reactions = true});
    with_feedthrough += open.Ha.nonZeros() + open.Hu.nonZeros() > 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const MatrixXcd G = without.response[k], own = response_of_block(one, Complex(0, omega[static_cast<int>(k)]));
      const MatrixXcd Gyw = G(measured, driven), Gyu = G(measured, Eigen::all);
      const MatrixXcd loop = MatrixXcd::Identity(std::ssize(to), std::ssize(to)) + own * Gyw;
      MatrixXcd w(std::ssize(to), open.inputs() + std::ssize(from));
      w << -own * Gyu, own;
      w = loop.partialPivLu().solve(w).eval();
      MatrixXcd expected = MatrixXcd::Zero(open.outputs() + std::ssize(to), w.cols());
      expected.topLeftCorner(open.outputs(), open.inputs()) = G;
      expected.topRows(open.outputs()) += G(Eigen::all, driven) * w;
      expected.bottomRows(std::ssize(to)) = w;
      if (!expected.allFinite()) continue;
      // Rounding of two sparse solutions and of the loop, relative to the largest entry that was subtracted.
      const double size = expected.norm() + G.norm() + w.norm();
      CHECK((with.response[k] - expected).norm() < 1e-9 * size * (1 + G.norm() * own.norm()));
      ++compared;
    }
  }
  CHECK(compared > 90);
  CHECK(with_feedthrough > 5);
}

TEST_CASE("close_loops: the response from error to feedback of a broken loop is the loop's transfer function") {
  Controller one = connected(pid({100, 50, 20, 0.05}));
  one.is_broken = true;
  const LinearSystem broken = close_loops(mass_on_spring(2, 30), {one});
  CHECK(broken.input_name(1) == "c.error");
  CHECK(broken.output_name(1) == "c.u");
  CHECK(broken.output_name(2) == "c.feedback");
  const Complex s(0, 3);
  const Complex L = response_of_block(one, s)(0, 0) / (2.0 * s * s + 30.0);
  const FrequencyResponse found = frequency_response(broken, Eigen::VectorXd::Constant(1, 3));
  CHECK(std::abs(found.response[0](2, 1) - L) < 1e-12 * std::abs(L));
  one.positive_feedback = true;
  const FrequencyResponse turned =
      frequency_response(close_loops(mass_on_spring(2, 30), {one}), Eigen::VectorXd::Constant(1, 3));
  CHECK(std::abs(turned.response[0](2, 1) + L) < 1e-12 * std::abs(L));
}

TEST_CASE("close_loops: measured accelerations enter the mass, and the count stays right by all three methods") {
  // u = -a ẍ through a lag 1/(T s + 1): (m s² + k)(T s + 1) + a s² = 0
  LinearSystem system = mass_on_spring(2, 30);
  system.Ha = system.Hq;
  system.Hq.setZero();
  const double a = 5, T = 0.1;
  const LinearSystem lag =
      close_loops(system, {connected(transfer_function(Eigen::VectorXd::Constant(1, a), Eigen::Vector2d(T, 1)))});
  const LinearSystem direct = close_loops(system, {connected(gain(MatrixXd::Constant(1, 1, a)))});
  CHECK(MatrixXd(direct.M) == MatrixXd::Constant(1, 1, 2 + a));
  for (const Method method : {Method::mcs, Method::rcs, Method::ucs}) {
    CAPTURE(key_of(method));
    CHECK(distance(spectrum_of(lag, method), roots_of({2 * T, 2 + a, 30 * T, 30})) < 1e-11);
  }
}

TEST_CASE("close_loops: an algebraic loop is solved, and refused where it has no solution") {
  LinearSystem system = mass_on_spring(2, 30);
  system.Hu = sparse(MatrixXd::Constant(1, 1, 0.5));  // y = x + u/2
  const auto with = [&](double d) { return close_loops(system, {connected(gain(MatrixXd::Constant(1, 1, d)))}); };
  // w = -d (x + w/2): w = -d/(1 + d/2) x
  CHECK(with(2).K.coeff(0, 0) == doctest::Approx(31).epsilon(1e-15));
  CHECK(contains(error_of([&] { with(-2); }), "algebraic loop without a solution"));
}

TEST_CASE("close_loops: what cannot be closed is refused with names") {
  LinearSystem system = mass_on_spring(2, 30);
  const Controller one = connected(gain(MatrixXd::Constant(1, 1, 1)));
  const auto refusal = [&](const Controller& controller) {
    return error_of([&] { close_loops(system, {controller}); });
  };
  Controller wrong = one;
  wrong.from = {"positon"};
  CHECK(refusal(wrong) ==
        "'from' of controller 'c': there is no output or coordinate 'positon' (did you mean "
        "'position'?)");
  wrong = one;
  wrong.to = {"v"};
  CHECK(contains(refusal(wrong), "'to' of controller 'c': there is no input or coordinate 'v'"));
  wrong = one;
  wrong.from = {"position", "position'"};
  CHECK(contains(refusal(wrong), "controller 'c' has a block with 1 input and 1 output, but measures 2 signals"));
  CHECK(contains(error_of([&] { close_loops(system, {one, one}); }), "the input 'c.reference' that a controller adds"));

  system.J = sparse(MatrixXd::Constant(1, 1, 1));
  system.Hl = sparse(MatrixXd::Constant(1, 1, 1));
  system.G.resize(1, 1);
  CHECK(contains(refusal(one), "measures 'position', which is a reaction of constraints"));
  system.Hl.setZero();
  system.G = sparse(MatrixXd::Constant(1, 1, 1));
  CHECK(contains(refusal(one), "acts on 'u', which prescribes a motion"));
  system.Ha = system.Hq;
  wrong = one;
  wrong.from = {"position'"};
  CHECK(contains(refusal(wrong), "measures the rate of 'position', which contains accelerations"));
}

TEST_CASE("close_loops: loops are opened by the name of their controller") {
  Controller one = connected(gain(MatrixXd::Constant(1, 1, 1))), other = one;
  one.name = "one";
  other.name = "other";
  const std::vector<Controller> both{one, other};
  const std::vector<Controller> left = with_open_loops(both, {"one"}, OpenLoop::left_out);
  REQUIRE(left.size() == 1);
  CHECK(left[0].name == "other");
  CHECK_FALSE(left[0].is_broken);
  const std::vector<Controller> broken = with_open_loops(both, {"one"}, OpenLoop::broken);
  REQUIRE(broken.size() == 2);
  CHECK(broken[0].is_broken);
  CHECK_FALSE(broken[1].is_broken);
  CHECK(with_open_loops(both, {}, OpenLoop::broken).size() == 2);
  for (const OpenLoop how : {OpenLoop::left_out, OpenLoop::broken}) CHECK(with_open_loops(both, {"all"}, how).empty());
  CHECK(contains(error_of([&] { with_open_loops(both, {"onee"}, OpenLoop::broken); }),
                 "option 'open': there is no controller 'onee' (did you mean 'one'?)"));
}
