#include "equilibrium/relax.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stillpoint {

namespace {

constexpr double wanted = 1e-12;    // residual at an equilibrium, relative to the forces
constexpr double loosest = 1e-8;    // upper limit of the tolerance: K grows without bound where a law has no value
constexpr double polished = 1e-15;  // no further reduction is attempted
constexpr double longest = 0.7;     // longest step: rotation, or motion relative to adjacent bodies
constexpr double lowers = 1e-4;     // share of the first-order decrease that a step must reach (Armijo)
constexpr double local = 1e-5;      // below this residual Newton's method only polishes
constexpr double stiffest = 1e6;    // a shift beyond which a step is negligible
constexpr double least_shift = 1e-12;
constexpr int most_corrections = 8;
constexpr int most_inner_steps = 2;
constexpr int most_halvings = 12;
constexpr double far_away = 1e6;  // distance from the start, in typical lengths or radians

class Relaxer {
 public:
  Relaxer(Statics& statics, const State& start, Measure measure, double residual_bound)
      : statics_(statics), measure_(measure), residual_bound_(residual_bound), q_start_(start.q) {
    result_.point = statics_.at(start);
  }

  Relaxation run(int most_iterations) {
    Point& here = result_.point;
    if (here.state.lambda.size() == 0)
      statics_.fit_multipliers(here);  // if that fails, the multipliers start from zero
    statics_.linearize(here);
    for (; result_.iterations < most_iterations; ++result_.iterations) {
      if (is_done()) return ended(Relaxation::End::at_rest);
      std::optional<Point> there = measure_ == Measure::energy ? energy_step() : residual_step();
      if (!there) return ended(is_good() ? Relaxation::End::at_rest : Relaxation::End::no_progress);
      better_ = there->residual() < 0.25 * here.residual() ||
                there->constraint_residual() < 0.25 * here.constraint_residual();
      here = std::move(*there);
      if (rows_have_changed()) return ended(Relaxation::End::rows_changed);
      if (!(displacement() < far_away)) return ended(Relaxation::End::ran_away);
    }
    return ended(is_good() ? Relaxation::End::at_rest : Relaxation::End::too_many_steps);
  }

 private:
  Relaxation ended(Relaxation::End end) {
    result_.end = end;
    return std::move(result_);
  }

  bool is_good() const {
    const Point& p = result_.point;
    return p.residual() <= tolerance_at(p) && p.constraint_residual() <= 10 * statics_.constraint_noise(p.state);
  }

  // The residual is within the tolerance, and the last step did not reduce it any more.
  bool is_done() const {
    const Point& p = result_.point;
    return is_good() &&
           (!better_ || (p.residual() <= polished && p.constraint_residual() <= statics_.constraint_noise(p.state)));
  }

  double displacement() const {
    if (statics_.n() == 0) return 0;
    return (result_.point.state.q - q_start_).cwiseQuotient(statics_.scales().s).lpNorm<Eigen::Infinity>();
  }

  bool rows_have_changed() const {
    if (statics_.rows_in_use().empty()) return false;
    const State& state = result_.point.state;
    return !(largest(statics_.whole_phi(state)) <= residual_bound_ + 10 * result_.point.constraint_residual());
  }

  // Takes the share of the step, with second-order corrections onto the constraints by the factorised matrix.
  std::optional<Point> moved(const Statics::Step& step, double share) {
    const Point& here = result_.point;
    State there = statics_.displaced(here.state, share * step.x);
    there.lambda += share * step.lambda;
    Eigen::VectorXd phi = statics_.phi(there);
    if (!phi.allFinite()) return std::nullopt;
    const double size = share * statics_.length_of_step(step.x, longest);
    // The constraint residual must be so small that its effect on the energy is below that of the step.
    const double enough =
        std::max(statics_.constraint_noise(here.state), 1e-3 * size * size + (1 - share) * here.constraint_residual());
    for (int k = 0; largest(phi) > enough; ++k) {
      if (k == most_corrections) return std::nullopt;
      const double before = largest(phi);
      there = statics_.displaced(std::move(there), statics_.solve_for_constraints(phi));
      phi = statics_.phi(there);
      if (!(largest(phi) < 0.7 * before)) return std::nullopt;
    }
    Point point = statics_.at(std::move(there));
    if (!point.f.allFinite()) return std::nullopt;
    return point;
  }

  void reduce_shift() { shift_ = shift_ > 1e-9 ? shift_ / 10 : 0; }

  // Stiff directions resist the curvature of the path and not the step: a slender beam that bends would have to become
  // longer. Newton's method on the same subproblem, the potential with the shift as a proximal term, removes such
  // forces.
  template <typename Goal>
  std::optional<Point> with_inner_steps(Point point, double share, double shift, const Goal& is_reached) {
    const Point& here = result_.point;
    for (int k = 0; k < most_inner_steps; ++k) {
      const Eigen::VectorXd way = statics_.difference(here.state, point.state);
      const Eigen::VectorXd r = point.r - (1 - share) * here.r - shift * way;
      if (!statics_.factor(statics_.linearize(point), {shift / statics_.energy(), 0})) return std::nullopt;
      const Statics::Step step = statics_.solve(r, point.phi);
      if (!step.x.allFinite() || statics_.length_of_step(step.x, longest) > longest) return std::nullopt;
      State there = statics_.displaced(point.state, step.x);
      there.lambda += step.lambda;
      point = statics_.at(std::move(there));
      if (!point.f.allFinite() || !point.phi.allFinite()) return std::nullopt;
      statics_.linearize(point);
      if (is_reached(point)) return point;
    }
    return std::nullopt;
  }

