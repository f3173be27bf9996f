// Independent coordinates z of a mechanism in motion, and what follows from them [Wehage & Haug 1982], [Blajer 1994]:
//
//   v = R v_z + Y,   R = [I; −J_D⁻¹ J_z],   Y = [0; J_D⁻¹ G u̇]
//   v̇ = R z̈ + S,    RᵀM R z̈ = Rᵀ(b − M S),   S = [0; J_D⁻¹ c],   J_Dᵀ λ = (b − M v̇)_D                          (13.11)
//
// J_D are the columns of the other coordinates in the rows that are independent where the choice was made. The choice
// follows from the projective criterion of section 3.
#pragma once

#include <Eigen/LU>

#include "motion/chart.h"
#include "motion/equations_of_motion.h"

namespace stillpoint {

struct IndependentChoice {
  std::vector<Index> independent{}, dependent{};  ///< coordinates
  std::vector<Index> rows{};                      ///< independent rows of J
  Index dropped = 0;                              ///< how many rows depend on these
};

/// Throws Error for too many coordinates, and where prescribed motions contradict each other.
IndependentChoice choose_independent(const Model& model, const State& state, const EquationsOfMotion& equations);

/// The constraints at one position, solved for the dependent coordinates.
class PartitionedConstraints {
 public:
  PartitionedConstraints(const IndependentChoice& choice, const SparseMatrix& J);
  /// In coordinates that are centred elsewhere: increments in place of rates.
  PartitionedConstraints(const IndependentChoice& choice, const SparseMatrix& J, const Chart& chart,
                         const Eigen::VectorXd& increments);

  /// An estimate of the reciprocal condition of J_D, with rows of unit length; 0 if it is singular.
  double regularity() const { return regularity_; }
  /// n × k
  Eigen::MatrixXd motions() const;
  /// What the dependent coordinates must do so that J x = c, while the independent ones do this.
  Eigen::VectorXd completed(const Eigen::VectorXd& independent, const Eigen::VectorXd& c) const;
  /// λ of all rows, zero for those that were dropped, from the forces that the constraints exert.
  Eigen::VectorXd multipliers(const Eigen::VectorXd& forces) const;
  /// The rates, with these values of G u̇; v holds those of the independent coordinates.
  Accelerations accelerations(const EquationsOfMotion& equations) const;

 private:
  void factor(Eigen::MatrixXd J);
  Eigen::VectorXd of_rows(const Eigen::VectorXd& c) const { return scale_.cwiseProduct(c(choice_.rows)); }

  IndependentChoice choice_;
  Eigen::Index coordinates_, constraints_;
  Eigen::VectorXd scale_;
  Eigen::MatrixXd of_independent_;  ///< J_z
  Eigen::PartialPivLU<Eigen::MatrixXd> of_dependent_;
  double regularity_ = 1;
};

/// 1 / √(RᵀM R)_kk for each independent coordinate: the cosine that the projective criterion gives it when all others
/// are chosen, for a mass of one. It vanishes where the coordinate no longer determines the motion.
Eigen::VectorXd fitness(const SparseMatrix& M, const Eigen::MatrixXd& motions);

}  // namespace stillpoint
