// What is in a model, and is it well posed? The first look at a mechanism, before any analysis.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/topology.h"

namespace stillpoint {

/// Lists of names hold the first `most_names`; beside each stands how many there are.
struct CheckReport {
  static constexpr Index most_names = 200;

  std::string name;
  std::vector<std::pair<std::string, double>> parameters;
  bool in_space = false;
  Index bodies = 0, points = 0, scalars = 0, nodes = 0;
  Index coordinates = 0, constraints = 0, inputs = 0, outputs = 0;  ///< outputs: their components
  std::vector<std::string> input_names, output_names;
  /// Elements by their words in model files, in the order of their first use, with their constraint equations.
  struct Count {
    std::string keyword;
    Index elements = 0;
    Index equations = 0;
  };
  std::vector<Count> elements;
  /// What the theories of its flexible parts leave out, a line for each kind.
  std::vector<std::string> left_out;

  /// What constraints tie together (see topology.h): those on the ground first.
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
  double mass = 0;                  ///< of everything (kg)
  double weight = 0;                ///< of everything (N)
  Vec3<double> centre;              ///< centre of mass at the guess (m); NaN without mass
  std::array<double, 6> inertia{};  ///< Ixx Iyy Izz Ixy Ixz Iyz about there, in the axes of the ground (kg m²), the
                                    ///< entries of the matrix; in the plane only Izz. NaN without mass

  double residual = 0;  ///< largest |Φ| at the guess, in the constraint's own unit
  std::string worst;    ///< the constraint that has it; empty without constraints
  /// Ranks where the loops close; none without constraints, or if they have no value at the guess.
  std::optional<ConstraintSurvey> survey;
  Index massless_count = 0;           ///< coordinates that no inertia acts on
  std::vector<std::string> massless;  ///< their names
  Index zero_length_count = 0;        ///< elements that need a direction between two places, which coincide
  std::vector<std::string> zero_length;

  /// Each one line: what it is about, what was found, what is usual, what to do.
  std::vector<std::string> warnings;
};

CheckReport check_model(const Model& model);

/// For a person at a terminal.
std::string to_text(const CheckReport& report);
/// One JSON object, schema "stillpoint.check/1".
std::string to_json(const CheckReport& report);

}  // namespace stillpoint
