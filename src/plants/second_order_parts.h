// A second-order form with its outputs, from which explicit plants are made.
//
//   M z̈ + C ż + K z = Σ_k B_k u^(k),     y = H_q z + H_v ż + H_a z̈ + Σ_k D_k u^(k),     δq = T z + S u,   k ≤ 2
#pragma once

#include <string>
#include <vector>

#include "stillpoint/make_plant.h"

namespace stillpoint {

struct SecondOrderParts {
  SparseMatrix M, C, K;
  std::vector<Eigen::MatrixXd> B;  ///< factors of u, u̇, ü
  SparseMatrix Hq, Hv, Ha;
  std::vector<Eigen::MatrixXd> D;  ///< factors of u, u̇, ü
  SparseMatrix T, S;
  std::vector<std::string> names;  ///< names of z
  Eigen::VectorXd values;          ///< z at the operating point
  std::vector<std::string> notes;

  Index dofs() const { return static_cast<Index>(M.rows()); }
};

/// Makes the parts from a minimal form, or from a form with fewer coordinates.
SecondOrderParts parts_of(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options);

/// Makes the parts from the penalty form, whose multipliers are λ = Ξ (Φ̈ + ΘΦ̇ + ΩΦ).
SecondOrderParts parts_of(const LinearSystem& system, const PenaltyForm& form, const PlantOptions& options);

/// The degrees of freedom, sorted by the highest derivative that their equations contain.
struct DofKinds {
  std::vector<Index> massive;    ///< second order: with mass
  std::vector<Index> damped;     ///< first order: without mass, with damping
  std::vector<Index> algebraic;  ///< without mass and damping
  std::vector<Index> moving;     ///< massive or damped, ascending
};

/// Sorts the degrees of freedom. An entry of M or C that is no more than rounding of the magnitude of its terms counts
/// as zero.
DofKinds kinds_of(const Eigen::MatrixXd& M, const Eigen::MatrixXd& M_magnitudes, const Eigen::MatrixXd& C,
                  const Eigen::MatrixXd& C_magnitudes);

/// Returns the degrees of freedom with mass, without forming a dense matrix.
std::vector<Index> inertial_dofs(const LinearSystem& system, const MinimalForm& form);

/// Makes ẋ = A x + B w, y = C x + D w from the parts; x are the positions `moving` and the velocities `massive`.
void make_explicit(const LinearSystem& system, const SecondOrderParts& parts, const DofKinds& kinds, Plant& plant);

/// Throws Error if a dense state space of so many degrees of freedom is too large.
void require_few_states(Index dofs, const PlantOptions& options);

}  // namespace stillpoint
