// The projective criterion against the closed form and the figure of [Blajer 1994], and the choice it makes.
#include "forms/projective.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>
#include <string>

#include "base/at.h"
#include "stillpoint/linearize.h"
#include "support/dense_reference.h"
#include "support/forms/systems.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using std::numbers::pi;

// Closed forms are met but for rounding.
constexpr double exact = 1e-13;

/// The physical pendulum of [Blajer 1994], q = (x, y, γ), C of eq. 24.
LinearSystem physical_pendulum(double m, double inertia, double rho, double gamma) {
  MatrixXd C(2, 3);
  C << 1, 0, rho * std::sin(gamma), 0, 1, -rho * std::cos(gamma);
  return system_of(Eigen::Vector3d(m, m, inertia).asDiagonal(), MatrixXd::Zero(3, 3), C);
}

/// The four-bar linkage of [Blajer 1994] (Fig. 2): an arm of three uniform links in relative angles α, whose tip is
/// held at (0, l0). α₁ is measured from the axis across the base, so the crank points along the base at π/2.
/// [Blajer 1994] gives no dimensions for its Fig. 3; these let the crank turn round, as there.
struct FourBar {
  double l0 = 1, l1 = 0.3, l2 = 0.9, l3 = 0.8;

  /// Absolute angles of the links with the crank at α₁, loop closed.
  Eigen::Vector3d angles(double alpha1) const {
    const Eigen::Vector2d joint(l1 * std::cos(alpha1), l1 * std::sin(alpha1)), end(0, l0);
    const Eigen::Vector2d d = end - joint;
    const double inner = std::acos((d.squaredNorm() + l2 * l2 - l3 * l3) / (2 * l2 * d.norm()));
    const double coupler = std::atan2(d.y(), d.x()) + inner;
    const Eigen::Vector2d rest = d - l2 * Eigen::Vector2d(std::cos(coupler), std::sin(coupler));
    return {alpha1, coupler, std::atan2(rest.y(), rest.x())};
  }

  LinearSystem system(double alpha1) const {
    const Eigen::Vector3d angle = angles(alpha1), length(l1, l2, l3);
    MatrixXd M = MatrixXd::Zero(3, 3), J = MatrixXd::Zero(2, 3);
    for (int link = 0; link < 3; ++link) {
      // Velocity of the centre and of the tip by absolute rates; rates of links are sums of relative ones.
      MatrixXd centre = MatrixXd::Zero(2, 3), turn = MatrixXd::Zero(1, 3);
      for (int k = 0; k <= link; ++k) {
        const double reach = k == link ? length[k] / 2 : length[k];
        const Eigen::Vector2d across(-std::sin(angle[k]), std::cos(angle[k]));
        for (int j = 0; j <= k; ++j) centre.col(j) += reach * across;
        turn(0, k) = 1;
      }
      const double mass = length[link];
      M += mass * centre.transpose() * centre + mass * length[link] * length[link] / 12 * turn.transpose() * turn;
      const Eigen::Vector2d across(-std::sin(angle[link]), std::cos(angle[link]));
      for (int j = 0; j <= link; ++j) J.col(j) += length[link] * across;
    }
    return system_of(M, MatrixXd::Zero(3, 3), J);
  }
};

/// Eq. 23a as [Blajer 1994] prints it, k_iᵀ M_d⁻¹ k_i / (M⁻¹)_ii. The library has M_ii instead of 1 / (M⁻¹)_ii, which
/// can be had of a singular M, too, and is the same for a diagonal one; that of relative angles is full.
Eigen::VectorXd cosines_as_printed(const LinearSystem& system) {
  const MatrixXd M = system.M;
  const Eigen::ArrayXd inverse = dense::solve(M, MatrixXd::Identity(M.rows(), M.cols())).diagonal();
  return projective_criterion(system).array() / (M.diagonal().array() * inverse);
}

struct TableRow {
  double degrees = 0;
  Eigen::Vector3d cosines;
};

/// A table of a case: an angle and three cosines in each line, under a line of names.
std::vector<TableRow> table_of(const std::string& path) {
  std::ifstream file(STILLPOINT_SOURCE_DIR "/cases/" + path);
  std::vector<TableRow> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream numbers(line);
    TableRow row;
    numbers >> row.degrees >> row.cosines[0] >> row.cosines[1] >> row.cosines[2];
    REQUIRE(!numbers.fail());
    rows.push_back(row);
  }
  return rows;
}

// The tables have twelve digits behind the point.
constexpr double last_digit = 1e-12;

