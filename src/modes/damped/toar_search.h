// Some eigenvalues of a system of any kind and size by shift-and-invert with TOAR, with a count of the missing ones.
//
// The two-level orthogonal Arnoldi method [Lu 2016] with thick restarts [Stewart 2001] finds the eigenvalues near a
// shift, and the argument principle counts those in their region. If some are missing, the search continues with a new
// start vector and the known vectors locked, since one start vector finds only one vector of each multiple eigenvalue.
#pragma once

#include <string>

#include "modes/damped/motions_nearby.h"
#include "modes/damped/toar_view.h"
#include "modes/supervision.h"

namespace stillpoint {

/// Requests the `count` eigenvalues of least |s − centre|, where a conjugate pair counts once, or all within a
/// distance.
struct QuadraticRequest {
  std::complex<double> centre = 0;  ///< scaled, like all numbers here; Im ≥ 0
  Index count = 0;
  double distance = 0;
  double from = 0;     ///< inner radius: nearer eigenvalues are not wanted
  Index most = 0;      ///< largest number within the distance; beyond it the nearest are returned, uncertified
  bool counts = true;  ///< false: missing eigenvalues are not counted
  bool stays = false;  ///< the shift stays at the centre, also if one eigenvalue is much nearer than the others
  /// Eigenvalues that have not converged are sorted by their distance from this point.
  std::complex<double> aim = 0;
  Supervision supervision{};
  /// Where the search of lightly damped modes begins, if anything is known; takes what it leaves. Null: nothing is
  /// kept.
  MotionsNearby* nearby = nullptr;
};

struct QuadraticPairs {
  /// Scaled, in the order of |s − centre|. Im s ≥ 0, and the conjugates are eigenvalues too. Around a centre that is
  /// not real some values may lie below the real axis, or beside it, by their errors.
  Eigen::VectorXcd s;
  Eigen::MatrixXcd x;                 ///< scaled: coordinates and multipliers, in columns
  double radius = 0;                  ///< outer radius: |s − centre| of all values is less
  double inner = 0;                   ///< inner radius
  Index missing = 0;                  ///< eigenvalues between the radii that are not in the result
  std::optional<Index> inside{};      ///< the counted number, if none is missing
  bool nothing_grows_beyond = false;  ///< the count has shown that no value beyond the outer radius has Re s > 0
  double counting_seconds = 0;
  std::string solver = "sparse Krylov";
  std::string uncertainty{};               ///< empty if the missing eigenvalues were counted
  bool is_converged = true;                ///< as many converged as were requested
  std::vector<Unconverged> unconverged{};  ///< otherwise the places of others, in the order of |s − aim|

  Index size() const { return static_cast<Index>(s.size()); }
};

/// Returns M + εI, the inner product of the mass for M ≥ 0, made definite in massless directions.
SparseMatrix with_regularized_mass(const SparseMatrix& M);

/// Searches from a shift at the centre or beside it.
QuadraticPairs find_around(const BorderedProblem& problem, const QuadraticPencil& pencil,
                           const QuadraticRequest& request);

}  // namespace stillpoint
