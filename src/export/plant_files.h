// The formats of plants, one file of code each.
#pragma once

#include <string>

#include "stillpoint/plant.h"

namespace stillpoint {

/// The bytes of the file. Throw Error if the format cannot hold as much.
std::string to_mat(const Plant& plant);
std::string to_npz(const Plant& plant);
std::string to_plant_json(const Plant& plant);
std::string to_modelica(const Plant& plant);

/// Throws Error if it cannot be written, or if the folder is something else.
void write_plant_folder(const Plant& plant, const std::string& folder);

}  // namespace stillpoint
