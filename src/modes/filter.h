// Which of the eigenvalues of a form belong to the mechanism (T23).
#pragma once

#include <string>
#include <vector>

#include "stillpoint/modes.h"

namespace stillpoint {

/// How much a candidate fails to be a motion of the mechanism: 0 is perfect, 1 is nothing like it.
struct Failure {
  double size = 0;
  double tie_breaker = 0;  ///< where sizes are no more than rounding: larger is worse
};

struct Separation {
  std::vector<ModeClass> by_count;  ///< of the candidates: so many as must be true, those that fail least
  std::vector<ModeClass> kinds;     ///< the same, but undecided where the numbers do not say so
  double margin = 0;                ///< the least of what is spurious over the largest of what is not
  bool agrees = true;               ///< the count, the widest gap and the failures say the same
  std::string disagreement;         ///< in words
};

/// `expected`: how many true ones there must be. `floor`: smaller failures are rounding and all alike.
Separation separate(const std::vector<Failure>& failures, Index expected, double floor);

/// The margin, and a disagreement as a warning.
void report(const Separation& separation, Spectrum& spectrum);

}  // namespace stillpoint
