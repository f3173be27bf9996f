// A branch of equilibria as a table, as CSV and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/at.h"
#include "formats/json_number.h"
#include "report/digits.h"
#include "report/json_parts.h"
#include "stillpoint/continuation.h"
#include "stillpoint/operating_point.h"

namespace stillpoint {

namespace {

constexpr int column_of_branch = 16;

/// The coordinates that change most along the branch.
std::vector<Index> moving_coordinates(const EquilibriumBranch& branch, const Model& model) {
  constexpr std::size_t most = 3;
  std::vector<double> ranges;
  for (Index i = 0; i < model.coordinates(); ++i) {
    double least = HUGE_VAL, largest = -HUGE_VAL;
    for (const EquilibriumSample& sample : branch.samples) {
      const double value = coordinate_value(model, sample.state, i);
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    ranges.push_back(largest - least);
  }
  std::vector<Index> order(ranges.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return ranges[at(a)] > ranges[at(b)]; });
  order.resize(std::min(order.size(), most));
  return order;
}

}  // namespace

namespace {

std::string one_branch(const EquilibriumBranch& branch, const Model& model) {
  const std::vector<Index> shown = moving_coordinates(branch, model);
  std::string text = left(branch.parameter + (branch.unit.empty() ? "" : " (" + branch.unit + ")"), column_of_branch);
  for (const Index i : shown) text += "  " + left(model.coordinate_name(i), column_of_branch);
  text += "  stability\n";
  for (const EquilibriumSample& sample : branch.samples) {
    text += left(fmt::format("{:.8g}", sample.parameter), column_of_branch);
    for (const Index i : shown)
      text += "  " + left(fmt::format("{:.8g}", coordinate_value(model, sample.state, i) + 0.0), column_of_branch);
    text += "  " + in_words(sample.verdict) + (sample.certified ? "\n" : ", not certified\n");
  }
  text += branch.events.empty() ? "\nThe branch has no folds and no branch points here.\n" : "\nEvents\n";
  for (const BranchEvent& event : branch.events) {
    text += fmt::format("  {} = {:.12g}: {}", branch.parameter, event.parameter, to_words(event.kind));
    for (const Index i : shown)
      text += fmt::format(", {} = {:.8g}", model.coordinate_name(i), coordinate_value(model, event.state, i) + 0.0);
    text += "\n";
  }
  if (!branch.reached_end) text += fmt::format("\nThe path ends early: {}\n", branch.ended);
  return text;
}

}  // namespace

std::string to_text(const EquilibriumBranch& branch, const Model& model) {
  std::string text = one_branch(branch, model);
  for (const EquilibriumBranch& other : branch.crossing)
    text += "\nA branch that crosses\n\n" + one_branch(other, model);
  return text;
}

std::string to_csv(const EquilibriumBranch& branch, const Model& model) {
  std::string text = branch.parameter + ",length,stability";
  for (Index i = 0; i < model.coordinates(); ++i) text += "," + model.coordinate_name(i);
  text += "\n";
  for (const EquilibriumSample& sample : branch.samples) {
    text += fmt::format("{:.17g},{:.17g},{}", sample.parameter, sample.length, to_words(sample.verdict.stability));
    for (Index i = 0; i < model.coordinates(); ++i)
      text += fmt::format(",{:.17g}", coordinate_value(model, sample.state, i) + 0.0);
    text += "\n";
  }
  return text;
}

namespace {

Json coordinates_json(const Model& model, const State& state) {
  Json list = Json::object();
  for (Index i = 0; i < model.coordinates(); ++i)
    list[model.coordinate_name(i)] = json_number(coordinate_value(model, state, i) + 0.0);
  return list;
}

Json branch_json(const EquilibriumBranch& branch, const Model& model) {
  Json json;
  json["schema"] = "stillpoint.follow/1";
  json["model"] = branch.model;
  json["parameter"] = branch.parameter;
  json["unit"] = branch.unit.empty() ? Json(nullptr) : Json(branch.unit);
  json["points"] = Json::array();
  for (const EquilibriumSample& sample : branch.samples) {
    json["points"].push_back({{"parameter", json_number(sample.parameter)},
                              {"length", json_number(sample.length)},
                              {"stability", to_words(sample.verdict.stability)},
                              {"unstable_eigenvalues", sample.verdict.unstable_roots},
                              {"certified", sample.certified},
                              {"coordinates", coordinates_json(model, sample.state)}});
  }
  json["events"] = Json::array();
  for (const BranchEvent& event : branch.events) {
    Json direction = Json::object();
    for (Index i = 0; i < model.coordinates(); ++i)
      direction[model.coordinate_name(i)] = json_number(event.direction[i] + 0.0);
    json["events"].push_back({{"kind", to_words(event.kind)},
                              {"parameter", json_number(event.parameter)},
                              {"error", json_number(event.error)},
                              {"length", json_number(event.length)},
                              {"coordinates", coordinates_json(model, event.state)},
                              {"direction", direction}});
  }
  json["status"] = branch.reached_end ? "finished" : branch.ended;
  json["crossing"] = Json::array();
  for (const EquilibriumBranch& other : branch.crossing) json["crossing"].push_back(branch_json(other, model));
  return json;
}

}  // namespace

std::string to_json(const EquilibriumBranch& branch, const Model& model) { return dumped(branch_json(branch, model)); }

}  // namespace stillpoint
