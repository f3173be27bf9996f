// The entry of model files for flexible bodies given by matrices.
#pragma once

#include "read/entries.h"

namespace stillpoint {

EntryType flexible_body_type();

}  // namespace stillpoint
