// Thresholds of the eigenvalue solvers that decide about results, and those that several files share.
//
// Each has a sentence that says of what it is a part, why it has this value, and who uses it. Numbers that only steer
// the work of one algorithm (steps, restarts, offsets of shifts) stand in the file of that algorithm.
#pragma once

#include <limits>

namespace stillpoint::tolerance {

// ----- Rounding

/// Relative rounding of the sums that form an entry of a matrix, and of the entries of R in them: a few ε each. All
/// error bounds from Rayleigh quotients use it.
inline constexpr double rounding_of_sums = 8 * std::numeric_limits<double>::epsilon();
/// Relative rounding of the entries of reduced matrices: they depend on the coordinates of the equilibrium, which are
/// known to about this part. The ranks and zeros of dense/quadratic use it.
inline constexpr double rounding_of_entries = 1e-13;
/// Rounding of an entry of R, without units, relative to the largest of its column. Minimal coordinates use it.
inline constexpr double rounding_of_basis = 4 * std::numeric_limits<double>::epsilon();
/// Relative difference up to which a left vector is the conjugate of a right one but for rounding. The bordered problem
/// uses it to take over the multipliers.
inline constexpr double rounding_of_conjugates = 4 * std::numeric_limits<double>::epsilon();
/// Rounding of a computed s relative to its distance from the centre of the search. The TOAR engine adds it to error
/// bounds.
inline constexpr double rounding_of_search = 4 * std::numeric_limits<double>::epsilon();
/// Relative change of the matrices by rounding, of which a nearly defective eigenvalue feels the condition number times
/// as much. The TOAR engine adds it to the error bounds of such values.
inline constexpr double rounding_of_defective = 10 * std::numeric_limits<double>::epsilon();

// ----- Ranks and zeros

/// A singular value counts as nonzero above this multiple of rounding. The ranks of dense/quadratic use it; zeros were
/// found at 0.002 of rounding or less in 3000 random mechanisms.
inline constexpr double rank_over_rounding = 10;
/// The rank is certain if the least nonzero singular value is at least this multiple of rounding.
inline constexpr double certain_rank = 1e3;
/// The same for the stiffness and the damping of rigid-body motions: zeros are found a thousand times below rounding,
/// and a fine mesh of beams leaves some hundreds above it for its most flexible bending.
inline constexpr double certain_rigid_body_rank = 100;
/// The rank is certain if the largest singular value that counts as zero is at most this multiple of rounding.
inline constexpr double certain_zero = 0.01;
/// Zeros by structure are certain if the computed eigenvalues in their place are at most this part of the next one. All
/// dense forms use it.
inline constexpr double zero_to_next = 1e-3;
/// The same limit for the error bounds of the zeros that spectrum slicing finds, which are roots of rounding.
inline constexpr double zero_bound_to_next = 0.1;
/// A computed eigenvalue in the place of a zero may exceed the error bound of the zero by this factor, as bounds of
/// first order are short beside double roots. Minimal coordinates use it.
inline constexpr double zero_over_bound = 1e3;
/// An eigenvalue within its error bound of zero is zero if that bound is at most this part of the typical frequency.
/// The TOAR engine uses it.
inline constexpr double largest_zero_bound = 0.01;
/// A μ this small, in units of the square of the typical frequency, may be zero but for rounding, as K may be singular.
/// Spectrum slicing keeps the ends of its regions off such values.
inline constexpr double zero_mu = 1e-13;
/// A motion without mass whose stiffness is negative is recognised at this multiple of the typical frequency, beyond
/// all eigenvalues. The energy criteria and spectrum slicing use it.
inline constexpr double beyond_all_frequencies = 1e6;

// ----- Equal eigenvalues, and gaps between them (relative differences)

/// Values this close are copies: rounding decides their order, and iterations may end at either. Sorting, inverse
/// iteration and the penalty continuation use it.
inline constexpr double copies = 1e-9;
/// Values this close may share an eigenspace, so their vectors may be combined anew. The pairing of left and right
/// vectors and light damping use it.
inline constexpr double shared_eigenspace = 1e-6;
/// Ritz values this far apart are distinct, so a region may end between them. The Lanczos and TOAR views use it.
inline constexpr double distinct = 1e-6;
/// A gap this wide is sufficient for the edge of a region; a search looks no farther for a wider one. The TOAR view and
/// light damping use it.
inline constexpr double wide_gap = 1e-2;
/// Converged values this close leave no room for the edge of a region. Spectrum slicing uses it besides their error
/// bounds.
inline constexpr double no_gap_of_slices = 1e-12;
/// The same for the results of several shifts, of which no error bounds are known yet.
inline constexpr double no_gap_of_shifts = 1e-13;

// ----- Vectors

/// Vectors are linearly dependent if less than this part of them is independent (of a length, or of an eigenvalue of
/// their Gram matrix): copies of one mode, or the vectors of a defective eigenvalue. Certification of all engines uses
/// it.
inline constexpr double dependent_vectors = 1e-6;
/// A direction is new in a basis if more than this part of it is (of a length, or of an eigenvalue of the Gram matrix).
/// Galerkin's method and the restoration of real pairs use it.
inline constexpr double new_direction = 1e-12;
/// The constraint violation of a correction, relative to its terms, above which it is projected. Galerkin's method uses
/// it.
inline constexpr double violation_of_correction = 1e-13;
/// Pivots of YᴴP'(s)X below this part of the largest indicate a defective eigenvalue, whose vectors are left as they
/// are.
inline constexpr double defective_pivot = 1e-4;
/// The products yᴴMx and yᴴP'(s)x of a nearly defective eigenvalue are below this part of their magnitudes, and its
/// condition number is above `defective_condition`. The TOAR engine uses both, as it may know only one of the values.
inline constexpr double right_angle = 1e-5;
inline constexpr double defective_condition = 1e4;
/// The Krein form has one sign if its least eigenvalue exceeds this part of the largest; vectors are less wrong than
/// that.
inline constexpr double definite_krein_form = 1e-4;

// ----- Real eigenvalues

/// Distance from the real axis, relative to the largest value, up to which a complex value may be real: the root of the
/// rounding of a double value.
inline constexpr double possibly_real = 1e-4;
/// The distance up to which it certainly is, if it is single.
inline constexpr double certainly_real = 1e-8;

// ----- Residuals (relative)

/// A Ritz pair has converged at this residual; TOAR.
inline constexpr double converged_residual = 1e-11;
/// A Ritz pair at this residual gains nothing from further steps; TOAR.
inline constexpr double residual_at_rounding = 1e-14;
/// A refined pair needs no further inverse iteration; TOAR engine.
inline constexpr double refined_residual = 1e-10;
/// A pair with a larger residual is not reported as a mode; TOAR engine.
inline constexpr double largest_residual = 1e-7;
/// A correction of a vector by Galerkin's method may be this large if rounding prevents less: eigenvalues are wrong by
/// its square; light damping.
inline constexpr double largest_correction = 1e-7;
/// A pair needs no further products; Lanczos.
inline constexpr double sufficient_lanczos_residual = 1e-9;
/// A pair with a larger residual is not taken: eigenvalues are wrong by its square; spectrum slicing.
inline constexpr double largest_lanczos_residual = 1e-4;
/// The same limit where a nearer shift may give a better vector; spectrum slicing.
inline constexpr double strict_lanczos_residual = 1e-8;
/// A pair of the penalty system needs no further steps; penalty iteration.
inline constexpr double sufficient_penalty_residual = 1e-13;
/// A continued pair with a larger residual is no mode; penalty continuation.
inline constexpr double largest_penalty_residual = 1e-9;
/// A quotient may increase the residual of its pair by this factor; beyond it the vectors are nearly orthogonal with
/// respect to P'(s), and the eigenvalue before is kept; minimal coordinates.
inline constexpr double increase_of_residual = 100;

// ----- Classes: true and spurious

/// Failures of the two sets must differ by this factor to separate them.
inline constexpr double certain_margin = 10;
/// Tie breakers must differ by this factor, as they are less significant.
inline constexpr double certain_ties = 1e3;
/// A true motion violates the constraints by less; the filter and the penalty continuation use it.
inline constexpr double largest_true_violation = 0.1;
/// Residuals below this are rounding and count as equal: those of spurious eigenvectors are of the order one; RCS.
inline constexpr double rounding_of_failures = 1e-10;
/// Violations below this are constraint compliance and count as equal: one part in α, less in weakly held motions; UCS.
inline constexpr double compliance_of_failures = 1e-4;
/// A refined value is a root only if its error bound is at most this part of it; RCS.
inline constexpr double confirmed_error = 0.01;

// ----- Error bounds

/// Effects of the rounding of the equilibrium join a bound only above this multiple of it.
inline constexpr double significant_equilibrium_error = 3;
/// An error bound above this part of its eigenvalue is loose, and the mode is not certified; TOAR engine.
inline constexpr double loose_bound = 0.1;
/// The same for QZ of the descriptor form, which leaves wide bounds: a bound of the size of its eigenvalue says
/// nothing.
inline constexpr double loose_bound_of_qz = 1;
/// Safety factor of errors by vectors: of k values about to separate only (k − 1)/k of the error is found.
inline constexpr double safety_of_vector_errors = 3;
/// Safety factor of the second order of compliance: in 150 random systems the sum was too small by a factor of up to 4,
/// because constraints couple more than the first order shows; penalty correction.
inline constexpr double safety_of_compliance = 10;
/// Safety factor among close eigenvalues, whose vectors compliance mixes: in 460 000 random mechanisms the error was up
/// to 4 times the first order, in one 8 times; penalty correction.
inline constexpr double safety_of_close_values = 12;
/// Beside a double root near zero a bound is wide if it exceeds this part of the value, and is multiplied by
/// `safety_of_wide_bound`: in 20 000 random mechanisms the error was up to 3 times as large; penalty correction.
inline constexpr double wide_bound = 0.01;
inline constexpr double safety_of_wide_bound = 4;

}  // namespace stillpoint::tolerance
