#include "stillpoint/continuation.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "algebra/dense/lapack.h"
#include "algebra/sparse/chosen_rows.h"
#include "equilibrium/scales.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"
#include "studies/differentiator.h"
#include "studies/equilibrium_path.h"
#include "studies/line_of_models.h"

namespace stillpoint {

const char* to_words(BranchEvent::Kind kind) { return kind == BranchEvent::Kind::fold ? "fold" : "branch point"; }

namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

constexpr Eigen::Index largest_order = 2000;

/// A point of the path with its tangent, both dimensionless: coordinates, multipliers, parameter.
struct PathState {
  double parameter = 0, length = 0;
  State state;
  Vector tangent;
  int sign = 0;  ///< of the determinant of the bordered matrix: it changes at a branch point
};

/// The equations (15.7) of one mechanism.
class ArcLengthProblem {
 public:
  ArcLengthProblem(const Variation& variation, const Equilibrium& start, double range);

  Eigen::Index order() const { return n_ + r_ + 1; }
  double parameter_scale() const { return range_; }
  Model model_at(double parameter) const { return variation_.model_at(parameter); }

  /// The start, with the tangent along which the parameter grows, or falls.
  PathState first(const Equilibrium& start, bool downwards);
  /// The point so far along the tangent, corrected by Newton's method; nothing if that does not converge.
  std::optional<PathState> next(const PathState& from, double step);
  /// The cosine of the angle between two tangents.
  double cosine(const PathState& a, const PathState& b) const { return counted(a.tangent).dot(b.tangent); }
  /// A point of the branch that crosses here, so far across; nothing if there is none.
  std::optional<PathState> aside(const PathState& from, double distance);
  /// The direction in the coordinates in which another branch may cross.
  Vector crossing_direction(const PathState& at);

 private:
  struct Equations {
    Matrix A;  ///< order − 1 rows: derivatives of g and Φ
    Vector residual;
  };
  Equations equations(const State& state, double parameter);
  Vector rate_of_residual(const State& state, double parameter);
  State moved(const PathState& from, const Vector& x, double parameter) const;
  bool give_tangent(PathState& at, const Vector& along);
  std::optional<PathState> corrected(const PathState& from, Vector x, const Vector& row, double value);
  Vector crossing(const PathState& at);
  /// The part that counts for the length of the path: multipliers may grow without bound where a linkage stretches.
  Vector counted(Vector x) const {
    x.segment(n_, r_).setZero();
    return x;
  }

