// Plants from a linear system: the forms that control design works with.
//
//   const LinearSystem system = linearize(model, find_equilibrium(model));
//   const Plant plant = state_space(system);
//
// Outputs are exact, feedthrough included: with J p = h the reaction h λ is pᵀ (F δu − M δq̈ − C δq̇ − K δq), and
// accelerations come from the equations of motion (T41). Prescribed motion needs its rates as channels of their own:
// w = (u, u̇, ü), of which only those are there that something depends on.
#pragma once

#include "stillpoint/forms.h"
#include "stillpoint/plant.h"

namespace stillpoint {

class Model;
struct Spectrum;

/// The system with some of its inputs and outputs, in this order; empty: all. An output may also be the name of a
/// coordinate, which is then shown, and an input too: then it is a force on that coordinate, in the direction in which
/// it grows. Throws Error for a name that is neither, with the nearest one.
LinearSystem with_channels(const LinearSystem& system, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs);

struct PlantOptions {
  MinimalOptions minimal{};
  /// A reaction that redundant constraints leave undetermined: the one of least norm, and a note, in place of an Error.
  bool minimum_norm_reactions = false;
  Index largest = 1500;             ///< freedoms of a state space, which is dense
  bool poles = true;                ///< find them, and the frequencies of `check`, which keep away from them
  const Spectrum* modes = nullptr;  ///< of the system, where they are known already; else they are found
};

/// x = (z, ż), MCS: ẋ = A x + B w, y = C x + D w. Freedoms without mass have no rate among the states; those without
/// damping as well are no state at all: they follow the others at once.
/// Throws Error if the system is too large, if a reaction is not determined, if a motion without mass cannot be
/// eliminated coordinate by coordinate, and if an output would need a higher derivative of an input than the second.
Plant state_space(const LinearSystem& system, const PlantOptions& options = {});
/// From given coordinates z, δq = R z + S u, which may be fewer than there are freedoms: Galerkin's approximation.
Plant state_space(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options = {});

/// M_r z̈ + C_r ż + K_r z = B w, y = F z + G ż + D w: MCS, sparse as far as R is. M_r may be singular; throws Error if
/// an output needs an acceleration of what has no mass.
Plant second_order(const LinearSystem& system, const PlantOptions& options = {});
Plant second_order(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options = {});

/// E ẋ = A x + B u, RCS: x = (q, q̇, λ), and q̈ of those coordinates whose acceleration an output needs. Any size.
Plant descriptor(const LinearSystem& system, const PlantOptions& options = {});

/// x = (q, q̇), UCS: explicit, of order 2n, approximate. Its notes tell how far poles and responses are off.
Plant explicit_penalty(const LinearSystem& system, const PenaltyOptions& penalty = {},
                       const PlantOptions& options = {});

/// The same, corrected (T45): the multipliers are iterated until nothing is left of the compliance of the constraints.
/// Responses and poles are those of the mechanism, to rounding; the poles of the method are roots of s² + 2ξω s + ω²,
/// and no input moves them. Its notes tell what was measured. Throws Error if a motion has no mass.
Plant corrected_penalty(const LinearSystem& system, const PenaltyOptions& penalty = {},
                        const PlantOptions& options = {});

/// The plant with units of states, inputs and outputs where the model tells them, or where they follow: a scalar that
/// an `angle` sets is one, an input that a force is multiplied by is one if the force is 1 without it. `plant` may be
/// reduced.
Plant with_units(Plant plant, const Model& model);

}  // namespace stillpoint
