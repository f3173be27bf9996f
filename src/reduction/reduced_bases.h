// Bases V of a subspace of null(J) for model reduction, δq ≈ V ζ + S u, found without a minimal form.
#pragma once

#include "stillpoint/forms.h"
#include "stillpoint/plant.h"

namespace stillpoint {

/// Returns the equations of motion with δq = V ζ + S u.
MinimalForm form_in_basis(const LinearSystem& system, const Eigen::MatrixXd& V, const Eigen::MatrixXd& S,
                          std::vector<std::string> names);

/// Returns the form in the Craig-Bampton basis [Craig & Bampton 1968], with `count` vectors: a constraint mode for each
/// boundary coordinate (its static motion with the others held), and the lowest undamped fixed-interface modes (all of
/// them held). If `boundary` is empty, it consists of the coordinates on which inputs act or outputs depend, without
/// those that follow from others. Throws Error for unknown names, for boundary coordinates that depend on each other,
/// if there are more than `count`, if a motion without stiffness remains, and if M or K is not symmetric.
MinimalForm craig_bampton_basis(const LinearSystem& system, const std::vector<std::string>& boundary, Index count);

enum class Matching { as_many_as_fit, all_asked_for };

/// Returns the form in a second-order Krylov basis. With P(s) = s²M + sC + K on null(J) and f(s) = F − P(s) S, the
/// basis consists of the terms of the series of P⁻¹f about s = iω,
///
///   P x_0 = f,   P x_j = f^(j)/j! − P' x_{j−1} − M x_{j−2}
///
/// of each frequency in turn until there are `count` vectors (real and imaginary parts), orthonormal in dimensionless
/// coordinates. Throws Error if a frequency is a pole, and if `count` is too small to match the response at all
/// frequencies that are asked for.
MinimalForm krylov_basis(const LinearSystem& system, const Eigen::VectorXd& frequencies, Index count,
                         Matching matching);

/// Returns frequencies (rad/s) among the lowest modes, away from the poles.
Eigen::VectorXd usual_frequencies(const std::vector<Plant::Pole>& poles);

}  // namespace stillpoint
