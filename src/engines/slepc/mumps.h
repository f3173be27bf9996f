// Factorisations by the library MUMPS on all ranks, with their inertia.
#pragma once

#include <array>
#include <vector>

#include "engines/slepc/engine_task.h"

namespace stillpoint::slepc {

/// The signs of a[0] A0 + a[1] A1 + a[2] A2, and what the factorisation took.
struct SignsOfMatrix {
  std::array<double, 3> a{};
  PetscInt negative = 0, zero = 0;
  double entries = 0, flops = 0, megabytes_of_a_rank = 0, seconds = 0;
};

SignsOfMatrix signs_of(const EngineTask& task, double a0, double a1, double a2);

/// Has MUMPS factor for a spectral transformation: LDLᵀ of symmetric matrices, LU of others.
void use_mumps(ST transformation, bool is_symmetric);
/// Tells whether the factorisation of a transformation has succeeded and met no pivot that is zero to rounding.
bool is_regular(ST transformation);

}  // namespace stillpoint::slepc
