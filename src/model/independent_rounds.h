// The elements of a model in parts, and these in rounds: no two parts of a round depend on the same coordinate, so that
// they can be evaluated at the same time, and sums do not depend on the number of threads.
#pragma once

#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

struct PartOfArray {
  const ModelArray* array = nullptr;  ///< of the model
  ElementRange range;
};

std::vector<std::vector<PartOfArray>> independent_rounds(const Model& model);

}  // namespace stillpoint
