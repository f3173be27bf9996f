// The equations of equilibrium, theory (2.1), at one state in dimensionless form, their residuals and their KKT matrix.
// With the scales S of the coordinates and W of the constraints,
//
//   r = S (f − Jᵀλ),   K̂ = S K S,   Ĵ = W J S
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "equilibrium/bordered_analysis.h"
#include "equilibrium/displacement_metric.h"
#include "equilibrium/scales.h"
#include "model/static_assembly.h"
#include "stillpoint/detail/symmetric_factor.h"
#include "stillpoint/rank.h"

namespace stillpoint {

/// The largest entry in magnitude; 0 if there is none.
inline double largest(const Eigen::VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

/// A state with its residuals. The entry r needs the matrices at the state: see `linearize`.
struct Point {
  State state;
  Eigen::VectorXd f;  ///< applied forces
  Eigen::VectorXd phi;  ///< the scaled constraint residual W (Φ − Φ₀); redundant constraints keep the residual Φ₀
  Eigen::VectorXd r;  ///< the scaled force residual S (f − Jᵀλ)
  double force = 0;  ///< the largest entry of S (|f| + |J|ᵀ|λ|), or of the force that a spring needs for a small strain
  double noise = 0;  ///< the change of r by rounding of the coordinates, relative to that force

  double residual() const { return force > 0 ? r.lpNorm<Eigen::Infinity>() / force : 0; }
  double constraint_residual() const { return largest(phi); }
};

class Statics {
 public:
  /// The scales are those at the guess. Throws Error if the model has no value there.
  Statics(const Model& model, const State& guess);
  /// The scales are given.
  Statics(const Model& model, const State& guess, const Scales& scales);
  Statics(const Statics&) = delete;
  Statics& operator=(const Statics&) = delete;

  const Model& model() const { return model_; }
  const Scales& scales() const { return scales_; }
  Index n() const { return model_.coordinates(); }
  Index m() const { return model_.constraints(); }

  /// The rows of J in use, and the residual Φ₀ that redundant constraints may keep.
  void use_rows(const std::vector<Index>& independent);
  void allow_residual(const Eigen::VectorXd& phi) { allowed_phi_ = phi; }
  const std::vector<char>& rows_in_use() const { return is_on_; }

  /// Makes the assembly move these coordinates as little as possible; an empty list undoes it.
  void hold_in_assembly(std::vector<Index> coordinates);

  /// Adds a dead force to those of the model: f + share · force.
  void hold(Eigen::VectorXd force, double share) {
    held_ = std::move(force);
    share_ = share;
  }
  bool holds() const { return held_.size() > 0 && share_ != 0; }

  Point at(State state) const;                                   ///< without r
  Eigen::VectorXd phi(const State& state) const;                 ///< scaled, zero in rows not in use
  Eigen::VectorXd whole_phi(const State& state) const;           ///< W Φ of all rows, without Φ₀
  State displaced(State state, const Eigen::VectorXd& x) const;  ///< displaced by S x
  /// The dimensionless displacement that leads from one state to another.
  Eigen::VectorXd difference(const State& from, const State& to) const;
  /// K, J, F, G at a state; valid until the next call. They are cached: a second call at the same state and with the
  /// same multipliers, on which K depends, costs next to nothing.
  const Matrices& matrices(const State& state);
  /// The matrices at a point; fills r and its reference force.
  const Matrices& linearize(Point& point);
  /// The Lagrangian V + λᵀΦ, where V includes the dead force.
  double lagrangian(const Point& point) const;
  /// The energy scale: the largest entry of S K S, or if that is less the largest entry of S f.
  double energy() const { return energy_; }
  /// The rounding level of the scaled constraint residual.
  double constraint_noise(const State& state) const;
  bool has_potential(const State& state) const;  ///< all acting forces have a potential

  /// [[K̂ + δ, Ĵᵀ], [Ĵ, −μ]]; it must be factorised before the next solution.
  const SparseMatrix& bordered(const Matrices& at, const BorderedMatrix::Shifts& shifts);
  /// For signs of the eigenvalues of that matrix.
  SymmetricFactor& symmetric_factor(const Matrices& at) {
    factored_.reset();
    return analysis_of(at).symmetric();
  }
  /// Assembles and factorises this matrix, unless that is what was factorised last. False if it is singular.
  bool factor(const Matrices& at, const BorderedMatrix::Shifts& shifts);
  /// Factorises the same matrix with the unit matrix in place of K̂.
  bool factor_metric(const Matrices& at, double mu = 0);
  struct Step {
    Eigen::VectorXd x;       ///< S⁻¹ δq
    Eigen::VectorXd lambda;  ///< δλ
  };
  Step solve(const Eigen::VectorXd& r, const Eigen::VectorXd& phi);
  Eigen::VectorXd solve_for_coordinates(const Eigen::VectorXd& r) { return solve(r, Eigen::VectorXd::Zero(m())).x; }
  /// The step that removes the constraint residual; its multipliers are not used.
  Eigen::VectorXd solve_for_constraints(const Eigen::VectorXd& phi);

  /// Factorises [[H, Ĵᵀ], [Ĵ, −μ]] with the metric H of displacement_metric.h, which keeps the shape of the mechanism.
  bool factor_assembly(const Matrices& at, double mu);
  /// The least step in that metric that removes the constraint residual, up to the damping μ.
  Eigen::VectorXd solve_for_assembly(const Eigen::VectorXd& phi);
  /// The largest entry of x, or if that exceeds a limit the largest change of shape by x in that metric.
  double length_of_step(const Eigen::VectorXd& x, double limit);

  /// The dependent rows of J, decided in scaled form; the null vectors belong to J itself.
  RowDependence dependence(const Matrices& at, const RankOptions& options) const;

  /// Computes the λ that minimises |S (f − Jᵀλ)|.
  bool fit_multipliers(Point& point);

  int factorisations() const { return factorisations_ + assembly_factorisations_; }

  /// What is known of the bordered matrix by its pattern, for the statics of another model; null if it was not needed.
  std::shared_ptr<BorderedAnalysis> analysis() const { return analysis_; }
  /// Gives back the memory of the factors of LU, where the next matrix is another one.
  void forget_factors() {
    if (analysis_) analysis_->forget_factors();
  }
  /// Gives back its memory and that of the factors, where something else is needed first.
  void forget_analysis() {
    analysis_.reset();
    factored_.reset();
  }
  /// Takes it over from other statics, which must not be used any more, if the patterns are the same.
  void take_analysis(const std::shared_ptr<BorderedAnalysis>& analysis);

 private:
  const SparseMatrix& bordered_with(const Matrices& at, double energy, const BorderedMatrix::Shifts& shifts);
  BorderedAnalysis& analysis_of(const Matrices& at);
  bool factored();
  Eigen::VectorXd forces(const State& state) const;

  Model model_;
  StaticAssembly assembly_;
  State assembled_;                     ///< the state of the cached matrices
  const Matrices* matrices_ = nullptr;  ///< the cached matrices; null if there are none
  Scales scales_;
  std::vector<char> is_on_;
  Eigen::VectorXd allowed_phi_, held_;
  double share_ = 0;
  double energy_ = 1;
  std::shared_ptr<BorderedAnalysis> analysis_;  ///< made when it is first needed
  /// The bordered matrix that was factorised last, of the cached matrices; empty if there is none.
  struct Factored {
    double energy = 0;
    BorderedMatrix::Shifts shifts;
    bool operator==(const Factored&) const = default;
  };
  std::optional<Factored> factored_;
  int factorisations_ = 0;
  const DisplacementMetric& metric();

  std::unique_ptr<DisplacementMetric> metric_;  ///< null until a step needs it
  struct AssemblyMatrix {
    AssemblyMatrix(SparseMatrix its_metric, const SparseMatrix& J)
        : metric(std::move(its_metric)), bordered(metric, J), factor(bordered.matrix()) {}
    SparseMatrix metric;
    BorderedMatrix bordered;
    SymmetricFactor factor;  ///< a partially pivoted LU would fill up: H nearly vanishes on common translations
  };
  int assembly_factorisations_ = 0;
  std::vector<Index> held_in_assembly_;
  std::unique_ptr<AssemblyMatrix> assembly_problem_;  ///< null until an assembly needs a step
};

}  // namespace stillpoint
