// The minimal form of a system next to one whose independent coordinates are known: they are kept as long as the
// entries of R, without units, are no more than twice the largest one where they were chosen.
//
// Any z with a regular J_D gives the same spectrum, and what rounding does to R grows with its entries.
#pragma once

#include <optional>
#include <vector>

#include "stillpoint/forms.h"

namespace stillpoint {

/// A partition, and the largest entry of R without units where it was chosen.
struct ChosenPartition {
  std::vector<Index> independent;
  double largest = 0;
};

struct MinimalFormNearby {
  MinimalForm form;
  ChosenPartition partition;  ///< the given one, or that which took its place
};

/// As minimal_form with its usual options, which chooses a partition where none is given, or that has become a bad one.
MinimalFormNearby minimal_form_nearby(const LinearSystem& system, const std::optional<ChosenPartition>& nearby);

}  // namespace stillpoint