  Variation variation_;
  Eigen::Index n_ = 0, r_ = 0;
  std::vector<Index> rows_;
  Scales scales_;
  double energy_ = 1, range_ = 1;
};

ArcLengthProblem::ArcLengthProblem(const Variation& variation, const Equilibrium& start, double range)
    : variation_(variation), rows_(start.independent_rows), range_(range) {
  const Model model = variation.model_at(variation.value);
  n_ = model.coordinates();
  r_ = static_cast<Eigen::Index>(rows_.size());
  if (order() > largest_order)
    throw Error(fmt::format("equilibria are followed through folds for up to {} coordinates and constraints, not {}",
                            largest_order, order() - 1));
  Assembly assembly(model);
  const Matrices& at = assembly.at(start.state);
  scales_ = find_scales(model, start.state, at.J);
  const SparseMatrix K = scales_.s.asDiagonal() * at.K * scales_.s.asDiagonal();
  const Vector forces = scales_.s.cwiseProduct(applied_forces(model, start.state));
  for (const double size : {K.nonZeros() > 0 ? K.coeffs().abs().maxCoeff() : 0.0, forces.cwiseAbs().maxCoeff()}) {
    if (size > 0) {
      energy_ = size;
      break;
    }
  }
}

Vector independent(const Vector& all, const std::vector<Index>& rows) {
  Vector some(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) some[static_cast<Eigen::Index>(k)] = all[rows[k]];
  return some;
}

// The rate of (S g / E, W Φ) with respect to the parameter in parts of its range.
Vector ArcLengthProblem::rate_of_residual(const State& state, double parameter) {
  Variation here = variation_;
  here.value = parameter;
  LineOfModels line(here, here.model_at(here.value), state);
  const auto sample = [&](double t) -> Sample {
    const Model& model = line.at(t);
    const State there = line.state(t);
    Vector force = -applied_forces(model, there);
    if (model.constraints() > 0) force += MotionAssembly(model).at(there).J.transpose() * there.lambda;
    const Vector g = scales_.s.cwiseProduct(force) / energy_;
    const Vector phi = independent(scales_.w.cwiseProduct(constraint_residual(model, there)), rows_);
    return {{g, phi}, {}, {1, 1}};
  };
  const Derivative found = Differentiator(here, RatesDigits::all).derivative(sample, sample(0));
  Vector both(n_ + r_);
  both << found.rate.vectors[0], found.rate.vectors[1];
  return range_ * both;
}

ArcLengthProblem::Equations ArcLengthProblem::equations(const State& state, double parameter) {
  const Model model = variation_.model_at(parameter);
  Assembly assembly(model);
  const Matrices& at = assembly.at(state);
  Equations result{Matrix::Zero(n_ + r_, order()), Vector(n_ + r_)};
  result.A.topLeftCorner(n_, n_) = SparseMatrix(scales_.s.asDiagonal() * at.K * scales_.s.asDiagonal()) / energy_;
  const SparseMatrix J = chosen_rows(SparseMatrix(scales_.w.asDiagonal() * at.J * scales_.s.asDiagonal()), rows_);
  result.A.block(n_, 0, r_, n_) = J;
  result.A.block(0, n_, n_, r_) = SparseMatrix(J.transpose());
  result.A.col(n_ + r_) = rate_of_residual(state, parameter);
  const Vector force = at.J.transpose() * state.lambda - applied_forces(model, state);
  result.residual << scales_.s.cwiseProduct(force) / energy_,
      independent(scales_.w.cwiseProduct(constraint_residual(model, state)), rows_);
  return result;
}

// The multipliers of constraints that repeat others stay as they are.
State ArcLengthProblem::moved(const PathState& from, const Vector& x, double parameter) const {
  const Model model = variation_.model_at(parameter), before = variation_.model_at(from.parameter);
  State state = model.displaced(from.state, scales_.s.cwiseProduct(x.head(n_)));
  for (std::size_t k = 0; k < rows_.size(); ++k)
    state.lambda[rows_[k]] += energy_ * scales_.w[rows_[k]] * x[n_ + static_cast<Eigen::Index>(k)];
  state.u += model.initial_state().u - before.initial_state().u;
  if (variation_.input) state.u[*variation_.input] += parameter - from.parameter;
  return state;
}

// τ is the null vector of A that goes on in the direction `along`.
bool ArcLengthProblem::give_tangent(PathState& at, const Vector& along) {
  const Equations here = equations(at.state, at.parameter);
  Matrix bordered(order(), order());
  bordered << here.A, counted(along).transpose();
  const Eigen::PartialPivLU<Matrix> solver(bordered);
  const Vector tangent = solver.solve(Vector::Unit(order(), order() - 1));
  if (!tangent.allFinite()) return false;
  at.tangent = tangent / counted(tangent).norm();
  bordered.row(order() - 1) = counted(at.tangent).transpose();
  at.sign = Eigen::PartialPivLU<Matrix>(bordered).determinant() > 0 ? 1 : -1;
  return true;
}

PathState ArcLengthProblem::first(const Equilibrium& start, bool downwards) {
  PathState at{variation_.value, 0, start.state, {}, 0};
  if (at.state.lambda.size() == 0) at.state.lambda = Vector::Zero(scales_.w.size());
  Vector along = Vector::Zero(order());
  along[order() - 1] = downwards ? -1 : 1;
  if (!give_tangent(at, along)) throw Undecided("the path of equilibria has no direction at its start");
  return at;
}

// Newton's method from x on, with the last equation rowᵀx = value.
std::optional<PathState> ArcLengthProblem::corrected(const PathState& from, Vector x, const Vector& row, double value) {
  constexpr int most_iterations = 8;
  constexpr double settled = 1e-11, too_far = 0.5;
  for (int k = 0; k < most_iterations; ++k) {
    const double parameter = from.parameter + range_ * x[order() - 1];
    PathState at{parameter, from.length + std::abs(value), {}, {}, 0};
    try {
      at.state = moved(from, x, parameter);
      const Equations here = equations(at.state, parameter);
      Matrix bordered(order(), order());
      bordered << here.A, row.transpose();
      Vector right(order());
      right << -here.residual, value - row.dot(x);
      const Vector change = bordered.partialPivLu().solve(right);
      if (!change.allFinite() || counted(change).norm() > too_far) return {};
      x += change;
      if (counted(change).norm() > settled) continue;
      at.parameter = from.parameter + range_ * x[order() - 1];
      at.state = moved(from, x, at.parameter);
      if (!give_tangent(at, value < 0 ? Vector(-row) : row)) return {};
    } catch (const Error&) {  // no model with this value: the step was too long
      return {};
    }
    return at;
  }
  return {};
}

std::optional<PathState> ArcLengthProblem::next(const PathState& from, double step) {
  return corrected(from, step * from.tangent, counted(from.tangent), step);
}

std::optional<PathState> ArcLengthProblem::aside(const PathState& from, double distance) {
  const Vector across = crossing(from);
  return corrected(from, distance * across, across, distance);
}

// The null vector of the matrix that is bordered by the tangent, without what does not count.
Vector ArcLengthProblem::crossing(const PathState& at) {
  const Equations here = equations(at.state, at.parameter);
  Matrix bordered(order(), order());
  bordered << here.A, counted(at.tangent).transpose();
  Vector across = counted(decompose(bordered).V.col(order() - 1));
  across[order() - 1] = 0;
  return across.normalized();
}

Vector ArcLengthProblem::crossing_direction(const PathState& at) {
  return scales_.s.cwiseProduct(crossing(at).head(n_));
}

/// The path while it is followed.
class Continuation {
 public:
  Continuation(const Variation& variation, const Equilibrium& start, const ContinuationOptions& options)
      : variation_(variation), options_(options), problem_(variation, start, options.to - options.from) {}

