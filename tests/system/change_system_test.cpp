// Changed systems beside those that are assembled directly from their elements.
#include "stillpoint/change_system.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "stillpoint/error.h"
#include "stillpoint/find_modes.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"

using namespace stillpoint;

namespace {

constexpr double rounding = 1e-11;  // relative: eigenvalues of a few unknowns by another route
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Masses in a row, each joined to the one before by a spring and a damper, the first one to the ground.
LinearSystem chain_of(const std::vector<double>& masses, const std::vector<double>& springs, const std::string& name) {
  const Index n = static_cast<Index>(masses.size());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n), K = M;
  for (Index i = 0; i < n; ++i) {
    const double k = springs[static_cast<std::size_t>(i)];
    M(i, i) = masses[static_cast<std::size_t>(i)];
    K(i, i) += k;
    if (i == 0) continue;
    K(i - 1, i - 1) += k;
    K(i, i - 1) -= k;
    K(i - 1, i) -= k;
  }
  LinearSystem system;
  system.M = M.sparseView();
  system.K = K.sparseView();
  system.C = (0.01 * K).sparseView();
  system.coordinate_name = [name](Index i) { return name + std::to_string(i + 1); };
  return checked(std::move(system));
}

std::vector<std::complex<double>> eigenvalues_of(const LinearSystem& system) {
  std::vector<std::complex<double>> found;
  for (const Mode& mode : find_modes(system).spectrum.modes) {
    if (mode.kind == ModeClass::genuine) found.push_back(mode.s);
  }
  return found;
}

/// Both lists have the same values, in any order.
void check_same(const std::vector<std::complex<double>>& found, const std::vector<std::complex<double>>& expected) {
  REQUIRE(found.size() == expected.size());
  double size = 0;
  for (const std::complex<double> s : expected) size = std::max(size, std::abs(s));
  for (const std::complex<double> s : expected) {
    double nearest = size;
    for (const std::complex<double> other : found) nearest = std::min(nearest, std::abs(s - other));
    CHECK(nearest <= rounding * size);
  }
}

std::vector<std::complex<double>> eigenvalues_of(const Eigen::MatrixXd& A) {
  const Eigen::VectorXcd values = Eigen::EigenSolver<Eigen::MatrixXd>(A).eigenvalues();
  return {values.begin(), values.end()};
}

/// m ẍ + c ẋ + k x = u, y = x.
LinearSystem oscillator(double m, double c, double k) {
  LinearSystem system;
  const auto one = [](double value) { return SparseMatrix(Eigen::MatrixXd::Constant(1, 1, value).sparseView(1, 0)); };
  system.M = one(m), system.C = one(c), system.K = one(k), system.F = one(1), system.Hq = one(1);
  system.coordinate_name = [](Index) { return "x"; };
  system.input_name = [](Index) { return "u"; };
  system.output_name = [](Index) { return "y"; };
  return checked(std::move(system));
}

}  // namespace

TEST_CASE("a member between two coordinates: the matrices of the system assembled with it") {
  const LinearSystem without = chain_of({1, 2, 3}, {10, 20, 0}, "q");
  const LinearSystem with = chain_of({1, 2, 3}, {10, 20, 30}, "q");
  const LinearSystem changed =
      with_member(without, {.motion = {{"q2", 1}, {"q3", -1}}, .damping = 0.3, .stiffness = 30});
  CHECK(Eigen::MatrixXd(changed.K - with.K).norm() == 0);
  CHECK(Eigen::MatrixXd(changed.C - with.C).norm() <= 1e-16);
  const LinearSystem heavier = with_member(with, {.motion = {{"q3", 1}}, .mass = 4});
  CHECK(Eigen::MatrixXd(heavier.M - chain_of({1, 2, 7}, {10, 20, 30}, "q").M).norm() == 0);
}

