// Rest positions and spectra in the plainest dense way, for small models: a witness that shares nothing with the
// library's own solvers but the matrices.
//
//   rest:      Φ(q) = 0,  Rᵀf = 0,  λ = (Jᵀ)⁺f                  (theory (2.1); ⁺ is the pseudoinverse)
//   spectrum:  det(s²M_r + sC_r + K_r) = 0,  X_r = RᵀXR          (theory (3.2))
//
// R is an orthonormal basis of null(J) from the SVD, so redundant constraints and singular positions need no special
// care. A step is an increment of the coordinates: positions grow by it, bodies in space turn by it about their own
// axes (`displaced`).
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "stillpoint/assembly.h"

namespace stillpoint::dense {

/// Singular values below this part of the largest count as zero. What is zero comes out at 1e-14 here, and what is not
/// stays above 1e-3: both are far away.
constexpr double rank_tolerance = 1e-9;

struct Matrices {
  Eigen::MatrixXd M, C, K, J;
};

Matrices matrices_at(const Model& model, const State& state);

// Eigen's decompositions, compiled here once: each costs a compiler some ten seconds.

/// By LU with complete pivoting.
Eigen::Index rank(const Eigen::MatrixXd& A);
/// A⁻¹ B of a regular A.
Eigen::MatrixXd solve(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// Descending.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
Eigen::VectorXcd eigenvalues(const Eigen::MatrixXd& A);
/// Ascending.
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// The shortest of the vectors x that bring A x nearest to b.
Eigen::VectorXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// Orthonormal columns that span null(J).
Eigen::MatrixXd null_space(const Eigen::MatrixXd& J);

/// Moves a state onto Φ(q) = 0 by the shortest Newton steps, down to rounding. Throws std::runtime_error if that fails.
State close_loops(const Model& model, State state);

/// Multipliers of least norm that hold the forces.
Eigen::VectorXd multipliers(const Model& model, const State& state);

/// The rest position that Newton's method finds from a guess: stable or not, the nearer the better. Its λ has least
/// norm. Throws std::runtime_error if there is none.
State find_rest(const Model& model, State guess);

/// All eigenvalues s at a rest position with its λ. Without damping they are ±√(−μ), so that no rounding turns an
/// imaginary one aside. Throws std::runtime_error if a direction of motion is without mass and not damped.
std::vector<std::complex<double>> dense_spectrum(const Model& model, const State& rest);

}  // namespace stillpoint::dense
