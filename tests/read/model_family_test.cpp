// A family of models makes what read_model makes: the same names, the same bits, the same errors.

#include "stillpoint/model_family.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <thread>

#include "stillpoint/assembly.h"
#include "stillpoint/read_model.h"
#include "support/read/provoke.h"
#include "support/read/same_model.h"
#include "support/scratch_folder.h"

using namespace stillpoint;

namespace {

const std::string cases = STILLPOINT_SOURCE_DIR "/cases/";

std::vector<std::string> all_cases() {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(cases)) {
    if (entry.is_directory()) paths.push_back(entry.path().string());
  }
  return paths;
}

std::string full_text(const std::optional<Error>& error) { return error ? error->what() : "no error"; }

/// Checks that the family and read_model make the same of these values: a model, or an error.
void check_same_at(const ModelFamily& family, const std::string& path, const Parameters& values) {
  std::optional<Model> made, wanted;
  const auto problem = error_of([&] { made = family.at(values); });
  const auto expected = error_of([&] { wanted = read_model(path, values); });
  CHECK(full_text(problem) == full_text(expected));
  if (!made || !wanted) return;
  CHECK(made->name() == wanted->name());
  CHECK(made->parameters() == wanted->parameters());
  CHECK(made->coordinates() == wanted->coordinates());
  check_same(*made, *wanted);
}

/// Values of a parameter that are allowed, at its bounds, and outside of them.
std::vector<double> values_of(const ModelParameter& parameter) {
  std::vector<double> values{parameter.value + 1, parameter.value + 2, parameter.value - 1};
  for (const double bound : {parameter.least, parameter.most}) {
    if (std::isfinite(bound) && std::abs(bound) <= 20) values.push_back(bound);
    if (std::isfinite(bound)) values.push_back(bound + (bound == parameter.least ? -1 : 1));
  }
  if (!parameter.is_integer) values.insert(values.end(), {1.1 * parameter.value, 0.3 * parameter.value, 0});
  if (parameter.is_integer) values.push_back(parameter.value + 0.5);
  return values;
}

// Numbers, names, loops, a marker on the spot, an output, bounds that depend on parameters, a choice, an angle that
// follows from the guess.
const std::string varied_text = R"yaml(stillpoint: 1
parameters:
  N: {value: 2, integer: true, min: 0, max: 6}
  l: {value: 0.7, unit: m, help: length of every rod}
  k: {value: 10*l, min: l, max: "20*N + 1"}
  heavy: 0
gravity: "0, heavy > 0 ? -9.81 : -1.62"
mechanism:
  - point: P[0]
    at: 0, 0
    mass: 1
  - for: i in 1..N
    do:
      - point: P[i]
        at: "i*l, heavy > i ? l*sin(i) : (i > 1 ? k : l)"
        mass: l^2*k + i
      - for: j in i+1..N
        do:
          - spring: s[i,j]
            between: P[i-1], ground(l*j, l^2)
            stiffness: k/(j + l)
            free_length: l
  - output: tip
    position: P[N]
)yaml";

}  // namespace

TEST_CASE("family: every case with several values of every parameter is what read_model reads, to the last bit") {
  int models = 0;
  for (const std::string& path : all_cases()) {
    CAPTURE(path);
    const ModelFamily family(path);
    check_same_at(family, path, {});
    for (const ModelParameter& parameter : family.parameters()) {
      if (parameter.is_integer && parameter.value > 40) continue;  // the same text for fewer parts says as much
      for (const double value : values_of(parameter)) {
        CAPTURE(parameter.name);
        CAPTURE(value);
        check_same_at(family, path, {{parameter.name, value}});
        ++models;
      }
    }
    check_same_at(family, path, {});  // nothing is left of the other values
  }
  CHECK(models > 500);
}

TEST_CASE("family: all kinds of expressions follow the parameters, in any order of values") {
  const ScratchFolder folder;
  const std::string path = folder.write("varied.yaml", varied_text);
  const ModelFamily family(path);
  for (const double heavy : {0.0, 2.0}) {
    for (const double n : {2.0, 5.0, 0.0, 1.0, 6.0}) {
      for (const double l : {0.7, 0.1, 3.0}) check_same_at(family, path, {{"heavy", heavy}, {"l", l}, {"N", n}});
    }
  }
  check_same_at(family, path, {{"k", 0.5}});  // below l
  check_same_at(family, path, {{"k", 45}});   // above 20 N + 1
  check_same_at(family, path, {{"N", 3}, {"k", 45}});
}

