#include "cli/model_words.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>

#include "read/find_model_file.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/model_family.h"
#include "stillpoint/operating_point.h"

namespace stillpoint::cli {

namespace {

constexpr std::uintmax_t largest_model = 1'000'000;  // bytes
constexpr std::int64_t most_elements = 100'000;      // of a repetition that --set has made large

bool is_small(const std::string& path) {
  std::uintmax_t size = 0;
  std::error_code failed;
  if (!is_matrix_folder(path)) return std::filesystem::file_size(find_model_file(path), failed) <= largest_model;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed)) {
    if (entry.is_regular_file(failed)) size += entry.file_size(failed);
  }
  return !failed && size <= largest_model;
}

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

void add_parameters(const ModelFamily& family, std::vector<ModelWord>& words) {
  for (const ModelParameter& parameter : family.parameters()) {
    std::string meaning = parameter.help;
    if (!parameter.unit.empty()) meaning += fmt::format("{}({})", meaning.empty() ? "" : " ", parameter.unit);
    words.push_back({parameter.name, meaning, number_text(parameter.value)});
  }
}

void add_springs(const Model& model, std::vector<ModelWord>& words) {
  for (std::size_t k = 0; k < model.arrays().size(); ++k) {
    const ElementArrayBase& elements = *model.arrays()[k].elements;
    for (Index i = 0; elements.info().free_state() && i < elements.size(); ++i) {
      const std::string name = model.element_name(k, i);
      const bool has_name = name.find(' ') == std::string::npos;  // else it is described: "spring 3"
      if (has_name) words.push_back({name, std::string(elements.info().keyword), ""});
    }
  }
}

void add_words(const Model& model, WordKind kind, std::vector<ModelWord>& words) {
  const State guess = model.initial_state();
  switch (kind) {
    case WordKind::coordinate:
      for (Index i = 0; i < model.coordinates(); ++i)
        words.push_back({model.coordinate_name(i), "coordinate", number_text(coordinate_value(model, guess, i))});
      break;
    case WordKind::input:
      for (Index i = 0; i < model.inputs(); ++i)
        words.push_back({model.input_name(i), "input", number_text(guess.u[i])});
      break;
    case WordKind::varied_input:
      for (Index i = 0; i < model.inputs(); ++i) words.push_back({"input:" + model.input_name(i), "input", ""});
      break;
    case WordKind::output:
      for (Index i = 0; i < model.outputs(); ++i) words.push_back({model.output_name(i), "output", ""});
      break;
    case WordKind::spring:
      add_springs(model, words);
      break;
    case WordKind::parameter:
      break;  // those are the family's
  }
}

std::vector<ModelWord> words_of_matrices(const std::string& path, const std::vector<WordKind>& kinds) {
  const LinearSystem system = read_linear_system(path);
  std::vector<ModelWord> words;
  for (const WordKind kind : kinds) {
    for (Index i = 0; kind == WordKind::coordinate && i < system.coordinates(); ++i)
      words.push_back({system.coordinate_name(i), "coordinate", ""});
    for (Index i = 0; kind == WordKind::input && i < system.inputs(); ++i)
      words.push_back({system.input_name(i), "input", ""});
    for (Index i = 0; kind == WordKind::output && i < system.outputs(); ++i)
      words.push_back({system.output_name(i), "output", ""});
  }
  return words;
}

}  // namespace

std::vector<ModelWord> words_of_model(const std::string& path, const Parameters& settings,
                                      const std::vector<WordKind>& kinds) {
  if (!is_small(path)) return {};
  if (is_matrix_folder(path)) return words_of_matrices(path, kinds);
  const ModelFamily family(path, settings, {.more_types = {}, .most_things = most_elements});
  std::optional<Model> model;  // not made for parameters alone
  std::vector<ModelWord> words;
  for (const WordKind kind : kinds) {
    if (kind == WordKind::parameter) {
      add_parameters(family, words);
      continue;
    }
    if (!model) model = family.at();
    add_words(*model, kind, words);
  }
  return words;
}

}  // namespace stillpoint::cli
