// In which form a plant is wanted, and how small.
#pragma once

#include <string>
#include <vector>

#include "cli/channel_options.h"
#include "cli/mode_options.h"
#include "stillpoint/plant.h"

namespace stillpoint::cli {

struct PlantFormOptions : ModeOptions, ChannelOptions {
  std::string form, method;  ///< empty: not said
  bool corrected = false;    ///< of ucs
  std::string reduce;        ///< empty: not at all
  Index order = 0;
  std::string keep;           ///< empty: not said
  std::string boundary;       ///< names, with commas between them
  std::vector<double> match;  ///< Hz
};

/// --form, --method, --tangent, --independent, --alpha, --xi, --omega, and those of reductions.
void add_plant_options(CLI::App& verb, PlantFormOptions& options);

/// Throws Error for options that contradict each other.
void require_one_form(const PlantFormOptions& options);

/// `modes`: of the system, where they are known.
Plant make_plant(const PlantFormOptions& options, const LinearSystem& system, const ReportOptions& how,
                 const Spectrum* modes);

}  // namespace stillpoint::cli
