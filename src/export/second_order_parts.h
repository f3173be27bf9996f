// A form of second order with its outputs: what explicit plants are made from.
//
//   M z̈ + C ż + K z = Σ_k B_k u^(k),     y = H_q z + H_v ż + H_a z̈ + Σ_k D_k u^(k),     δq = T z + S u,   k ≤ 2
#pragma once

#include <string>
#include <vector>

#include "stillpoint/make_plant.h"

namespace stillpoint {

struct SecondOrderParts {
  SparseMatrix M, C, K;
  std::vector<Eigen::MatrixXd> B;  ///< of u, u̇, ü
  SparseMatrix Hq, Hv, Ha;
  std::vector<Eigen::MatrixXd> D;  ///< of u, u̇, ü
  SparseMatrix T, S;
  std::vector<std::string> names;  ///< of z
  Eigen::VectorXd values;          ///< of z at rest
  std::vector<std::string> notes;

  Index freedoms() const { return static_cast<Index>(M.rows()); }
};

/// Of a minimal form, or of fewer coordinates than that.
SecondOrderParts parts_of(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options);

/// Of the penalty form: multipliers are λ = Ξ (Φ̈ + ΘΦ̇ + ΩΦ).
SecondOrderParts parts_of(const LinearSystem& system, const PenaltyForm& form, const PlantOptions& options);

/// Freedoms, by what resists their acceleration and their rate.
struct FreedomKinds {
  std::vector<Index> massive;  ///< have mass
  std::vector<Index> damped;   ///< no mass, but damping
  std::vector<Index> still;    ///< neither
  std::vector<Index> moving;   ///< massive or damped, ascending
};

/// An entry of M or C that is no more than rounding of `sizes` counts as zero.
FreedomKinds kinds_of(const Eigen::MatrixXd& M, const Eigen::MatrixXd& M_sizes, const Eigen::MatrixXd& C,
                      const Eigen::MatrixXd& C_sizes);
FreedomKinds kinds_of(const LinearSystem& system, const MinimalForm& form);

/// Those with mass, however many there are.
std::vector<Index> massive_freedoms(const LinearSystem& system, const MinimalForm& form);

/// ẋ = A x + B w, y = C x + D w of the parts; x: positions of what moves, rates of what has mass.
void make_explicit(const LinearSystem& system, const SecondOrderParts& parts, const FreedomKinds& kinds, Plant& plant);

/// Error if a dense state space of so many freedoms is too large.
void require_few_states(Index freedoms, const PlantOptions& options);

}  // namespace stillpoint
