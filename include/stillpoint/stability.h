// Stability of the equilibrium: from the energy where that decides, from the spectrum otherwise, theory (8.1).
#pragma once

#include "stillpoint/find_modes.h"

namespace stillpoint {

enum class Stability {
  asymptotically_stable,
  stable,       ///< K_r > 0, and no force supplies energy; some motions, or all, need not decay
  oscillatory,  ///< Re s = 0 by structure
  neutral,      ///< rigid-body motion
  growing,      ///< a motion of zero eigenvalues grows like t² or faster
  unstable,
  undecided
};

/// "asymptotically stable", "stable (conservative)", ...
const char* to_words(Stability stability);

struct Verdict {
  Stability stability = Stability::undecided;
  std::string basis;         ///< "energy" or "spectrum"
  std::string reason;        ///< one sentence with the numbers
  std::string manner{};      ///< how it is stable: "some motions do not decay"; empty: as the word for `stability` says
  Index unstable_roots = 0;  ///< number of eigenvalues with Re s > 0 beyond their error bounds
  Index hidden_roots = 0;    ///< number of those whose sign of Re s is hidden by rounding and not decided by the energy
  double largest_real = Mode::unset;  ///< largest Re s of the true eigenvalues
};

/// "stable (some motions do not decay)", as `to_words` where there is no more to say.
std::string in_words(const Verdict& verdict);

/// Judges by what was counted over all eigenvalues, whatever part of the spectrum is known; if nothing was counted, by
/// that part.
Verdict judge_part(const Spectrum& spectrum);

/// `spectrum` is that of the minimal form; at a singular configuration it is that of one branch.
Verdict judge(const MinimalForm& form, const Spectrum& spectrum);

/// The verdict on a system whose configuration is regular, from what one engine found: from the energy and what was
/// counted where that is a part of the spectrum, from all eigenvalues where these are known.
Verdict judge(ModeFinder& finder, const FoundModes& found);

}  // namespace stillpoint
