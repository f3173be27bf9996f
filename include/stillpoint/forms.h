// Three forms of one linear system: minimal, redundant and unconstrained coordinates (MCS, RCS, UCS; paper 000 §3).
//
//   MCS   δq = R δz + S δu,  J R = 0:    M_r δz̈ + C_r δż + K_r δz = F_r δu − M_S δü − C_S δu̇               (T7, T8)
//   RCS   E ẏ = A y + B u,   y = (q, v, λ)                                                                    (T13)
//   UCS   M_p δq̈ + C_p δq̇ + K_p δq = F_p δu                                                              (T15, T16)
//
// All take the independent rows of J only.
#pragma once

#include <array>
#include <complex>
#include <optional>

#include "stillpoint/linear_system.h"

namespace stillpoint {

// ----- MCS

/// How the columns of R are found. All span null(J); spectra do not depend on it.
enum class Tangent {
  /// Some coordinates of q are z: R = [I; −J_D⁻¹ J_I]. Which, is found by sparse elimination that prefers to solve for
  /// coordinates with little mass, then by the projective criterion while n k² ≤ 1e9; or it is given.
  partition,
  projective,       ///< a partition, by the projective criterion of paper 001 (eq. 23a), greedily with deflation
  lu,               ///< a partition, by LU with complete pivoting
  svd,              ///< orthonormal
  qr,               ///< orthonormal, Householder
  gram_schmidt,     ///< orthonormal, each vector orthogonalised twice
  zero_eigenvalue,  ///< orthonormal: eigenvectors of JᵀJ with the eigenvalue zero
  /// z are motions relative to each other along a spanning tree of joints, "crank.phi/rocker": the joint coordinates of
  /// an arm. Loops are closed by a partition of these.
  topological
};

struct MinimalOptions {
  Tangent tangent = Tangent::partition;
  std::vector<Index> independent{};  ///< the coordinates z, for `partition`
  /// The largest size of a dense matrix: of n × n for the orthonormal ones and LU, of n × k for the criterion (as many
  /// entries). Beyond that only `partition` works.
  Index largest_dense = 3000;
};

struct MinimalForm {
  SparseMatrix R;        ///< n × k, k = n − rank
  SparseMatrix S;        ///< n × inputs: prescribed motion, J S = G (of least entries: zero in z for a partition)
  SparseMatrix M, C, K;  ///< k × k
  SparseMatrix F;        ///< k × inputs: Rᵀ (F − K S)
  SparseMatrix Fv, Fa;   ///< k × inputs: −Rᵀ C S of u̇, −Rᵀ M S of ü
  std::vector<Index> independent;  ///< the coordinates z of a partition; empty otherwise
  std::vector<std::string> names;  ///< of z, up to 10 000 of them: coordinates, relative motions, or "t[1]", ...
};

/// Throws Error if the given coordinates are not as many as there are freedoms or do not determine the others (which,
/// by name), if a matrix would be too large, if it is not known how bodies hang on each other, if J is too badly
/// conditioned for the zero-eigenvalue theorem, and if prescribed motions contradict each other.
MinimalForm minimal_form(const LinearSystem& system, const MinimalOptions& options = {});

/// M, C, K on one branch of real motion instead of all of null(J); R are its tangents.
MinimalForm branch_form(const LinearSystem& system, const MotionBranch& branch);

/// M_ii (R M_r⁻¹ Rᵀ)_ii for each coordinate: how well it does as an independent one. This is cos²α of paper 001
/// (eq. 23a) where M is diagonal. The first choice of the projective criterion is where it is largest. Zero for a
/// coordinate without mass. At most 3000 freedoms; Error otherwise.
Eigen::VectorXd projective_criterion(const LinearSystem& system);

// ----- RCS

struct DescriptorOptions {
  bool J_on_velocities = false;  ///< J q = 0 becomes J q̇ = 0: the columns move from A to E (paper 000 §3.2)
  bool Jt_on_rates = false;      ///< Jᵀλ becomes Jᵀμ̇: moves to E, too
};

/// Moving J or Jᵀ makes zeros of infinities, which fall together with those of rigid-body motion: Error if K is
/// singular on the constrained motions, and for J_on_velocities where motion is prescribed (the rates of u would be
/// needed).
struct DescriptorForm {
  SparseMatrix E, A;                 ///< order 2n + r
  SparseMatrix B;                    ///< (2n + r) × inputs
  Index n = 0, r = 0;                ///< y = (q, v, λ): n, n, r
  DescriptorOptions moved;           ///< with Jt_on_rates the last r are ∫λ dt
  std::vector<Index> rows;           ///< of J that are in
  std::vector<std::string> dropped;  ///< names of those that are not
};

DescriptorForm descriptor_form(const LinearSystem& system, const DescriptorOptions& options = {});

// ----- UCS

struct PenaltyForm {
  SparseMatrix M, C, K;   ///< n × n: M + JᵀΞJ, C + JᵀΞΘJ, K + JᵀΞΩJ
  SparseMatrix F;         ///< n × inputs: F + JᵀΞΩG (u̇ and ü of prescribed motion: Fv, Fa)
  SparseMatrix Fv, Fa;    ///< JᵀΞΘG, JᵀΞG
  SparseMatrix J;         ///< all rows
  Eigen::VectorXd alpha;  ///< Ξ, of each constraint
  double xi = 1, omega = 10;

  /// g(s) = s² + 2ξω s + ω²: near its roots the spurious eigenvalues cluster.
  std::complex<double> g(std::complex<double> s) const { return s * s + 2 * xi * omega * s + omega * omega; }
  std::array<std::complex<double>, 2> roots_of_g() const;
};

/// λ = Ξ (Φ̈ + Θ Φ̇ + Ω Φ), Θ = 2ξω, Ω = ω².
struct PenaltyOptions {
  Eigen::VectorXd alpha{};  ///< Ξ: empty: penalty_factors(); one number: for all constraints; or one for each
  double xi = 1;
  std::optional<double> omega{};  ///< rad/s; none: penalty_frequency()
};

/// ω as the options say. If they do not, 10 rad/s as in the paper; where alpha is left open, too, at most 16 times
/// faster or slower than what is typical of the system, so that its spurious eigenvalues are of a size with the true
/// ones. Throws Error for a number that is not positive.
double penalty_frequency(const LinearSystem& system, const PenaltyOptions& options = {});

/// Ξ of each constraint as the options say; if they do not, 1e7 times the mass that it moves (T18): large beside it,
/// small enough to keep half of the digits. Throws Error for numbers that are not positive and for a
/// wrong number of them.
Eigen::VectorXd penalty_factors(const LinearSystem& system, const PenaltyOptions& options = {});

/// All rows of J take part, as in the paper. With the system at the penalty's own rest position K has λ* = ΞΩΦ in it
/// already.
PenaltyForm penalty_form(const LinearSystem& system, const PenaltyOptions& options = {});

}  // namespace stillpoint
