#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "equilibrium/close.h"
#include "equilibrium/freedom.h"
#include "equilibrium/relax.h"
#include "equilibrium/stability.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Vector = Eigen::VectorXd;

constexpr int closing_attempts = 6;
constexpr int most_saddles = 30;
constexpr int most_rank_changes = 10;
constexpr Index many_rows = 1000;         // beyond them a rank costs more than a factorisation
constexpr double nearly_singular = 1e-6;  // singular values of J below this part of the largest
constexpr double checked_to = 1e-8;       // what a guess that is only checked may be off

class EquilibriumSearch {
 public:
  EquilibriumSearch(const Model& model, const State& guess, const EquilibriumOptions& options)
      : model_(model), options_(options), statics_(model, at_rest(guess)), guess_(at_rest(guess)) {
    rest_.typical_length = statics_.scales().length;
  }

  ConstraintSurvey survey() {
    ConstraintSurvey found;
    found.closed = close();
    if (found.closed) {
      choose_rows(start_);
      point_ = statics_.at(start_);
      point_.state.lambda = Vector::Zero(statics_.m());
      note_rank();
      describe_freedom();
    }
    static_cast<ConstraintFreedom&>(found) = std::move(static_cast<ConstraintFreedom&>(rest_));
    found.message = std::move(rest_.message);
    return found;
  }

  Equilibrium run() {
    const auto started = std::chrono::steady_clock::now();
    find();
    rest_.factorisations += statics_.factorisations();
    rest_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return std::move(rest_);
  }

 private:
  static State at_rest(State state) {
    state.v.resize(0);
    state.a.resize(0);
    state.lambda.resize(0);
    return state;
  }

  void find() {
    if (options_.rest == RestKind::check) return check();
    if (!close()) return;
    if (!all_rows_will_do()) choose_rows(start_);
    balance();
    draw_into_singular();
    examine();
  }

  // ----- closing the loops

  bool close() {
    statics_.stiffen(options_.held);
    const Closing held = close_constraints(statics_, guess_);
    statics_.stiffen({});
    rest_.iterations += held.iterations;
    Closing best = close_constraints(statics_, held.state);
    rest_.iterations += best.iterations;
    std::mt19937 random(1);
    for (int attempt = 1; attempt < closing_attempts && !is_closed(best); ++attempt) {
      Closing other = close_constraints(statics_, shaken(guess_, 0.05 * attempt, random));
      rest_.iterations += other.iterations;
      if (is_closed(other)) {
        rest_.fallbacks.push_back("the loops did not close from the guess itself, but from a state near it");
      }
      if (other.opening() < best.opening()) best = std::move(other);
    }
    start_ = best.state;
    opening_ = best.opening();
    if (!is_closed(best)) {
      refuse_open(best);
      return false;
    }
    if (opening_ > 100 * statics_.closing_noise(start_)) accept_leftover(best);
    else opening_ = 0;
    return true;
  }

  bool is_closed(const Closing& closing) const {
    return closing.opening() <= std::max(options_.precision, statics_.closing_noise(closing.state));
  }

  State shaken(const State& state, double size, std::mt19937& random) const {
    std::normal_distribution<double> normal;
    Vector x(statics_.n());
    for (double& entry : x) entry = size * normal(random);
    return statics_.displaced(state, x);
  }

  void accept_leftover(const Closing& closing) {
    const Vector phi = constraint_residual(model_, closing.state);
    statics_.allow_leftover(phi);
    Index worst = 0;
    closing.gap.cwiseAbs().maxCoeff(&worst);
    rest_.warnings.push_back(fmt::format(
        "the constraints cannot all be met at once: '{}' stays open by {:.3g} (its own unit), {:.3g} of the "
        "typical length; taken as rounding of the model's numbers",
        model_.constraint_name(worst), phi[worst], opening_));
  }

