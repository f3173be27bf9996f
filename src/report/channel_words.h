// Names in reports on inputs, outputs and what moves.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// The names of so many channels.
std::vector<std::string> names_of_channels(Index count, const NameOf& name);

/// The coordinate that moves most in a shape; empty without one.
std::string leading_coordinate(const Eigen::VectorXcd& shape, const LinearSystem& system);

}  // namespace stillpoint
