// Newton's method on the penalty system with its forces λ* = ΞΩΦ as unknowns:
//
//   [ K    Jᵀ      ] [ δq ]   [ f − Jᵀλ      ]
//   [ J  −(ΞΩ)⁻¹   ] [ δλ ] = [ (ΞΩ)⁻¹λ − Φ  ]
//
// Unlike K + JᵀΞΩJ this stays well conditioned however large Ξ is, as sparse as the constrained problem, and regular
// where constraints are redundant or the configuration is singular.

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
constexpr double balanced = 1e-12;  // where nothing but rounding is left of the residuals
constexpr double tolerable = 1e-8;  // the same where coordinates are far larger than what changes the forces

// Added to K, relative to its largest entry: what moves freely, such as a cart on a rail, leaves the matrix singular.
constexpr std::array stiffenings{0.0, 1e-10, 1e-8, 1e-6, 1e-4};

void require_values(const Model& model, const Equilibrium& rest, const Vector& alpha, double omega) {
  if (rest.status != RestStatus::at_rest)
    throw Error(fmt::format("'{}': the penalty's rest position is sought from that of the constrained system: {}",
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
        give_((alpha * (omega * omega)).cwiseInverse()),
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
  // The give of the constraints is different for each, and the bordered matrix of statics knows one shift for all:
  // rows are scaled so that it is the same, and as large on the whole as if they were scaled by their own sizes.
  Scales scales_at(const Model& model, const State& state) {
    Assembly assembly(model);
    Scales scales = find_scales(model, state, assembly.at(state));
    if (give_.size() == 0) return scales;
    const Vector scaled = scales.w.cwiseAbs2().cwiseProduct(give_);
    shift_ = median({scaled.begin(), scaled.end()});
    scales.w = (shift_ * give_.cwiseInverse()).cwiseSqrt();
    return scales;
  }

  void look_at(State state) {
    point_ = statics_.at(std::move(state));
    statics_.linearize(point_);
    gap_ = point_.gap - scales_.w.cwiseProduct(give_.cwiseProduct(point_.state.lambda));
  }

  // Forces relative to the forces, gaps relative to lengths.
  double largest_residual() const { return std::max(point_.residual(), largest_of(gap_)); }

  double rounding() const { return std::max(point_.noise, statics_.closing_noise(point_.state)); }

  // Where it is balanced already, one more step is for the digits that are left: it must be worth it, or is the last.
  bool step() {
    if (largest_residual() <= balanced) return improves({.to = 0.5, .halvings = 0, .stiffening = 0});
    return std::any_of(stiffenings.begin(), stiffenings.end(), [&](double stiffening) {
      return improves({.to = 1, .halvings = most_halvings, .stiffening = stiffening});
    });
  }

  struct Attempt {
    double to;  ///< share of the residual that may be left
    int halvings;
    double stiffening;
  };

  bool improves(const Attempt& attempt) {
    if (!statics_.factor(statics_.linearize(point_), {attempt.stiffening, shift_ * statics_.energy()})) return false;
    const Statics::Step step = statics_.solve(point_.r, gap_);
    const Point before = point_;
    const Vector gap_before = gap_;
    const double allowed = attempt.to * largest_residual();
    double share = 1;
    for (int k = 0; k <= attempt.halvings; ++k, share /= 2) {
      State next = statics_.displaced(before.state, share * step.x);
      next.lambda += share * step.lambda;
      look_at(std::move(next));
      if (largest_residual() < allowed) return true;
    }
    point_ = before;
    gap_ = gap_before;
    return false;
  }

  void report() {
    const double allowed = std::clamp(10 * rounding(), balanced, tolerable);
    found_.converged = largest_residual() <= allowed;
    found_.residual = point_.residual();
    found_.largest_gap = largest_of(constraint_residual(model_, point_.state));
    if (!found_.converged) explain(allowed);
    found_.state = std::move(point_.state);
  }

  void explain(double allowed) {
    Index worst = 0;
    const bool forces = point_.residual() >= largest_of(gap_);
    (forces ? point_.r : gap_).cwiseAbs().maxCoeff(&worst);
    found_.message = fmt::format(
        "the penalty system was not balanced after {} steps: residual {:.1e} > {:.1e}, largest at '{}'; larger penalty "
        "factors keep it nearer to the rest position of the constrained system",
        found_.iterations, largest_residual(), allowed,
        forces ? model_.coordinate_name(worst) : model_.constraint_name(worst));
  }

  const Model& model_;
  Vector give_;  // (ΞΩ)⁻¹
  double shift_ = 0;
  Scales scales_;
  Statics statics_;
  Point point_;
  Vector gap_;
  PenaltyEquilibrium found_;
};

}  // namespace

PenaltyEquilibrium find_penalty_equilibrium(const Model& model, const Equilibrium& rest, const Eigen::VectorXd& alpha,
                                            double omega) {
  require_values(model, rest, alpha, omega);
  return PenaltySearch(model, rest, alpha, omega).run();
}

}  // namespace stillpoint
