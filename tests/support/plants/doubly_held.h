// A reaction that redundancy leaves open.
#pragma once

namespace stillpoint {

/// Two couplings side by side hold x and y together: their forces cannot be told apart. With u on x, y = x, z = 2 y:
///
///   15 ẍ + 5 x = u;  the two share (1 + 4 · 3) ẍ, hold has 6 ẍ
inline const char* const doubly_held = R"(stillpoint: 1
gravity: 0, -9.81
mechanism:
  - input: u
  - scalar: x
    mass: 2
  - scalar: y
    mass: 1
  - coupling: one
    coordinates: [x, y]
    factors: [1, -1]
  - coupling: two
    coordinates: [x, y]
    factors: [1, -1]
  - coupling: hold
    coordinates: [z, y]
    factors: [1, -2]
  - scalar: z
    mass: 3
  - scalar_spring: spring
    of: x
    stiffness: 5
  - scalar_force: push
    on: x
    magnitude: 1
    input: u
  - {output: first, reaction: one, on: 1}
  - {output: third, reaction: hold, on: 1}
)";

}  // namespace stillpoint
