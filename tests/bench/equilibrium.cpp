// Time to find the rest position of a model that has a parameter N, against one assembly and one LU factorisation.
//
//   ./dev bench equilibrium [CASE [N...]]        four_bar starts 0.3 rad above its rest angle
#include "stillpoint/equilibrium.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "base/stopwatch.h"
#include "base/whole_program.h"
#include "stillpoint/read_model.h"
#include "unit.h"

using namespace stillpoint;

namespace {

// The zero of V'(φ) of N loops near the angle of many (cases/four_bar/README.md).
double rest_angle(double N) {
  double phi = 1.9;
  for (int k = 0; k < 100; ++k) {
    const double c = std::cos(phi / 2), s = std::sin(phi / 2);
    const double load = 9.81 * ((N + 1) / 2 + N);
    const double slope = load * std::cos(phi) - 25 * N * (2 * c - std::numbers::sqrt2) * s;
    const double curvature = -load * std::sin(phi) - 25 * N * (c * c - s * s - std::numbers::sqrt2 / 2 * c);
    phi -= slope / curvature;
  }
  return phi;
}

void measure(const std::string& name, double N) {
  Parameters parameters{{"N", N}};
  if (name == "four_bar") parameters.emplace_back("phi_guess", rest_angle(N) + 0.3);
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, parameters);
  const Unit unit = measure_unit(model, model.initial_state());
  Stopwatch watch;
  const Equilibrium rest = find_equilibrium(model);
  const double seconds = watch.lap();
  fmt::print("| {} | {} | {} | {} | {} | {:.3g} | {:.3g} | {:.3g} | {:.1f} | {} | {:.0e} |\n", name, N,
             model.coordinates() + model.constraints(), rest.iterations, rest.factorisations, seconds,
             unit.analysis + unit.factorisation, unit.total(), seconds / unit.total(),
             rest.status == EquilibriumStatus::at_rest ? rest.verdict : rest.message, rest.force_residual);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  set_up_whole_program();
  const std::string name = count > 1 ? words[1] : "four_bar";
  fmt::print(
      "| case | N | unknowns | iterations | factorisations | seconds | one LU | assembly + LU | ratio | verdict | "
      "residual |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|---|---|\n");
  if (count < 3) {
    for (const double N : {1e3, 1e4, 1e5, 1e6}) measure(name, N);
  }
  for (int i = 2; i < count; ++i) measure(name, std::atof(words[i]));
}
