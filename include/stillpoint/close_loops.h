// Loops closed by controllers on a linear system. Theory:
//
//   M q̈ + C q̇ + K q + Jᵀλ = F (u + w),     y = H_q q + H_v q̇ + H_a q̈ + H_u (u + w)
//   ẋ = A x + B (r − y),                   w = E (C x + D (r − H_q q − H_v q̇ − H_a q̈ − H_u u)),   E = (I + D H_u)⁻¹
//
// The states x become coordinates without mass, with the damping matrix I, so that each has one eigenvalue. Everything
// that works on a linear system works on the closed one: modes with a proof that none is missing, verdicts, responses,
// plants.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/controller.h"
#include "stillpoint/linear_system.h"

namespace stillpoint {

/// Returns the system with its loops closed. The coordinates are followed by the states of the controllers, "NAME.x";
/// the inputs, which add to what controllers do, by their references "NAME.reference"; the outputs by what controllers
/// do, "NAME.u". A controller with several of these has "NAME.u[1]", ... A broken loop has "NAME.error" in the place of
/// the reference, and the outputs "NAME.feedback", so that the loop's transfer function is that from error to feedback:
/// L in 1/(1 + L). Throws Error if a name is unknown or taken, if matrices of a controller do not fit together, if what
/// it measures contains a reaction, if it acts on a prescribed motion, and if feedthrough leaves w undetermined.
LinearSystem close_loops(const LinearSystem& system, const std::vector<Controller>& controllers);

/// Whether a loop that stays open is left out, or broken at the error, where it can be measured.
enum class OpenLoop { left_out, broken };

/// Opens the loops of the controllers with these names; "all" leaves all controllers out. Throws Error, with the
/// nearest known name, for one that no controller has.
std::vector<Controller> with_open_loops(std::vector<Controller> controllers, const std::vector<std::string>& names,
                                        OpenLoop how);

}  // namespace stillpoint
