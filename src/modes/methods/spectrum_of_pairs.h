// The spectrum of eigenpairs that an engine has found: residuals, error bounds, zeros, classes and the count.
//
// All sparse engines end here, those of another program too. What is certified follows from what the pairs say about
// their region and its count, and from the vectors; no eigenvalue is taken over from an engine without its vector.
#pragma once

#include <string>

#include "modes/damped/toar_search.h"
#include "modes/undamped/shifted_lanczos.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// Of a conservative system, with |s| below an edge or in a band. `pencil` belongs to `problem`.
Spectrum spectrum_of_pairs(const LinearSystem& system, const BorderedProblem& problem, ConservativePencil& pencil,
                           const ConservativePairs& found, const std::string& solver, const ModesOptions& options);
/// The same near a point off the real axis. Returns nothing if an unstable eigenvalue may be as near.
std::optional<Spectrum> spectrum_of_pairs_near(const LinearSystem& system, const BorderedProblem& problem,
                                               ConservativePencil& pencil, const ConservativePairs& found,
                                               const std::string& solver, const ModesOptions& options);
/// Of a system of any kind.
Spectrum spectrum_of_pairs(const LinearSystem& system, const BorderedProblem& problem, const QuadraticPencil& pencil,
                           QuadraticPairs found, const ModesOptions& options);

}  // namespace stillpoint
