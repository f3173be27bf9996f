// Compiles the tree of a model file into templates. Everything is refused here that is wrong for any values of the
// parameters.
#pragma once

#include <memory>

#include "read/model_template.h"

namespace stillpoint {

/// The tree must outlive what is returned. Throws Error with file, line and column.
std::unique_ptr<ModelTemplate> compile_model(const Tree& root, const std::string& file,
                                             const std::vector<EntryType>& more_types);

}  // namespace stillpoint
