// Controllability and observability mode by mode: which inputs move a mode, which outputs show it, and how clear that
// is.
//
//   wᴴ A = s wᴴ,  A v = s v:     no input moves it if wᴴ B = 0,  no output shows it if C v = 0       [Hautus 1969]
//
// Eigenvalues that coincide are decided together, since single vectors of them are not determined: with the left
// invariant subspace, Qᵀ A = T Qᵀ, the uncontrollable part of the small pair (T, Qᵀ B) is counted by its staircase
// [Van Dooren 1981], with all singular values kept. Chains, such as those of rigid-body motion, are counted so, too.
//
//   const Controllability found = find_controllability(with_channels(system, {"u"}, {"angle"}));
//
// Small systems: all modes, from the state space. Large systems, and where some modes are asked for: by the left and
// right vectors of modes. An input of prescribed motion counts with its derivatives, B(s) = B₀ + s B₁ + s² B₂.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/find_modes.h"

namespace stillpoint {

/// A step of a staircase: the rank of a small matrix, decided by its singular values.
struct StaircaseStep {
  Index rows = 0, columns = 0, rank = 0;
  Eigen::VectorXd values;  ///< relative: 1 is the whole of a channel, or of A
  double noise = 0;        ///< bound on what rounding does to them
};

/// Whether inputs move the modes of one eigenvalue; the same for outputs that show them.
struct HautusTest {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  Index hidden = 0;         ///< how many of the modes no input moves (no output shows), to rounding
  bool undecided = false;   ///< rounding can decide about some neither way; these are not among `hidden`
  double distance = unset;  ///< least singular value of what is moved: changing the data by that would hide a mode
  double dropped = unset;   ///< largest singular value that counts as zero; NaN: none
  double noise = unset;     ///< largest rounding of these
  std::vector<StaircaseStep> steps;

  /// Something is moved, but a relative change of the data by less than 10⁻⁴ would hide it.
  bool is_barely() const;
};

/// The modes of one eigenvalue, or of eigenvalues that cannot be told apart.
struct ModeReach {
  static constexpr double unset = HautusTest::unset;

  std::complex<double> s;        ///< rad/s; of a pair the one with Im s > 0; of several the mean
  double error = unset;          ///< bound on |s − exact|
  Index multiplicity = 1;        ///< algebraic; a conjugate pair counts once
  Eigen::VectorXcd shape;        ///< δq, largest entry 1; one of several if the eigenvalue is repeated
  Eigen::VectorXd inputs;        ///< participation of each input, 0 ... 1: the part of its column along the mode
  Eigen::VectorXd outputs;       ///< the same of the row of each output
  Eigen::VectorXcd input_gains;  ///< ẇ of the modal coordinate, δq = w · shape, by a unit of each input; simple modes
  Eigen::VectorXcd output_gains;  ///< amplitude of each output in the motion `shape`; simple modes
  HautusTest moved, shown;        ///< by inputs, by outputs
  double energy_to_move = unset;  ///< least ∫|u|²dt that makes w one, 2|σ|/‖b‖²; simple, asymptotically stable modes
  double energy_shown = unset;  ///< ∫|y|²dt that starts from `shape`, ‖c‖²/2|σ|; the same modes
};

struct Controllability {
  std::string solver;              ///< "state space, block-diagonal form", "left and right vectors of the modes"
  std::vector<ModeReach> modes;    ///< by |s|
  bool all_modes = true;           ///< whether these are all of the system
  Index count = 0;                 ///< of modes with their multiplicities; a conjugate pair counts once
  Index unmoved = 0, unshown = 0;  ///< no input moves them, no output shows them
  Index barely_moved = 0, barely_shown = 0, undecided = 0;  ///< eigenvalues
  Eigen::VectorXd hankel;  ///< Hankel singular values of the whole system, descending; empty if `no_gramians` says why
  std::string no_gramians;
  std::vector<std::string> warnings;
};

struct ControllabilityOptions {
  std::optional<Which> which{};         ///< only these modes, by their vectors; none: all of small systems, or 20
  Index largest_dense = few_dof;        ///< degrees of freedom of which all modes are examined by the state space
  bool minimum_norm_reactions = false;  ///< as in PlantOptions
  MinimalOptions minimal{};
  std::function<void(const std::string&)> progress{};
};

/// Examines the modes of the system with its inputs and outputs. Throws Error if a reaction is not determined, and as
/// state_space() does.
Controllability find_controllability(const LinearSystem& system, const ControllabilityOptions& options = {});

/// Says which modes are moved and shown, in a table.
std::string to_text(const Controllability& found, const LinearSystem& system);
/// Returns one JSON object, schema stillpoint.controllability/1.
std::string to_json(const Controllability& found, const LinearSystem& system);

}  // namespace stillpoint
