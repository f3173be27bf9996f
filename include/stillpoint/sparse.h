// The sparse matrix type of the library: compressed columns with 32-bit indices.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>

namespace stillpoint {

using Index = std::int32_t;
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

}  // namespace stillpoint
