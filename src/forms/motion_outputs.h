// Outputs as functions of the motion alone: reactions are expressed by the motion, theory (12.1).
//
//   h λ = pᵀ Jᵀλ = pᵀ (F u − M q̈ − C q̇ − K q)   for any p with J p = hᵀ
//
// Such a p exists if and only if h has no component along a left null vector of J; otherwise redundancy leaves the
// reaction undetermined.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Returns H_λ with determined rows. For a row that is not determined it throws Error with its name; or, if
/// `minimum_norm` is set, it takes the row that gives the same for the multipliers of least norm, and adds a note.
SparseMatrix determined_reactions(const LinearSystem& system, bool minimum_norm, std::vector<std::string>& notes);

/// y = H_q q + H_v q̇ + H_a q̈ + H_u u.
struct MotionOutputs {
  SparseMatrix Hq, Hv, Ha, Hu;
};
MotionOutputs motion_outputs(const LinearSystem& system, const SparseMatrix& determined);

}  // namespace stillpoint
