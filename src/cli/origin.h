// Where a file comes from: told in the file.
#pragma once

#include <string>

#include "stillpoint/plant.h"

namespace stillpoint::cli {

/// As it can be typed into a shell again.
std::string command_line(int argc, const char* const* argv);

/// The version, that command, the time now (UTC), and the SHA-256 of the model file; of a folder of matrices that of
/// its .mtx files and model.json one after the other, as `cat FOLDER/*.mtx FOLDER/model.json | sha256sum` has it.
Plant::Origin origin_of(const std::string& model, const std::string& command);

}  // namespace stillpoint::cli
