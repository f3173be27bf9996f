// Linkages with many bodies whose constraints can be satisfied, and guesses that are far from that.
#pragma once

#include <cstdint>
#include <string>

#include "stillpoint/model.h"

namespace stillpoint {

/// A chain of links between two pins, in the plane, as bodies or as points with distances. The guess is a parabola that
/// is 13 % longer than the chain.
std::string sagging_chain(int links);
std::string sagging_chain_of_points(int links);

/// A scissor lift of crossed bars of length 1, whose model file has the bars at an angle but the stages `pitch` apart:
/// where pitch = sin(angle), the constraints are satisfied at the guess. In space every hinge has all its equations, so
/// that three of each loop are redundant; its axes are parallel to y.
std::string scissor_lift(int stages, bool in_space, double angle, double pitch);

/// A linkage of so many loops, each of which hangs on bodies of earlier ones. The constraints are satisfied at the
/// guess of the model file. In space the hinges of a loop are revolute at its ends, where that leaves it mobile, and
/// spherical between them.
std::string deep_linkage(std::uint64_t seed, int loops, bool in_space);

/// The guess of the model with normally distributed errors: `size` times a length, and as many radians.
State guess_off_by(const Model& model, double size, double length, std::uint64_t seed);

}  // namespace stillpoint
