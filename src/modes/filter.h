// Which of the eigenvalues of a form belong to the mechanism (T23).
#pragma once

#include <string>
#include <vector>

#include "stillpoint/modes.h"

namespace stillpoint {

/// For each candidate how much it fails to be a motion of the mechanism: 0 is perfect, 1 is nothing like it.
struct Separation {
  std::vector<ModeClass> kinds;  ///< of the candidates
  double margin = 0;             ///< the least of what is spurious over the largest of what is not
  bool clear = true;             ///< the count parts them by a wide gap, though there may be wider ones
  bool agrees = true;            ///< the count, the widest gap and the failures say the same
  std::string disagreement;      ///< in words
};

/// `expected`: how many true ones there must be. `floor`: smaller failures are rounding and all alike.
Separation separate(const std::vector<double>& failures, Index expected, double floor);

/// The margin, and a disagreement as a warning.
void report(const Separation& separation, Spectrum& spectrum);

}  // namespace stillpoint
