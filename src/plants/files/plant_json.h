// The entries of a plant as JSON text.
#pragma once

#include <string>

#include "plants/files/plant_record.h"

namespace stillpoint {

/// Returns one object. Numbers have enough digits to be read back exactly.
std::string json_text(const PlantRecord& record);

}  // namespace stillpoint
