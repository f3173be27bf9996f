// What all forms do with their eigenvalues in the end: sort them, name multiplicities, normalise vectors.
#pragma once

#include "modes/bordered_problem.h"
#include "modes/quadratic_modes.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// The largest entry of the shape becomes 1, and then yᴴ (2sM + C) x = 1 where that is possible.
void normalise(Mode& mode, const BorderedProblem& problem);

/// Of a system of real numbers a mode, too.
Mode conjugate(Mode mode);
/// Whether it is the conjugate of the one before it, and of its kind.
bool is_second_of_pair(const std::vector<Mode>& modes, std::size_t i);
/// One for each pair, from those of pairs that are not mirrored.
std::vector<Mode> with_mirrored(std::vector<Mode> different, const std::vector<Eigenpair>& pairs);

/// The `count` smallest true ones become exactly zero; what they were joins their error. Returns what is in doubt about
/// that: nothing, unless they are not small beside the others.
std::string put_structural_zeros(Spectrum& spectrum, Index count);

/// A warning, and the spectrum is not certain; nothing if there is no doubt.
void doubt(Spectrum& spectrum, const std::string& text);

/// The radius of a region around `centre`, with as many digits as part it from the modes in it, six at least.
std::string edge_in_digits(double radius, const std::vector<Mode>& modes, std::complex<double> centre = 0);

/// Sorts, gives those with one vector no shorter bars than each other's, counts, and keeps what the options ask for.
void finish(Spectrum& spectrum, const LinearSystem& system, const BorderedProblem& problem,
            const ModesOptions& options);
/// The last of these alone.
void keep_selected(Spectrum& spectrum, const ModesOptions& options);

/// Error if a dense problem of this order is out of reach.
void require_dense_order(Index order, const char* what);

}  // namespace stillpoint
