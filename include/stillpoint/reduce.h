// Smaller plants that answer nearly as the whole system does, and how nearly.
//
//   const ReducedPlant small = reduce(system, {.method = Reduction::balanced, .order = 12});
//
// All are state spaces, ẋ = A x + B w, δq ≈ T x + S w. Poles that are not stable (growing, on the imaginary axis, rigid
// bodies) are kept as they are by balanced truncation. What was measured is in `notes` as well.
#pragma once

#include <limits>

#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

/// The state space in modal coordinates: A has a real block for each eigenvalue, [σ ω; −ω σ] for a pair, sorted by |s|;
/// of eigenvalues that share a chain of vectors, as rigid-body zeros do, one triangular block.
Plant modal_form(const LinearSystem& system, const PlantOptions& options = {});

enum class Reduction {
  modal,          ///< some modes, and the others as if they were at once where they end up: the exact gain at ω = 0
  balanced,       ///< balanced truncation, with a bound; of the stable part
  craig_bampton,  ///< motions with some coordinates held, and what moving these does statically
  krylov          ///< the response and its derivatives at some frequencies are those of the whole; for large systems
};

enum class Importance {
  frequency,      ///< the slowest
  participation,  ///< those with the largest part in what a blow at the inputs does at the outputs, ‖b‖‖c‖
  gramian  ///< those with the largest Hankel value by themselves, ‖b‖‖c‖ / 4|σ|; undamped as if by 0.1 %
};

struct ReduceOptions {
  Reduction method = Reduction::balanced;
  Index order = 0;                          ///< states, at most; 0: `tolerance` decides (balanced), or 20
  double tolerance = 1e-3;                  ///< balanced, without an order: the bound relative to the largest value
  Importance keep = Importance::frequency;  ///< modal
  bool static_correction = true;            ///< modal
  std::vector<std::string> boundary{};      ///< Craig–Bampton: coordinates held; empty: those of inputs and outputs
  Eigen::VectorXd frequencies{};            ///< Krylov, rad/s; empty: some among the lowest modes, between the poles
  PlantOptions plant{};
};

struct ReducedPlant {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  Plant plant;
  Index full_order = 0;       ///< states of the whole; twice its freedoms where these states were not made
  Index kept_exactly = 0;     ///< balanced: states of what is not stable
  Eigen::VectorXd hankel;     ///< balanced: of the stable part, descending
  double bound = unset;       ///< balanced: max over ω of ‖H − H_r‖₂ is no larger, in channels w
  double gain_error = unset;  ///< the same as measured; modal and balanced only
  ResponseError measured;     ///< against the whole sparse system
};

/// Throws Error if the order is too small for what must be kept, if names or frequencies do not fit, and as
/// state_space.
ReducedPlant reduce(const LinearSystem& system, const ReduceOptions& options = {});

}  // namespace stillpoint
