// Conversion of indices: the library counts with Index (Eigen and sums of counts with 64 bits), the standard containers
// with std::size_t.
#pragma once

#include <cstddef>
#include <cstdint>

namespace stillpoint {

/// Returns i as a subscript or size; i must not be negative.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace stillpoint
