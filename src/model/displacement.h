// How far two configurations of a model are apart, and which of its coordinates are lengths.
#pragma once

#include "stillpoint/model.h"

namespace stillpoint {

/// How many coordinates of a block, the first ones, are lengths; the others are angles, or in the unit of a scalar.
constexpr Index lengths_of(BlockKind kind) { return kind == BlockKind::scalar ? 0 : in_space(kind) ? 3 : 2; }

/// The largest difference of any lengths among the coordinates, the origin included, or the largest distance of a
/// marker from the origin of its body, if that is more; 1 if both are rounding.
double size_of_configuration(const Model& model, const Eigen::VectorXd& q);

/// The increments that lead from one state to another: the inverse of Model::displaced.
Eigen::VectorXd displacement_between(const Model& model, const State& from, const State& to);

}  // namespace stillpoint
