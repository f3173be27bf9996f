// The options that choose the form of a plant and its model reduction.
#pragma once

#include <string>
#include <vector>

#include "cli/channel_options.h"
#include "cli/mode_options.h"
#include "stillpoint/plant.h"

namespace stillpoint::cli {

struct PlantFormOptions : ModeOptions, ChannelOptions {
  std::string form, method;  ///< empty if not given
  bool corrected = false;    ///< for the method ucs
  std::string reduce;        ///< empty: no reduction
  Index order = 0;
  std::string keep;           ///< empty if not given
  std::string boundary;       ///< names, separated by commas
  std::vector<double> match;  ///< Hz
};

/// Adds --form, --method, the options of the basis and of the penalty, and those of model reduction.
void add_plant_options(CLI::App& verb, PlantFormOptions& options);

/// Throws Error for options that contradict each other.
void require_one_form(const PlantFormOptions& options);

/// Makes the plant. `modes` are those of the system if they are known, or null.
Plant make_plant(const PlantFormOptions& options, const LinearSystem& system, const AnalysisOptions& how,
                 const Spectrum* modes);

}  // namespace stillpoint::cli
