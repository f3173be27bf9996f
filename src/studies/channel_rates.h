// Derivatives of the matrices of inputs and outputs, F, G, H_q, H_v, H_a, H_λ and H_u, with respect to a parameter, the
// equilibrium moving along.
#pragma once

#include <string>

#include "stillpoint/linear_system.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

/// Systems in which only these matrices are not zero: those of one input and one output.
struct ChannelRates {
  LinearSystem rate, error;
};

/// The rates of all inputs and outputs of a model.
class DifferentiatedChannels {
 public:
  /// `system` is the linearization at the equilibrium, `of_system` its rates. Throws Error if there are none.
  DifferentiatedChannels(const LinearSystem& system, const Variation& variation, const Equilibrium& rest,
                         const SystemRates& of_system);

  /// Those of one input and one output, which may be coordinates: these do not change.
  ChannelRates between(const std::string& input, const std::string& output) const;

 private:
  LinearSystem rates_, errors_, zero_;
};

}  // namespace stillpoint
