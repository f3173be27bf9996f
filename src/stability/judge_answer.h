// The verdict from a part of the spectrum that no finder has found: the answer of another program.
#pragma once

#include "stillpoint/stability.h"

namespace stillpoint {

/// Judges by what was counted over all eigenvalues, or else by this part, and by the growth of motions at zero. The
/// configuration must be regular.
Verdict judge_answer(const LinearSystem& system, const Spectrum& spectrum);

}  // namespace stillpoint
