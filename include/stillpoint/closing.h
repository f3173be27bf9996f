// Closing conditions: the dependent coordinates of a mechanism as explicit functions of independent ones,
//
//   q_D = g(q_I)                                                                    ([Blajer 1994], eq. 27)
//
// where they follow one after the other in closed form: a joint between two links from known joints (four-bar linkage,
// two circles), a joint on a link and on a line (slider-crank), a slot or rail through a known point, a rod between
// ball joints, and directions from two angles (spherical linkages and wrists); also whatever follows rigidly. They are
// composed from the topology, outwards from the ground and the independent coordinates, as in [Assur 1914].
//
//   const Closing closing = close_explicitly(model, guess, {crank_angle});
//   if (closing.closed) ... closing.state, closing.groups[0].joint, closing.groups[0].branch
//
// Not covered are groups that need the roots of a polynomial of higher degree: three bodies that only together are
// determined (a platform on three rods, most spatial loops of six hinges), constant-velocity joints, flexible bodies.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

/// One closing condition: a joint, or a direction, that is found from what is known before it.
struct ClosedGroup {
  enum class Kind {
    two_lengths,      ///< spheres, in the plane circles: links between joints
    length_and_line,  ///< a link and a line: slider, rail or axis
    lines,            ///< lines and planes only
    directions        ///< a direction of a body, from its angles to others
  };
  Kind kind = Kind::two_lengths;
  std::string joint;                  ///< the joint or point that is found; for a direction, the body
  std::vector<std::string> links;     ///< the bodies, rods and sliders that determine it
  std::vector<std::string> bodies{};  ///< the bodies and points whose positions follow
  /// The assembly mode: on which side of the line from the first to the second known joint (+1 left, −1 right), in
  /// which direction along the line (+1 along its x axis), or on which side of the plane of the known points the joint
  /// is; 0 if there is only one solution.
  int branch = 0;
};

struct Closing {
  bool closed = false;                   ///< all constraints are satisfied within rounding
  State state;                           ///< the positions found; the guess if they do not violate the constraints less
  std::vector<ClosedGroup> groups;       ///< in the order in which they are solved
  std::vector<std::string> independent;  ///< the coordinates that were given, and those that were chosen besides
  Index chosen = 0;                      ///< the number of those that were chosen
  double constraint_residual = 0;        ///< the largest of the state, relative to lengths
  double gap = 0;                        ///< if joints are too far apart or too near: by what length (m)
  std::string message;                   ///< if not closed: these joints and the length, or what is open
};

/// Solves the closing conditions. The given coordinates keep the values of the guess; three coordinates of an
/// orientation count together. Where they do not determine everything, bodies keep their guess in what is left. Each
/// condition is solved in the assembly mode of the guess, unless another one then has no solution. Positions satisfy
/// the constraints within rounding, or `closed` is false. Rates and multipliers are those of the guess.
Closing close_explicitly(const Model& model, const State& guess, const std::vector<Index>& independent = {});

/// The closing conditions alone; empty if not all constraints are satisfied by them.
std::vector<ClosedGroup> closing_conditions(const Model& model, const State& guess,
                                            const std::vector<Index>& independent = {});

/// "2 closing conditions in closed form (independent: crank.phi): 'O[3]' +, 'slider_pin' −"
std::string to_text(const Closing& closing);

}  // namespace stillpoint
