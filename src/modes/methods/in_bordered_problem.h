// The methods with a bordered problem that is there already, and that rates of the modes are taken from afterwards.
#pragma once

#include <optional>

#include "modes/methods/known_of_system.h"
#include "stillpoint/modes.h"
#include "stillpoint/system_structure.h"

namespace stillpoint {

/// The same as without the problem, which is that of the system with the summed stiffness.
Spectrum solve_modes(const LinearSystem& system, const MinimalForm& form, const ModesOptions& options,
                     const BorderedProblem& problem);
/// `passive`: whether neither M nor the symmetric part of C has a negative eigenvalue, where that is known. Motions
/// nearby, if given, are where the search begins, and become those of this system.
Spectrum solve_general(const LinearSystem& system, const ModesOptions& options, const BorderedProblem& problem,
                       std::optional<bool> passive = {}, MotionsNearby* nearby = nullptr);
/// With the structure of the system, and what else is known of it; null: nothing. A factored stiffness needs another
/// problem, which is made then.
Spectrum solve_some(const LinearSystem& system, const ModesOptions& options, const SystemStructure& structure,
                    KnownOfSystem* known);

}  // namespace stillpoint
