// Zeros beside those of Octave's package control, which tests/campaign/octave_zeros.sh has stored.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "stillpoint/sparse.h"
#include "support/tool.h"

using namespace stillpoint;

namespace {

using Complex = std::complex<double>;
using Json = nlohmann::json;

struct StoredPlant {
  std::string arguments;  ///< of the verb
  std::vector<Complex> invariant, unmoved, unshown;
  std::vector<Complex> not_controllable, not_observable;  ///< eigenvalues, by the test of Hautus
};

std::vector<Complex> values_in(const std::string& text) {
  std::vector<Complex> values;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t comma = word.find(',');
    if (comma == 0) continue;  // an empty list
    values.emplace_back(std::stod(word.substr(0, comma)), std::stod(word.substr(comma + 1)));
  }
  return values;
}

std::vector<StoredPlant> stored_plants() {
  std::vector<StoredPlant> plants;
  std::ifstream file(STILLPOINT_SOURCE_DIR "/tests/zeros/octave_zeros.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream parts(line);
    std::string words, model, settings, inputs, outputs;
    std::getline(parts, words, '|');
    std::istringstream(words) >> model >> settings >> inputs >> outputs;
    StoredPlant plant;
    plant.arguments = case_folder(model);
    for (std::vector<Complex>* const list :
         {&plant.invariant, &plant.unmoved, &plant.unshown, &plant.not_controllable, &plant.not_observable}) {
      std::string text;
      REQUIRE(std::getline(parts, text, '|'));
      *list = values_in(text);
    }
    std::istringstream options(settings == "-" ? "" : settings);
    for (std::string option; std::getline(options, option, ';');) plant.arguments += " --" + option;
    if (inputs != "-") plant.arguments += " --input '" + inputs + "'";
    if (outputs != "-") plant.arguments += " --output '" + outputs + "'";
    plants.push_back(std::move(plant));
  }
  return plants;
}

struct Listed {
  Complex s;
  double error = 0;
  Index multiplicity = 1;
};

std::vector<Listed> zeros_in(const Json& list) {
  std::vector<Listed> zeros;
  for (const Json& zero : list)
    zeros.push_back({{zero["s"][0], zero["s"][1]},
                     zero["error"].is_null() ? std::numeric_limits<double>::infinity() : zero["error"].get<double>(),
                     zero["multiplicity"]});
  return zeros;
}

/// Octave's zeros come from a staircase on A, B, C and D, without bounds: they are good to about 1e-8 of their size
/// or of the largest zero's part that rounding of A takes, and those that are k at once to the k-th root of that.
double tolerance_for(const Listed& zero) {
  return 2 * zero.error + (1 + std::abs(zero.s)) * std::pow(1e-9, 1.0 / zero.multiplicity);
}

/// The staircase of Octave misses some decoupling zeros that its own singular values show. So each of Octave's must be
/// among ours, and each of ours one of Octave's or an eigenvalue that fails the test of Hautus there.
std::string mismatch_of_hidden(const std::vector<Listed>& ours, const std::vector<Complex>& theirs,
                               const std::vector<Complex>& by_test) {
  std::ostringstream text;
  for (const Complex s : theirs) {
    const bool is_found = std::any_of(ours.begin(), ours.end(),
                                      [&](const Listed& zero) { return std::abs(zero.s - s) <= tolerance_for(zero); });
    if (!is_found) text << "missing: " << s << " ";
  }
  for (const Listed& zero : ours) {
    const auto is_same = [&](Complex s) { return std::abs(zero.s - s) <= tolerance_for(zero); };
    if (std::any_of(theirs.begin(), theirs.end(), is_same) || std::any_of(by_test.begin(), by_test.end(), is_same))
      continue;
    text << "not hidden: " << zero.s << " ";
  }
  return text.str();
}

/// What is wrong: each zero of ours must have as many near it as its multiplicity says, and none is left. A mode that
/// no input moves and no output shows is a zero of every system pencil, also where Octave lists none because the
/// transfer function is zero.
std::string mismatch(const std::vector<Listed>& ours, const StoredPlant& plant) {
  std::vector<Complex> theirs = plant.invariant;
  const auto is_in = [](const std::vector<Complex>& list, const Listed& zero) {
    return std::any_of(list.begin(), list.end(),
                       [&](Complex s) { return std::abs(zero.s - s) <= tolerance_for(zero); });
  };
  for (const Listed& zero : ours) {
    Index found = 0;
    for (std::size_t k = 0; k < theirs.size();) {
      if (found < zero.multiplicity && std::abs(theirs[k] - zero.s) <= tolerance_for(zero)) {
        theirs.erase(theirs.begin() + static_cast<std::ptrdiff_t>(k));
        ++found;
      } else {
        ++k;
      }
    }
    const bool is_hidden = is_in(plant.not_controllable, zero) && is_in(plant.not_observable, zero);
    if (found < zero.multiplicity && !is_hidden) {
      std::ostringstream text;
      text << "Octave has " << found << " of " << zero.multiplicity << " zeros at " << zero.s;
      return text.str();
    }
  }
  if (theirs.empty()) return "";
  std::ostringstream text;
  text << "Octave has " << theirs.size() << " more, one at " << theirs.front();
  return text.str();
}

}  // namespace

TEST_CASE("zeros: those of Octave's package control on 76 plants, of all three kinds") {
  const std::vector<StoredPlant> plants = stored_plants();
  REQUIRE(plants.size() >= 70);
  for (const StoredPlant& plant : plants) {
    CAPTURE(plant.arguments);
    const Answer answer = run("zeros " + plant.arguments + " --json --quiet");
    CHECK_MESSAGE(answer.code == 0, answer.err);
    if (answer.out.empty()) continue;
    const Json found = Json::parse(answer.out);
    CHECK_MESSAGE(found["certified"] == true, found["reasons"].dump());
    CHECK(mismatch(zeros_in(found["zeros"]), plant) == "");
    CHECK(mismatch_of_hidden(zeros_in(found["input_decoupling"]), plant.unmoved, plant.not_controllable) == "");
    CHECK(mismatch_of_hidden(zeros_in(found["output_decoupling"]), plant.unshown, plant.not_observable) == "");
  }
}