TEST_CASE("a member that takes a spring away leaves the cancellation in K behind, for rounding bounds") {
  const LinearSystem changed = with_member(chain_of({1}, {1e6}, "q"), {.motion = {{"q1", 1}}, .stiffness = -1e6 + 1});
  CHECK(changed.K.coeff(0, 0) == 1);
  REQUIRE(changed.cancellation.nonZeros() == 1);
  CHECK(changed.cancellation.coeff(0, 0) == doctest::Approx(2e6 - 2));
}

TEST_CASE("two chains coupled at a mass have the eigenvalues of the whole chain") {
  // The shared mass of 5 is divided, 2 and 3.
  const LinearSystem left = chain_of({1, 2}, {100, 200}, "a");
  LinearSystem right = chain_of({3, 4, 1}, {0, 300, 150}, "b");
  const LinearSystem both = with_constraints(side_by_side(left, right), {{{"a2", 1}, {"b1", -1}}});
  CHECK(both.dof() == 4);
  CHECK(both.constraint_name(0) == "coupling[1]");
  check_same(eigenvalues_of(both), eigenvalues_of(chain_of({1, 5, 4, 1}, {100, 200, 300, 150}, "q")));
}

TEST_CASE("substructures keep the constraints and names of their models") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/four_bar", {{"N", 2}});
  const LinearSystem bar = linearize(model, find_equilibrium(model));
  const LinearSystem two = side_by_side(bar, bar, "left.", "right.");
  CHECK(two.coordinate_name(bar.coordinates()) == "right." + bar.coordinate_name(0));
  CHECK(two.dof() == 2 * bar.dof());
  // Rigidly coupled twins move as one: the frequency of one alone.
  const LinearSystem twins = with_constraints(two, {{{"left.phi", 1}, {"right.phi", -1}}});
  CHECK(twins.dof() == bar.dof());
  check_same(eigenvalues_of(twins), eigenvalues_of(bar));
}

TEST_CASE("a constraint that says what another says already is dependent, and changes nothing") {
  const LinearSystem chain = chain_of({1, 2, 3}, {10, 20, 30}, "q");
  const LinearCombination equal{{"q1", 1}, {"q3", -1}};
  const LinearSystem once = with_constraints(chain, {equal}), twice = with_constraints(chain, {equal, equal});
  CHECK(twice.rank() == 1);
  check_same(eigenvalues_of(twice), eigenvalues_of(once));
}

TEST_CASE("a controller with states: the eigenvalues of the state space closed directly") {
  const double m = 2, c = 0.3, k = 5;
  LinearController control;
  control.A = Eigen::MatrixXd{{-1, 0.5}, {0, -3}};
  control.B = Eigen::MatrixXd{{1, 0.2}, {-2, 0.1}};
  control.C = Eigen::MatrixXd{{0.7, -0.4}};
  control.D = Eigen::MatrixXd{{-1.5, -0.6}};
  control.measured = {"y", "x'"};
  control.driven = {"u"};
  Eigen::MatrixXd closed(4, 4);
  closed << 0, 1, 0, 0, (-k + control.D(0, 0)) / m, (-c + control.D(0, 1)) / m, control.C(0, 0) / m,
      control.C(0, 1) / m, control.B.row(0), control.A.row(0), control.B.row(1), control.A.row(1);
  const LinearSystem loop = close_loop(oscillator(m, c, k), control);
  CHECK(loop.coordinates() == 3);
  CHECK(loop.coordinate_name(2) == "controller.x[2]");
  check_same(eigenvalues_of(loop), eigenvalues_of(closed));
}

TEST_CASE("gains without states change C and K, and a coordinate may be driven") {
  LinearController control;
  control.D = Eigen::MatrixXd{{-3, -0.5}};
  control.measured = {"x", "x'"};
  control.driven = {"x"};
  const LinearSystem loop = close_loop(oscillator(2, 0.3, 5), control);
  CHECK(loop.K.coeff(0, 0) == 8);
  CHECK(loop.C.coeff(0, 0) == 0.8);
}

