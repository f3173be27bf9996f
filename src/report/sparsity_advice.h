// What the figures say: the summary of paper 000 (Table 6) for one system, and which method suits it.
#pragma once

#include "stillpoint/sparsity.h"

namespace stillpoint {

/// Fills in properties, suits and advice from the rest.
void advise(SparsityReport& report);

}  // namespace stillpoint
