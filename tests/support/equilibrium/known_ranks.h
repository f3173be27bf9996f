// Seeded mechanisms whose rank is known from how they are put together.
//
// A tree of joints adds all its equations to the rank. On it stand parts whose surplus is known for geometric reasons:
// a second hinge on the same axis, a weld beside a weld, links that are parallel and equal, plane loops of hinges in
// space, a bar between two points of one body, more struts than a platform has freedoms, all distances within a set of
// points.
#pragma once

#include <cstdint>
#include <string>

#include "stillpoint/sparse.h"

namespace stillpoint {

struct KnownRank {
  std::string text;  ///< the model file; even seeds are in the plane, odd ones in space
  Index rank = 0, constraints = 0;
};

struct KnownRankOptions {
  int digits = 0;      ///< to which all lengths (m) and angles are rounded; 0: not at all
  double unit = 1;     ///< how many units of length a metre has: 1000 for millimetres
  int bodies = 6;      ///< of the tree, at most
  int redundant = 20;  ///< equations, about at most
};

/// The same seed gives the same mechanism, whatever its digits and unit.
KnownRank known_rank(std::uint64_t seed, const KnownRankOptions& options = {});

}  // namespace stillpoint
