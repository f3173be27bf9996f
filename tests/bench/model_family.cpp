// How long a model takes that a family makes, beside one that is read from its file.
//
//   ./dev bench model_family [CASE [N …]]       default four_bar 1 5 50, ziegler_column, sleeping_top

#include "stillpoint/model_family.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "timing.h"

namespace {

using stillpoint::milliseconds;

void measure(const std::string& name, const stillpoint::Parameters& settings) {
  const std::string path = STILLPOINT_SOURCE_DIR "/cases/" + name;
  const stillpoint::ModelFamily family(path, settings);
  const stillpoint::Parameters parameter{{family.parameters().back().name, family.parameters().back().value}};
  const double reading = 1e3 * milliseconds([&] { stillpoint::read_model(path, settings); }, 1000);
  const double making = 1e3 * milliseconds([&] { family.at(parameter); }, 1000);
  const std::string size = settings.empty() ? "" : fmt::format("{}", settings.front().second);
  fmt::print("{:<20} {:>5} {:>12.1f} {:>10.1f} {:>8.1f}\n", name, size, reading, making, reading / making);
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("microseconds of read_model and of a family's model, and their ratio\n\n");
  fmt::print("{:<20} {:>5} {:>12} {:>10} {:>8}\n", "model", "N", "read_model", "family", "ratio");
  if (argc == 2) measure(argv[1], {});
  for (int i = 2; i < argc; ++i) measure(argv[1], {{"N", std::atof(argv[i])}});
  if (argc > 1) return 0;
  for (const double loops : {1.0, 5.0, 50.0}) measure("four_bar", {{"N", loops}});
  measure("ziegler_column", {});
  measure("sleeping_top", {});
}
