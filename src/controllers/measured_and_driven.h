// What controllers measure and act on, by name: rows of outputs and columns of inputs of a linear system.
#pragma once

#include <string>
#include <vector>

#include "stillpoint/controller.h"
#include "stillpoint/linear_system.h"

namespace stillpoint {

/// y_c = H_q q + H_v q̇ + H_a q̈ + H_u u + H_w w; the forces of w are F_w w, and outputs contain outputs_of_w w.
struct MeasuredAndDriven {
  SparseMatrix Hq, Hv, Ha, Hu, Hw;
  SparseMatrix Fw, outputs_of_w;
  std::vector<std::string> units_of_measured, units_of_w;
};

/// Throws Error, with the controller and the nearest known name, for a name that cannot be measured or driven.
MeasuredAndDriven measured_and_driven(const LinearSystem& system, const std::vector<Controller>& controllers);

}  // namespace stillpoint
