// A few motions that stand for all: bases V of a part of null(J), δq ≈ V ζ + S u, without forming a minimal form.
#pragma once

#include "stillpoint/forms.h"
#include "stillpoint/plant.h"

namespace stillpoint {

/// The equations of motion with δq = V ζ + S u.
MinimalForm form_in_basis(const LinearSystem& system, const Eigen::MatrixXd& V, const Eigen::MatrixXd& S,
                          std::vector<std::string> names);

/// Craig and Bampton's: what each of the boundary coordinates does statically while the others are held, and the
/// slowest undamped motions with all of them held; `count` in all. Empty boundary: the coordinates that inputs act on
/// and outputs look at, without those that follow from others. Throws Error for names that are none, for boundaries
/// that the constraints tie together, if there are more of them than `count`, if motions remain that no stiffness
/// holds, and if M or K is not symmetric.
MinimalForm craig_bampton_basis(const LinearSystem& system, const std::vector<std::string>& boundary, Index count);

enum class Matching { as_many_as_fit, all_asked_for };

/// With P(s) = s²M + sC + K on null(J), f(s) = F − P(s) S: the terms of the series of P⁻¹f about s = iω,
///
///   P x_0 = f,   P x_j = f^(j)/j! − P' x_{j−1} − M x_{j−2}
///
/// of each frequency in turn until there are `count` vectors (real and imaginary parts), orthonormal without units.
/// Throws Error where there is a pole, and where these are too few for the response at all frequencies if that is asked
/// for.
MinimalForm krylov_basis(const LinearSystem& system, const Eigen::VectorXd& frequencies, Index count,
                         Matching matching);

/// Some among the lowest modes, between the poles.
Eigen::VectorXd usual_frequencies(const std::vector<Plant::Pole>& poles);

}  // namespace stillpoint
