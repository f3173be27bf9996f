// How long it takes to read, build and assemble a case with N repetitions, and that this grows linearly with N.
//
//   ./dev bench assembly [CASE [N …]]           default four_bar 1000 10000 100000 1000000

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/stopwatch.h"
#include "stillpoint/stillpoint.h"

namespace {

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e6;
}

void measure(const std::string& name, double repetitions) {
  stillpoint::Stopwatch watch;
  const stillpoint::Model model = stillpoint::read_model(STILLPOINT_SOURCE_DIR "/cases/" + name, {{"N", repetitions}});
  const double read = watch.lap();

  stillpoint::State state = model.initial_state();
  state.lambda = Eigen::VectorXd::Ones(model.constraints());
  stillpoint::Assembly assembly(model);
  const double pattern = watch.lap();
  const stillpoint::Matrices& matrices = assembly.at(state);
  const double values = watch.lap();
  const Eigen::VectorXd f = stillpoint::applied_forces(model, state);
  const double forces = watch.lap();

  const double total = read + pattern + values + forces;
  const auto entries = matrices.M.nonZeros() + matrices.C.nonZeros() + matrices.K.nonZeros() + matrices.J.nonZeros();
  fmt::print("{:>9.0f} {:>9} {:>10} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.4f} {:>9.2f} {:>9.2f}\n", repetitions,
             model.coordinates(), entries, read, pattern, values, forces, total, total / repetitions * 1e6,
             peak_gigabytes());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "four_bar";
  std::vector<double> sizes{1e3, 1e4, 1e5, 1e6};
  if (argc > 2) sizes.clear();
  for (int i = 2; i < argc; ++i) sizes.push_back(std::atof(argv[i]));

  fmt::print(
      "{}: seconds to read and build the model, to find the patterns of M C K J F G, to evaluate them, and to\n"
      "evaluate f; total, microseconds per repetition, and the peak of memory so far (GB)\n\n",
      name);
  fmt::print("{:>9} {:>9} {:>10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "N", "n", "entries", "read", "pattern",
             "values", "f", "total", "µs/N", "GB");
  for (const double size : sizes) measure(name, size);
}
