// The truth test: each eigenvalue beside the one that the nonlinear mechanism shows when it moves on that mode.
//
// The mechanism starts at q* ⊕ ±ε Re x with the rates ±ε Re(s x), both made consistent, and is integrated for a period
// or until its amplitude has changed tenfold. The amplitude on the mode is
//
//   c(t) = yᴴ [(sM + C) δq + M δv],   ċ = s c   for every motion of the linear system                          (13.7)
//
// so that s = log(c(T) / c(0)) / T. What is even in ε cancels between the two runs, and what is left, of second order,
// is extrapolated from ε and ε/2. Linearization and integration share the laws of the elements, but none of the
// matrices: each certifies the other.
//
// At a singular configuration each branch of motions has modes of its own. They are followed where the mechanism is
// away from that configuration, so that no motion passes it.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/modes.h"
#include "stillpoint/motion.h"

namespace stillpoint {

/// The largest turn of a shape (rad), or its largest displacement relative to the size of the model at rest.
double extent_of_shape(const Model& model, const Eigen::VectorXcd& shape, const State& rest);

/// The state q* ⊕ Re x with the rates Re(s x), both made consistent, where x is the shape of the mode with this
/// extent. Throws Error if the mode has no shape, or if there is no consistent state so far from q*.
State start_on_mode(const Model& model, const State& rest, const Mode& mode, double amplitude,
                    const ConsistentOptions& how = {});

struct VerifyOptions {
  std::vector<std::size_t> which{};  ///< indices of modes; empty: all true ones, one of each conjugate pair
  /// If `which` is empty: so many of the lowest of each spectrum.
  std::size_t most_modes = std::numeric_limits<std::size_t>::max();
  double amplitude = 1e-3;   ///< ε: the largest turn (rad), or displacement relative to the size of the model
  double tolerance = 1e-12;  ///< of the integration
  int most_steps = 1000;     ///< of one run by power series; slower modes are followed by the implicit method
  std::function<void(const std::string&)> progress{};
  Deadline deadline{};
};

struct VerifiedMode {
  std::size_t mode = 0;                ///< index in the spectrum, or in that of the branch
  std::string branch{};                ///< its name, at a singular configuration
  std::complex<double> s{};            ///< as in the spectrum
  std::complex<double> from_motion{};  ///< what the motion shows
  double difference = 0;               ///< between the two (rad/s)
  double bar = 0;                      ///< the largest difference that the orders in ε and rounding explain
  bool is_done = false;                ///< false: `note` says why there is no comparison
  bool agrees = false;
  int runs = 0;
  std::string note{};
};

struct Verification {
  std::vector<VerifiedMode> modes;
  Index done = 0, agreeing = 0;
  bool agrees() const { return agreeing == done; }
};

/// `system` is the linearization at `rest`, and `spectrum` has modes of it. Throws Error if the configuration is
/// singular, or if the model cannot be set in motion.
Verification verify_modes(const Model& model, const Equilibrium& rest, const LinearSystem& system,
                          const Spectrum& spectrum, const VerifyOptions& options = {});

/// The same at a singular configuration, on each branch; `spectra` are those of `solve_branches`. The indices of
/// `options.which` are taken from each of them that has so many modes. Throws Error if there is no branch.
Verification verify_branches(const Model& model, const Equilibrium& rest, const LinearSystem& system,
                             const std::vector<BranchSpectrum>& spectra, const VerifyOptions& options = {});

std::string to_text(const Verification& verification);
std::string to_json(const Verification& verification, const std::string& model);

}  // namespace stillpoint
