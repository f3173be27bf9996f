// The request in a folder: what is asked, and the matrices, each rank with its rows.
#pragma once

#include <array>
#include <complex>
#include <nlohmann/json.hpp>
#include <string>

#include "engines/slepc/petsc_calls.h"

namespace stillpoint::slepc {

struct EngineTask {
  std::string folder, identity, kind;
  bool is_quadratic = false, is_symmetric = false, wants_inertia = true;
  PetscInt unknowns = 0, coordinates = 0, constraints = 0, count = 0;
  double from = 0, to = 0, zero = 0, tolerance = 0;
  std::complex<double> at = 0;
  std::array<OwnedMatrix, 3> A;  ///< A[1] of quadratic problems only
};

/// Throws EngineFailure if the folder holds no request, or one for the other kind of numbers.
EngineTask read_task(const std::string& folder);

}  // namespace stillpoint::slepc
