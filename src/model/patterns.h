// Sparsity patterns of the matrices of a model, which models share that differ in numbers only.
#pragma once

#include <memory>
#include <mutex>

#include "stillpoint/assembly.h"

namespace stillpoint {

struct Patterns {
  std::once_flag is_found;
  Matrices at_rest;  ///< zeros
};

std::shared_ptr<Patterns> new_patterns();

/// K, J, F and G with their patterns at rest, filled with zeros; M and C are empty.
Matrices static_patterns(const Model& model);

}  // namespace stillpoint
