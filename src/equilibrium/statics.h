// The equations of rest at one state, in numbers without units, and how far a state is from solving them.
#pragma once

#include <memory>

#include "algebra/sparse_lu.h"
#include "equilibrium/scales.h"
#include "stillpoint/rank.h"

namespace stillpoint {

/// Everything that is known at a state. r needs the matrices there.
struct Point {
  State state;
  Eigen::VectorXd f;    ///< applied forces
  Eigen::VectorXd gap;  ///< W (Φ − leftover)
  Eigen::VectorXd r;    ///< S (f − Jᵀλ)
  double force =
      0;  ///< the largest force that acts or holds, S (|f| + |J|ᵀ|λ|), or that a spring needs for a small strain
  double noise = 0;  ///< what rounding of the coordinates changes in r, relative to that force

  double residual() const { return force > 0 ? r.lpNorm<Eigen::Infinity>() / force : 0; }
  double opening() const { return gap.size() > 0 ? gap.lpNorm<Eigen::Infinity>() : 0; }
};

class Statics {
 public:
  /// Scales are those at the guess. Throws Error if the model has no value there.
  Statics(const Model& model, const State& guess);
  /// With scales that are known already.
  Statics(const Model& model, const State& guess, const Scales& scales);

  const Model& model() const { return model_; }
  const Scales& scales() const { return scales_; }
  Index n() const { return model_.coordinates(); }
  Index m() const { return model_.constraints(); }

  /// Which rows of J count, and what Φ is allowed to keep: for redundant constraints.
  void use_rows(const std::vector<Index>& independent);
  void allow_leftover(const Eigen::VectorXd& phi) { leftover_ = phi; }
  const std::vector<char>& rows_in_use() const { return is_on_; }

  /// These coordinates give way a thousand times less than others; an empty list undoes it.
  void stiffen(const std::vector<Index>& coordinates);

  /// A dead force that is added to those of the model: f + share · held.
  void hold(Eigen::VectorXd force, double share) {
    held_ = std::move(force);
    share_ = share;
  }
  bool holds() const { return held_.size() > 0 && share_ != 0; }

  Point at(State state) const;                                          ///< without r
  State displaced(const State& state, const Eigen::VectorXd& x) const;  ///< by S x
  /// From one state to another: `displaced` by it leads there.
  Eigen::VectorXd difference(const State& from, const State& to) const;
  /// M, C, K, J at the point; fills r. Valid until the next call.
  const Matrices& linearize(Point& point);
  /// The potential energy relative to energy(), and a Lagrangian with it: V + λᵀΦ.
  double lagrangian(const Point& point) const;
  /// The largest entry of S K S, or if that is less the largest S f.
  double energy() const { return energy_; }
  /// Rounding of Φ, relative.
  double closing_noise(const State& state) const;
  bool has_potential(const State& state) const;  ///< no force is without one

  /// [[K̂ + δ, Ĵᵀ], [Ĵ, −μ]] in use. False if singular.
  bool factor(const Matrices& at, const BorderedMatrix::Shifts& shifts);
  /// The same without stiffness: the unit matrix in place of K̂.
  bool factor_metric(const Matrices& at, double mu = 0);
  struct Step {
    Eigen::VectorXd x;       ///< S⁻¹ δq
    Eigen::VectorXd lambda;  ///< δλ
  };
  Step solve(const Eigen::VectorXd& r, const Eigen::VectorXd& gap);
  Eigen::VectorXd solve_for_coordinates(const Eigen::VectorXd& r) { return solve(r, Eigen::VectorXd::Zero(m())).x; }

  /// Rows of J that depend on each other; J is judged without units, its null vectors are for J as it is.
  RowDependence dependence(const Matrices& at, const RankOptions& options) const;

  /// λ that leaves the least of S (f − Jᵀλ).
  bool fit_multipliers(Point& point);

  const SparseMatrix& bordered() const { return bordered_->matrix(); }
  int factorisations() const { return lu_->factorisations(); }

 private:
  Eigen::VectorXd forces(const State& state) const;

  Model model_;
  Assembly assembly_;
  Scales scales_;
  Eigen::VectorXd usual_;  ///< scales of the coordinates when none is stiffened
  std::vector<char> is_on_;
  Eigen::VectorXd leftover_, held_;
  double share_ = 0;
  double energy_ = 1;
  std::unique_ptr<BorderedMatrix> bordered_;
  std::unique_ptr<SparseLu> lu_;
};

}  // namespace stillpoint
