// Time from a rest position to the modes of a model that has a parameter N, by each method, against one assembly and
// one LU factorisation of its bordered matrix.
//
//   ./dev bench large_modes [CASE [N...]]
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "base/stopwatch.h"
#include "base/whole_program.h"
#include "stillpoint/read_model.h"
#include "stillpoint/report.h"
#include "unit.h"

using namespace stillpoint;

namespace {

constexpr std::array methods{Method::mcs, Method::rcs, Method::ucs};
constexpr std::array names{"MCS", "RCS", "UCS"};

void measure(const std::string& name, double N) {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, {{"N", N}});
  const Equilibrium rest = find_equilibrium(model);
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const Unit unit = measure_unit(model, rest.state);
    Stopwatch watch;
    const AnalysisCase analysis{linearize(model, rest), model, rest};
    const ModesReport report = report_modes(analysis, methods[k], {.modes = {.which = Lowest{1}}});
    const double seconds = watch.lap();
    fmt::print("| {} | {} | {} | {:.3g} | {:.3g} | {:.1f} | {:.13g} | {} |\n", N, model.coordinates(), names[k],
               seconds, unit.total(), seconds / unit.total(), std::abs(report.result.spectrum.modes.front().s),
               report.result.spectrum.certified ? "certified" : "not certified");
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  set_up_whole_program();
  const std::string name = count > 1 ? words[1] : "four_bar";
  fmt::print("from the rest position to the lowest mode; unit: one assembly, KLU's analysis and factorisation\n\n");
  fmt::print(
      "| N | coordinates | method | seconds | unit | ratio | size of s | |\n|--:|--:|---|--:|--:|--:|--:|---|\n");
  if (count < 3) {
    for (const double N : {1e4, 1e5, 1e6}) measure(name, N);
  }
  for (int i = 2; i < count; ++i) measure(name, std::atof(words[i]));
}
