// The contribution of a single element to the stiffness matrix K.
#pragma once

#include "stillpoint/assembly.h"
#include "stillpoint/detail/sink.h"

namespace stillpoint {

/// The stiffness of an element on the coordinates of its places.
struct ElementStiffness {
  std::vector<Index> coordinates;  ///< ascending
  Eigen::MatrixXd K;               ///< without the contribution BᵀDB of its strains
  StrainRows strains;              ///< rows of B and D, in all coordinates

  /// Re xᴴ K y, strains included.
  double product(const Eigen::Ref<const Eigen::VectorXcd>& x, const Eigen::Ref<const Eigen::VectorXcd>& y) const;
};

class ElementStiffnesses {
 public:
  /// Evaluates elements at rest; model and state must outlive it. An object serves one thread.
  ElementStiffnesses(const Model& model, const State& state);

  /// `lambda` are the multipliers of the element's own equations; it may be null if the element has none.
  ElementStiffness of(std::size_t array, Index element, const double* lambda);

 private:
  void prepare_scratch(const std::vector<Index>& coordinates);

  const Model& model_;
  Context context_;
  SparseMatrix scratch_;  ///< receives the entries of the element; only the columns of the element are valid
};

}  // namespace stillpoint
