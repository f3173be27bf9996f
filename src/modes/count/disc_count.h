// Eigenvalue count in a disc: by inertia where the disc is centred at zero and the damping is light, theory (11.8), or
// where all forces that depend on velocities are gyroscopic, theory (11.14); by the argument principle otherwise,
// theory (11.7), with the small determinant of theory (11.15) for low-rank damping.
#pragma once

#include "modes/count/argument_principle.h"
#include "modes/count/damped_inertia.h"
#include "modes/count/gyroscopic_inertia.h"

namespace stillpoint {

class DiscCount {
 public:
  /// The edge of the disc lies in the gap between eigenvalues; distances are measured from the centre. What is known of
  /// the undamped system saves factorisations.
  DiscCount(const BorderedProblem& problem, const QuadraticPencil& pencil, std::complex<double> centre, const Gap& gap,
            const UndampedBelow& undamped = {}, const Supervision& supervision = {});

  /// Whether the count of the inertia under light damping has shown that no eigenvalue outside has Re s > 0.
  bool nothing_grows_beyond() const { return is_weakly_damped_; }
  /// Returns the number of eigenvalues inside beyond those in `known`, which around a real centre contains both members
  /// of each pair. Returns nothing if the count fails or its time is over, if it is less than the known number, or if
  /// it exceeds the order.
  std::optional<Index> unknown(const std::vector<std::complex<double>>& known);

 private:
  std::optional<Index> argument_count_around(const std::vector<std::complex<double>>& known);

  const QuadraticPencil& pencil_;
  std::complex<double> centre_;
  double radius_, room_;
  Supervision supervision_;
  std::optional<Index> inside_;
  bool is_weakly_damped_ = false;
  LogDeterminant by_low_rank_;  ///< empty: not of low rank
  std::optional<ArgumentCount> argument_count_;
};

/// Adds the conjugate of each value with Im s > 0 directly after it.
std::vector<std::complex<double>> with_conjugates(const Eigen::VectorXcd& upper);

}  // namespace stillpoint
