// Where the energy of motions is, if the mass matrix is there already.
#pragma once

#include "stillpoint/linearize.h"

namespace stillpoint {

/// Of several motions, the columns. `M`: of the model at this state.
std::vector<EnergyShares> energy_shares_of_each(const Model& model, const State& state, const SparseMatrix& M,
                                                const Eigen::MatrixXcd& motions);

}  // namespace stillpoint
