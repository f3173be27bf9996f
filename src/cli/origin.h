// The record of origin that is written into an exported file.
#pragma once

#include <string>

#include "stillpoint/plant.h"

namespace stillpoint::cli {

/// Returns the command line in a form that can be typed into a shell again.
std::string command_line(int argc, const char* const* argv);

/// Returns the version, the command, the present time (UTC), and the SHA-256 of the model file. The SHA-256 of a folder
/// of matrices is that of its .mtx files and model.json one after the other, as
/// `cat FOLDER/*.mtx FOLDER/model.json | sha256sum` prints it.
Plant::Origin origin_of(const std::string& model, const std::string& command);

}  // namespace stillpoint::cli