  // At a minimum of the squared gaps JᵀΦ = 0: the gaps themselves say which constraints contradict each other.
  void refuse_open(const Closing& closing) {
    rest_.status = RestStatus::not_closed;
    rest_.state = closing.state;
    std::vector<std::string> names;
    Index others = 0;
    const double largest = closing.opening();
    for (Index i = 0; i < closing.gap.size(); ++i) {
      if (std::abs(closing.gap[i]) < 1e-2 * largest) continue;
      if (names.size() < 8) names.push_back(fmt::format("'{}'", model_.constraint_name(i)));
      else ++others;
    }
    note_gap(closing.gap);
    const std::string list =
        fmt::format("{}{}", fmt::join(names, ", "), others > 0 ? fmt::format(" and {} more", others) : "");
    rest_.message =
        closing.stationary
            ? fmt::format(
                  "the constraints {} contradict each other near the guess: they stay open by {:.3g} of the "
                  "typical length ({:.3g} m), where {:.3g} is allowed as rounding of the model's numbers",
                  list, largest, rest_.typical_length, options_.precision)
            : fmt::format(
                  "the constraints were not closed after all steps: {} open by {:.3g} of the typical length "
                  "({:.3g} m); a guess nearer to a possible position may help",
                  list, largest, rest_.typical_length);
  }

  // ----- ranks

  RowDependence dependence_at(const State& state) {
    Point point = statics_.at(state);
    return statics_.dependence(statics_.linearize(point), {.noise = blur(state), .rank = options_.rank});
  }

  // How well the state is known, relative: rounding of its coordinates, or what the constraints leave open.
  double blur(const State& state) const {
    return std::min(0.1, std::max(10 * opening_, statics_.closing_noise(state) / 4));
  }

  // In large models whose loops close exactly, a sound factorisation is enough to start with; the rank is decided at
  // rest.
  bool all_rows_will_do() {
    if (statics_.m() < many_rows || opening_ > 0 || options_.rank) return false;
    Point point = statics_.at(start_);
    if (!statics_.factor_metric(statics_.linearize(point))) return false;
    dependence_.independent = all_rows();
    dependence_.rank.value = statics_.m();
    return true;
  }

  void choose_rows(const State& state) {
    if (statics_.m() == 0) return;
    dependence_ = dependence_at(state);
    statics_.use_rows(dependence_.independent);
  }

  // ----- forces

  void balance() {
    measure_ = options_.rest == RestKind::nearest ? Measure::residual : Measure::energy;
    State from = start_;
    int saddles = 0, rank_changes = 0;
    bool shaken_loose = false;
    for (;;) {
      Relaxation done = relaxed(from);
      if (done.end == Relaxation::End::rows_changed && rank_changes++ < most_rank_changes) {
        statics_.use_rows(all_rows());
        const Closing closing = close_constraints(statics_, done.point.state);
        from = closing.state;
        choose_rows(from);
        if (rank_changes == 1) {
          rest_.fallbacks.push_back("constraints that depended on each other at the start did not elsewhere");
        }
        continue;
      }
      point_ = std::move(done.point);
      signs_.reset();
      end_ = done.end;
      if (end_ != Relaxation::End::at_rest) {
        if (!shaken_loose) {
          shaken_loose = true;
          if (load_stepping(from)) continue_from_unloaded();
        }
        if (end_ != Relaxation::End::at_rest) return;
      }
      if (measure_ != Measure::energy || options_.rest != RestKind::stable) return;
      const Matrices& at = statics_.linearize(point_);
      if (!is_symmetric(at.K, statics_.scales().s)) return;
      const StiffnessSigns signs = count_signs(statics_, at, blur_of_stiffness());
      signs_ = signs;
      if (signs.negative == 0 || saddles == most_saddles) return;
      if (may_be_singular()) return;  // what is negative may belong to directions in which nothing can move
      std::optional<State> lower = leave_saddle(statics_, point_, signs);
      if (!lower) lower = state_beside(point_.state, 0.1 * (1 + saddles));
      if (!lower) return;
      if (saddles++ == 0) rest_.fallbacks.push_back("an unstable rest position on the way was left");
      from = *lower;
      from.lambda.resize(0);
    }
  }

