// Places in arrays: the library counts with an Index (and Eigen, and sums of counts, with 64 bits), the standard
// containers with a size_t.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stillpoint {

/// The same number, which must not be negative, as a subscript or a size.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace stillpoint
