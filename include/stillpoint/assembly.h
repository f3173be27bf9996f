// Forces, constraint residuals and the matrices of the linear system at a state of a model.
//
//   M(q) v̇ + J(q)ᵀ λ = f(q, v, u),   Φ(q, u) = 0                                           (mathematics §1)
//   M = ∂r/∂v̇,  C = ∂r/∂v,  K = ∂r/∂q,  F = −∂r/∂u,  J = ∂Φ/∂q,  G = −∂Φ/∂u,   r = inertia + Jᵀλ − f
//
// All derivatives are exact. Nothing is assumed symmetric: follower forces and, in motion, gyroscopic terms are not.
#pragma once

#include "stillpoint/model.h"
#include "stillpoint/strains.h"

namespace stillpoint {

/// Energy of all springs, weights and dead loads (J).
double potential_energy(const Model& model, const State& state);

/// Generalised forces f(q, v, u), without those of the constraints.
Eigen::VectorXd applied_forces(const Model& model, const State& state);

/// What the accelerations ask for: M(q) a and the terms quadratic in v.
Eigen::VectorXd inertia_forces(const Model& model, const State& state);

/// Φ(q, u).
Eigen::VectorXd constraint_residual(const Model& model, const State& state);

struct Matrices {
  SparseMatrix M, C, K;  ///< n × n
  SparseMatrix J;        ///< m × n
  SparseMatrix F;        ///< n × inputs
  SparseMatrix G;        ///< m × inputs
};

/// K at rest in two parts, given K itself for its pattern; empty if no strains are linear.
Strains find_strains(const Model& model, const State& state, const SparseMatrix& K);

/// Evaluates the matrices at one state after the other; their patterns are found once and never change.
class Assembly {
 public:
  enum class Motion { at_rest, moving };

  /// At rest, K and C leave out what the inertia forces add in motion; a moving state is then refused.
  explicit Assembly(const Model& model, Motion motion = Motion::at_rest);

  /// The matrices at a state; valid until the next call. `sizes`: of each entry of K the sum of the magnitudes of its
  /// terms, by elements.
  const Matrices& at(const State& state, Eigen::ArrayXd* sizes = nullptr);

 private:
  Model model_;
  Motion motion_;
  Matrices matrices_;
};

}  // namespace stillpoint
