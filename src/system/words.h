// The outcome of a rank decision as a word, for text and JSON output.
#pragma once

#include "stillpoint/rank.h"

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

}  // namespace stillpoint