TEST_CASE("feedback of an acceleration through a feedthrough: the mass that the algebraic loop makes") {
  // y = ẍ + u / 2 and u = D y: u = D ẍ / (1 − D / 2), so that m' = m − D / (1 − D / 2).
  LinearSystem system = oscillator(2, 0.3, 5);
  system.Ha = system.Hq;
  system.Hq = SparseMatrix(1, 1);
  system.Hu = 0.5 * system.Ha;
  LinearController control;
  control.measured = {"y"};
  control.driven = {"u"};
  control.D = Eigen::MatrixXd{{-1}};
  const LinearSystem loop = close_loop(system, control);
  CHECK(loop.M.coeff(0, 0) == doctest::Approx(2 + 1 / 1.5));
  // What is added from outside comes through the same loop: y = ẍ / 1.5 + u / 3.
  CHECK(loop.Ha.coeff(0, 0) == doctest::Approx(1 / 1.5));
  CHECK(loop.Hu.coeff(0, 0) == doctest::Approx(1.0 / 3));
  control.D(0, 0) = 2;
  CHECK_THROWS_WITH_AS(close_loop(system, control),
                       "the controller closes an algebraic loop without a solution: I - D Hu is singular", Error);
}

TEST_CASE("mistakes about changes are told by name") {
  const LinearSystem chain = chain_of({1, 2}, {10, 20}, "q");
  const auto text = [](const auto& change) -> std::string {
    try {
      change();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(text([&] {
          with_member(chain, {.motion = {{"q22", 1}}});
        }) == "there is no coordinate 'q22' (did you mean 'q2'?)");
  CHECK(text([&] { with_member(chain, {.motion = {}}); }).find("at least one") != std::string::npos);
  CHECK(text([&] { with_member(chain, {.motion = {{"q1", 0}}}); }).find("and not 0") != std::string::npos);
  CHECK(text([&] {
          with_member(chain, {.motion = {{"q1", 1}}, .mass = not_a_number});
        }).find("the mass of a member") == 0);
  CHECK(text([&] { side_by_side(chain, chain); }) == "both systems have a coordinate 'q1': give their names a prefix");
  LinearController control;
  CHECK(text([&] { close_loop(chain, control); }).find("name both") != std::string::npos);
  control.measured = {"q1"};
  control.driven = {"p"};
  CHECK(text([&] { close_loop(chain, control); }).find("there is no input or coordinate 'p'") == 0);
  control.driven = {"q1"};
  control.measured = {"w'"};
  CHECK(text([&] { close_loop(chain, control); }).find("there is no output or coordinate 'w''") == 0);
  control.measured = {"q1"};
  control.D = Eigen::MatrixXd::Ones(2, 2);
  CHECK(text([&] { close_loop(chain, control); }).find("D of the controller is 2 x 2") == 0);
  control.D = Eigen::MatrixXd::Constant(1, 1, not_a_number);
  CHECK(text([&] { close_loop(chain, control); }).find("an entry that is not finite") != std::string::npos);
  LinearSystem prescribed = oscillator(1, 0, 1);
  prescribed.J = prescribed.M, prescribed.G = prescribed.M, prescribed.Hl = prescribed.M;
  prescribed.Hl.setZero();
  prescribed.rows = {};
  prescribed = checked(std::move(prescribed));
  control.D = Eigen::MatrixXd::Ones(1, 1);
  control.measured = {"x"}, control.driven = {"u"};
  CHECK(text([&] { close_loop(prescribed, control); }).find("prescribes a motion") != std::string::npos);
  prescribed.Hl = prescribed.M;
  control.measured = {"y"}, control.driven = {"x"};
  CHECK(text([&] { close_loop(prescribed, control); }).find("contains multipliers") != std::string::npos);
  LinearSystem singular = chain;
  singular.singular = true;
  CHECK(text([&] { with_constraints(singular, {}); }).find("is singular") != std::string::npos);
  CHECK(text([&] { close_loop(singular, control); }).find("is singular") != std::string::npos);
  CHECK(text([&] { side_by_side(chain, singular); }).find("is singular") != std::string::npos);
}
