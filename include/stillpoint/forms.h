// Three forms of one linear system: minimal, redundant and unconstrained coordinates (MCS, RCS, UCS; [González 2017]
// §3).
//
//   MCS   δq = R δz + S δu,  J R = 0:    M_r δz̈ + C_r δż + K_r δz = F_r δu − M_S δü − C_S δu̇             (3.1, 3.2)
//   RCS   E ẏ = A y + B u,   y = (q, v, λ)                                                                    (4.1)
//   UCS   M_p δq̈ + C_p δq̇ + K_p δq = F_p δu                                                              (5.1, 5.2)
//
// MCS and RCS take the independent rows of J, UCS takes all of them.
#pragma once

#include <array>
#include <complex>
#include <optional>

#include "stillpoint/linear_system.h"

namespace stillpoint {

// ----- MCS

/// Methods to find the columns of R. Each of them spans null(J), and the spectra do not depend on the choice.
enum class NullSpaceBasis {
  /// Coordinate partitioning: some coordinates of q are z, R = [I; −J_D⁻¹ J_I]. The choice is given, or it is found by
  /// sparse elimination, which prefers to solve for coordinates with little mass, and improved by the projective
  /// criterion while n k² ≤ 1e9.
  partition,
  projective,       ///< a partition, by the projective criterion of [Blajer 1994] (eq. 23a), greedily with deflation
  lu,               ///< a partition, by LU factorisation with complete pivoting
  svd,              ///< orthonormal, by singular value decomposition
  qr,               ///< orthonormal, by Householder QR factorisation
  gram_schmidt,     ///< orthonormal, each vector orthogonalised twice
  zero_eigenvalue,  ///< orthonormal: eigenvectors of JᵀJ with the eigenvalue zero
  /// z are relative motions along a spanning tree of joints, "crank.phi/rocker": the joint coordinates of an arm. Loops
  /// are closed by a partition of these.
  topological
};

struct MinimalOptions {
  NullSpaceBasis basis = NullSpaceBasis::partition;
  std::vector<Index> independent{};  ///< the coordinates z, for `partition`
  /// Largest order of a dense matrix: n for the orthonormal bases and LU; n × k matrices of the criterion may have as
  /// many entries. Larger systems can only use `partition`.
  Index largest_dense = 3000;
};

struct MinimalForm {
  SparseMatrix R;        ///< n × k, k = n − rank
  SparseMatrix S;        ///< n × inputs, J S = G; least norm for an orthonormal basis, zero in z for a partition
  SparseMatrix M, C, K;  ///< k × k
  SparseMatrix F;        ///< k × inputs: Rᵀ (F − K S)
  SparseMatrix Fv, Fa;   ///< k × inputs: −Rᵀ C S of u̇, −Rᵀ M S of ü
  std::vector<Index> independent;  ///< the coordinates z of a partition; empty otherwise
  std::vector<std::string> names;  ///< names of z, at most 10 000: coordinates, relative motions, or "t[1]", ...
};

/// Throws Error if the number of given coordinates is not that of the degrees of freedom, if they do not determine the
/// others (which are named), if a matrix would be too large, if the joints between the bodies are not known, if J is
/// too badly conditioned for the zero-eigenvalue theorem, and if prescribed motions contradict each other.
MinimalForm minimal_form(const LinearSystem& system, const MinimalOptions& options = {});

/// Returns M, C, K on one branch of real motion instead of null(J); R is a basis of the branch.
MinimalForm branch_form(const LinearSystem& system, const MotionBranch& branch);

/// Returns M_ii (R M_r⁻¹ Rᵀ)_ii for each coordinate, a measure of its fitness as an independent one. This is cos²α of
/// [Blajer 1994] (eq. 23a) if M is diagonal. The projective criterion chooses the coordinate with the largest value
/// first. The value of a coordinate without mass is zero. Throws Error for more than 3000 degrees of freedom.
Eigen::VectorXd projective_criterion(const LinearSystem& system);

// ----- RCS

struct DescriptorOptions {
  bool J_on_velocities = false;  ///< J q = 0 becomes J q̇ = 0: columns move from A to E ([González 2017] §3.2)
  bool Jt_on_rates = false;      ///< Jᵀλ becomes Jᵀμ̇ and moves to E, too
};

/// The descriptor system (RCS). Moving J or Jᵀ replaces infinite eigenvalues by zeros, which coincide with those of
/// rigid-body motion; so it throws Error if K is singular on the constrained motions, and for J_on_velocities if motion
/// is prescribed (the rates of u would be needed).
struct DescriptorForm {
  SparseMatrix E, A;                 ///< order 2n + r
  SparseMatrix B;                    ///< (2n + r) × inputs
  Index n = 0, r = 0;                ///< y = (q, v, λ): n, n, r
  DescriptorOptions moved;           ///< with Jt_on_rates the last r unknowns are ∫λ dt
  std::vector<Index> rows;           ///< rows of J that are used
  std::vector<std::string> dropped;  ///< names of those that are not
};

DescriptorForm descriptor_form(const LinearSystem& system, const DescriptorOptions& options = {});

// ----- UCS

struct PenaltyForm {
  SparseMatrix M, C, K;   ///< n × n: M + JᵀΞJ, C + JᵀΞΘJ, K + JᵀΞΩJ
  SparseMatrix F;         ///< n × inputs: F + JᵀΞΩG (u̇ and ü of prescribed motion: Fv, Fa)
  SparseMatrix Fv, Fa;    ///< JᵀΞΘG, JᵀΞG
  SparseMatrix J;         ///< all rows of J
  Eigen::VectorXd alpha;  ///< diagonal of Ξ, one factor for each constraint
  double xi = 1, omega = 10;

  /// g(s) = s² + 2ξω s + ω²; the spurious eigenvalues cluster near its roots.
  std::complex<double> g(std::complex<double> s) const { return s * s + 2 * xi * omega * s + omega * omega; }
  std::array<std::complex<double>, 2> roots_of_g() const;
};

/// λ = Ξ (Φ̈ + Θ Φ̇ + Ω Φ), Θ = 2ξω, Ω = ω².
struct PenaltyOptions {
  Eigen::VectorXd alpha{};  ///< Ξ: one number for all constraints, or one for each; empty: penalty_factors()
  double xi = 1;
  std::optional<double> omega{};  ///< rad/s; empty: penalty_frequency()
};

/// Returns ω as given in the options. The default is 10 rad/s as in [González 2017]; if alpha is not given either, it
/// is at most 16 times faster or slower than the typical frequency of the system, so that the magnitudes of spurious
/// and true eigenvalues are comparable. Throws Error for a number that is not positive.
double penalty_frequency(const LinearSystem& system, const PenaltyOptions& options = {});

/// Returns Ξ of each constraint as given in the options. The default is 1e7 times the mass that the constraint moves,
/// theory (5.5): large beside that mass, small enough to keep half of the digits. Throws Error for numbers that are not
/// positive and for a wrong number of them.
Eigen::VectorXd penalty_factors(const LinearSystem& system, const PenaltyOptions& options = {});

/// All rows of J take part, as in [González 2017]. At the equilibrium of the penalty system K already contains λ* =
/// ΞΩΦ.
PenaltyForm penalty_form(const LinearSystem& system, const PenaltyOptions& options = {});

}  // namespace stillpoint
