// Conclusions from the sparsity figures of a system: the comparison of forms in [González 2017], Table 6, and the
// recommended form.
#pragma once

#include "stillpoint/sparsity.h"

namespace stillpoint {

/// Fills in `properties`, `suits` and `advice` from the other members.
void advise(SparsityReport& report);

}  // namespace stillpoint
