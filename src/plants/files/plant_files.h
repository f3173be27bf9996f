// The file formats of plants. Each is implemented in one source file.
#pragma once

#include <string>

#include "stillpoint/plant.h"

namespace stillpoint {

/// These functions return the content of the file. They throw Error if the format cannot hold the plant.
std::string to_mat(const Plant& plant);
std::string to_npz(const Plant& plant);
std::string to_plant_json(const Plant& plant);
std::string to_modelica(const Plant& plant);

/// Writes the folder. Throws Error if it cannot be written, or if the folder contains other matrices or a model.
void write_plant_folder(const Plant& plant, const std::string& folder);

}  // namespace stillpoint
