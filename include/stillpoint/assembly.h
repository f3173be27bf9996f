// Forces, constraint residuals and the matrices of the linear system at a state of a model, theory (1.1) and (1.4):
//
//   M(q) v̇ + J(q)ᵀ λ = f(q, v, u),   Φ(q, u) = 0
//   M = ∂r/∂v̇,  C = ∂r/∂v,  K = ∂r/∂q,  F = −∂r/∂u,  J = ∂Φ/∂q,  G = −∂Φ/∂u,   r = inertia + Jᵀλ − f
//
// All derivatives are exact (automatic differentiation). No symmetry is assumed: follower forces and, in motion,
// gyroscopic terms are unsymmetric.
#pragma once

#include "stillpoint/model.h"
#include "stillpoint/strains.h"

namespace stillpoint {

/// Potential energy of all springs, weights and dead loads (J).
double potential_energy(const Model& model, const State& state);

/// Generalised applied forces f(q, v, u), without the constraint forces.
Eigen::VectorXd applied_forces(const Model& model, const State& state);

/// Generalised inertia forces: M(q) a and the terms quadratic in v.
Eigen::VectorXd inertia_forces(const Model& model, const State& state);

/// Residual Φ(q, u) of the constraints.
Eigen::VectorXd constraint_residual(const Model& model, const State& state);

/// The part of Φ̈ that is quadratic in the rates, (d²/dτ²) Φ(q ⊕ vτ, u + u̇τ) at τ = 0, so that Φ̈ = J v̇ − G ü + this.
/// Empty rates of the inputs are zero.
Eigen::VectorXd constraint_curvature(const Model& model, const State& state, const Eigen::VectorXd& input_rates = {});

/// The same derivative of third order, which decides the accelerations in a singular configuration, theory (13.6).
Eigen::VectorXd constraint_third_derivative(const Model& model, const State& state);

/// ½ vᵀ M v (J).
double kinetic_energy(const Model& model, const State& state);

struct Matrices {
  SparseMatrix M, C, K;  ///< n × n
  SparseMatrix J;        ///< m × n
  SparseMatrix F;        ///< n × inputs
  SparseMatrix G;        ///< m × inputs
};

/// Splits K at rest into K₀ + BᵀDB, theory (11.3); K itself is given for its sparsity pattern. The result is empty if
/// no strains are linear.
Strains find_strains(const Model& model, const State& state, const SparseMatrix& K);

/// Evaluates the matrices at a sequence of states; their sparsity patterns are found once and never change.
class Assembly {
 public:
  enum class Motion { at_rest, moving };

  /// At rest, K and C omit the contributions of the inertia forces in motion; a moving state is then refused.
  explicit Assembly(const Model& model, Motion motion = Motion::at_rest);

  /// The matrices at a state; valid until the next call. `sizes` receives for each entry of K the sum of the magnitudes
  /// of its terms, one per element.
  const Matrices& at(const State& state, Eigen::ArrayXd* sizes = nullptr);

 private:
  Model model_;
  Motion motion_;
  Matrices matrices_;
};

enum class InertiaPart;
struct PartOfArray;

/// M, J and G at a sequence of states: what accelerations need, without second derivatives. Inertia that does not
/// depend on the state is computed once.
class MotionAssembly {
 public:
  explicit MotionAssembly(const Model& model);

  struct Parts {
    SparseMatrix M, J, G;
  };
  /// Valid until the next call. Multipliers, rates and accelerations of the state have no influence.
  const Parts& at(const State& state);
  const Parts& parts() const { return parts_; }

 private:
  void add(const State& state, InertiaPart inertia);

  using Rounds = std::vector<std::vector<PartOfArray>>;

  Model model_;
  Parts parts_;
  Eigen::ArrayXd constant_inertia_;       ///< entries of M
  std::shared_ptr<const Rounds> rounds_;  ///< of elements, where there are many
};

}  // namespace stillpoint
