// A check of a model before any analysis: an inventory of its contents, and warnings where it is not well posed.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/topology.h"

namespace stillpoint {

/// Lists of names hold the first `most_names` names; a count beside each list gives the total.
struct CheckReport {
  static constexpr Index most_names = 200;

  std::string name;
  std::vector<std::pair<std::string, double>> parameters;
  bool in_space = false;
  Index bodies = 0, points = 0, scalars = 0, nodes = 0;
  Index coordinates = 0, constraints = 0, inputs = 0, outputs = 0;  ///< outputs: their components
  std::vector<std::string> input_names, output_names;
  /// Element types by their keywords in model files, in the order of their first use, with their constraint equations.
  struct Count {
    std::string keyword;
    Index elements = 0;
    Index equations = 0;
  };
  std::vector<Count> elements;
  /// The effects that the theories of its flexible parts omit, a line for each type.
  std::vector<std::string> left_out;

  /// The connected parts (see topology.h): grounded ones first.
  struct Part {
    std::string first;  ///< the name of its first body, point or scalar
    Topology::Part is;
  };
  std::vector<Part> parts;
  Index part_count = 0, grounded_parts = 0, held_parts = 0;  ///< held: by springs only
  Index joints = 0, loops = 0;
  std::vector<std::string> cut_joints;  ///< one for each loop

  Vec3<double> gravity;             ///< m/s²
  Vec3<double> angular_velocity;    ///< of the ground (rad/s)
  double mass = 0;                  ///< total (kg)
  double weight = 0;                ///< total (N)
  Vec3<double> centre;              ///< centre of mass at the guess (m); NaN without mass
  std::array<double, 6> inertia{};  ///< Ixx Iyy Izz Ixy Ixz Iyz about the centre of mass, in the axes of the ground (kg
                                    ///< m²), the entries of the matrix; in the plane only Izz. NaN without mass

  double residual = 0;  ///< largest |Φ| at the guess, in the constraint's own unit
  std::string worst;    ///< the constraint with the largest residual; empty without constraints
  /// The configuration type after the assembly; absent without constraints, or if they have no value at the guess.
  std::optional<ConstraintSurvey> survey;
  Index massless_count = 0;           ///< number of coordinates without inertia
  std::vector<std::string> massless;  ///< their names
  Index zero_length_count = 0;        ///< number of elements that need a direction between two places, which coincide
  std::vector<std::string> zero_length;

  /// Each warning is one line: the object, what was found, what is usual, and what to do.
  std::vector<std::string> warnings;
};

CheckReport check_model(const Model& model);

/// Text for a terminal.
std::string to_text(const CheckReport& report);
/// One JSON object, schema "stillpoint.check/1".
std::string to_json(const CheckReport& report);

}  // namespace stillpoint
