#include "cli/variations.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/usual_requests.h"
#include "cli/arguments.h"
#include "cli/controllers.h"
#include "cli/mode_options.h"
#include "stillpoint/error.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/sensitivity.h"

namespace stillpoint::cli {

namespace {

constexpr Index most_points = 10'000'000;

template <class Number>
std::optional<Number> number_in(const std::string& text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

[[noreturn]] void refuse_range(const std::string& option, const std::string& text) {
  throw Error(fmt::format(
      "{} {}: a range is NAME=FROM:TO[:POINTS][:log], such as k=1:100:50:log, or a list NAME=A,B,... that ascends",
      option, text));
}

}  // namespace

ModelFamily family_of(const ModelOptions& options) {
  if (is_matrix_folder(options.path))
    throw Error(options.path + " is a folder of matrices, which have no parameters: a model file is needed");
  refuse_controllers(options);
  return ModelFamily(options.path, parse_settings("--set", options.settings));
}

Variation variation_called(const std::string& name, const ModelFamily& family, const Model& model) {
  constexpr std::string_view of_input = "input:";
  if (name.starts_with(of_input)) return input_of(model, name.substr(of_input.size()));
  if (name.find('.') != std::string::npos) return number_of(model, name);
  return parameter_of(family, name);
}

std::vector<Variation> variations_called(const std::vector<std::string>& names, const ModelFamily& family,
                                         const Model& model) {
  if (names.empty()) return variations_of(family);
  std::vector<Variation> variations;
  for (const std::string& list : names) {
    for (const std::string& name : split_names(list)) variations.push_back(variation_called(name, family, model));
  }
  return variations;
}

ParameterRange range_in(const std::string& option, const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) refuse_range(option, text);
  ParameterRange range{text.substr(0, equals), {}};
  const std::string numbers = text.substr(equals + 1);
  if (numbers.find(':') == std::string::npos) {
    for (const std::string& word : parts_between(numbers, ',')) {
      const auto value = number_in<double>(word);
      if (!value || (!range.values.empty() && !(range.values.back() < *value))) refuse_range(option, text);
      range.values.push_back(*value);
    }
    return range;
  }
  std::vector<std::string> words = parts_between(numbers, ':');
  if (words.size() > 2 && words.back() == "log") {
    range.spacing = Spacing::logarithmic;
    words.pop_back();
  }
  if (words.size() < 2 || words.size() > 3) refuse_range(option, text);
  const auto from = number_in<double>(words[0]), to = number_in<double>(words[1]);
  const auto count = words.size() == 3 ? number_in<Index>(words[2]) : std::optional<Index>(usual::points_of_interval);
  if (!from || !to || !count || *count < 2 || *count > most_points) refuse_range(option, text);
  range.values = spaced(*from, *to, *count, range.spacing);
  return range;
}

void require_no_preload(const Guess& guess) {
  if (!guess.preload.empty())
    throw Error(
        "parameter studies do not preload springs, since these would be others for each value: write the free lengths "
        "that 'equilibrium --preload' finds into the model");
}

StudyStart start_study(RestOptions options, const std::string& name, double value) {
  const bool is_parameter = name.find(':') == std::string::npos && name.find('.') == std::string::npos;
  if (is_parameter) options.settings.push_back(fmt::format("{}={:.17g}", name, value));
  const ModelFamily family = family_of(options);
  Guess guess = load_guess(options);
  Variation variation = variation_called(name, family, guess.model);
  variation.value = value;
  if (variation.input) guess.point.state.u[*variation.input] = value;
  else guess.model = variation.model_at(value);
  hold(options, guess);
  require_no_preload(guess);
  Equilibrium rest = find_at_rest(guess);
  return {std::move(guess), std::move(variation), std::move(rest)};
}

RestOptions with_setting(RestOptions options, const std::string& name, double value) {
  options.settings.push_back(fmt::format("{}={:.17g}", name, value));
  return options;
}

PlaneStart start_plane(const RestOptions& options, const ParameterRange& first, const ParameterRange& second) {
  const StudyStart start =
      start_study(with_setting(options, second.name, second.values.front()), first.name, first.values.front());
  return start_plane(family_of(options), start.variation, start.rest, second.name, second.values.front(),
                     second.values.back());
}

void conclude_study(const std::string& ended_early, bool is_certain) {
  if (const int signal = interruption(); signal != 0) {
    print_message("interrupted: what was finished is written");
    throw CLI::RuntimeError(128 + signal);
  }
  if (!ended_early.empty()) print_message(ended_early);
  if (!ended_early.empty() || !is_certain) throw CLI::RuntimeError(numerics_failed);
}

}  // namespace stillpoint::cli
