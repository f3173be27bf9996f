// What verbs share that look at a model where it rests: from options to a rest position, and on to a linear system.
#pragma once

#include <optional>

#include "cli/verbs.h"
#include "stillpoint/equilibrium.h"
#include "stillpoint/linear_system.h"
#include "stillpoint/operating_point.h"

namespace stillpoint::cli {

/// The numerics did not get there.
constexpr int numerics_failed = 1;
/// A requested check failed.
constexpr int check_failed = 6;

// ----- a rest position

struct RestOptions : ModelOptions {
  std::string rest = "stable";
  std::vector<std::string> at;  ///< NAME=VALUE
  std::optional<Index> rank;
  double precision = EquilibriumOptions().precision;
};

/// --rest, --at, --rank, --precision.
void add_rest_options(CLI::App& verb, RestOptions& options);

/// A model, where the search for its rest position starts, and how it searches.
struct Guess {
  Model model;
  OperatingPoint point;
  EquilibriumOptions how;
};

/// Reads the model. Throws Error if the options do not fit it.
Guess load_guess(const RestOptions& options);

Equilibrium find(const Guess& guess);

// ----- a linear system

struct SystemOptions : RestOptions {
  bool off_equilibrium = false;
};

/// Those of a model at rest, and --off-equilibrium.
void add_system_options(CLI::App& verb, SystemOptions& options);

/// A linear system, and where it is from.
struct LoadedSystem {
  LinearSystem system;
  std::optional<Model> model;       ///< neither of a folder of matrices,
  std::optional<Equilibrium> rest;  ///< nor this
  double read_seconds = 0, linearize_seconds = 0;
};

/// From a model, or from a folder of matrices. Throws Error if the options do not fit, and CLI::RuntimeError, after
/// saying why, if no rest position was found. Warnings are left to the caller, in `rest`.
LoadedSystem load_system(const SystemOptions& options);

}  // namespace stillpoint::cli
