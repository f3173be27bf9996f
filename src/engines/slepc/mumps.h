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
/// Tells whether MUMPS's work space was too small; then the next factorisations have twice as much beyond its estimate.
bool takes_more_space(Mat factor);
bool takes_more_space(ST transformation);
/// Tells whether the factorisation of a transformation has met no pivot that is zero to rounding.
bool is_regular(ST transformation);

inline PetscErrorCode set_up(EPS search) { return EPSSetUp(search); }
inline PetscErrorCode set_up(PEP search) { return PEPSetUp(search); }

inline ST transformation_of(EPS search) {
  ST transformation = nullptr;
  check(EPSGetST(search, &transformation), "SLEPc's search fails");
  return transformation;
}

inline ST transformation_of(PEP search) {
  ST transformation = nullptr;
  check(PEPGetST(search, &transformation), "SLEPc's search fails");
  return transformation;
}

/// Returns the search that `configured()` makes, set up, with its matrix factored in as much work space as it takes.
template <class Configured>
auto factored(const Configured& configured) {
  for (;;) {
    auto search = configured();
    const PetscErrorCode outcome = set_up(search.get());
    if (outcome == 0) return search;
    if (!takes_more_space(transformation_of(search.get()))) check(outcome, "SLEPc's search fails");
  }
}

}  // namespace stillpoint::slepc
