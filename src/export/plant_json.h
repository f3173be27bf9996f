// Entries of a plant as text.
#pragma once

#include <string>

#include "export/plant_record.h"

namespace stillpoint {

/// One object; numbers read back bit for bit.
std::string json_text(const PlantRecord& record);

}  // namespace stillpoint
