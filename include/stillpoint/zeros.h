// Zeros of a linear system from some inputs to some outputs: where the outputs stay zero although the inputs, or the
// motion alone, do not.
//
//           [ s²M + sC + K         Jᵀ    −F  ]
//   P(s) =  [       J              0     −G  ]          the system pencil [Rosenbrock 1970]                   (12.6)
//           [ H_q + sH_v + s²H_a   H_λ   H_u ]
//
// A finite s where the rank of P drops below its normal rank is an invariant zero. Those that come from a mode which no
// input moves, or which no output shows, are decoupling zeros: there the first two block rows, or block columns, of P
// lose rank by themselves. The others are the transmission zeros. P keeps the constraints, and P may be rectangular.
//
//   const Zeros found = find_zeros(with_channels(system, {"u"}, {"angle"}));
//
// Small systems: the infinite and singular parts of the pencil are deflated by orthogonal transformations (theory
// 12.7), so that no infinite zero comes back as a large finite one; each decision on a rank is recorded with its gap.
// Large systems: the zeros near a point, by the sparse engine for modes, with its count.
#pragma once

#include <complex>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stillpoint/linear_system.h"

namespace stillpoint {

struct Zero {
  static constexpr double unset = std::numeric_limits<double>::quiet_NaN();

  std::complex<double> s;   ///< rad/s
  Index multiplicity = 1;   ///< algebraic: as many zeros coincide here, to rounding
  Index rank_drop = 1;      ///< of the system pencil at s: the geometric multiplicity
  double error = unset;     ///< bound on |s − exact|, of each of the coinciding ones
  double residual = unset;  ///< the singular value of the scaled pencil at s that should be zero, relative to its norm
  Index transmission = 0;   ///< how many of `multiplicity` are no decoupling zeros
  Index input_decoupling = 0, output_decoupling = 0;  ///< how many are decoupling zeros of each kind, or of both
  Eigen::VectorXcd coordinates;  ///< motion δq that no output shows; its largest entry is 1, or empty
  Eigen::VectorXcd inputs;       ///< input that goes with it; zero: the motion needs none
};

/// A decision on a rank in the deflation.
struct RankOfStep {
  Index rows = 0, columns = 0, rank = 0;
  double smallest_kept = Zero::unset, largest_dropped = Zero::unset;  ///< singular values, relative to the pencil
};

struct Zeros {
  std::string solver;                 ///< "deflated system pencil, QZ", ...
  std::vector<Zero> invariant;        ///< in the order of |s|, of a pair the one with Im s > 0 first
  std::vector<Zero> unmoved;          ///< input-decoupling zeros: modes that no input moves
  std::vector<Zero> unshown;          ///< output-decoupling zeros: modes that no output shows
  bool knows_decoupling = true;       ///< whether `unmoved` and `unshown` were looked for beyond the invariant ones
  Index normal_rank = 0;              ///< of the transfer function from inputs to outputs
  std::string region;                 ///< where the zeros are complete, "with |s - 3| < 7 rad/s"; empty: everywhere
  std::vector<RankOfStep> steps;      ///< of the deflation
  double smallest_gap = Zero::unset;  ///< of these decisions; infinite: nothing is small
  bool certified = true;
  std::vector<std::string> reasons;  ///< why it is not certified
  std::vector<std::string> warnings;

  Index count() const;  ///< of invariant zeros with their multiplicities
};

struct ZeroOptions {
  std::optional<std::complex<double>> near{};  ///< only those nearest to this point (rad/s), by the sparse engine
  Index count = 10;                            ///< how many near the point; a conjugate pair counts once
  bool minimum_norm_reactions = false;         ///< as in PlantOptions
  Index largest_dense = 700;                   ///< order of the linear pencil that is deflated
  std::function<void(const std::string&)> progress{};
};

/// Finds the zeros. Throws Error if a reaction is not determined, and if the pencil is too large to be deflated and no
/// point is given.
Zeros find_zeros(const LinearSystem& system, const ZeroOptions& options = {});

/// Says how the zeros lie, in a table.
std::string to_text(const Zeros& zeros, const LinearSystem& system);
/// Returns one JSON object, schema stillpoint.zeros/1.
std::string to_json(const Zeros& zeros, const LinearSystem& system);

}  // namespace stillpoint