/// A few constraints with few small whole coefficients: coordinates tied to each other in pairs are common.
MatrixXd random_ties(std::mt19937& engine, int rows, int n) {
  MatrixXd J = MatrixXd::Zero(rows, n);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < 2; ++k) J(i, engine() % n) += engine() % 2 == 0 ? 1 : -1;
  }
  return J;
}

/// Condition number of these rows of an orthonormal basis: whether they can be independent coordinates.
double condition(const MatrixXd& Q, const std::vector<Index>& rows) {
  MatrixXd chosen(Q.cols(), Q.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) chosen.row(static_cast<Index>(k)) = Q.row(rows[k]);
  const Eigen::VectorXd values = dense::singular_values(chosen);
  return values[0] / values[values.size() - 1];
}

}  // namespace

TEST_CASE("projective criterion: the physical pendulum has the closed form of Blajer 1994, eq. 26") {
  const double m = 2, inertia = 0.3, rho = 0.6;
  for (const double gamma : {0.1, 0.4, pi / 4, 1.2, 1.5, 2.9}) {
    const Eigen::VectorXd cos2 = projective_criterion(physical_pendulum(m, inertia, rho, gamma));
    const double all = m * rho * rho + inertia;
    CHECK(cos2[0] == doctest::Approx(m * rho * rho / all * std::pow(std::sin(gamma), 2)).epsilon(exact));
    CHECK(cos2[1] == doctest::Approx(m * rho * rho / all * std::pow(std::cos(gamma), 2)).epsilon(exact));
    CHECK(cos2[2] == doctest::Approx(inertia / all).epsilon(exact));
  }
}

TEST_CASE("projective criterion: it does not depend on units") {
  const Eigen::VectorXd metres = projective_criterion(physical_pendulum(2, 0.3, 0.6, 0.8));
  MatrixXd C(2, 3);  // x in mm, γ in degrees, the first constraint in µm
  C << 1e-3 * 1e6, 0, 0.6 * std::sin(0.8) * pi / 180 * 1e6, 0, 1, -0.6 * std::cos(0.8) * pi / 180;
  const Eigen::Vector3d masses(2e-6, 2, 0.3 * std::pow(pi / 180, 2));
  const Eigen::VectorXd mixed = projective_criterion(system_of(masses.asDiagonal(), MatrixXd::Zero(3, 3), C));
  CHECK((metres - mixed).norm() < exact);
}

TEST_CASE("projective criterion: a coordinate without mass has the cosine 0, and all sum up to the freedoms") {
  const LinearSystem linkage = system_of_case("four_bar", {{"N", 3}});
  const Eigen::VectorXd cos2 = projective_criterion(linkage);
  CHECK(cos2[linkage.coordinates() - 1] == 0);  // phi
  // For a diagonal M it is the trace of a projector.
  CHECK(projective_criterion(physical_pendulum(2, 0.3, 0.6, 0.8)).sum() == doctest::Approx(1));
  CHECK(projective_criterion(bent_chain(20, 3)).sum() == doctest::Approx(20));
}

TEST_CASE("projective criterion: the four-bar linkage has the shape of Blajer 1994, Fig. 3") {
  const FourBar linkage;
  constexpr int steps = 360;
  double largest[3] = {0, 0, 0}, smallest[3] = {1, 1, 1};
  bool is_best[3] = {false, false, false};
  for (int k = 0; k < steps; ++k) {
    const double alpha1 = 2 * pi * k / steps;
    const Eigen::VectorXd cos2 = projective_criterion(linkage.system(alpha1));
    for (int i = 0; i < 3; ++i) {
      largest[i] = std::max(largest[i], cos2[i]);
      smallest[i] = std::min(smallest[i], cos2[i]);
    }
    Eigen::Index best = 0;
    cos2.maxCoeff(&best);
    is_best[best] = true;
    // α₃ cannot be chosen where the crank lies along the base (eq. 42: α₃' ∝ cos α₁), and only there.
    const bool is_along = k == steps / 4 || k == 3 * steps / 4;
    CHECK((cos2[2] < 1e-20) == is_along);
  }
  // α₁ and α₂ always can, but neither is the best all the way round; α₃ is the worst.
  CHECK(smallest[0] > 1e-3);
  CHECK(smallest[1] > 1e-3);
  CHECK(is_best[0]);
  CHECK(is_best[1]);
  CHECK(!is_best[2]);
  CHECK(largest[2] < std::max(largest[0], largest[1]));
}

