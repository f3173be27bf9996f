// The modes of a system by another program: nothing that it says is believed without a residual.
//
// Eigenvalues are the quotients of the vectors; a vector that does not solve the bordered problem, or depends on the
// others, is no mode. Inertia at the ends of the region counts what must be there.
#pragma once

#include "engines/engine_answer.h"
#include "stillpoint/find_modes.h"

namespace stillpoint {

/// Reads the answer in a folder that `EngineProblem::write` has written for the same system and options. Throws as
/// read_engine_answer.
FoundModes modes_by_engine(const LinearSystem& system, const ModesOptions& options, Method method,
                           const std::string& folder);

/// The same for a problem that was made from this system and these options.
FoundModes modes_by_engine(const LinearSystem& system, const EngineProblem& problem, const ModesOptions& options,
                           Method method, const std::string& folder);

/// The spectrum of an answer.
Spectrum spectrum_of_answer(const LinearSystem& system, const EngineProblem& problem, const EngineAnswer& answer,
                            const ModesOptions& options);

}  // namespace stillpoint
