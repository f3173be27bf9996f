// What is in a model, and is it well posed? The first look at a mechanism, before any analysis.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stillpoint/model.h"

namespace stillpoint {

struct CheckReport {
  std::string name;
  std::vector<std::pair<std::string, double>> parameters;
  Index bodies = 0, points = 0, scalars = 0;
  Index coordinates = 0, constraints = 0, inputs = 0;
  /// Elements by their words in model files, in the order of their first use, with their constraint equations.
  struct Count {
    std::string keyword;
    Index elements = 0;
    Index equations = 0;
  };
  std::vector<Count> elements;

  Vec2<double> gravity;  ///< m/s²
  double mass = 0;       ///< of everything (kg)
  Vec2<double> centre;   ///< centre of mass at the guess (m); NaN without mass
  double inertia = 0;    ///< about the centre of mass (kg m²); NaN without mass

  double residual = 0;                ///< largest |Φ| at the guess, in the constraint's own unit
  std::string worst;                  ///< the constraint that has it; empty without constraints
  Index massless_count = 0;           ///< coordinates that no inertia acts on
  std::vector<std::string> massless;  ///< their names, the first 200
  std::vector<std::string> warnings;
};

CheckReport check_model(const Model& model);

/// For a person at a terminal.
std::string to_text(const CheckReport& report);
/// One JSON object, schema "stillpoint.check/1".
std::string to_json(const CheckReport& report);

}  // namespace stillpoint
