// Scales of coordinates and constraints that make the equations dimensionless: a length is compared with the typical
// length of the model, a rotation with one radian, and a scalar with the change that moves its related coordinates by
// one of these.
#pragma once

#include "algebra/sparse/bordered.h"
#include "stillpoint/assembly.h"

namespace stillpoint {

struct Scales : Scaling {
  double length = 1;  ///< the typical length (m)
};

/// Finds the scales from J of the model at the state.
Scales find_scales(const Model& model, const State& state, const SparseMatrix& J);

/// The rounding level of scaled constraint residuals where the scaled coordinates are these.
double position_noise(const Eigen::VectorXd& scaled);

}  // namespace stillpoint
