// What was found out about a rest position, in a word or two: for results, as text and as JSON.
#pragma once

#include "stillpoint/equilibrium.h"

namespace stillpoint {

inline const char* word_of(RankOutcome outcome) {
  switch (outcome) {
    case RankOutcome::full:
      return "full";
    case RankOutcome::deficient:
      return "deficient";
    case RankOutcome::given:
      return "given";
    default:
      return "undecided";
  }
}

inline const char* word_of(Freedom kind) {
  switch (kind) {
    case Freedom::regular:
      return "regular";
    case Freedom::redundant:
      return "redundant";
    case Freedom::singular:
      return "singular";
    case Freedom::isolated:
      return "isolated";
    default:
      return "undecided";
  }
}

inline const char* word_of(RestStatus status) {
  switch (status) {
    case RestStatus::at_rest:
      return "at rest";
    case RestStatus::not_at_rest:
      return "not at rest";
    case RestStatus::not_closed:
      return "not closed";
    default:
      return "not converged";
  }
}

}  // namespace stillpoint
