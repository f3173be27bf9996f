// Seeded mechanisms whose stable rest position is known without a solver, and starts that know nothing of it.
//
// Known means: in closed form (chains hang straight down, every body of a chain of hinged bodies hangs by its own first
// moment), from one linear system (springs without free length), or from one equation in one unknown (a chain between
// two nails). Hinges in space may close upside down, so chains on them have one stable rest for each choice. Linkages
// and buckled springs have several that are not known: of those only the verdict is.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

using Values = std::vector<std::pair<std::string, double>>;  ///< of coordinates, by name

struct KnownRest {
  std::string family;         ///< "chain of points", "four-bar"
  std::string text;           ///< the model file
  double extent = 1;          ///< how far it reaches (m)
  std::vector<Values> rests;  ///< all stable ones; empty if they are not known
  Index neutral = 0;          ///< directions in which it stays where it is put
};

/// The same seed gives the same mechanism.
KnownRest known_rest(std::uint64_t seed);
/// How many families there are: seeds of the same remainder by it are of one family.
std::uint64_t families_of_known_rests();

/// All coordinates at random: lengths within the extent of their guess, angles over a turn, bodies in space turned to
/// anywhere.
State random_start(const Model& model, double extent, std::uint64_t seed);

}  // namespace stillpoint
