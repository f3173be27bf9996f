// The numbers that a study varies, as they are named on the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/interrupt.h"
#include "cli/progress_line.h"
#include "cli/rest_options.h"
#include "stillpoint/model_family.h"
#include "stillpoint/plane_start.h"
#include "stillpoint/sweep.h"

namespace stillpoint::cli {

/// The family of the model that the options name, with their settings.
ModelFamily family_of(const ModelOptions& options);

/// A parameter "k", an input "input:motor", or a number of an element "spring[3].stiffness". Throws Error for any other
/// name.
Variation variation_called(const std::string& name, const ModelFamily& family, const Model& model);

/// Those named, with commas between names; of an empty list all parameters that have rates.
std::vector<Variation> variations_called(const std::vector<std::string>& names, const ModelFamily& family,
                                         const Model& model);

/// The name and the ascending values in "k=1:100:50:log" or "k=1,2,5".
struct ParameterRange {
  std::string name;
  std::vector<double> values;
  Spacing spacing = Spacing::linear;
};
/// Throws Error, with the name of the option, for any other text.
ParameterRange range_in(const std::string& option, const std::string& text);

/// Where a study begins: the equilibrium at a value of what is varied.
struct StudyStart {
  Guess guess;
  Variation variation;
  Equilibrium rest;
};
/// Throws Error if the options do not fit, and CLI::RuntimeError, after printing the reason, if there is no
/// equilibrium.
StudyStart start_study(RestOptions options, const std::string& name, double value);

/// The options with another value of a parameter.
RestOptions with_setting(RestOptions options, const std::string& name, double value);

/// Where a study of two parameters begins.
PlaneStart start_plane(const RestOptions& options, const ParameterRange& first, const ParameterRange& second);

/// Throws Error if springs are preloaded: other values of a parameter give models that are not.
void require_no_preload(const Guess& guess);

/// The options that a study passes on: its progress, and whether it is to end. From now on signals wait for that.
template <class Options>
void let_it_be_interrupted(Options& options, ProgressLine& progress) {
  wait_for_the_next_step();
  options.progress = progress.sink();
  options.stop = [] { return interruption() != 0; };
}

/// Ends the program with the exit code that fits, after a message: the signal that interrupted the study, 1 if it ended
/// early, or if what it says is not certain.
void conclude_study(const std::string& ended_early, bool is_certain);

}  // namespace stillpoint::cli
