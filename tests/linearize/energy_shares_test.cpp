// Where the energy of a motion is, against systems whose parts are known.

#include <doctest/doctest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>

#include "linearize/element_stiffness.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/linearize.h"
#include "support/linearize/claims.h"

using namespace stillpoint;

namespace {

constexpr double exact = 1e-14;  // of sums of a few numbers

std::map<std::string, double> by_name(const std::vector<EnergyShares::Share>& shares) {
  std::map<std::string, double> found;
  for (const auto& [name, share] : shares) {
    CHECK(!found.contains(name));
    found[name] = share;
  }
  return found;
}

double magnitudes(const std::vector<EnergyShares::Share>& shares) {
  double sum = 0;
  for (const auto& share : shares) sum += std::abs(share.share);
  return sum;
}

}  // namespace

TEST_CASE("energy shares: two masses on two springs, one of them soft the wrong way") {
  ModelBuilder build("chain");
  build.scalar("x", 0, {.mass = 1});
  build.scalar("y", 0, {.mass = 3});
  build.add("soft", ScalarSpring{.of = build.coordinate("x"), .stiffness = 2});
  build.add("stiff", ScalarSpring{.of = build.coordinate("y"), .against = build.coordinate("x"), .stiffness = 8});
  build.add("buckling", ScalarSpring{.of = build.coordinate("y"), .stiffness = -1});
  const Model model = build.model();
  // x = 1, y = 2i: kinetic 1 and 12; springs 2·1, 8·|2i − 1|² = 40, −1·4
  const Eigen::VectorXcd motion = Eigen::Vector2cd(1.0, std::complex<double>(0, 2));
  const EnergyShares shares = energy_shares(model, model.initial_state(), motion);
  const auto kinetic = by_name(shares.kinetic), potential = by_name(shares.potential);
  CHECK(shares.kinetic[0].name == "y");
  CHECK(kinetic.at("x") == doctest::Approx(1.0 / 13).epsilon(exact));
  CHECK(kinetic.at("y") == doctest::Approx(12.0 / 13).epsilon(exact));
  CHECK(shares.potential[0].name == "stiff");
  CHECK(shares.potential[1].name == "buckling");
  CHECK(potential.at("stiff") == doctest::Approx(40.0 / 46).epsilon(exact));
  CHECK(potential.at("buckling") == doctest::Approx(-4.0 / 46).epsilon(exact));
  CHECK(potential.at("soft") == doctest::Approx(2.0 / 46).epsilon(exact));
}

TEST_CASE("energy shares: what couples two bodies by mass is halved between them") {
  ModelBuilder build("rod");
  const Place a = build.point("A", {0, 0}), b = build.point("B", {1, 0});
  build.add("ab", Rod{.a = a, .b = b, .length = 1, .mass = 6});
  const Model model = build.model();
  // M of a uniform rod: m/3 at each end, m/6 between them. Both ends sideways, B twice as far: 2 + 2·2·1 + 2·4.
  Eigen::VectorXcd motion = Eigen::VectorXcd::Zero(model.coordinates());
  motion[coordinate_called(model, "A.y")] = 1;
  motion[coordinate_called(model, "B.y")] = 2;
  const auto kinetic = by_name(energy_shares(model, model.initial_state(), motion).kinetic);
  CHECK(kinetic.at("A") == doctest::Approx((2.0 + 2) / 14).epsilon(exact));
  CHECK(kinetic.at("B") == doctest::Approx((8.0 + 2) / 14).epsilon(exact));
}

TEST_CASE("element stiffness: one after the other the elements add up to K, at rest in every case") {
  for (const std::string& name : case_names()) {
    CAPTURE(name);
    const Model model = model_of_case(name);
    const State state = find_equilibrium(model).state;
    const Eigen::MatrixXd K = Assembly(model).at(state).K.toDense();
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(K.rows(), K.cols());
    ElementStiffnesses stiffness(model, state);
    for (std::size_t array = 0; array < model.arrays().size(); ++array) {
      const ModelArray& of_type = model.arrays()[array];
      const Index rows = of_type.elements->rows();
      for (Index e = 0; e < of_type.elements->size(); ++e) {
        const double* const lambda = state.lambda.data() + of_type.first_row + e * rows;
        const ElementStiffness part = stiffness.of(array, e, rows > 0 ? lambda : nullptr);
        sum(part.coordinates, part.coordinates) += part.K;
        Eigen::MatrixXd B = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(part.strains.stiffness.size()), sum.cols());
        for (const auto& entry : part.strains.entries) B(entry.row(), entry.col()) += entry.value();
        const Eigen::Map<const Eigen::VectorXd> D(part.strains.stiffness.data(), B.rows());
        sum += B.transpose() * D.asDiagonal() * B;
      }
    }
    CHECK((sum - K).cwiseAbs().maxCoeff() <= 1e-14 * K.cwiseAbs().maxCoeff());  // the order of summation differs
  }
}

