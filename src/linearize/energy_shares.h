// Energy shares of motions for a mass matrix that is known already.
#pragma once

#include "stillpoint/linearize.h"

namespace stillpoint {

/// The energy shares of the columns of `motions`; `M` is the mass matrix of the model at this state.
std::vector<EnergyShares> energy_shares_of_each(const Model& model, const State& state, const SparseMatrix& M,
                                                const Eigen::MatrixXcd& motions);

}  // namespace stillpoint
