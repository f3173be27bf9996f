// Names of the results of an equilibrium search, for text and JSON.
#pragma once

#include <string>

#include "stillpoint/equilibrium.h"
#include "system/words.h"

namespace stillpoint {

inline const char* word_of(ConfigurationType kind) {
  switch (kind) {
    case ConfigurationType::regular:
      return "regular";
    case ConfigurationType::redundant:
      return "redundant";
    case ConfigurationType::singular:
      return "singular";
    case ConfigurationType::isolated:
      return "isolated";
    default:
      return "undecided";
  }
}

inline const char* word_of(EquilibriumStatus status) {
  switch (status) {
    case EquilibriumStatus::at_rest:
      return "at rest";
    case EquilibriumStatus::not_at_rest:
      return "not at rest";
    case EquilibriumStatus::not_assembled:
      return "not closed";
    default:
      return "not converged";
  }
}

/// The verdict on an equilibrium for a reader: dampers and gyroscopic forces play no part in it, so that it does not
/// say that the system is conservative.
inline std::string text_of_verdict(const std::string& verdict) {
  return verdict == "stable (conservative)" ? "stable" : verdict;
}

}  // namespace stillpoint
