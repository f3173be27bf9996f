// Some modes of large systems by the sparse solver: rows of masses, and grids of masses whose springs bear sideways
// too, a thousand of them held by pins along random lines; without damping and with weak dampers beside the springs.
// Beside it one factorisation and forty solutions, about the least that any method by shift and inverse takes.
//
//   ./dev bench sparse_modes [LARGEST-SIDE [FOLDER]]
//
// With a folder the matrices are written into it, for peers.py.
#include <fmt/format.h>

#include <Eigen/Core>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "algebra/sparse/random_start.h"
#include "base/stopwatch.h"
#include "base/whole_program.h"
#include "modes/undamped/conservative_pencil.h"
#include "stillpoint/modes.h"

using namespace stillpoint;

namespace {

using Entries = std::vector<Eigen::Triplet<double, Index>>;

void add_spring(Entries& K, Index a, Index b, double stiffness) {
  K.emplace_back(a, a, stiffness);
  if (b < 0) return;  // a wall
  K.emplace_back(b, b, stiffness);
  K.emplace_back(a, b, -stiffness);
  K.emplace_back(b, a, -stiffness);
}

LinearSystem system_of(Index n, const Entries& K, const Entries& C, Index rows = 0, const Entries& J = {}) {
  LinearSystem system;
  system.K.resize(n, n);
  system.K.setFromTriplets(K.begin(), K.end());
  system.C.resize(n, n);
  system.C.setFromTriplets(C.begin(), C.end());
  system.M.resize(n, n);
  system.M.setIdentity();
  system.J.resize(rows, n);
  system.J.setFromTriplets(J.begin(), J.end());
  return checked(std::move(system));
}

LinearSystem row_of_masses(Index N, double damping) {
  Entries K, C;
  for (Index i = 0; i < N; ++i) {
    add_spring(K, i, i > 0 ? i - 1 : -1, 1);
    if (i == N - 1) add_spring(K, i, -1, 1);
    if (damping > 0) add_spring(C, i, i > 0 ? i - 1 : -1, damping * (1 + i % 7));
  }
  return system_of(N, K, C);
}

LinearSystem grid_of_masses(Index side, Index pins, double damping) {
  Entries K, C, J;
  std::mt19937 random(1);
  const auto mass = [&](Index i, Index j) { return i < 0 || j < 0 || i == side || j == side ? -1 : i * side + j; };
  const auto connect = [&](Index a, Index b, double along_x, double along_y) {
    if (a < 0) std::swap(a, b);
    if (a < 0) return;
    add_spring(K, 2 * a, b < 0 ? -1 : 2 * b, along_x);
    add_spring(K, 2 * a + 1, b < 0 ? -1 : 2 * b + 1, along_y);
    if (damping == 0) return;
    const double size = damping * static_cast<double>(random()) / 4294967296.0;
    add_spring(C, 2 * a, b < 0 ? -1 : 2 * b, size * along_x);
    add_spring(C, 2 * a + 1, b < 0 ? -1 : 2 * b + 1, size * along_y);
  };
  for (Index i = 0; i <= side; ++i) {
    for (Index j = 0; j <= side; ++j) {
      connect(mass(i, j), mass(i - 1, j), 1, 0.1);
      connect(mass(i, j), mass(i, j - 1), 0.1, 1);
    }
  }
  std::vector<char> is_held(static_cast<std::size_t>(side * side), 0);
  for (Index k = 0; k < pins; ++k) {
    Index at = 0;
    do at = static_cast<Index>(random() % static_cast<unsigned>(side * side));
    while (is_held[static_cast<std::size_t>(at)]++);
    const double angle = 2 * std::numbers::pi * static_cast<double>(random()) / 4294967296.0;
    J.emplace_back(k, 2 * at, std::cos(angle));
    J.emplace_back(k, 2 * at + 1, std::sin(angle));
  }
  return system_of(2 * side * side, K, C, pins, J);
}

void run(const std::string& name, const LinearSystem& system, Index count, const std::string& folder) {
  if (!folder.empty()) write_linear_system(system, folder + "/" + name);
  const BorderedProblem problem(system);
  const Stopwatch analysing;
  ConservativePencil pencil(problem);
  pencil.shift(0);
  const double first = analysing.seconds();
  const Stopwatch factoring;
  pencil.shift(-1e-9);
  const double factor = factoring.seconds();
  const Eigen::VectorXd b = random_start(pencil.size());
  const Stopwatch solving;
  for (int k = 0; k < 40; ++k) pencil.solve(b);
  const double solve = solving.seconds();
  const ModesOptions lowest{.which = Lowest{count}};
  const Spectrum spectrum =
      is_conservative(system) ? solve_conservative(system, lowest) : solve_general(system, lowest);
  const double counting = std::isnan(spectrum.certificate_seconds) ? factor : spectrum.certificate_seconds;
  fmt::print("{:>18} {:>9} {:>6} {:>6} {:>10.3f} {:>9.3f} {:>10.3f} {:>9.3f} {:>7.2f} {:>8.0f} %  {}\n", name,
             system.coordinates(), system.constraints(), count, first, factor, solve, spectrum.seconds,
             spectrum.seconds / (first + solve), 100 * counting / spectrum.seconds,
             spectrum.certified ? "certified" : "NOT CERTIFIED");
}

}  // namespace

int main(int argc, char** argv) {
  set_up_whole_program();
  const int largest = argc > 1 ? std::atoi(argv[1]) : 200;
  const std::string folder = argc > 2 ? argv[2] : "";
  if (!folder.empty()) std::filesystem::create_directories(folder);
  fmt::print("{:>18} {:>9} {:>6} {:>6} {:>10} {:>9} {:>10} {:>9} {:>7} {:>10}\n", "", "n", "m", "modes", "analyse,",
             "factor", "40 solves", "all", "ratio", "counting");
  fmt::print("{:>43} {:>9} {:>9} {:>10} {:>9}\n", "", "factor, s", "s", "s", "s");
  for (const double damping : {0.0, 1e-3}) {
    const char* word = damping > 0 ? " damped" : "";
    for (const Index N : {10'000, 100'000, 1'000'000}) {
      if (N <= 5000 * largest) run(fmt::format("row {}{}", N, word), row_of_masses(N, damping), 20, folder);
    }
    for (const Index side : {50, 100, 200, 400, 700}) {
      const Index pins = std::min<Index>(1000, side * 5);
      if (side <= largest) run(fmt::format("grid {}{}", side, word), grid_of_masses(side, pins, damping), 12, folder);
    }
  }
}
