// Models that take so much memory that a study keeps few of them at a time.
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

inline bool is_large(const Model& model) { return model.coordinates() > 10'000; }

}  // namespace stillpoint
