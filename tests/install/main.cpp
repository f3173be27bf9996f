// What a stranger's program looks like: a pendulum, built and differentiated, and as a plant.
#include <stillpoint/stillpoint.h>

#include <cmath>
#include <iostream>

int main() {
  using namespace stillpoint;
  ModelBuilder build("pendulum");
  build.gravity({0, -9.81});
  const Place pivot = build.fixed("A", {0, 0});
  const Place bob = build.point("B", {0, -1}, {.mass = 2});
  build.add("string", Distance{.a = pivot, .b = bob, .length = 1});
  const Model model = build.model();

  State state = model.initial_state();
  state.lambda = Eigen::VectorXd::Constant(1, 9.81);  // half the tension over the length
  Assembly assembly(model);
  const Matrices& linear = assembly.at(state);
  const double frequency = std::sqrt(linear.K.coeff(0, 0) / linear.M.coeff(0, 0));
  std::cout << "stillpoint " << version() << ": a pendulum of 1 m swings at " << frequency << " rad/s\n";

  const LinearSystem system = linearize(model, find_equilibrium(model));
  const Plant plant = state_space(with_channels(system, {"B.x"}, {"B.x"}));
  write_plant(plant, "pendulum.npz");
  std::cout << "as a plant it has the states " << plant.state_names[0] << " and " << plant.state_names[1] << "\n";
  return std::abs(frequency - std::sqrt(9.81)) < 1e-12 && std::abs(plant.first.A.coeff(1, 0) + 9.81) < 1e-9 ? 0 : 1;
}
