// Eigenvalues by SLEPc's Krylov methods, with the region in which all are known.
#pragma once

#include <complex>
#include <vector>

#include "engines/slepc/engine_task.h"
#include "engines/slepc/mumps.h"

namespace stillpoint::slepc {

struct Pairs {
  std::vector<std::complex<double>> values;  ///< μ, or ŝ with Im ŝ ≥ 0
  std::vector<OwnedVector> vectors;          ///< of ŝ in the real build two for each value: real and imaginary part
  double from = 0, to = 0;                   ///< the region, as the answer gives it
  std::vector<SignsOfMatrix> inertia;
  bool is_converged = true;
  std::string message;
  PetscInt iterations = 0, searches = 0;
  double search_seconds = 0;
};

/// A0 z = μ A2 z by Krylov–Schur with shift-and-invert [Stewart 2001]; inertia counts, and what is missing is searched
/// for again, orthogonal to what is known.
Pairs find_symmetric(const EngineTask& task);

/// (ŝ² A2 + ŝ A1 + A0) z = 0 by TOAR with shift-and-invert [Lu 2016].
Pairs find_quadratic(const EngineTask& task);

}  // namespace stillpoint::slepc
