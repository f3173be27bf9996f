// Model reduction: smaller plants with nearly the frequency response of the system, and their errors. The methods are
// modal truncation, balanced truncation by the square-root method [Hammarling 1982, Tombs & Postlethwaite 1987], the
// Craig-Bampton method [Craig & Bampton 1968], moment matching by second-order Krylov subspaces, and the minimal
// realisation, which has the same frequency response.
//
//   const ReducedPlant small = reduce(system, {.method = Reduction::balanced, .order = 12});
//
// The results are state spaces, ẋ = A x + B w, δq ≈ T x + S w. Balanced truncation keeps poles that are not
// asymptotically stable (unstable, on the imaginary axis, rigid-body) unchanged. The notes of the plant give the
// measured errors.
#pragma once

#include <limits>

#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

/// Returns the state space in modal coordinates. A has a real block for each eigenvalue, [σ ω; −ω σ] for a pair, sorted
/// by |s|; defective eigenvalues, as rigid-body zeros, share one triangular block.
Plant modal_form(const LinearSystem& system, const PlantOptions& options = {});

enum class Reduction {
  modal,          ///< modal truncation with static correction: the gain at ω = 0 is exact
  balanced,       ///< balanced truncation of the stable part, with an error bound
  craig_bampton,  ///< fixed-interface modes and constraint modes of some boundary coordinates
  krylov,         ///< the response and its derivatives are matched at some frequencies; for large systems
  minimal         ///< only what no input moves or no output shows is left out; the response stays
};

enum class Importance {
  frequency,      ///< lowest frequency
  participation,  ///< largest participation in the impulse response from inputs to outputs, ‖b‖‖c‖
  gramian  ///< largest Hankel singular value of the mode alone, ‖b‖‖c‖ / 4|σ|; undamped modes count as damped by 0.1 %
};

struct ReduceOptions {
  Reduction method = Reduction::balanced;
  Index order = 0;          ///< largest number of states; 0: by `tolerance` (balanced), or 20; minimal: 0
  double tolerance = 1e-3;  ///< balanced, order 0: error bound / largest Hankel singular value
  Importance keep = Importance::frequency;  ///< modal
  bool static_correction = true;            ///< modal
  std::vector<std::string> boundary{};  ///< Craig–Bampton: boundary coordinates; empty: those of inputs and outputs
  Eigen::VectorXd frequencies{};        ///< Krylov (rad/s); empty: some among the lowest modes, between the poles
  PlantOptions plant{};
};

struct ReducedPlant {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  Plant plant;
  Index full_order = 0;    ///< states of the full model; twice its degrees of freedom if its state space was not formed
  Index kept_exactly = 0;  ///< balanced: number of states that are not asymptotically stable
  Eigen::VectorXd hankel;  ///< balanced: Hankel singular values of the stable part, descending
  double bound = unset;  ///< balanced: error bound, an upper bound of max over ω of ‖H − H_r‖₂, in channels w
  double gain_error = unset;  ///< measured max over ω of ‖H − H_r‖₂; modal and balanced only
  ResponseError measured;     ///< error relative to the whole sparse system
};

/// Reduces the system. Throws Error if the order is too small for the states that must be kept, if names or frequencies
/// do not fit, and under the same conditions as state_space().
ReducedPlant reduce(const LinearSystem& system, const ReduceOptions& options = {});

}  // namespace stillpoint
