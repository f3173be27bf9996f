// Loads of practice for the verb `response`: rotating unbalance, and random inputs with spectral densities.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/verbs.h"
#include "stillpoint/random_response.h"
#include "stillpoint/unbalance.h"

namespace stillpoint::cli {

struct LoadOptions {
  std::vector<std::string> unbalances;  ///< FIRST,SECOND=AMOUNT[:DEGREES]
  std::vector<std::string> orbits;      ///< FIRST,SECOND
  std::string speed_parameter;
  std::vector<std::string> densities;   ///< INPUT=FILE or INPUT=constant:VALUE[:FROM:TO]
  std::vector<std::string> coherences;  ///< FIRST,SECOND=VALUE

  bool has_load() const { return !unbalances.empty() || !densities.empty(); }
};

/// Adds --unbalance, --orbit, --speed-parameter, --psd and --coherence.
void add_load_options(CLI::App& verb, LoadOptions& options);

/// Throws Error for options that do not fit together; `has_inputs`: --input is given.
void require_fitting_loads(const LoadOptions& options, bool has_inputs);

// Each function throws Error, with the option, for a text of another form.
std::vector<Unbalance> unbalances_in(const LoadOptions& options);
std::vector<Orbit> orbits_in(const LoadOptions& options);
std::vector<RandomInput> random_inputs_in(const LoadOptions& options);
/// The coherence between the inputs; empty if no option asks for one.
std::function<Eigen::MatrixXcd(double)> coherence_in(const LoadOptions& options,
                                                     const std::vector<RandomInput>& inputs);

}  // namespace stillpoint::cli
