// Plants made from a linear system, in the forms that control design uses.
//
//   const LinearSystem system = linearize(model, find_equilibrium(model));
//   const Plant plant = state_space(system);
//
// Outputs are exact and include the feedthrough: with J p = h the reaction h λ is pᵀ (F δu − M δq̈ − C δq̇ − K δq), and
// accelerations follow from the equations of motion, theory (12.1). Prescribed motion has its derivatives as further
// channels w = (u, u̇, ü), as far as the plant depends on them.
#pragma once

#include "stillpoint/forms.h"
#include "stillpoint/plant.h"

namespace stillpoint {

class Model;
struct Spectrum;

/// Returns the system with some of its inputs and outputs, in this order; an empty list selects all. The name of a
/// coordinate as an output selects its motion, and as an input a force on it, positive in the direction of the
/// coordinate. Throws Error for any other name, with the nearest known one.
LinearSystem with_channels(const LinearSystem& system, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs);

struct PlantOptions {
  MinimalOptions minimal{};
  /// If redundant constraints leave a reaction undetermined, take the one of least norm and add a note; otherwise
  /// Error.
  bool minimum_norm_reactions = false;
  Index largest = 1500;             ///< degrees of freedom of a state space, which is dense
  bool poles = true;                ///< find the poles, from which the frequencies of `check` keep a distance
  const Spectrum* modes = nullptr;  ///< modes of the system if they are known already; null: they are found
};

/// Makes the state space of MCS, x = (z, ż): ẋ = A x + B w, y = C x + D w. The velocities of degrees of freedom without
/// mass are not states; degrees of freedom without mass and damping are no states at all, because they follow the
/// others algebraically. Throws Error if the system is too large, if a reaction is not determined, if a motion without
/// mass cannot be eliminated coordinate by coordinate, and if an output needs a higher derivative of an input than the
/// second.
Plant state_space(const LinearSystem& system, const PlantOptions& options = {});
/// Makes the state space in given coordinates z, δq = R z + S u; fewer than the degrees of freedom are a Galerkin
/// approximation.
Plant state_space(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options = {});

/// Makes the second-order form of MCS, M_r z̈ + C_r ż + K_r z = B w, y = F z + G ż + D w, as sparse as R permits. M_r
/// may be singular; throws Error if an output needs an acceleration of a motion without mass.
Plant second_order(const LinearSystem& system, const PlantOptions& options = {});
Plant second_order(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options = {});

/// Makes the descriptor form of RCS, E ẋ = A x + B u, of any size: x = (q, q̇, λ), and q̈ of those coordinates whose
/// acceleration an output needs.
Plant descriptor(const LinearSystem& system, const PlantOptions& options = {});

/// Makes the explicit state space of UCS, x = (q, q̇), of order 2n. It is approximate; its notes give the errors of
/// poles and responses.
Plant explicit_penalty(const LinearSystem& system, const PenaltyOptions& penalty = {},
                       const PlantOptions& options = {});

/// Makes the corrected state space of UCS, theory (12.3): the multipliers are iterated until the constraints have no
/// compliance. Responses and poles are those of the mechanism up to rounding; the poles of the method are roots of
/// s² + 2ξω s + ω² and not controllable. Its notes give the measured errors. Throws Error if a motion has no mass.
Plant corrected_penalty(const LinearSystem& system, const PenaltyOptions& penalty = {},
                        const PlantOptions& options = {});

}  // namespace stillpoint
