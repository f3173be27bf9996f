// The options of the operating point, which verbs share: from options to an equilibrium, and on to a linear system.
#pragma once

#include <optional>
#include <string_view>

#include "base/usual_requests.h"
#include "cli/verbs.h"
#include "stillpoint/controller.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/operating_point.h"
#include "stillpoint/report.h"

namespace stillpoint::cli {

/// Exit code: the computation did not converge or is not certified.
constexpr int numerics_failed = 1;
/// Exit code: a requested check failed.
constexpr int check_failed = 6;

// ----- An equilibrium

struct RestOptions : ModelOptions {
  std::string rest = usual::rest;
  std::vector<std::string> at;  ///< NAME=VALUE
  const CLI::Option* trim_option = nullptr;
  std::vector<std::string> trim;     ///< inputs that are to hold the guess, if the option is given; empty: all forces
  std::vector<std::string> preload;  ///< springs that are to hold the guess; those of the file if it is empty
  std::string guess;                 ///< file of coordinates
  std::optional<Index> rank;
  double precision = EquilibriumOptions().precision;

  bool trims() const { return trim_option && trim_option->count() > 0; }
};

/// Adds --rest, --guess, --at, --trim, --preload, --rank and --precision.
void add_rest_options(CLI::App& verb, RestOptions& options);

/// A model, the start of the search for its equilibrium, and the options of the search.
struct Guess {
  Model model;
  OperatingPoint point;
  EquilibriumOptions how;
  std::vector<std::pair<std::string, double>> trim{}, preload{};  ///< what was found so that the guess is at rest
};

/// Reads the model. Throws Error if the options do not fit it.
Guess load_guess(const RestOptions& options);

/// The inputs that the options ask to trim, for `find_trim`.
TrimOptions trim_options(const RestOptions& options, const Model& model);

/// Finds the inputs, or the free lengths and angles, that hold the mechanism at its guess, if the options or the model
/// ask for it; the guess is then the equilibrium to be found. Throws CLI::RuntimeError, after printing the reason, if
/// there are none.
void hold(const RestOptions& options, Guess& guess);

/// Finds the equilibrium; of a guess that is held it tells how.
Equilibrium find(const Guess& guess);

/// The same. Throws CLI::RuntimeError, after printing the reason, if there is none.
Equilibrium find_at_rest(const Guess& guess);

/// The input of a model with this name. Throws Error, with what asks for it and the nearest known name, if there is
/// none.
Index input_called(const Model& model, const std::string& name, const std::string& asks = "");

/// Returns whether a verdict, in words, is that of a stable equilibrium.
bool passes_as_stable(std::string_view verdict);

// ----- A linear system

struct SystemOptions : RestOptions {
  bool off_equilibrium = false;
  bool breaks_loops = false;  ///< a loop that stays open is broken at the error, and not left out
};

/// Adds the options of the equilibrium, --off-equilibrium and --open.
void add_system_options(CLI::App& verb, SystemOptions& options);

/// Linearizes a model, or reads a folder of matrices. Throws Error if the options do not fit, and CLI::RuntimeError,
/// after printing the reason, if no equilibrium was found. The caller prints the warnings, which are in `rest`.
AnalysisCase load_system(const SystemOptions& options);

}  // namespace stillpoint::cli
