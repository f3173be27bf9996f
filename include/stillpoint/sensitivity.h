// Which parameters matter, and how much: the rates of an equilibrium and of some of its modes with respect to several
// parameters, as one report.
//
//   const Sensitivity all = find_sensitivity(system, rest, modes, variations_of(family));
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "stillpoint/mode_rates.h"

namespace stillpoint {

struct ParameterSensitivity {
  Variation parameter;
  SystemRates rates;
  std::vector<ModeRate> modes;  ///< in the order of the modes asked for
  std::string refused;          ///< why there are no rates; empty if there are
};

struct Sensitivity {
  std::vector<Mode> modes;
  std::size_t first_mode = 0;  ///< place of the first of them in the list of modes
  std::vector<ParameterSensitivity> parameters;
};

/// The parameters of a family that have rates: all but those that count.
std::vector<Variation> variations_of(const ModelFamily& family, const Parameters& settings = {});

/// The rates of the modes with respect to each parameter; a parameter without rates says why.
Sensitivity find_sensitivity(const LinearSystem& system, const Equilibrium& rest, const std::vector<Mode>& modes,
                             const std::vector<Variation>& parameters,
                             const std::function<void(const std::string&)>& progress = {});

/// Modes whose rates can be asked for.
struct ModesWithRates {
  std::vector<Mode> modes;
  std::size_t first = 0;  ///< place of the first of them in the list of modes
  std::vector<std::string> warnings{};
};
/// The lowest ones, one of each conjugate pair; of equal ones all, since they separate together.
ModesWithRates lowest_modes(const LinearSystem& system, Index count,
                            const std::function<void(const std::string&)>& progress = {});
/// Of these the one with this number, which counts from 1 and must exist, with those that are equal to it.
ModesWithRates equal_modes(const ModesWithRates& all, Index number);

struct SensitivityPrint {
  std::size_t most_rows = 10;  ///< parameters for each mode, those that matter most first
  bool equilibrium = false;    ///< also how far coordinates move
};
std::string to_text(const Sensitivity& sensitivity, const Model& model, const SensitivityPrint& print = {});
std::string to_json(const Sensitivity& sensitivity, const Model& model);

}  // namespace stillpoint
