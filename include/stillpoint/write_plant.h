// A plant as a file for the tools of control engineers.
//
//   .mat     MATLAB and Octave (level 5): a struct `stillpoint`; docs/stillpoint_load.m makes an ss, dss, ... of it
//   .npz     NumPy: the same entries, those of a struct with a dot: "Offsets.x"
//   .json    the same entries
//   .mo      Modelica: a model with named inputs and outputs
//   FOLDER/  a Matrix Market file for each matrix, and model.json with all else
//
// Numbers come back bit for bit. What each entry is: docs/control.md.
#pragma once

#include <string>

#include "stillpoint/plant.h"

namespace stillpoint {

enum class PlantFormat { mat, npz, json, modelica, folder };

/// By the ending; a folder ends with a slash or is there already. Throws Error for an ending that is none of these.
PlantFormat plant_format(const std::string& path);

/// The file appears whole or not at all, and so do those of a folder together; an older one stays until then. Throws
/// Error if the parts of the plant do not fit together or are not finite, if the format cannot hold as much, and if
/// nothing can be written there.
void write_plant(const Plant& plant, const std::string& path);

}  // namespace stillpoint