TEST_CASE("family: errors are those of read_model, with file, line and names") {
  const ScratchFolder folder;
  const std::string path = folder.write("varied.yaml", varied_text);
  const ModelFamily family(path);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(full_text(error_of([&] { family.at({{"N", 7}}); })) == path + ":3:6: parameter 'N' is 7; it must be at most 6");
  for (const Parameters& wrong :
       std::vector<Parameters>{{{"N", 7}}, {{"N", 1.5}}, {{"l", nan}}, {{"k", 100}}, {{"length", 1}}, {{"l", -40}}}) {
    CHECK(error_of([&] { family.at(wrong); }));
    check_same_at(family, path, wrong);
    check_same_at(family, path, {});
  }
}

TEST_CASE("family: what is wrong for all values is refused at once") {
  const std::string text = "stillpoint: 1\nparameters: {k: 1}\nmechanism:\n  - point: P\n    at: 0, q\n";
  CHECK(full_text(error_of([&] { ModelFamily::from_text(text, "file"); })) ==
        "file:5:9: 'at' of point 'P': 'q' is unknown");
  CHECK(refusal([&] { ModelFamily(cases + "four_bra"); }).find("no such file or folder") == 0);
  CHECK(refusal([&] {
          ModelFamily::from_text(varied_text, "file", {{"M", 1}});
        }) == "there is no parameter 'M'; there are N, l, k, heavy");
}

TEST_CASE("family: settings hold for all models, unless another value is given") {
  const ModelFamily family(cases + "four_bar", {{"N", 3}, {"k", 7}});
  check_same(family.at(), read_model(cases + "four_bar", {{"N", 3}, {"k", 7}}));
  check_same(family.at({{"k", 9}, {"c", 1}}), read_model(cases + "four_bar", {{"N", 3}, {"k", 9}, {"c", 1}}));
  check_same(family.at({{"N", 1}}), read_model(cases + "four_bar", {{"N", 1}, {"k", 7}}));
}

TEST_CASE("family: parameters are told in the order of the file, with values, bounds, units and help") {
  const ModelFamily family = ModelFamily::from_text(varied_text, "file", {{"l", 2}});
  const std::vector<ModelParameter> parameters = family.parameters({{"N", 3}});
  REQUIRE(parameters.size() == 4);
  CHECK(parameters[0].name == "N");
  CHECK(parameters[0].value == 3);
  CHECK(parameters[0].is_integer);
  CHECK(parameters[0].least == 0);
  CHECK(parameters[0].most == 6);
  CHECK(parameters[1].name == "l");
  CHECK(parameters[1].value == 2);
  CHECK(!parameters[1].is_integer);
  CHECK(parameters[1].least == -std::numeric_limits<double>::infinity());
  CHECK(parameters[1].most == std::numeric_limits<double>::infinity());
  CHECK(parameters[1].unit == "m");
  CHECK(parameters[1].help == "length of every rod");
  CHECK(parameters[2].value == 20);
  CHECK(parameters[2].least == 2);
  CHECK(parameters[2].most == 61);
  CHECK(parameters[3].value == 0);
  CHECK(refusal([&] { family.parameters({{"N", 7}}); }) == "parameter 'N' is 7; it must be at most 6");
  CHECK(refusal([&] { family.parameters({{"M", 7}}); }).find("there is no parameter 'M'") == 0);
}

TEST_CASE("family: a file that changes afterwards has no effect") {
  const ScratchFolder folder;
  const std::string path = folder.write("model.yaml", varied_text);
  const ModelFamily family(path), copy = family;
  const Model before = family.at();
  folder.write("model.yaml", "stillpoint: 1\nmechanism: []\n");
  CHECK(read_model(path).coordinates() == 0);
  check_same(family.at(), before);
  std::filesystem::remove(path);
  check_same(copy.at(), before);
}

TEST_CASE("family: threads that use one family at a time get the same bits") {
  const ModelFamily family(cases + "four_bar");
  constexpr int rounds = 1000;
  const auto stiffness = [](int round) { return 1 + 0.37 * (round % 50); };
  const auto loops = [](int round) { return 1 + round % 4; };
  const auto bits_at = [&](int round) {
    const Model model =
        family.at({{"k", stiffness(round)}, {"N", loops(round)}, {"phi_guess", 1 + 0.01 * (round % 7)}});
    Assembly assembly(model);
    const SparseMatrix& K = assembly.at(model.initial_state()).K;
    return bits(std::span(K.valuePtr(), static_cast<std::size_t>(K.nonZeros())));
  };
  std::vector<std::vector<std::uint64_t>> alone, found[2];
  for (int round = 0; round < rounds; ++round) alone.push_back(bits_at(round));
  const auto work = [&](std::size_t thread) {
    for (int round = 0; round < rounds; ++round) found[thread].push_back(bits_at(round));
  };
  std::thread other(work, 0);
  work(1);
  other.join();
  CHECK(found[0] == alone);
  CHECK(found[1] == alone);
}