  EquilibriumBranch run(const Equilibrium& start);

 private:
  EquilibriumBranch path_from(PathState here);
  void follow_crossing_branches(EquilibriumBranch& main);
  double dp(const PathState& at) const { return at.tangent[problem_.order() - 1]; }
  /// False where the path comes next to a singular configuration.
  bool add_sample(const PathState& at);
  void look_for_events(const PathState& from, const PathState& to);
  void add_event(BranchEvent::Kind kind, const PathState& from, double step,
                 const std::function<bool(const PathState&)>& is_beyond);
  bool has_left(const PathState& at) const { return at.parameter < options_.from || at.parameter > options_.to; }
  std::optional<PathState> at_end(const PathState& from, const PathState& beyond);

  const Variation& variation_;
  const ContinuationOptions& options_;
  ArcLengthProblem problem_;
  double independence_ = 0;  // of the constraints at the start: their least singular value
  EquilibriumBranch result_;
  std::vector<PathState> branch_points_;
};

bool Continuation::add_sample(const PathState& at) {
  constexpr double singular = 1e-3;
  const Model model = problem_.model_at(at.parameter);
  Equilibrium rest = find_equilibrium(model, at.state, {.rest = EquilibriumRequest::check});
  EquilibriumSample sample{at.parameter, at.length, at.state, {}, false};
  if (rest.status == EquilibriumStatus::at_rest && rest.branches.empty()) {
    const LinearSystem system = linearize(model, rest);
    if (!system.singular) {
      const AnalysisOptions all;
      ModeFinder finder(system, all);
      const FoundModes found = finder.find(Method::mcs, true);
      sample.verdict = judge(finder, found);
      sample.certified = found.spectrum.certified;
    }
  }
  result_.samples.push_back(std::move(sample));
  if (independence_ == 0) independence_ = rest.rank.smallest_kept;
  return !(rest.rank.smallest_kept < singular * independence_);
}

// Bisection along the path; at a fold the parameter is stationary, so that it is known twice as well as the place.
void Continuation::add_event(BranchEvent::Kind kind, const PathState& from, double step,
                             const std::function<bool(const PathState&)>& is_beyond) {
  constexpr int most_halvings = 40;
  constexpr double settled = 1e-10;
  double before = 0, beyond = step;
  PathState last = from;
  for (int k = 0; k < most_halvings && beyond - before > settled * step; ++k) {
    const double middle = 0.5 * (before + beyond);
    const auto at = problem_.next(from, middle);
    if (!at) break;
    (is_beyond(*at) ? beyond : before) = middle;
    last = *at;
  }
  BranchEvent event{
      kind,
      last.parameter,
      problem_.parameter_scale() * std::abs(dp(last)) * (beyond - before) + 1e-12 * std::abs(last.parameter),
      last.length,
      last.state,
      {}};
  event.direction = problem_.crossing_direction(last);
  if (kind == BranchEvent::Kind::branch_point) branch_points_.push_back(last);
  result_.events.push_back(std::move(event));
}

void Continuation::look_for_events(const PathState& from, const PathState& to) {
  const double step = to.length - from.length;
  const bool turns = dp(from) * dp(to) < 0;
  if (turns) add_event(BranchEvent::Kind::fold, from, step, [&](const PathState& at) { return dp(at) * dp(from) < 0; });
  // The determinant of the matrix bordered by the tangent keeps its sign at a fold.
  if (from.sign != to.sign)
    add_event(BranchEvent::Kind::branch_point, from, step, [&](const PathState& at) { return at.sign != from.sign; });
}

std::optional<PathState> Continuation::at_end(const PathState& from, const PathState& beyond) {
  const double limit = beyond.parameter > options_.to ? options_.to : options_.from;
  double step = beyond.length - from.length, shortest = 0, longest = step;
  constexpr int most_steps = 60;
  std::optional<PathState> last;
  for (int k = 0; k < most_steps; ++k) {
    step = 0.5 * (shortest + longest);
    const auto at = problem_.next(from, step);
    if (!at) return last;
    last = at;
    ((at->parameter - limit) * (beyond.parameter - limit) > 0 ? longest : shortest) = step;
    if (std::abs(at->parameter - limit) <= 1e-12 * problem_.parameter_scale()) break;
  }
  return last;
}

EquilibriumBranch Continuation::path_from(PathState here) {
  constexpr double shortest = 1e-9, largest_turn = 0.9;  // cosine of the angle of two tangents
  double step = 0.2 * options_.largest_step;
  result_ = EquilibriumBranch();
  result_.model = problem_.model_at(variation_.value).name();
  result_.parameter = variation_.name;
  result_.unit = variation_.unit;
  add_sample(here);
  while (static_cast<Index>(result_.samples.size()) < options_.most_points) {
    if (options_.stop && options_.stop()) {
      result_.ended = "interrupted";
      return std::move(result_);
    }
    if (options_.progress)
      options_.progress(fmt::format("{} = {:.6g}, {} points", variation_.name, here.parameter, result_.samples.size()));
    const auto there = problem_.next(here, step);
    const bool is_good = there && problem_.cosine(*there, here) > largest_turn;
    if (!is_good) {
      step *= 0.5;
      if (step < shortest) {
        result_.ended = fmt::format("the path cannot be followed beyond {} = {:.10g}", variation_.name, here.parameter);
        return std::move(result_);
      }
      continue;
    }
    look_for_events(here, *there);
    if (has_left(*there)) {
      if (const auto end = at_end(here, *there)) add_sample(*end);
      result_.reached_end = true;
      return std::move(result_);
    }
    constexpr double smooth = 0.99;
    if (problem_.cosine(*there, here) > smooth) step = std::min(1.5 * step, options_.largest_step);
    here = *there;
    if (!add_sample(here)) {
      result_.ended =
          fmt::format("next to {} = {:.8g} lies a singular configuration, where constraints become dependent",
                      variation_.name, here.parameter);
      return std::move(result_);
    }
  }
  result_.ended = fmt::format("{} points were found; more with --points", result_.samples.size());
  return std::move(result_);
}

// Each branch that crosses the path is followed to both sides.
void Continuation::follow_crossing_branches(EquilibriumBranch& main) {
  constexpr double across = 0.02;
  const std::vector<PathState> points = std::exchange(branch_points_, {});
  for (const PathState& point : points) {
    for (const double sign : {1.0, -1.0}) {
      if (const auto beside = problem_.aside(point, sign * across)) main.crossing.push_back(path_from(*beside));
    }
  }
}

EquilibriumBranch Continuation::run(const Equilibrium& start) {
  EquilibriumBranch main = path_from(problem_.first(start, options_.downwards));
  if (options_.crossing_branches) follow_crossing_branches(main);
  return main;
}

}  // namespace

EquilibriumBranch follow_equilibria(const Variation& variation, const Equilibrium& start,
                                    const ContinuationOptions& options) {
  if (start.status != EquilibriumStatus::at_rest)
    throw Error("the path must start at an equilibrium: " + start.message);
  if (start.kind == ConfigurationType::singular || start.kind == ConfigurationType::isolated)
    throw Error("the path must not start at a singular configuration");
  if (!(options.from < options.to)) throw Error("the interval of the parameter is empty");
  const Variation within = with_scale(variation, {options.from, options.to});
  return Continuation(within, start, options).run(start);
}

}  // namespace stillpoint
