// Filter of spurious eigenvalues by constraint violation, residual and eigenvalue count, theory (7.1).
#pragma once

#include <string>
#include <vector>

#include "stillpoint/modes.h"

namespace stillpoint {

/// How far a candidate is from a motion of the mechanism: 0 for a perfect one, of the order 1 for a spurious one.
struct Failure {
  double value = 0;
  double tie_breaker = 0;  ///< decides where the values are rounding only: larger is worse
};

struct Separation {
  std::vector<ModeClass> by_count;  ///< class of each candidate by the count alone: those that fail least are true
  std::vector<ModeClass> kinds;     ///< the same, but undecided where the numbers contradict it
  double margin = 0;                ///< least value of the spurious candidates over the largest of the true ones
  bool agrees = true;               ///< the count, the widest gap and the failures agree
  std::string disagreement;         ///< reason in words
};

/// Separates true from spurious candidates. `expected` is the number of true ones; failures below `floor` are rounding
/// and count as equal.
Separation separate(const std::vector<Failure>& failures, Index expected, double floor);

/// Takes over the margin; a disagreement makes the spectrum uncertified.
void report(const Separation& separation, Spectrum& spectrum);

}  // namespace stillpoint
