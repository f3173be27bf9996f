#include "forms/prescribed_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/name_list.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

// Null vectors are accurate to about the root of the rounding unit if the geometry is rounded; a real contradiction is
// as large as G itself.
constexpr double consistent_part = 1e-6;

// Entries that are nothing but rounding of the other entries of their column contradict nothing.
constexpr double rounding_of_column = 64 * std::numeric_limits<double>::epsilon();

std::string names_in(const SparseMatrix& vectors, Index column, const NameOf& name) {
  std::vector<std::string> names;
  for (SparseMatrix::InnerIterator entry(vectors, column); entry; ++entry) {
    names.push_back("'" + name(static_cast<Index>(entry.row())) + "'");
  }
  return name_list(names);
}

}  // namespace

void require_consistent_motion(const LinearSystem& system) {
  const SparseMatrix& nu = system.rows.null_vectors;
  if (system.G.nonZeros() == 0 || nu.cols() == 0) return;
  const SparseMatrix transposed = nu.transpose();
  const SparseMatrix product = transposed * system.G, magnitudes = transposed.cwiseAbs() * system.G.cwiseAbs();
  for (Index j = 0; j < product.outerSize(); ++j) {
    double largest = 0;
    for (SparseMatrix::InnerIterator entry(system.G, j); entry; ++entry)
      largest = std::max(largest, std::abs(entry.value()));
    for (SparseMatrix::InnerIterator entry(product, j); entry; ++entry) {
      const Index i = static_cast<Index>(entry.row());
      const double allowed =
          consistent_part * magnitudes.coeff(i, j) + rounding_of_column * largest * nu.col(i).cwiseAbs().sum();
      if (std::abs(entry.value()) <= allowed) continue;
      throw Error(
          fmt::format("input '{}' cannot be chosen freely: it prescribes motion that the constraints {} exclude, "
                      "which depend on each other",
                      system.input_name(j), names_in(nu, i, system.constraint_name)));
    }
  }
}

}  // namespace stillpoint
