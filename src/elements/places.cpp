#include "stillpoint/places.h"

#include <algorithm>

namespace stillpoint {

Index block_of(const Context& context, CoordinateOf place) {
  if (place.coordinate == nothing) return on_ground;
  const Block* const end = context.blocks + context.block_count;
  const Block* const after = std::upper_bound(context.blocks, end, place.coordinate,
                                              [](Index c, const Block& block) { return c < block.first; });
  return static_cast<Index>(after - context.blocks) - 1;
}

}  // namespace stillpoint
