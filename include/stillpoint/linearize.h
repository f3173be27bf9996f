// Linearization of a model at an equilibrium: the matrices of theory (1.2) and (1.3).
//
//   const Equilibrium rest = find_equilibrium(model);
//   const LinearSystem system = linearize(model, rest);
#pragma once

#include "stillpoint/equilibrium.h"
#include "stillpoint/linear_system.h"

namespace stillpoint {

struct LinearizeOptions {
  bool off_equilibrium = false;  ///< linearize although the state is not an equilibrium
};

/// Evaluates the matrices at the equilibrium, with multipliers, independent rows, names and outputs. Throws Error, with
/// the residual and the coordinate where it is largest, if the state is not an equilibrium and the options do not allow
/// that.
LinearSystem linearize(const Model& model, const Equilibrium& rest, const LinearizeOptions& options = {});

/// The equilibrium of the penalty system, f(q) − Jᵀ Ξ Ω Φ(q) = 0, theory (2.3): a small violation of the constraints
/// carries the load. Newton's method starts from the equilibrium of the constrained system.
struct PenaltyEquilibrium {
  bool converged = false;
  std::string message;          ///< the reason if it has not converged
  State state;                  ///< with the multipliers λ* = Ξ Ω Φ
  double residual = 0;          ///< force residual, relative to the forces
  double largest_residual = 0;  ///< max |Φ|, each in its own unit
  int iterations = 0;
};

/// `alpha` is the diagonal of Ξ, one factor for each constraint, and Ω = ω². Throws Error if `rest` is not at rest.
PenaltyEquilibrium find_penalty_equilibrium(const Model& model, const Equilibrium& rest, const Eigen::VectorXd& alpha,
                                            double omega);

/// Evaluates the matrices at the penalty equilibrium, K with λ*, for penalty_form. The configuration type is that of
/// `rest`. Throws Error if the penalty equilibrium has not converged.
LinearSystem linearize(const Model& model, const Equilibrium& rest, const PenaltyEquilibrium& penalty);

/// The reduced stiffness K_r = −(∂Rᵀ/∂z) f − Rᵀ ∂f/∂z, theory (3.7), of [González 2017], eq. 16: it follows from
/// the forces and the derivative of a partitioned R alone, without multipliers. `independent` are the coordinates z.
/// The configuration must be regular.
Eigen::MatrixXd reduced_stiffness_without_multipliers(const Model& model, const State& state,
                                                      const std::vector<Index>& independent);

/// The distribution of the energy of a motion δq over the elements of the model.
///
/// The kinetic energy Re δqᴴ M δq is summed by body (point, scalar) over the body's own rows, so the coupling of two
/// bodies is divided equally between them. The potential energy Re δqᴴ K_e δq is summed by force element; constraints
/// whose forces contribute stiffness, ∂(Jᵀλ)/∂q, are listed as well, and weight is listed under the name of its body. A
/// share is an energy divided by the sum of all magnitudes: the magnitudes of the shares add up to 1, and a negative
/// share belongs to an element that drives the motion instead of restoring it. Names are unique: where a spring and a
/// joint have the same name, the type is added, "hinge (revolute)". Shares below 1e-6 of the largest, and those after
/// the first 10 000, are omitted.
struct EnergyShares {
  struct Share {
    std::string name;
    double share = 0;
  };
  std::vector<Share> kinetic, potential;  ///< the largest magnitude first
};
EnergyShares energy_shares(const Model& model, const State& state, const Eigen::VectorXcd& motion);
/// The energy shares of several motions, the columns, with one pass over the elements.
std::vector<EnergyShares> energy_shares_of_each(const Model& model, const State& state,
                                                const Eigen::MatrixXcd& motions);

}  // namespace stillpoint
