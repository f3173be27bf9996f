// NPZ of NumPy: a zip archive of arrays in NumPy's own format, stored without compression.
//
// Source: numpy.lib.format (NEP 1), version 1.0; PKWARE, APPNOTE.TXT 6.3, sections 4.3 and 4.4.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stillpoint {

using NpyShape = std::vector<std::int64_t>;

/// An array in column-major order, as in Eigen; `type` is NumPy's, such as "<f8".
std::string npy(const std::string& type, const NpyShape& shape, const std::string& bytes);
std::string npy_reals(const NpyShape& shape, const double* values, std::int64_t count);
/// Texts in UTF-32, padded to the length of the longest.
std::string npy_texts(const std::vector<std::string>& texts, const NpyShape& shape);

struct NpzMember {
  std::string name, content;
};
/// Throws Error if the archive would exceed what its format holds.
std::string npz(const std::vector<NpzMember>& members);

}  // namespace stillpoint