  // Near a singular configuration at rest Newton's method creeps: J loses the rank that it needs. With rows that stay
  // independent it goes there in a few steps; it was there if in the end the other rows hold, too.
  void draw_into_singular() {
    if (statics_.m() == 0) return;
    choose_rows(point_.state);
    if (options_.rank || !(dependence_.rank.smallest_kept < nearly_singular)) return;
    Point here = point_;
    const RowDependence blurred = statics_.dependence(statics_.linearize(here), {.noise = nearly_singular});
    if (blurred.rank.outcome != RankOutcome::deficient ||
        blurred.independent.size() >= dependence_.independent.size()) {
      return;
    }
    statics_.use_rows(blurred.independent);
    State from = point_.state;
    from.lambda.resize(0);
    Relaxation done = relax(statics_, from, Measure::residual, options_.most_iterations, 1e-3);
    rest_.iterations += done.iterations;
    const Vector moved = statics_.difference(from, done.point.state);
    const double allowed = std::max(100 * statics_.closing_noise(from), 2 * opening_);
    if (done.end == Relaxation::End::at_rest && moved.lpNorm<Eigen::Infinity>() < 1e-2 &&
        whole_gap(done.point.state).lpNorm<Eigen::Infinity>() <= allowed) {
      point_ = std::move(done.point);
      end_ = Relaxation::End::at_rest;
      signs_.reset();
      choose_rows(point_.state);
      rest_.fallbacks.push_back("Newton's method went on with fewer constraints, into a singular configuration");
    } else {
      statics_.use_rows(dependence_.independent);
    }
  }

  // With closed loops, but shaken.
  std::optional<State> state_beside(const State& state, double size) {
    std::mt19937 random(2);
    const Closing closing = close_constraints(statics_, shaken(state, size, random));
    rest_.iterations += closing.iterations;
    if (!is_closed(closing)) return std::nullopt;
    return closing.state;
  }

  bool may_be_singular() {
    if (statics_.m() == 0) return false;
    const RowDependence here = dependence_at(point_.state);
    return here.rank.outcome != RankOutcome::full && !dependence_is_redundancy(here);
  }

  bool dependence_is_redundancy(const RowDependence& here) {
    if (here.rank.value != dependence_.rank.value) return false;
    Point point = point_;
    return find_freedom(statics_, point, here, blur(point.state)).kind == Freedom::redundant;
  }

  Relaxation relaxed(const State& from) {
    Measure measure = measure_;
    if (measure == Measure::energy && !is_conservative_at(from)) measure = Measure::residual;
    Relaxation done = relax(statics_, from, measure, options_.most_iterations, opening_ + 1e-7);
    rest_.iterations += done.iterations;
    return done;
  }

  bool is_conservative_at(const State& state) {
    Point point = statics_.at(state);
    if (statics_.has_potential(state)) return true;
    return is_symmetric(statics_.linearize(point).K, statics_.scales().s);
  }

  bool load_stepping(const State& from) {
    Relaxation done = unload(statics_, from, options_.most_iterations, opening_ + 1e-7);
    rest_.iterations += done.iterations;
    if (done.end != Relaxation::End::at_rest) return false;
    unloaded_ = done.point.state;
    rest_.fallbacks.push_back("Newton's method stalled; load stepping went on");
    return true;
  }

  void continue_from_unloaded() {
    State from = unloaded_;
    from.lambda.resize(0);
    Relaxation done = relax(statics_, from, Measure::residual, options_.most_iterations, opening_ + 1e-7);
    rest_.iterations += done.iterations;
    if (done.end != Relaxation::End::at_rest) return;
    point_ = std::move(done.point);
    end_ = done.end;
  }

  std::vector<Index> all_rows() const {
    std::vector<Index> rows(static_cast<std::size_t>(statics_.m()));
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<Index>(i);
    return rows;
  }

  // ----- a look at the guess alone

  void check() {
    start_ = guess_;
    choose_rows(start_);
    point_ = statics_.at(start_);
    opening_ = whole_gap(point_.state).size() > 0 ? whole_gap(point_.state).lpNorm<Eigen::Infinity>() : 0;
    statics_.fit_multipliers(point_);
    statics_.linearize(point_);
    const bool balanced = point_.residual() <= std::max(checked_to, tolerance_at(point_));
    end_ = balanced && opening_ <= checked_to ? Relaxation::End::at_rest : Relaxation::End::no_progress;
    examine();
  }

  // ----- what was found

  void examine() {
    take_multipliers();
    note_residuals();
    const bool balanced = point_.residual() <= std::max({checked_to, tolerance_at(point_), 10 * opening_});
    if (end_ == Relaxation::End::at_rest && !balanced) return explain_dead_position();
    if (end_ != Relaxation::End::at_rest) return explain_failure();
    rest_.status = RestStatus::at_rest;
    describe_freedom();
    judge();
  }

