#include "stillpoint/authoring/places.h"

#include <algorithm>

namespace stillpoint {

Index owner_of(std::span<const Block> blocks, Index coordinate) {
  const auto after = std::upper_bound(blocks.begin(), blocks.end(), coordinate,
                                      [](Index c, const Block& block) { return c < block.first; });
  return static_cast<Index>(after - blocks.begin()) - 1;
}

Index block_of(const Context& context, CoordinateOf place) {
  if (place.coordinate == nothing) return on_ground;
  return owner_of({context.blocks, static_cast<std::size_t>(context.block_count)}, place.coordinate);
}

}  // namespace stillpoint
