// Plants as files for control design software.
//
// - .mat: MAT-file level 5 (MATLAB, Octave), a struct `stillpoint`; docs/stillpoint_load.m makes an ss, dss, ... of it
// - .npz: NPZ (NumPy), the same entries; an entry of a struct has a dot in its name: "Offsets.x"
// - .json: JSON, the same entries
// - .mo: Modelica, a model with named inputs and outputs
// - FOLDER/: a Matrix Market file for each matrix, and model.json with the other entries
//
// Numbers are read back exactly. docs/control.md describes each entry.
#pragma once

#include <string>

#include "stillpoint/plant.h"

namespace stillpoint {

enum class PlantFormat { mat, npz, json, modelica, folder };

/// Returns the format of a path by its ending. A folder ends with a slash or exists already. Throws Error for any other
/// ending.
PlantFormat plant_format(const std::string& path);

/// Writes the file, or all files of a folder, completely or not at all; an older one is replaced at the end. Throws
/// Error if the parts of the plant are inconsistent or not finite, if the format cannot hold the plant, and if the path
/// cannot be written.
void write_plant(const Plant& plant, const std::string& path);

}  // namespace stillpoint