TEST_CASE("energy shares: several motions at once give what each gives alone, and magnitudes add up to one") {
  for (const std::string& name : case_names()) {
    CAPTURE(name);
    const Model model = model_of_case(name);
    const State state = find_equilibrium(model).state;
    Eigen::MatrixXcd motions(model.coordinates(), 2);
    for (Index i = 0; i < model.coordinates(); ++i) {
      motions(i, 0) = {std::sin(1 + 1.7 * i), std::cos(2 + 0.9 * i)};
      motions(i, 1) = {std::cos(0.3 * i), 0};
    }
    const std::vector<EnergyShares> shares = energy_shares_of_each(model, state, motions);
    REQUIRE(shares.size() == 2);
    for (Index k = 0; k < 2; ++k) {
      const EnergyShares& found = shares[static_cast<std::size_t>(k)];
      // Those below 1e-6 are left out, and there are fewer than a hundred.
      if (!found.potential.empty()) CHECK(magnitudes(found.potential) == doctest::Approx(1).epsilon(1e-4));
      CHECK(magnitudes(found.kinetic) == doctest::Approx(1).epsilon(1e-4));
      const EnergyShares alone = energy_shares(model, state, Eigen::VectorXcd(motions.col(k)));
      CHECK(by_name(alone.kinetic) == by_name(found.kinetic));
      CHECK(by_name(alone.potential) == by_name(found.potential));
    }
  }
}

TEST_CASE("energy shares: a pendulum on a rod holds its energy in the rod's force, one that is a body in its weight") {
  const Model rod = model_of_case("pendulum");
  Eigen::VectorXcd swing = Eigen::VectorXcd::Zero(rod.coordinates());
  swing[coordinate_called(rod, "B.x")] = 1;
  const auto in_rod = by_name(energy_shares(rod, find_equilibrium(rod).state, swing).potential);
  CHECK(in_rod.at("rod") == doctest::Approx(1).epsilon(exact));

  const Model body = model_of_case("cart_pole");  // the pole's origin is in its hinge
  Eigen::VectorXcd turn = Eigen::VectorXcd::Zero(body.coordinates());
  turn[coordinate_called(body, "pole.phi")] = 1;
  const auto in_weight = by_name(energy_shares(body, find_equilibrium(body).state, turn).potential);
  CHECK(in_weight.at("pole") == doctest::Approx(1).epsilon(exact));
}

TEST_CASE("energy shares: a spring that has the name of a joint is told apart from it") {
  const Model model = model_of_case("ziegler_column");  // hinges are springs and joints
  const Eigen::VectorXcd motion = Eigen::VectorXcd::LinSpaced(model.coordinates(), 1.0, 2.0);
  const auto shares = by_name(energy_shares(model, find_equilibrium(model).state, motion).potential);
  int springs = 0, joints = 0;
  for (const auto& [name, share] : shares) {
    CHECK(std::abs(share) <= 1);
    springs += contains(name, " (torsion_spring)") ? 1 : 0;
    joints += contains(name, " (revolute)") ? 1 : 0;
  }
  CHECK(springs > 0);
  CHECK(springs == joints);
}

TEST_CASE("energy shares: nothing moves, nothing is shared; a motion of another size is a mistake") {
  const Model model = model_of_case("four_bar");
  const State state = find_equilibrium(model).state;
  const EnergyShares shares = energy_shares(model, state, Eigen::VectorXcd::Zero(model.coordinates()));
  CHECK(shares.kinetic.empty());
  CHECK(shares.potential.empty());
  CHECK_THROWS_AS(energy_shares(model, state, Eigen::VectorXcd::Zero(2)), std::invalid_argument);
}

TEST_CASE("energy shares: without multipliers constraints hold none") {
  const Model model = model_of_case("pendulum");
  State state = find_equilibrium(model).state;
  state.lambda.resize(0);
  Eigen::VectorXcd swing = Eigen::VectorXcd::Zero(model.coordinates());
  swing[coordinate_called(model, "B.x")] = 1;
  CHECK(energy_shares(model, state, swing).potential.empty());
}
