// What an engine answers: eigenvalues with their vectors, the region in which it looked, and the inertia of
// factorisations that count the eigenvalues there.
#pragma once

#include <array>
#include <optional>

#include "engines/engine_request.h"

namespace stillpoint {

struct EngineAnswer {
  std::string engine;  ///< its name and version
  Index ranks = 1;
  bool is_converged = true;
  std::string message;                       ///< of the engine, if it is not converged
  std::vector<std::complex<double>> values;  ///< ŝ with Im ≥ 0, or μ
  Eigen::MatrixXcd vectors;                  ///< coordinates, then multipliers, in columns
  /// Of μ: both ends. Of ŝ: distances from the point that was asked for between which there is none.
  double from = 0, to = 0;

  /// The signs of a[0] A0 + a[1] A1 + a[2] A2.
  struct Inertia {
    std::array<double, 3> a{};
    Index negative = 0, zero = 0;
  };
  std::vector<Inertia> inertia;

  /// Returns how many μ lie below this one, by an entry at this place; nothing if there is none, or if a sign is zero.
  std::optional<Index> below(double mu, Index constraints) const;
};

/// Reads answer.json and vectors.petsc of the folder. Throws Error with file and key if the answer is not there, not
/// complete, contradicts itself, or belongs to another request; Undecided with the engine's message if it failed.
EngineAnswer read_engine_answer(const std::string& folder, const EngineProblem& problem);

}  // namespace stillpoint
