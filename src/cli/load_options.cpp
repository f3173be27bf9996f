#include "cli/load_options.h"

#include <fmt/format.h>

#include <numbers>

#include "cli/arguments.h"
#include "cli/mode_options.h"
#include "cli/option_groups.h"
#include "stillpoint/error.h"

namespace stillpoint::cli {

namespace {

/// The parts before and after the last "=".
std::pair<std::string, std::string> sides_of(const std::string& option, const std::string& text, const char* form) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw Error(fmt::format("{} {}: this must be {}", option, text, form));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::pair<std::string, std::string> pair_of(const std::string& option, const std::string& text, const char* form) {
  const std::vector<std::string> names = split_names(text);
  if (names.size() != 2 || names[0].empty() || names[1].empty())
    throw Error(fmt::format("{} {}: this must be {}", option, text, form));
  return {names[0], names[1]};
}

double number_of(const std::string& option, const std::string& text, const std::string& part, const char* form) {
  const std::optional<double> value = number_from(part);
  if (!value) throw Error(fmt::format("{} {}: '{}' is no number; this must be {}", option, text, part, form));
  return *value;
}

constexpr const char* unbalance_form = "FIRST,SECOND=AMOUNT[:DEGREES], such as disc.x,disc.y=1e-4";
constexpr const char* orbit_form = "FIRST,SECOND, such as disc.x,disc.y";
constexpr const char* density_form = "INPUT=FILE or INPUT=constant:VALUE[:FROM:TO], such as base=constant:0.01:5:500";
constexpr const char* coherence_form = "FIRST,SECOND=VALUE with a value from -1 to 1";

Unbalance unbalance_in(const std::string& text) {
  const auto [names, numbers] = sides_of("--unbalance", text, unbalance_form);
  const auto [first, second] = pair_of("--unbalance", names, unbalance_form);
  const std::vector<std::string> parts = parts_between(numbers, ':');
  if (parts.size() > 2) throw Error(fmt::format("--unbalance {}: this must be {}", text, unbalance_form));
  const double amount = number_of("--unbalance", text, parts[0], unbalance_form);
  const double degrees = parts.size() > 1 ? number_of("--unbalance", text, parts[1], unbalance_form) : 0;
  return {first, second, amount, degrees * std::numbers::pi / 180};
}

SpectralDensity density_in(const std::string& text, const std::string& value) {
  if (!value.starts_with("constant:")) return read_spectral_density(value);
  const std::vector<std::string> parts = parts_between(value, ':');
  if (parts.size() != 2 && parts.size() != 4) throw Error(fmt::format("--psd {}: this must be {}", text, density_form));
  std::vector<double> numbers;
  for (std::size_t k = 1; k < parts.size(); ++k) numbers.push_back(number_of("--psd", text, parts[k], density_form));
  return numbers.size() == 1 ? white_noise(numbers[0]) : white_noise(numbers[0], numbers[1], numbers[2]);
}

RandomInput random_input_in(const std::string& text) {
  const auto [name, value] = sides_of("--psd", text, density_form);
  return random_input(name, density_in(text, value));
}

Coherence coherence_in(const std::string& text) {
  const auto [names, value] = sides_of("--coherence", text, coherence_form);
  const auto [first, second] = pair_of("--coherence", names, coherence_form);
  return {first, second, number_of("--coherence", text, value, coherence_form)};
}

}  // namespace

void add_load_options(CLI::App& verb, LoadOptions& options) {
  const auto add = [&](const char* name, std::vector<std::string>& texts, const char* help, const char* form) {
    verb.add_option(name, texts, help)->group(group::loads)->allow_extra_args(false)->type_name(form);
  };
  add("--unbalance", options.unbalances,
      "the amplitudes that rotating unbalance causes: AMOUNT m e (kg m) at the angle DEGREES, on two inputs or "
      "coordinates, from the first of which the rotor turns to the second; frequencies are its speeds (repeatable)",
      "FIRST,SECOND=AMOUNT[:DEGREES]");
  add("--orbit", options.orbits,
      "with --unbalance: the forward and backward amplitudes of the ellipse of two outputs (repeatable)",
      "FIRST,SECOND");
  verb.add_option("--speed-parameter", options.speed_parameter,
                  "with --unbalance: the parameter of the model that is the speed (rad/s); the model is linearized at "
                  "each speed")
      ->group(group::loads)
      ->type_name("NAME");
  add("--psd", options.densities,
      "the spectral densities and RMS values of the outputs for a random input with this one-sided density, unit²/Hz: "
      "a "
      "table of Hz and values, or a constant, at all frequencies or in a band (Hz); INPUT'' is the acceleration of an "
      "input (repeatable)",
      "INPUT=FILE|constant:VALUE[:FROM:TO]");
  add("--coherence", options.coherences, "with --psd: the coherence of two inputs (default: 0, uncorrelated)",
      "FIRST,SECOND=VALUE");
}

void require_fitting_loads(const LoadOptions& options, bool has_inputs) {
  const bool has_unbalance = !options.unbalances.empty(), has_density = !options.densities.empty();
  if (has_unbalance && has_density) throw Error("--unbalance and --psd are two questions: ask one at a time");
  if (has_inputs && (has_unbalance || has_density))
    throw Error(fmt::format("--input: {} names the inputs", has_unbalance ? "--unbalance" : "--psd"));
  if (!has_unbalance && !options.orbits.empty()) throw Error("--orbit belongs to --unbalance");
  if (!has_unbalance && !options.speed_parameter.empty()) throw Error("--speed-parameter belongs to --unbalance");
  if (!has_density && !options.coherences.empty()) throw Error("--coherence belongs to --psd");
}

std::vector<Unbalance> unbalances_in(const LoadOptions& options) {
  std::vector<Unbalance> unbalances;
  for (const std::string& text : options.unbalances) unbalances.push_back(unbalance_in(text));
  return unbalances;
}

std::vector<Orbit> orbits_in(const LoadOptions& options) {
  std::vector<Orbit> orbits;
  for (const std::string& text : options.orbits) {
    const auto [first, second] = pair_of("--orbit", text, orbit_form);
    orbits.push_back({first, second});
  }
  return orbits;
}

std::vector<RandomInput> random_inputs_in(const LoadOptions& options) {
  std::vector<RandomInput> inputs;
  for (const std::string& text : options.densities) inputs.push_back(random_input_in(text));
  return inputs;
}

std::function<Eigen::MatrixXcd(double)> coherence_in(const LoadOptions& options,
                                                     const std::vector<RandomInput>& inputs) {
  std::vector<Coherence> pairs;
  for (const std::string& text : options.coherences) pairs.push_back(coherence_in(text));
  return coherence_between(inputs, pairs);
}

}  // namespace stillpoint::cli
