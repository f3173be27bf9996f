#include "linearize/free_stiffness.h"

#include <algorithm>

#include "base/at.h"

namespace stillpoint {

namespace {

struct RowOwner {
  std::size_t array = 0;
  Index element = 0;
};

/// Identifies the element that owns a constraint equation.
RowOwner owner_of_row(const Model& model, Index row) {
  for (std::size_t array = 0; array < model.arrays().size(); ++array) {
    const ModelArray& of_type = model.arrays()[array];
    const Index rows = of_type.elements->rows(), offset = row - of_type.first_row;
    if (rows > 0 && offset >= 0 && offset < rows * of_type.elements->size()) return {array, offset / rows};
  }
  throw std::invalid_argument("no constraint has this row");
}

using Triplets = std::vector<Eigen::Triplet<double, Index>>;

// K is affine in the multipliers: the result is the stiffness with the multipliers less that without.
void add_difference(const ElementStiffness& with, const ElementStiffness& without, Triplets& triplets) {
  const auto size = static_cast<Eigen::Index>(with.coordinates.size());
  for (Eigen::Index j = 0; j < size; ++j) {
    for (Eigen::Index i = 0; i < size; ++i) {
      const double value = with.K(i, j) - without.K(i, j);
      if (value != 0) triplets.emplace_back(with.coordinates[at(i)], with.coordinates[at(j)], value);
    }
  }
}

}  // namespace

std::vector<SparseMatrix> free_stiffness(const Model& model, const State& state, const SparseMatrix& null_vectors) {
  std::vector<SparseMatrix> found;
  if (null_vectors.cols() == 0) return found;
  ElementStiffnesses stiffness(model, state);
  std::vector<double> multipliers;
  for (Index k = 0; k < null_vectors.cols(); ++k) {
    Triplets triplets;
    for (SparseMatrix::InnerIterator entry(null_vectors, k); entry;) {
      const RowOwner owner = owner_of_row(model, static_cast<Index>(entry.row()));
      const ModelArray& of_type = model.arrays()[owner.array];
      const Index rows = of_type.elements->rows(), first = of_type.first_row + owner.element * rows;
      multipliers.assign(at(rows), 0);
      const ElementStiffness without = stiffness.of(owner.array, owner.element, multipliers.data());
      for (; entry && entry.row() < first + rows; ++entry) multipliers[at(entry.row() - first)] = entry.value();
      add_difference(stiffness.of(owner.array, owner.element, multipliers.data()), without, triplets);
    }
    SparseMatrix& form = found.emplace_back(model.coordinates(), model.coordinates());
    form.setFromTriplets(triplets.begin(), triplets.end());
  }
  return found;
}

}  // namespace stillpoint
