// Shift-and-invert Lanczos method of the library Spectra, implicitly restarted [Calvetti 1994], for a conservative
// pencil with the factorisation at its shift: the second engine beside the Lanczos method of our own.
//
// Spectra takes one start vector and a positive definite M, and its results may be wrong where M is only semidefinite.
// So it receives a start vector with J x = 0 and the operator P A⁻¹ M, A = K − σM bordered by J, where P = I − Z Zᵀ M
// removes the vectors Z that are known already. Of its basis only those leading vectors are used that are M-orthogonal,
// which rules out eigenvalues that are listed twice; the residuals of the pairs are measured afterwards, and inertia
// counts them.
#pragma once

#include <functional>
#include <memory>

#include "modes/undamped/conservative_pencil.h"
#include "modes/undamped/lanczos_search.h"

namespace stillpoint {

/// Whether the unknown directions suffice for a basis of Spectra, which has at least two vectors besides the next one.
bool has_room_for_spectra(const ConservativePencil& pencil, const Eigen::MatrixXd& locked);

/// `start` returns a new random vector with J x = 0 each time. The pencil must outlive the search and keep its shift
/// during it.
std::unique_ptr<LanczosSearch> spectra_search(const ConservativePencil& pencil, std::function<Eigen::VectorXd()> start,
                                              const Eigen::MatrixXd& locked, const Supervision& supervision);

}  // namespace stillpoint