  void note_rank() {
    rest_.rank = dependence_.rank;
    rest_.independent_rows = dependence_.independent;
    rest_.freedom = statics_.n() - dependence_.rank.value;
  }

  // Without independent rows λ is not unique: the one of least norm is orthogonal to all ν with Jᵀν = 0.
  void take_multipliers() {
    note_rank();
    const SparseMatrix& N = dependence_.null_vectors;
    if (N.cols() > 0) {
      signs_.reset();
      Point refitted = statics_.at(point_.state);
      if (statics_.fit_multipliers(refitted)) point_ = std::move(refitted);
      const SparseMatrix gram = N.transpose() * N;
      const Eigen::SimplicialLDLT<SparseMatrix> solver(gram);
      Vector& lambda = point_.state.lambda;
      if (solver.info() == Eigen::Success) lambda -= N * solver.solve(N.transpose() * lambda);
    }
    at_ = &statics_.linearize(point_);
    rest_.state = point_.state;
  }

  Vector whole_gap(const State& state) const {
    return statics_.scales().w.cwiseProduct(constraint_residual(model_, state));
  }

  void note_gap(const Vector& gap) {
    if (gap.size() == 0) {
      rest_.constraint_residual = 0;
      return;
    }
    Index worst = 0;
    rest_.constraint_residual = gap.cwiseAbs().maxCoeff(&worst);
    rest_.worst_constraint = model_.constraint_name(worst);
  }

  void note_residuals() {
    rest_.force_residual = point_.residual();
    if (statics_.n() > 0) {
      Index worst = 0;
      point_.r.cwiseAbs().maxCoeff(&worst);
      rest_.worst_coordinate = model_.coordinate_name(worst);
    }
    note_gap(whole_gap(point_.state));
  }

  void explain_failure() {
    const bool checking = options_.rest == RestKind::check;
    rest_.status = checking ? RestStatus::not_at_rest : RestStatus::not_converged;
    const double allowed = checking ? checked_to : tolerance_at(point_);
    std::string reason;
    switch (end_) {
      case Relaxation::End::ran_away:
        reason = "it moves on without end: nothing seems to hold it";
        break;
      case Relaxation::End::too_many_steps:
        reason = fmt::format("not there after {} iterations", rest_.iterations);
        break;
      case Relaxation::End::rows_changed:
        reason = "the constraints depend on each other in a different way at every step";
        break;
      default:
        reason = checking ? "the guess was only checked" : "no step improves it";
    }
    const bool open = rest_.constraint_residual > std::max(opening_, checked_to) || (checking && opening_ > checked_to);
    rest_.message = open ? fmt::format("not an equilibrium: constraint residual {:.1e} > {:.1e}, largest at '{}' ({})",
                                       rest_.constraint_residual, checked_to, rest_.worst_constraint, reason)
                         : fmt::format("not an equilibrium: force residual {:.1e} > {:.1e}, largest at '{}' ({})",
                                       rest_.force_residual, allowed, rest_.worst_coordinate, reason);
    rest_.verdict = "undecided";
    rest_.verdict_basis = "it is not at rest";
  }

  // Newton's method came to rest because the multipliers grew: a force of any size is held where J loses rank.
  void explain_dead_position() {
    rest_.status = RestStatus::not_converged;
    rest_.message = fmt::format(
        "not an equilibrium: in this dead position of the mechanism (rank {} of {}) no finite constraint forces "
        "balance "
        "the load; {:.1e} of the forces is left over, most of it at '{}'",
        rest_.rank.value, statics_.m(), rest_.force_residual, rest_.worst_coordinate);
    rest_.verdict = "undecided";
    rest_.verdict_basis = "it is not at rest";
  }

  void describe_freedom() {
    if (dependence_.null_vectors.cols() > 0) {
      FreedomReport report = find_freedom(statics_, point_, dependence_, blur(point_.state));
      rest_.kind = report.kind;
      rest_.redundant_equations = report.redundant;
      rest_.free_multipliers = report.free_multipliers;
      rest_.branches = std::move(report.branches);
      for (const std::vector<Index>& rows : report.dependent_rows) {
        std::vector<std::string> names;
        for (const Index row : rows) names.push_back(model_.constraint_name(row));
        rest_.dependent_sets.push_back(std::move(names));
      }
      if (!report.remark.empty()) rest_.warnings.push_back(report.remark);
      rest_.fallbacks.push_back("J has not full row rank: multipliers of least norm by the pseudoinverse");
    }
    if (dependence_.rank.outcome == RankOutcome::undecided) {
      rest_.kind = Freedom::undecided;
      rest_.warnings.push_back(fmt::format(
          "the rank of the constraints is not certain: {} with a gap of only {:.1e} (below 1e3); give it with --rank",
          dependence_.rank.value, dependence_.rank.gap));
    }
  }

