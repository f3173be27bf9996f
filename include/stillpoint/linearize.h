// From a model at rest to its linear system.
//
//   const Equilibrium rest = find_equilibrium(model);
//   const LinearSystem system = linearize(model, rest);
#pragma once

#include "stillpoint/equilibrium.h"
#include "stillpoint/linear_system.h"

namespace stillpoint {

struct LinearizeOptions {
  bool off_equilibrium = false;  ///< linearize although the state is not at rest
};

/// The matrices at the rest position, with multipliers, rows, names and outputs. Throws Error, with the residual and
/// the coordinate where it is largest, if the state is no rest position and the options do not allow that.
LinearSystem linearize(const Model& model, const Equilibrium& rest, const LinearizeOptions& options = {});

/// The rest position of the penalty system, f(q) − Jᵀ Ξ Ω Φ(q) = 0, from that of the constrained one: a small violation
/// of the constraints carries the load (T6).
struct PenaltyEquilibrium {
  bool converged = false;
  std::string message;     ///< why not
  State state;             ///< with λ* = Ξ Ω Φ
  double residual = 0;     ///< relative to the forces
  double largest_gap = 0;  ///< max |Φ|, each in its own unit
  int iterations = 0;
};

/// `alpha`: Ξ, one for each constraint; Ω = ω². Throws Error if `rest` is not at rest.
PenaltyEquilibrium find_penalty_equilibrium(const Model& model, const Equilibrium& rest, const Eigen::VectorXd& alpha,
                                            double omega);

/// The matrices there, K with λ*: for penalty_form. What the constraints leave free is as at `rest`. Throws Error if it
/// has not converged.
LinearSystem linearize(const Model& model, const Equilibrium& rest, const PenaltyEquilibrium& penalty);

/// K_r as paper 000 prints it (eq. 16; T12), −(∂Rᵀ/∂z) f − Rᵀ ∂f/∂z, from the forces and the derivative of a
/// partitioned R alone, without multipliers. `independent` are the coordinates z. At a regular point.
Eigen::MatrixXd reduced_stiffness_without_multipliers(const Model& model, const State& state,
                                                      const std::vector<Index>& independent);

/// Where the energy of a motion δq is.
///
/// Kinetic, by body (point, scalar): Re δqᴴ M δq over its own rows, so that what couples two bodies is halved between
/// them. Potential, by force element: Re δqᴴ K_e δq; constraints whose forces hold stiffness, ∂(Jᵀλ)/∂q, count as
/// well, and weight counts under the name of its body. A share is that energy over the sum of all magnitudes: the
/// magnitudes add up to 1, and a negative share is of what drives the motion on instead of holding it back. No name is
/// there twice: where a spring and a joint have the same, what they are is added, "hinge (revolute)". Left out is what
/// has less than 1e-6 of the largest, and what comes after the first 10 000.
struct EnergyShares {
  struct Share {
    std::string name;
    double share = 0;
  };
  std::vector<Share> kinetic, potential;  ///< the largest magnitude first
};
EnergyShares energy_shares(const Model& model, const State& state, const Eigen::VectorXcd& motion);
/// Of several motions, the columns: in one go over the elements.
std::vector<EnergyShares> energy_shares_of_each(const Model& model, const State& state,
                                                const Eigen::MatrixXcd& motions);

}  // namespace stillpoint