  // Lowers the potential: K is shifted until the step is a descent direction and the potential decreases.
  std::optional<Point> energy_step() {
    Point& here = result_.point;
    const bool knows_energy = statics_.has_potential(here.state);
    const double lagrangian = knows_energy ? statics_.lagrangian(here) : 0;
    double next = shift_;
    while (next <= stiffest) {
      shift_ = next;
      const Matrices& at = statics_.linearize(here);
      next = std::max(100 * shift_, least_shift);  // the next shift if the matrix is singular
      if (!statics_.factor(at, {shift_, 0})) continue;
      const Statics::Step step = statics_.solve(here.r, here.phi);
      if (!step.x.allFinite()) continue;
      const double size = statics_.length_of_step(step.x, longest);
      const double work = step.x.dot(here.r);
      const bool polishing = here.residual() <= local && here.constraint_residual() <= local;
      const double energy = statics_.energy();  // the energy scale of the factorised matrix
      // xᵀ(K + δ)x: the work without the part that the constraint correction costs.
      const double bend = work + here.phi.cwiseQuotient(statics_.scales().w).dot(step.lambda);
      const bool assembling = here.constraint_residual() > 1e-6;
      const bool downhill = bend >= 0 || size < 1e-12;
      const double curvature = bend / (energy * step.x.squaredNorm());
      next = std::max({10 * shift_, least_shift, downhill ? curvature : shift_ - 2 * curvature});
      if (!downhill && !polishing) continue;
      const double share = size > longest ? longest / size : 1;
      std::optional<Point> there = moved(step, share);
      if (!there) continue;
      statics_.linearize(*there);
      const bool lower_residual = there->residual() * there->force < here.residual() * here.force ||
                                  there->constraint_residual() < 0.1 * here.constraint_residual();
      if (polishing && lower_residual) {
        reduce_shift();
        return there;
      }
      if (polishing && is_good()) break;  // rounding allows no further reduction
      const auto is_lower = [&](const Point& point) {
        const double least = lowers * share * std::abs(work);
        if (knows_energy && size > 1e-3) return statics_.lagrangian(point) <= lagrangian - least;
        return 0.5 * statics_.difference(here.state, point.state).dot(here.r + point.r) >= least;
      };
      bool lower = is_lower(*there);
      if (!lower && !assembling) {
        std::optional<Point> corrected = with_inner_steps(*there, share, energy * shift_, is_lower);
        lower = corrected.has_value();
        if (corrected) there = std::move(corrected);
      }
      if (lower || (assembling && there->constraint_residual() < 0.1 * here.constraint_residual())) {
        if (share == 1) reduce_shift();
        return there;
      }
    }
    return std::nullopt;
  }

  // Lowers the residual along the Newton step, by a backtracking line search.
  std::optional<Point> residual_step() {
    Point& here = result_.point;
    const Matrices& at = statics_.linearize(here);
    double shift = 0;
    while (!statics_.factor(at, {shift, 0})) {
      shift = shift > 0 ? 100 * shift : 1e-12;
      if (shift > 1e-2) return std::nullopt;
    }
    const Statics::Step step = statics_.solve(here.r, here.phi);
    if (!step.x.allFinite()) return std::nullopt;
    const double size = statics_.length_of_step(step.x, longest);
    double share = size > longest ? longest / size : 1;
    const auto merit = [&](const Point& p) { return p.residual() * p.force / here.force + p.constraint_residual(); };
    if (!(here.force > 0) && here.constraint_residual() == 0) return std::nullopt;
    for (int k = 0; k < most_halvings; ++k, share /= 2) {
      std::optional<Point> there = moved(step, share);
      if (!there) continue;
      statics_.linearize(*there);
      if (merit(*there) < (1 - lowers * share) * merit(here)) return there;
    }
    return std::nullopt;
  }

  Statics& statics_;
  Measure measure_;
  double residual_bound_;
  Eigen::VectorXd q_start_;
  Relaxation result_;
  bool better_ = true;
  double shift_ = 0;
};

}  // namespace

double tolerance_at(const Point& point) { return std::clamp(64 * point.noise, wanted, loosest); }

Relaxation relax(Statics& statics, const State& start, Measure measure, int most_iterations, double residual_bound) {
  return Relaxer(statics, start, measure, residual_bound).run(most_iterations);
}

Relaxation relax_by_load_steps(Statics& statics, const State& start, int most_iterations, double residual_bound) {
  Point point = statics.at(start);
  Relaxation done;
  if (!statics.fit_multipliers(point)) return done;
  statics.linearize(point);
  const Eigen::VectorXd holding = -point.r.cwiseQuotient(statics.scales().s);
  State reached = point.state;
  double share = 1, step = 0.25;
  int iterations = 0;
  while (share > 0 && iterations < most_iterations && step > 1e-4) {
    const double next = std::max(0.0, share - step);
    statics.hold(holding, next);
    done = relax(statics, reached, Measure::residual, most_iterations - iterations, residual_bound);
    iterations += std::max(1, done.iterations);
    if (done.end == Relaxation::End::at_rest) {
      share = next;
      reached = done.point.state;
      step *= 2;
    } else {
      step /= 3;
    }
  }
  statics.hold({}, 0);
  done.iterations = iterations;
  if (share > 0) done.end = Relaxation::End::no_progress;
  return done;
}

}  // namespace stillpoint
