// Sparsity patterns of the matrices of a model, which models share that differ in numbers only.
#pragma once

#include <mutex>

#include "stillpoint/assembly.h"

namespace stillpoint {

struct Patterns {
  std::once_flag is_found;
  Matrices at_rest;  ///< zeros
};

std::shared_ptr<Patterns> new_patterns();

/// Whether elements that stand in the place of others have entries in the same places of all matrices.
bool have_same_patterns(const Model& model, const ElementArrayBase& elements, const ElementArrayBase& others,
                        Index first_row);

}  // namespace stillpoint
