// Projection of displacements onto the constraints of a model, from one consistent state.
//
// Where the constraints are independent, the correction of a displacement d is normal to them at the state q₀,
//
//   Φ(q₀ ⊕ (d + W⁻¹J₀ᵀμ)) = 0
//
// [Potra & Rheinboldt 1991], so that the result is a smooth function of d. Newton's method keeps the factorisation of
//
//   [ W   J₀ᵀ ]
//   [ J   0   ]
//
// as long as it converges well with it. In a singular configuration J₀ has no full rank, while J has it beside q₀ on a
// branch; then each step is the least one that satisfies the linearized constraints (Gauss and Newton).
#pragma once

#include <memory>
#include <optional>

#include "algebra/lu/sparse_lu.h"
#include "stillpoint/assembly.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

class ConstraintProjection {
 public:
  /// `size` is the length to which residuals and coordinates are related (m).
  ConstraintProjection(const Model& model, const Equilibrium& rest, double size);

  struct Projected {
    Eigen::VectorXd increments;  ///< from the state at rest
    State state;
    double residual = 0;  ///< the largest entry of Φ, relative to its change when everything moves by the size
  };
  /// Projects increments of the state at rest; the search starts from `guess`, which must differ from them by a
  /// correction of the same kind, or be empty. Returns nothing where Newton's method does not converge.
  std::optional<Projected> project(const Eigen::VectorXd& increments, const Eigen::VectorXd& guess = {});

  /// Scales of the coordinates: the size for lengths, 1 for angles and scalars.
  const Eigen::VectorXd& scales() const { return scales_; }

 private:
  Eigen::VectorXd residual(const State& state) const;
  bool factor(const State& state);
  Eigen::VectorXd step(const Eigen::VectorXd& residual);
  SparseMatrix scaled_jacobian(const State& state);

  Model model_;
  State rest_;
  MotionAssembly assembly_;
  std::vector<char> in_use_;  // rows of J
  bool singular_ = false;
  Eigen::VectorXd scales_, weights_;  // of coordinates and of rows
  SparseMatrix jacobian_at_rest_, matrix_;
  std::unique_ptr<SparseLu> lu_;
};

}  // namespace stillpoint
