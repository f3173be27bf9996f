// How an equilibrium moves when its residuals change: (15.1).
#pragma once

#include <memory>
#include <string>

#include "equilibrium/statics.h"
#include "stillpoint/equilibrium.h"

namespace stillpoint {

class ShiftOfEquilibrium {
 public:
  /// `reach` is the change of the parameter that counts as one. The statics of the model may be null.
  ShiftOfEquilibrium(const Model& model, const Equilibrium& rest, const std::string& parameter, double reach,
                     const std::shared_ptr<Statics>& statics = {})
      : rest_(rest),
        parameter_(parameter),
        reach_(reach),
        shared_statics_(statics ? statics : std::make_shared<Statics>(model, rest.state)),
        statics_(*shared_statics_),
        point_(statics_.at(rest.state)),
        at_(statics_.linearize(point_)) {
    statics_.use_rows(rest.independent_rows);
  }

  const Scales& scales() const { return statics_.scales(); }
  /// At the equilibrium, without M and C.
  const Matrices& matrices() const { return at_; }
  /// Of springs that are stretched a little.
  double usual_force() const {
    constexpr double small_strain = 1e-3;
    return small_strain * (at_.K.cwiseAbs() * scales().s).norm();
  }

  struct Shift {
    Eigen::VectorXd q, lambda;
  };
  /// Solves for the shift; `applied` and `of_constraints` are the rates of f and Jᵀλ, and phi that of Φ. Throws Error
  /// if there is none.
  Shift solve(const Eigen::VectorXd& applied, const Eigen::VectorXd& of_constraints, const Eigen::VectorXd& phi);

 private:
  void require_closed(const Eigen::VectorXd& phi);
  Shift without_drift(const Eigen::VectorXd& r, const Eigen::VectorXd& phi, double terms);
  Eigen::MatrixXd neutral_motions(Index count);

  const Equilibrium& rest_;
  const std::string& parameter_;
  double reach_;
  std::shared_ptr<Statics> shared_statics_;
  Statics& statics_;
  Point point_;
  const Matrices& at_;
};

}  // namespace stillpoint
