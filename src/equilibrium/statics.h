// The equations of rest at one state, in numbers without units, and how far a state is from solving them.
#pragma once

#include <memory>

#include "algebra/sparse_lu.h"
#include "equilibrium/scales.h"
#include "stillpoint/rank.h"

namespace stillpoint {

/// The largest entry in magnitude; 0 if there is none.
inline double largest(const Eigen::VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

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
  double opening() const { return largest(gap); }
};

class Statics {
 public:
  /// Scales are those at the guess. Throws Error if the model has no value there.
  Statics(const Model& model, const State& guess);
  /// With scales that are known already.
  Statics(const Model& model, const State& guess, const Scales& scales);
  Statics(const Statics&) = delete;
  Statics& operator=(const Statics&) = delete;

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

  Point at(State state) const;                                   ///< without r
  Eigen::VectorXd gap(const State& state) const;                 ///< of the point there
  Eigen::VectorXd whole_gap(const State& state) const;           ///< W Φ, of all rows and with any leftover
  State displaced(State state, const Eigen::VectorXd& x) const;  ///< by S x
  /// From one state to another: `displaced` by it leads there.
  Eigen::VectorXd difference(const State& from, const State& to) const;
  /// M, C, K, J at a state; valid until the next call. They are remembered: another call at the same state and with the
  /// same multipliers, on which K depends, costs next to nothing.
  const Matrices& matrices(const State& state);
  /// The same at a point; fills r and what it is compared with.
  const Matrices& linearize(Point& point);
  /// The potential energy, also that of a dead force, and the constraints: V + λᵀΦ.
  double lagrangian(const Point& point) const;
  /// The largest entry of S K S, or if that is less the largest S f.
  double energy() const { return energy_; }
  /// Rounding of Φ, relative.
  double closing_noise(const State& state) const;
  bool has_potential(const State& state) const;  ///< no force is without one

  /// [[K̂ + δ, Ĵᵀ], [Ĵ, −μ]], not in use: factor before the next solution.
  const SparseMatrix& bordered(const Matrices& at, const BorderedMatrix::Shifts& shifts);
  /// The same in use. False if singular.
  bool factor(const Matrices& at, const BorderedMatrix::Shifts& shifts);
  /// The same without stiffness: the unit matrix in place of K̂.
  bool factor_metric(const Matrices& at, double mu = 0);
  struct Step {
    Eigen::VectorXd x;       ///< S⁻¹ δq
    Eigen::VectorXd lambda;  ///< δλ
  };
  Step solve(const Eigen::VectorXd& r, const Eigen::VectorXd& gap);
  Eigen::VectorXd solve_for_coordinates(const Eigen::VectorXd& r) { return solve(r, Eigen::VectorXd::Zero(m())).x; }
  /// The step that closes the gaps; its multipliers are of no interest.
  Eigen::VectorXd solve_for_gap(const Eigen::VectorXd& gap);

  /// Rows of J that depend on each other; J is judged without units, its null vectors are for J as it is.
  RowDependence dependence(const Matrices& at, const RankOptions& options) const;

  /// λ that leaves the least of S (f − Jᵀλ).
  bool fit_multipliers(Point& point);

  int factorisations() const { return lu_->factorisations(); }

 private:
  Eigen::VectorXd forces(const State& state) const;

  Model model_;
  Assembly assembly_;
  State assembled_;                     ///< where the matrices were evaluated last,
  const Matrices* matrices_ = nullptr;  ///< and these; null if nowhere
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
