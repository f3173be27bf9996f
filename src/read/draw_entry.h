// The entry of model files for shapes that are drawn.
#pragma once

#include "read/entries.h"

namespace stillpoint {

EntryType plane_draw_type();
EntryType space_draw_type();

}  // namespace stillpoint
