// What another program (an engine) is asked: some eigenvalues of the bordered problem, as a folder of files.
//
//   (ŝ² A2 + ŝ A1 + A0) z = 0,    A0 = [K, Jᵀ; J, 0],  A1 = [C, 0; 0, 0],  A2 = [M, 0; 0, 0],    s = γ ŝ
//
// The matrices are scaled by powers of two so that all blocks are near one, hold independent rows of J only, and have
// each multiplier beside the coordinates that it acts on. A problem without damping is symmetric in μ = −ŝ²:
// A0 z = μ A2 z. docs/engines.md is the contract.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "formats/petsc_binary.h"
#include "modes/problem/bordered_problem.h"
#include "stillpoint/modes.h"

namespace stillpoint {

struct EngineRequest {
  bool is_quadratic = false;  ///< false: A0 z = μ A2 z, all symmetric
  bool has_symmetric_matrices = true;
  PetscScalarType scalar = PetscScalarType::real;
  Index coordinates = 0, constraints = 0;
  double frequency_scale = 1;  ///< γ (rad/s)
  enum class Kind {
    lowest,  ///< the `count` eigenvalues of least |ŝ|
    band,    ///< all with from ≤ |ŝ| ≤ to
    near     ///< the `count` eigenvalues nearest to `at`
  } kind = Kind::lowest;
  Index count = 0;
  double from = 0, to = 0;
  std::complex<double> at = 0;
  bool counts = true;      ///< inertia is asked for
  std::string identity{};  ///< a checksum of the matrices and the request, which the answer repeats

  Index unknowns() const { return coordinates + constraints; }
};

/// A bordered problem with what is asked of it, and the files that say so.
class EngineProblem {
 public:
  /// Throws Error if the configuration is singular, nothing can move, or the request is not one for an engine.
  EngineProblem(const LinearSystem& system, const ModesOptions& options);

  const BorderedProblem& bordered() const { return bordered_; }
  const EngineRequest& request() const { return request_; }
  /// The row of the files at which each unknown of the bordered problem (coordinates, then multipliers) stands.
  const std::vector<Index>& rows() const { return rows_; }

  /// Writes the folder, which appears whole; an earlier answer in it is removed. Throws Error.
  void write(const std::string& folder) const;

 private:
  std::string matrix_bytes(const SparseMatrix& A) const;

  BorderedProblem bordered_;
  EngineRequest request_;
  std::vector<Index> rows_;
  std::vector<std::pair<std::string, std::string>> files_;  ///< names and bytes
};

/// μ up to which, in the numbers of the request, an eigenvalue may be zero but for rounding.
double zero_of_engines();

}  // namespace stillpoint
