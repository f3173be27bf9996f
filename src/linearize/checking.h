// A linear system checked in place: its matrices are large, and sparse ones can only be copied.
#pragma once

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Makes zeros of matrices without a size. Throws Error if the sizes of the others disagree.
void agree_on_sizes(LinearSystem& system);

/// What `checked` does.
void check(LinearSystem& system, const RankOptions& options = {});

}  // namespace stillpoint
