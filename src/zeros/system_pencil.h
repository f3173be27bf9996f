// The system pencil of a linear system with its inputs and outputs, in numbers without units.
//
//   P(s) = s² second + s first + zeroth       (n + r + outputs) × (n + r + inputs),  s in units of γ           (12.6)
//
// Coordinates, constraints and γ are scaled as in BorderedProblem, inputs and outputs so that the largest entry of each
// is about one; all factors are powers of two.
#pragma once

#include <complex>

#include "stillpoint/zeros.h"

namespace stillpoint {

struct SystemPencil {
  SparseMatrix second, first, zeroth;
  Index coordinates = 0, constraints = 0, inputs = 0, outputs = 0;
  double gamma = 1;              ///< s = γ ŝ
  Eigen::VectorXd column_scale;  ///< unknown = scale × unknown without unit; coordinates, multipliers, inputs

  Index rows() const { return coordinates + constraints + outputs; }
  Index columns() const { return coordinates + constraints + inputs; }
  /// Returns P(ŝ), and its derivative.
  Eigen::MatrixXcd at(std::complex<double> s) const;
  Eigen::MatrixXcd derivative(std::complex<double> s) const;
  /// Returns |s|² |second| + |s| |first| + |zeroth|.
  Eigen::MatrixXd magnitudes(double size_of_s) const;
};

/// `reactions` is H_λ with determined rows.
SystemPencil system_pencil(const LinearSystem& system, const SparseMatrix& reactions);
/// The pencil without its last rows, whose zeros are the input-decoupling ones, and without its last columns, whose
/// zeros are the output-decoupling ones.
SystemPencil without_outputs(const SystemPencil& pencil);
SystemPencil without_inputs(const SystemPencil& pencil);

/// A pencil made square by combinations, L P R.
struct SquaredPencil {
  SystemPencil pencil;
  SparseMatrix left, right;
};

/// Combines the outputs, and the inputs, to as many as `rank` says, the normal rank of the transfer function:
///
///   L = [I R₁; 0 R₂],   R = [I 0; R₃ R₄]       with fixed numbers in R₁ ... R₄; only where there are too many
///
/// Zeros of P stay with their multiplicities. Others depend on these numbers, and are no zeros of P. Where `mixes`, the
/// equations of motion get combinations of the outputs (output injection), and the motion feeds the inputs, so that
/// without any output, or input, hidden modes remain and others move.
SquaredPencil squared(const SystemPencil& pencil, Index rank, bool mixes);

/// Returns Yᵀ P Z with the same finite zeros and no constraints: Z spans the null space of the rows [J, −G] and Y that
/// of the columns [Jᵀ; H_λ], both orthonormal. These rows and columns are constant and independent, so that what is
/// left out has no finite zero. Motions that only the constraints make possible, where M alone is singular, leave with
/// them.
struct FreePencil {
  SystemPencil pencil;
  std::vector<RankOfStep> steps;  ///< the ranks of the two blocks
};
FreePencil without_constraints(const SystemPencil& pencil);

/// Returns a pencil with s' = ŝ / factor and other scales of rows and columns, in which no mass is small.
struct FastPencil {
  SystemPencil pencil;
  double factor = 1;
};
FastPencil with_even_masses(const SystemPencil& pencil);

/// A linear pencil ŝ E − A with the same finite zeros. Its unknowns are those of P, and ŝ times those that P multiplies
/// by ŝ. Dense.
struct LinearPencil {
  Eigen::MatrixXd E, A;
};
LinearPencil linearized(const SystemPencil& pencil);

}  // namespace stillpoint
