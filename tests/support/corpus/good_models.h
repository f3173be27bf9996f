// Seeded models that an engineer could have written, as YAML: in the plane and in space, chains, trees and closed
// loops. Where things stand in the guess is computed here, so that every constraint holds there.
#pragma once

#include <cstdint>
#include <string>

namespace stillpoint {

/// The same seed gives the same text; even seeds are in the plane, odd ones in space. Masses are between 0.5 and 5 kg,
/// lengths between 0.1 and 3 m.
std::string good_model(std::uint64_t seed);

}  // namespace stillpoint
