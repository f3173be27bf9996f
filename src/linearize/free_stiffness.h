// Derivative of K with respect to the constraint forces that equilibrium does not determine.
#pragma once

#include "linearize/element_stiffness.h"

namespace stillpoint {

/// ∂(Jᵀν)/∂q for each column ν of the left null vectors of J, theory (9.1).
std::vector<SparseMatrix> free_stiffness(const Model& model, const State& state, const SparseMatrix& null_vectors);

}  // namespace stillpoint
