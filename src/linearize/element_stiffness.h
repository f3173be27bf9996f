// The stiffness of one element at a time, out of the sum that K is.
#pragma once

#include "stillpoint/assembly.h"

namespace stillpoint {

/// Of an element, on the coordinates of what it holds on to.
struct ElementStiffness {
  std::vector<Index> coordinates;  ///< ascending
  Eigen::MatrixXd K;               ///< without what its strains make of it
  StrainRows strains;              ///< in all coordinates

  /// xᴴ K y, strains included, its real part.
  double product(const Eigen::Ref<const Eigen::VectorXcd>& x, const Eigen::Ref<const Eigen::VectorXcd>& y) const;
};

class ElementStiffnesses {
 public:
  /// At rest; model and state must outlive it.
  ElementStiffnesses(const Model& model, const State& state);

  /// Of the whole model; before any element is asked for.
  const SparseMatrix& M() const { return matrices_.M; }
  /// `lambda`: the multipliers of the element's own equations; may be null if it has none.
  ElementStiffness of(std::size_t array, Index element, const double* lambda);

 private:
  double* find(Index row, Index column);  // of K; null if there is no such entry

  const Model& model_;
  Context context_;
  Matrices matrices_;  // where the elements put their numbers; K is zero in between, nobody looks at the others
};

}  // namespace stillpoint
