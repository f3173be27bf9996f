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
  /// At rest; model and state must outlive it. For one thread: each has its own.
  ElementStiffnesses(const Model& model, const State& state);

  /// `lambda`: the multipliers of the element's own equations; may be null if it has none.
  ElementStiffness of(std::size_t array, Index element, const double* lambda);

 private:
  void make_room(const std::vector<Index>& coordinates);

  const Model& model_;
  Context context_;
  SparseMatrix room_;  ///< where the element puts its numbers: only its own columns are in order
};

}  // namespace stillpoint
