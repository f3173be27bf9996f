// Plants in closed form.
#pragma once

#include <Eigen/Core>

#include "stillpoint/linearize.h"
#include "stillpoint/make_plant.h"
#include "support/forms/systems.h"

namespace stillpoint {

/// A system from the text of a model, at rest.
inline LinearSystem system_of_text(const std::string& text, const Parameters& parameters = {}) {
  const Model model = read_model_text(text, "model.yaml", parameters);
  return linearize(model, find_equilibrium(model));
}

/// These coordinates as z.
inline PlantOptions with_independent(const LinearSystem& system, const std::vector<std::string>& names) {
  PlantOptions options;
  for (const std::string& name : names) {
    for (Index i = 0; i < system.coordinates(); ++i) {
      if (system.coordinate_name(i) == name) options.minimal.independent.push_back(i);
    }
  }
  return options;
}

/// The largest difference, relative to the largest entry of the second.
inline double difference(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  if (A.rows() != B.rows() || A.cols() != B.cols()) return std::numeric_limits<double>::infinity();
  const double largest = B.size() > 0 ? B.cwiseAbs().maxCoeff() : 0;
  return B.size() > 0 ? (A - B).cwiseAbs().maxCoeff() / (largest > 0 ? largest : 1) : 0;
}

}  // namespace stillpoint