  void judge() {
    if (dependence_.null_vectors.cols() > 0) at_ = &statics_.linearize(point_);  // others were looked at meanwhile
    rest_.conservative = is_symmetric(at_->K, statics_.scales().s);
    if (!rest_.conservative) {
      rest_.verdict = "undecided";
      rest_.verdict_basis =
          "there are forces without a potential (K is not symmetric): it rests here, but whether it stays needs the "
          "spectrum";
      return;
    }
    if (rest_.kind == Freedom::singular || rest_.kind == Freedom::isolated) return judge_branches();
    const StiffnessSigns signs = signs_ ? *signs_ : count_signs(statics_, *at_, blur_of_stiffness());
    rest_.unstable_directions = signs.negative;
    rest_.neutral_directions = signs.zero;
    rest_.verdict_basis = "energy: signs of the reduced stiffness";
    if (signs.sharp) return give_verdict();
    rest_.unstable_directions = rest_.neutral_directions = -1;
    rest_.verdict = "undecided";
    rest_.verdict_basis = "rounding hides the signs of the reduced stiffness";
  }

  double blur_of_stiffness() const { return std::min(1e-3, 10 * opening_); }

  void give_verdict() {
    rest_.verdict = rest_.unstable_directions > 0  ? "unstable"
                    : rest_.neutral_directions > 0 ? "neutral"
                                                   : "stable (conservative)";
  }

  void judge_branches() {
    constexpr double band = 1e-10;
    const Vector& s = statics_.scales().s;
    rest_.unstable_directions = rest_.neutral_directions = 0;
    bool all_confirmed = true;
    for (Branch& branch : rest_.branches) {
      const Eigen::MatrixXd x = s.cwiseInverse().asDiagonal() * branch.tangents;
      const Eigen::MatrixXd K = x.transpose() * s.asDiagonal() * (at_->K * branch.tangents) / statics_.energy();
      const Vector values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (K + K.transpose())).eigenvalues();
      branch.unstable_directions = static_cast<Index>((values.array() < -band).count());
      branch.neutral_directions = static_cast<Index>((values.array().abs() <= band).count());
      all_confirmed = all_confirmed && branch.confirmed;
      rest_.unstable_directions = std::max(rest_.unstable_directions, branch.unstable_directions);
      rest_.neutral_directions = std::max(rest_.neutral_directions, branch.neutral_directions);
    }
    rest_.verdict_basis = "energy: signs of the stiffness along the branches of real motion";
    if (rest_.kind == Freedom::isolated) {
      rest_.verdict = "stable (conservative)";
      rest_.verdict_basis = "the configuration is isolated: nothing can move";
    } else if (rest_.branches.empty() || !all_confirmed) {
      rest_.verdict = "undecided";
      rest_.verdict_basis = "not all branches of real motion are known";
    } else {
      give_verdict();
    }
  }

  const Model& model_;
  EquilibriumOptions options_;
  Statics statics_;
  State guess_, start_, unloaded_;
  double opening_ = 0;  // left where redundant constraints cannot all be met
  RowDependence dependence_;
  Measure measure_ = Measure::energy;
  Point point_;
  std::optional<StiffnessSigns> signs_;  // of the reduced stiffness at the point, once counted
  Relaxation::End end_ = Relaxation::End::no_progress;
  const Matrices* at_ = nullptr;
  Equilibrium rest_;
};

}  // namespace

Equilibrium find_equilibrium(const Model& model, const State& guess, const EquilibriumOptions& options) {
  return EquilibriumSearch(model, guess, options).run();
}

ConstraintSurvey survey_constraints(const Model& model, const State& guess, const EquilibriumOptions& options) {
  return EquilibriumSearch(model, guess, options).survey();
}

Equilibrium find_equilibrium(const Model& model, const EquilibriumOptions& options) {
  return find_equilibrium(model, model.initial_state(), options);
}

}  // namespace stillpoint
