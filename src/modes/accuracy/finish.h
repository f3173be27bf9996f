// Final steps that are common to all forms: sorting, multiplicities, normalisation, selection, certification.
#pragma once

#include "modes/dense/quadratic_modes.h"
#include "modes/problem/bordered_problem.h"
#include "modes/tolerances.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// Scales the largest entry of the shape to 1, and then the left vector so that yᴴ (2sM + C) x = 1 where that is
/// possible.
void normalise(Mode& mode, const BorderedProblem& problem);

/// Returns the conjugate, which is a mode of the same real system.
Mode conjugate(Mode mode);
/// Tells whether mode i is the conjugate of the one before it, and of its kind.
bool is_second_of_pair(const std::vector<Mode>& modes, std::size_t i);
/// Returns a mode for each pair, in which conjugate copies are made from the mode before them.
std::vector<Mode> with_conjugate_copies(std::vector<Mode> different, const std::vector<Eigenpair>& pairs);

/// Sets the `count` smallest true eigenvalues to exactly zero; their magnitude joins their error. Returns the reason
/// why that is uncertain: empty, unless they are not small relative to the others.
std::string put_structural_zeros(Spectrum& spectrum, Index count);

/// Adds the text as a warning and makes the spectrum uncertified; does nothing if the text is empty.
void mark_uncertified(Spectrum& spectrum, Uncertified reason);
void mark_uncertified(Spectrum& spectrum, Uncertified reason, const std::string& text);

/// The reason why an error bound that is nearly as large as its eigenvalue makes a spectrum uncertain; empty if there
/// is none. Values that nearly coincide have such bounds, and slow motions that are lost in the rounding of fast ones.
std::string reason_about_loose_bounds(const std::vector<Mode>& modes, double loose = tolerance::loose_bound);

/// Formats the radius of a region around `centre` with as many digits as separate it from the modes inside, at least
/// six.
std::string edge_in_digits(double radius, const std::vector<Mode>& modes, std::complex<double> centre = 0);

/// Sorts the modes, equalises the error bounds of defective eigenvalues, counts, and keeps what the options request.
void finish(Spectrum& spectrum, const LinearSystem& system, const BorderedProblem& problem,
            const ModesOptions& options);
/// Only keeps what the options request.
void keep_selected(Spectrum& spectrum, const ModesOptions& options);

/// Throws Error if a dense problem of this order is out of reach.
void require_dense_order(Index order, const char* what);

}  // namespace stillpoint