TEST_CASE("projective criterion: the table of pendulum_body (eq. 26) comes out of its model") {
  const std::vector<TableRow> table = table_of("pendulum_body/projective.csv");
  CHECK(table.size() == 13);
  for (const TableRow& row : table) {
    CAPTURE(row.degrees);
    const Model model =
        read_model(STILLPOINT_SOURCE_DIR "/cases/pendulum_body", {{"phi_guess", row.degrees * pi / 180}});
    const Equilibrium guess = find_equilibrium(model, {.rest = EquilibriumRequest::check});
    const LinearSystem system = linearize(model, guess, {.off_equilibrium = true});
    CHECK((projective_criterion(system) - row.cosines).cwiseAbs().maxCoeff() < last_digit);
  }
}

TEST_CASE("projective criterion: the table of crank_rocker (Fig. 3) comes out") {
  const std::vector<TableRow> table = table_of("crank_rocker/projective.csv");
  CHECK(table.size() == 25);
  for (const TableRow& row : table) {
    CAPTURE(row.degrees);
    const Eigen::Vector3d cosines = cosines_as_printed(FourBar().system(row.degrees * pi / 180));
    CHECK((cosines - row.cosines).cwiseAbs().maxCoeff() < last_digit);
  }
}

// "Both α₁ and α₂ are acceptable choices in any linkage configuration, none of them, however, can be assigned to be the
// best over the whole range. The choice α₃ is the worst as leading to singularities at α₁ = π/2 and 3π/2, and due to
// relatively small values of tangent projections."
TEST_CASE("projective criterion: as printed, α₁ and α₂ are best on one side each, and α₃ is the worst everywhere") {
  const FourBar linkage;
  constexpr double first_crossing = 110.96, second_crossing = 263.79;  // of these dimensions, by bisection
  for (int degrees = 0; degrees < 360; ++degrees) {
    CAPTURE(degrees);
    const Eigen::VectorXd cos2 = cosines_as_printed(linkage.system(degrees * pi / 180));
    CHECK(cos2.maxCoeff() < 1);
    CHECK(cos2[0] > 0.8);
    CHECK(cos2[1] > 0.7);
    CHECK(cos2[2] < 0.34);
    CHECK((cos2[0] > cos2[1]) == (degrees > first_crossing && degrees < second_crossing));
    CHECK((cos2[2] < 1e-20) == (degrees == 90 || degrees == 270));
  }
  for (const double crossing : {first_crossing, second_crossing}) {
    const Eigen::VectorXd cos2 = cosines_as_printed(linkage.system(crossing * pi / 180));
    CHECK(std::abs(cos2[0] - cos2[1]) < 1e-3);
  }
}

TEST_CASE("projective choice: the first coordinate is the one of the largest cosine") {
  for (const NamedSystem& named : all_systems()) {
    if (named.system.dof() != 1) continue;
    CAPTURE(named.name);
    Eigen::VectorXd cos2 = projective_criterion(named.system);
    const Index z = minimal_form(named.system, {.basis = NullSpaceBasis::projective}).independent[0];
    CHECK(cos2[z] >= (1 - 1e-8) * cos2.maxCoeff());
  }
}

TEST_CASE("projective choice: never dependent, where the largest cosines alone are in many draws") {
  std::mt19937 engine(11);
  int draws = 0, dependent = 0;
  while (draws < 2000) {
    const int n = 6 + static_cast<int>(engine() % 4), rows = 2 + static_cast<int>(engine() % 3);
    const MatrixXd J = random_ties(engine, rows, n);
    Eigen::VectorXd mass(n);
    for (double& value : mass) value = 0.5 + static_cast<double>(engine() % 1000) / 100;
    const LinearSystem system = system_of(mass.asDiagonal(), MatrixXd::Zero(n, n), J);
    if (system.dof() == 0) continue;
    ++draws;
    const SparseMatrix R = minimal_form(system, {.basis = NullSpaceBasis::qr}).R;
    const MatrixXd Q = R;
    const std::vector<Index> greedy = independent_by_projection(system.M, R, std::vector<int>(at(n), 0));
    REQUIRE(static_cast<Index>(greedy.size()) == system.dof());
    CHECK(condition(Q, greedy) < 1e3);

    const Eigen::VectorXd cos2 = projective_criterion(system);
    std::vector<Index> order(n);
    for (int i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return cos2[a] > cos2[b]; });
    order.resize(at(system.dof()));
    if (condition(Q, order) > 1e10) ++dependent;
  }
  CHECK(dependent > 50);
}

}  // namespace stillpoint
