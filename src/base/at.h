// Places in arrays: the library counts with an Index, the standard containers with a size_t.
#pragma once

#include <cstddef>

#include "stillpoint/sparse.h"

namespace stillpoint {

/// The same number, which must not be negative, as a subscript.
constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace stillpoint
