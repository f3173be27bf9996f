// Makes a model from a compiled model file and values of its parameters: evaluates the templates stage by stage, in
// every round of a repetition, into a ModelBuilder.
#pragma once

#include <cstdint>

#include "read/model_template.h"
#include "stillpoint/model_family.h"

namespace stillpoint {

/// Throws Error if a value is given for a parameter that the file does not have.
void refuse_unknown(const ModelTemplate& compiled, const Parameters& given);

/// Later values replace earlier ones of the same parameter. Throws Error with file, line and column.
Model expand(ModelTemplate& compiled, const Parameters& given, std::int64_t most_things);

/// The parameters with their values and bounds.
std::vector<ModelParameter> parameters_of(ModelTemplate& compiled, const Parameters& given);

}  // namespace stillpoint
