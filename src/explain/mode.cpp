// Why a mode is what it is: where its energy is, and the parameter that changes it most.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/topics.h"
#include "report/mode_table.h"
#include "stillpoint/error.h"

namespace stillpoint::explanations {

namespace {

constexpr std::size_t most_shares = 3;
constexpr double one_percent = 0.01;

std::vector<EnergyShares::Share> largest_of(const std::vector<EnergyShares::Share>& shares) {
  return {shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(std::min(most_shares, shares.size()))};
}

/// Rows of the table of modes, without those of the form.
std::vector<TableRow> rows_of_mechanism(const std::vector<Mode>& modes) {
  std::vector<TableRow> rows = table_rows(modes);
  std::erase_if(rows, [&](const TableRow& row) { return is_of_the_form(modes[row.mode]); });
  return rows;
}

/// In the list of `sensitivity`: genuine eigenvalues with Im s ≥ 0, each for itself.
Index number_in_sensitivity(const std::vector<Mode>& modes, std::size_t index) {
  Index number = 0;
  for (std::size_t k = 0; k <= index; ++k) {
    if (modes[k].kind == ModeClass::genuine && !modes[k].is_infinite() && modes[k].s.imag() >= 0) ++number;
  }
  return number;
}

/// The mode with all its copies, which have rates together only.
std::vector<Mode> with_copies(const std::vector<Mode>& modes, std::size_t index) {
  std::vector<Mode> copies;
  for (const Mode& mode : modes) {
    if (mode.kind == ModeClass::genuine && !mode.is_infinite() && mode.s.imag() >= 0 && are_copies(modes[index], mode))
      copies.push_back(mode);
  }
  return copies;
}

/// Takes the parameter whose 1 % changes one of the copies most.
void take_largest_rate(ModeExplanation& found, const Sensitivity& sensitivity) {
  const double size = std::abs(found.mode.s);
  for (const ParameterSensitivity& one : sensitivity.parameters) {
    if (!one.refused.empty()) {
      found.left_out.push_back("no rates with respect to '" + one.parameter.name + "': " + one.refused);
      continue;
    }
    if (one.parameter.value == 0) {  // it has no 1 %
      ++found.parameters_at_zero;
      continue;
    }
    ++found.parameters_compared;
    const double change = one_percent * one.parameter.value;
    for (std::size_t i = 0; i < one.modes.size(); ++i) {
      const ModeRate& rate = one.modes[i];
      if (rate.kind == ModeRate::Kind::defective) continue;
      const double relative = std::abs(rate.s * change) / size;
      if (!(relative > found.relative_change) && !std::isnan(found.relative_change)) continue;
      found.parameter = one.parameter.name;
      found.parameter_unit = one.parameter.unit;
      found.parameter_value = one.parameter.value;
      found.relative_change = relative;
      found.frequency_change = change * frequency_rate(sensitivity.modes[i], rate.s);
    }
  }
}

void find_parameter(ModeExplanation& found, const AnalysisCase& analysis, const std::vector<Mode>& modes,
                    std::size_t index, const ExplanationRequest& request) {
  const std::vector<Variation>& parameters = request.parameters;
  if (analysis.rest && !analysis.rest->preload.empty())
    found.left_out.push_back(fmt::format(
        "rates with respect to parameters: {} of springs were found by preload, and "
        "would be others for other values",
        analysis.rest->preload.size() == 1 ? "1 free length or angle"
                                           : fmt::format("{} free lengths or angles", analysis.rest->preload.size())));
  if (!analysis.rest || parameters.empty()) return;
  if (analysis.system.singular) {
    found.left_out.push_back(
        fmt::format("rates with respect to parameters: the configuration is singular, with {} "
                    "branches",
                    analysis.system.branches.size()));
    return;
  }
  if (found.mode.s == 0.0) {
    found.left_out.push_back(
        fmt::format("rates with respect to parameters: it is one of {} eigenvalues that are zero by structure",
                    std::count_if(modes.begin(), modes.end(), [](const Mode& mode) { return mode.s == 0.0; })));
    return;
  }
  if (analysis.system.coordinates() > most_for_trials) {
    found.left_out.push_back(
        fmt::format("rates with respect to {} parameters: the system has {} coordinates, more than {}",
                    parameters.size(), analysis.system.coordinates(), most_for_trials));
    return;
  }
  try {
    take_largest_rate(found, find_sensitivity(analysis.system, *analysis.rest, with_copies(modes, index), parameters,
                                              request.progress));
  } catch (const Error& refused) {  // the rest of the explanation does not need them
    found.left_out.push_back(std::string("rates with respect to parameters: ") + refused.what());
  }
}

}  // namespace

ModeExplanation explain_mode(const AnalysisCase& analysis, const ModesReport& report,
                             const ExplanationRequest& request) {
  const std::vector<Mode>& modes = report.result.spectrum.modes;
  const std::vector<TableRow> rows = rows_of_mechanism(modes);
  if (request.mode < 1 || request.mode > static_cast<Index>(rows.size()))
    throw Error(fmt::format("mode {}: the table of modes has {} lines", request.mode, rows.size()));
  const TableRow& row = rows[static_cast<std::size_t>(request.mode) - 1];
  const std::size_t index = row.mode;
  ModeExplanation found;
  found.number = request.mode;
  found.count = static_cast<Index>(rows.size());
  found.mode = modes[index];
  found.is_pair = row.is_pair;
  if (index < report.result.accounts.size()) {
    const ModeAccount& account = report.result.accounts[index];
    found.description = account.description;
    found.kinetic = largest_of(account.energy.kinetic);
    found.potential = largest_of(account.energy.potential);
  }
  if (found.mode.kind == ModeClass::genuine && found.mode.s != 0.0)
    found.sensitivity_number = number_in_sensitivity(modes, index);
  find_parameter(found, analysis, modes, index, request);
  return found;
}

}  // namespace stillpoint::explanations
