#include "equilibrium/assembly_problem.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stillpoint {

namespace {

constexpr int most_steps = 200;
constexpr double least_damping = 1e-12;  // keeps the matrix regular where rows depend on each other
constexpr double hopeless = 1e8;         // damping beyond which a step is negligible

// The constraints may differ from their linearization by this residual at the end of a step: it is what an arm of a
// typical length leaves when it turns by half a radian.
constexpr double most_curvature = 0.125;
constexpr double aims_at = 0.8 * most_curvature;
constexpr int most_shortenings = 30;

// A step of which a smaller share was taken asks for more damping: only a few directions were too long.
constexpr double much_too_long = 0.5;

// The damping falls where the linearized constraints predict the reduction well, and rises where they do not.
constexpr double good_gain = 0.75, poor_gain = 0.25;

// A step that reduces the residual by less than this share of itself indicates a local minimum, and so do some steps
// that reduce |WΦ|² by less than a tenth together.
constexpr double no_progress = 1e-3;
constexpr std::size_t patience = 12;
constexpr double least_progress = 0.1;

class Assembler {
 public:
  Assembler(Statics& statics, const State& start) : statics_(statics), here_(statics.at(start)) {}

  AssemblyResult run() {
    AssemblyResult assembled;
    while (assembled.iterations < most_steps && !is_assembled() && !assembled.stationary) {
      ++assembled.iterations;
      const Outcome outcome = step();
      if (outcome == Outcome::at_rounding) break;
      assembled.stationary = outcome == Outcome::stationary;
    }
    assembled.phi = here_.phi;
    assembled.state = std::move(here_.state);
    return assembled;
  }

 private:
  enum class Outcome { goes_on, stationary, at_rounding };

  bool is_assembled() const { return here_.constraint_residual() <= statics_.constraint_noise(here_.state); }

  double mu() const { return std::max(least_damping, damping_ * std::min(1.0, here_.constraint_residual())); }

  Outcome step() {
    const Matrices& at = statics_.matrices(here_.state);
    if (!statics_.factor_assembly(at, mu())) return damp();
    const Eigen::VectorXd x = statics_.solve_for_assembly(here_.phi);
    if (!x.allFinite()) return damp();
    const auto [share, there, predicted] = nearly_linear_part(at, x);
    const double before = here_.phi.squaredNorm(), after = there.phi.squaredNorm();
    if (!(after < before)) {
      if (here_.constraint_residual() <= 100 * statics_.constraint_noise(here_.state)) return Outcome::at_rounding;
      return share * largest(x) < 1e-14 ? Outcome::stationary : damp();
    }
    const bool hardly_lower = after > (1 - no_progress) * before && mu() <= 1e-6 && share == 1;
    here_ = there;
    adapt_damping(share, (before - after) / (before - predicted));
    return hardly_lower || has_stalled(after) ? Outcome::stationary : Outcome::goes_on;
  }

  Outcome damp() {
    if (mu() > hopeless) return Outcome::stationary;
    damping_ *= 8;
    return Outcome::goes_on;
  }

  // The gain is the reduction of |WΦ|² relative to that of the linearized constraints [Marquardt 1963].
  void adapt_damping(double share, double gain) {
    if (share < much_too_long) damping_ *= 8;
    else if (share == 1 && gain > good_gain) damping_ = std::max(least_damping, damping_ / 8);
    else if (gain < poor_gain) damping_ *= 2;
  }

  bool has_stalled(double squares) {
    squares_.push_back(squares);
    return squares_.size() > patience && squares > (1 - least_progress) * squares_[squares_.size() - 1 - patience];
  }

  struct Part {
    double share = 1;
    Point there;
    double predicted = 0;  ///< |WΦ|² of the linearized constraints
  };

  // The curvature Φ(q + x) − Φ(q) − J x of the constraints grows with the square of the step. It measures how far a
  // step may go, whatever the number of bodies that only follow.
  Part nearly_linear_part(const Matrices& at, const Eigen::VectorXd& x) {
    const Scales& scales = statics_.scales();
    const Eigen::VectorXd linear = scales.w.cwiseProduct(at.J * scales.s.cwiseProduct(x));
    Part part;
    for (int k = 0;; ++k) {
      part.there = statics_.at(statics_.displaced(here_.state, part.share * x));
      const double curvature = largest(part.there.phi - here_.phi - part.share * linear);
      part.predicted = (here_.phi + part.share * linear).squaredNorm();
      if (curvature <= most_curvature || k == most_shortenings) return part;
      part.share *= curvature < 1e6 ? std::min(0.8, std::sqrt(aims_at / curvature)) : 1e-3;
    }
  }

  Statics& statics_;
  Point here_;
  double damping_ = 1e-2;
  std::vector<double> squares_;  // |WΦ|² after each step taken
};

}  // namespace

AssemblyResult assemble_constraints(Statics& statics, const State& start) { return Assembler(statics, start).run(); }

}  // namespace stillpoint
