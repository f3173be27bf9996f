// Equilibrium of the penalty system by Newton's method with the penalty forces λ* = ΞΩΦ as unknowns:
//
//   [ K    Jᵀ      ] [ δq ]   [ f − Jᵀλ      ]
//   [ J  −(ΞΩ)⁻¹   ] [ δλ ] = [ (ΞΩ)⁻¹λ − Φ  ]
//
// In contrast to K + JᵀΞΩJ this regularised KKT matrix stays well conditioned for large Ξ, is as sparse as that of the
// constrained problem, and is regular where constraints are redundant or the configuration is singular.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/median.h"
#include "equilibrium/statics.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"

namespace stillpoint {

namespace {

using Vector = Eigen::VectorXd;

constexpr int most_steps = 50;
constexpr int most_halvings = 10;
constexpr double balanced = 1e-12;  // residual at the level of rounding
constexpr double tolerable =
    1e-8;  // the same where coordinates are far larger than the displacements that change the forces

// Shifts of K relative to its largest entry: a free motion, such as that of a cart on a rail, makes the matrix
// singular.
constexpr std::array stiffenings{0.0, 1e-10, 1e-8, 1e-6, 1e-4};

void require_values(const Model& model, const Equilibrium& rest, const Vector& alpha, double omega) {
  if (rest.status != EquilibriumStatus::at_rest)
    throw Error(
        fmt::format("'{}': the search for the penalty equilibrium needs an equilibrium of the constrained system: {}",
                    model.name(), rest.message));
  if (alpha.size() != model.constraints())
    throw Error(fmt::format("{} penalty factors were given for {} constraints: there must be one for each",
                            alpha.size(), model.constraints()));
  for (Index i = 0; i < alpha.size(); ++i) {
    if (!(std::isfinite(alpha[i]) && alpha[i] > 0))
      throw Error(fmt::format("the penalty factor of constraint '{}' is {}: it must be positive",
                              model.constraint_name(i), alpha[i]));
  }
  if (!(std::isfinite(omega) && omega > 0))
    throw Error(fmt::format("omega of the penalty is {}: it must be positive (rad/s)", omega));
}

double largest_of(const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

class PenaltySearch {
 public:
  PenaltySearch(const Model& model, const Equilibrium& rest, const Vector& alpha, double omega)
      : model_(model),
        compliance_((alpha * (omega * omega)).cwiseInverse()),
        scales_(scales_at(model, rest.state)),
        statics_(model, rest.state, scales_) {
    look_at(rest.state);
  }

  PenaltyEquilibrium run() {
    while (found_.iterations < most_steps && largest_residual() > rounding() && step()) ++found_.iterations;
    report();
    return std::move(found_);
  }

 private:
  // Each constraint has its own compliance, and the bordered matrix of Statics has one shift for all: the rows are
  // scaled such that their shifts are equal, with the usual scales in the median.
  Scales scales_at(const Model& model, const State& state) {
    Assembly assembly(model);
    Scales scales = find_scales(model, state, assembly.at(state).J);
    if (compliance_.size() == 0) return scales;
    const Vector scaled = scales.w.cwiseAbs2().cwiseProduct(compliance_);
    shift_ = median({scaled.begin(), scaled.end()});
    scales.w = (shift_ * compliance_.cwiseInverse()).cwiseSqrt();
    return scales;
  }

  void look_at(State state) {
    point_ = statics_.at(std::move(state));
    statics_.linearize(point_);
    phi_ = point_.phi - scales_.w.cwiseProduct(compliance_.cwiseProduct(point_.state.lambda));
  }

  // Force residuals are relative to the forces, constraint residuals to lengths.
  double largest_residual() const { return std::max(point_.residual(), largest_of(phi_)); }

  double rounding() const { return std::max(point_.noise, statics_.constraint_noise(point_.state)); }

  // If the residual is at the level of rounding already, one more step is tried for the remaining digits; it must halve
  // the residual, or the iteration ends.
  bool step() {
    if (largest_residual() <= balanced) return improves({.to = 0.5, .halvings = 0, .stiffening = 0});
    return std::any_of(stiffenings.begin(), stiffenings.end(), [&](double stiffening) {
      return improves({.to = 1, .halvings = most_halvings, .stiffening = stiffening});
    });
  }

  struct Attempt {
    double to;  ///< accepted ratio of the residual after and before the step
    int halvings;
    double stiffening;
  };

  bool improves(const Attempt& attempt) {
    if (!statics_.factor(statics_.linearize(point_), {attempt.stiffening, shift_ * statics_.energy()})) return false;
    const Statics::Step step = statics_.solve(point_.r, phi_);
    const Point before = point_;
    const Vector phi_before = phi_;
    const double allowed = attempt.to * largest_residual();
    double share = 1;
    for (int k = 0; k <= attempt.halvings; ++k, share /= 2) {
      State next = statics_.displaced(before.state, share * step.x);
      next.lambda += share * step.lambda;
      look_at(std::move(next));
      if (largest_residual() < allowed) return true;
    }
    point_ = before;
    phi_ = phi_before;
    return false;
  }

  void report() {
    const double allowed = std::clamp(10 * rounding(), balanced, tolerable);
    found_.converged = largest_residual() <= allowed;
    found_.residual = point_.residual();
    found_.largest_residual = largest_of(constraint_residual(model_, point_.state));
    if (!found_.converged) explain(allowed);
    found_.state = std::move(point_.state);
  }

  void explain(double allowed) {
    Index worst = 0;
    const bool forces = point_.residual() >= largest_of(phi_);
    (forces ? point_.r : phi_).cwiseAbs().maxCoeff(&worst);
    found_.message = fmt::format(
        "the penalty system was not balanced after {} steps: residual {:.1e} > {:.1e}, largest at '{}'; larger penalty "
        "factors keep it nearer to the equilibrium of the constrained system",
        found_.iterations, largest_residual(), allowed,
        forces ? model_.coordinate_name(worst) : model_.constraint_name(worst));
  }

  const Model& model_;
  Vector compliance_;  // compliance of the constraints, (ΞΩ)⁻¹
  double shift_ = 0;
  Scales scales_;
  Statics statics_;
  Point point_;
  Vector phi_;
  PenaltyEquilibrium found_;
};

}  // namespace

PenaltyEquilibrium find_penalty_equilibrium(const Model& model, const Equilibrium& rest, const Eigen::VectorXd& alpha,
                                            double omega) {
  require_values(model, rest, alpha, omega);
  return PenaltySearch(model, rest, alpha, omega).run();
}

}  // namespace stillpoint
