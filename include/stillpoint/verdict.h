// Is it stable? From the energy where that decides, from the spectrum otherwise (T24).
#pragma once

#include "stillpoint/modes.h"

namespace stillpoint {

enum class Stability {
  asymptotically_stable,
  stable,       ///< conservative, K_r > 0
  oscillatory,  ///< Re s = 0 by structure
  neutral,      ///< rigid-body motion
  unstable,
  undecided
};

/// "asymptotically stable", "stable (conservative)", ...
const char* to_words(Stability stability);

struct Verdict {
  Stability stability = Stability::undecided;
  std::string basis;         ///< "energy" or "spectrum"
  std::string reason;        ///< one sentence with the numbers
  Index unstable_roots = 0;  ///< eigenvalues with Re s > 0 beyond their error bars
  Index hidden_roots = 0;    ///< of which rounding hides the sign of Re s, where the energy does not tell it either
  double largest_real = Mode::unset;  ///< max Re s of the true eigenvalues
};

/// From what was counted, whatever part of the spectrum is known; if nothing was, from that part.
Verdict judge_part(const Spectrum& spectrum);

/// `spectrum` is that of the minimal form. At a singular configuration: of one branch.
Verdict judge(const MinimalForm& form, const Spectrum& spectrum);

}  // namespace stillpoint
