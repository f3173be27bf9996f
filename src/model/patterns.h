// Sparsity patterns of the matrices of a model, which models share that differ in numbers only.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>

#include "stillpoint/assembly.h"

namespace stillpoint {

struct Patterns {
  std::once_flag is_found;
  Matrices at_rest;  ///< zeros

  std::mutex mutex;                                                 ///< of the following
  std::map<std::size_t, std::shared_ptr<const Matrices>> of_array;  ///< those of single arrays that have been asked for
};

std::shared_ptr<Patterns> new_patterns();

/// Whether elements that are to stand in the place of one of the model's arrays have entries in the same places of all
/// matrices.
bool have_same_patterns(const Model& model, std::size_t array, const ElementArrayBase& others);

}  // namespace stillpoint
