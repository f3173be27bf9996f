#include "stillpoint/system_rates.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "base/name_list.h"
#include "equilibrium/statics.h"
#include "stillpoint/assembly.h"
#include "stillpoint/error.h"
#include "studies/difference_rule.h"

namespace stillpoint {

namespace {

using Vector = Eigen::VectorXd;

/// What is differentiated at one value of the parameter: vectors and matrices of fixed sizes.
struct Sample {
  std::vector<Vector> vectors;
  std::vector<SparseMatrix> matrices;
  std::vector<double> terms{};  ///< norms of the terms of each vector, which may cancel
};

/// A derivative with the next lower order subtracted from it.
struct Derivative {
  Sample rate, error;
  double relative_error = std::numeric_limits<double>::infinity();
};

double size_of(const Sample& sample, std::size_t k) {
  return k < sample.vectors.size() ? sample.terms[k] : sample.matrices[k - sample.vectors.size()].norm();
}

double norm_of(const Sample& sample, std::size_t k) {
  return k < sample.vectors.size() ? sample.vectors[k].norm() : sample.matrices[k - sample.vectors.size()].norm();
}

std::size_t parts_of(const Sample& sample) { return sample.vectors.size() + sample.matrices.size(); }

void add(double weight, const Sample& sample, Sample& sum) {
  if (parts_of(sum) == 0) {
    for (const Vector& part : sample.vectors) sum.vectors.emplace_back(weight * part);
    for (const SparseMatrix& part : sample.matrices) sum.matrices.emplace_back(weight * part);
    return;
  }
  for (std::size_t k = 0; k < sample.vectors.size(); ++k) sum.vectors[k] += weight * sample.vectors[k];
  for (std::size_t k = 0; k < sample.matrices.size(); ++k)
    sum.matrices[k] = SparseMatrix(sum.matrices[k] + weight * sample.matrices[k]);
}

/// The models for the values of the parameter next to a given one.
class Line {
 public:
  Line(const Variation& variation, const Equilibrium& rest)
      : variation_(variation),
        rest_(rest),
        here_(variation.model_at(variation.value)),
        inputs_here_(here_.initial_state().u) {}

  const Model& here() const { return here_; }
  int models() const { return static_cast<int>(models_.size()); }

  /// Throws Error if the value is not allowed, or the model consists of other parts there.
  const Model& at(double t) {
    const auto known = models_.find(t);
    if (known != models_.end()) return known->second;
    const Model there = variation_.model_at(variation_.value + t);
    require_same_parts(there);
    return models_.emplace(t, there).first->second;
  }

  /// The state at rest, moved so far along the line.
  State state(double t, const Vector& q, const Vector& lambda) {
    State moved = q.size() > 0 ? at(t).displaced(rest_.state, t * q) : rest_.state;
    if (lambda.size() > 0) moved.lambda = rest_.state.lambda + t * lambda;
    moved.u += at(t).initial_state().u - inputs_here_;
    if (variation_.input) moved.u[*variation_.input] += t;
    return moved;
  }

 private:
  // Elements may come and go, as those of a rotating frame do that begins to turn; coordinates may not.
  void require_same_parts(const Model& there) const {
    const auto same_block = [](const Block& a, const Block& b) { return a.kind == b.kind && a.first == b.first; };
    if (here_.constraints() == there.constraints() && here_.inputs() == there.inputs() &&
        std::equal(here_.blocks().begin(), here_.blocks().end(), there.blocks().begin(), there.blocks().end(),
                   same_block))
      return;
    throw Error(fmt::format("'{}' changes what the model consists of, so nothing has a derivative with respect to it",
                            variation_.name));
  }

  const Variation& variation_;
  const Equilibrium& rest_;
  Model here_;
  Vector inputs_here_;
  std::map<double, Model> models_;
};

/// Differentiates samples on a line, with the step that leaves the least error.
class Differentiator {
 public:
  explicit Differentiator(const Variation& variation)
      : name_(variation.name), reach_(std::max(std::abs(variation.value), variation.scale)) {
    if (reach_ == 0) reach_ = 1;
  }

  /// The change of the parameter that counts as a change by itself: its value, or one unit.
  double reach() const { return reach_; }
  /// Throws Error if there is none.
  Derivative derivative(const std::function<Sample(double)>& sample, const Sample& here);

 private:
  Derivative with_step(const std::function<Sample(double)>& sample, const Sample& here, double step);
  Derivative by_rule(const DifferenceRule& rule, const std::function<Sample(double)>& sample, const Sample& here,
                     double step) const;

  std::string name_;
  double reach_;
  std::string refusal_;
};

Derivative Differentiator::by_rule(const DifferenceRule& rule, const std::function<Sample(double)>& sample,
                                   const Sample& here, double step) const {
  Derivative result;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
    const Sample there = rule.nodes[k] == 0 ? here : sample(rule.nodes[k] * step);
    add(rule.weights[k] / step, there, result.rate);
    add((rule.weights[k] - rule.lower_weights[k]) / step, there, result.error);
  }
  // Beside the derivative counts what rounding of the values leaves in it: a rate that is zero has no relative error.
  result.relative_error = 0;
  for (std::size_t k = 0; k < parts_of(here); ++k) {
    const double size = norm_of(result.rate, k) + size_of(here, k) / reach_, error = norm_of(result.error, k);
    const double part = size > 0 ? error / size : 0;
    if (!(part <= result.relative_error)) result.relative_error = part;
  }
  if (!std::isfinite(result.relative_error)) result.relative_error = std::numeric_limits<double>::infinity();
  return result;
}

// Where values on one side are refused, as negative dampers are, those of the other side serve.
Derivative Differentiator::with_step(const std::function<Sample(double)>& sample, const Sample& here, double step) {
  for (const DifferenceRule* rule : {&central_rule(), &one_sided_rule(true), &one_sided_rule(false)}) {
    try {
      return by_rule(*rule, sample, here, step);
    } catch (const Error& refused) {
      if (refusal_.empty()) refusal_ = refused.what();
    }
  }
  return {};
}

// What is no more than its error, or than rounding of the values leaves, is nothing.
Vector known_part(const Derivative& derivative, std::size_t k) {
  const Vector &rate = derivative.rate.vectors[k], &error = derivative.error.vectors[k];
  return (rate.array().abs() > 2 * error.array().abs()).select(rate, 0);
}

Derivative Differentiator::derivative(const std::function<Sample(double)>& sample, const Sample& here) {
  constexpr double first = 1.0 / 32, factor = 1.0 / 8, sufficient = 1e-13, not_smooth = 1e-4;
  constexpr int most_steps = 7;
  double step = first * reach_;
  Derivative best = with_step(sample, here, step);
  for (const double change : {factor, 1 / factor}) {
    bool is_better = false;
    for (int k = 0; k < most_steps && !(best.relative_error <= sufficient); ++k) {
      Derivative other = with_step(sample, here, step * change);
      if (!(other.relative_error < best.relative_error) && std::isfinite(best.relative_error)) break;
      step *= change;
      is_better = other.relative_error < best.relative_error;
      if (is_better) best = std::move(other);
    }
    if (is_better) break;
  }
  if (parts_of(best.rate) == 0) throw Error(refusal_);
  if (best.relative_error > not_smooth)
    throw Error(fmt::format("the model has no derivative with respect to '{}': it is not smooth there", name_));
  for (std::size_t k = 0; k < best.rate.vectors.size(); ++k) best.rate.vectors[k] = known_part(best, k);
  return best;
}

/// How an equilibrium moves, from the derivatives of its residuals.
class ShiftOfEquilibrium {
 public:
  /// `reach` is the change of the parameter that counts as one.
  ShiftOfEquilibrium(const Model& model, const Equilibrium& rest, const std::string& parameter, double reach)
      : rest_(rest),
        parameter_(parameter),
        reach_(reach),
        statics_(model, rest.state),
        point_(statics_.at(rest.state)),
        at_(statics_.linearize(point_)) {
    statics_.use_rows(rest.independent_rows);
  }

  const Scales& scales() const { return statics_.scales(); }
  /// Of springs that are stretched a little.
  double usual_force() const {
    constexpr double small_strain = 1e-3;
    return small_strain * (at_.K.cwiseAbs() * scales().s).norm();
  }

  struct Shift {
    Vector q, lambda;
  };
  /// Solves for the shift; r is the rate of f − Jᵀλ and phi that of Φ. Throws Error if there is none.
  Shift solve(const Vector& r, const Vector& phi);

 private:
  void require_closed(const Vector& phi);
  Shift without_drift(const Vector& r, const Vector& phi) const;

  const Equilibrium& rest_;
  const std::string& parameter_;
  double reach_;
  Statics statics_;
  Point point_;
  const Matrices& at_;
};

constexpr double negligible = 1e-8;  // relative

// Redundant constraints must agree on the motion of the loops.
void ShiftOfEquilibrium::require_closed(const Vector& phi) {
  if (rest_.independent_rows.size() == static_cast<std::size_t>(statics_.m())) return;
  const RowDependence dependence = statics_.dependence(at_, {.rank = rest_.rank.value});
  const Vector gap = dependence.null_vectors.transpose() * phi;
  const Vector usual = scales().w.cwiseInverse() / reach_;  // a change of lengths by themselves
  const Vector terms = SparseMatrix(dependence.null_vectors.cwiseAbs()).transpose() * (phi.cwiseAbs() + usual);
  for (Eigen::Index k = 0; k < gap.size(); ++k) {
    if (std::abs(gap[k]) <= negligible * terms[k]) continue;
    std::vector<std::string> names;
    for (SparseMatrix::InnerIterator entry(dependence.null_vectors, k); entry; ++entry)
      names.push_back("'" + statics_.model().constraint_name(static_cast<Index>(entry.row())) + "'");
    throw Error(fmt::format("'{}' opens a closed loop: the redundant constraints {} cannot all hold when it changes",
                            parameter_, name_list(names)));
  }
}

// A motion without stiffness has no force that would say how far it goes: the least shift is taken, provided that
// nothing drives it.
ShiftOfEquilibrium::Shift ShiftOfEquilibrium::without_drift(const Vector& r, const Vector& phi) const {
  constexpr Eigen::Index most = 2000;
  const Eigen::Index n = at_.K.rows(), m = at_.J.rows();
  if (n + m > most)
    throw Error(
        fmt::format("a motion without stiffness leaves the shift of the equilibrium open, which is only solved for up "
                    "to {} coordinates and constraints",
                    most));
  const Vector &s = scales().s, &w = scales().w;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = SparseMatrix(s.asDiagonal() * at_.K * s.asDiagonal());
  const double energy = std::max(A.topLeftCorner(n, n).cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
  A.topLeftCorner(n, n) /= energy;
  A.bottomLeftCorner(m, n) = SparseMatrix(w.asDiagonal() * at_.J * s.asDiagonal());
  A.topRightCorner(n, m) = A.bottomLeftCorner(m, n).transpose();
  Vector b(n + m);
  b << s.cwiseProduct(r) / energy, -w.cwiseProduct(phi);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver(A);
  solver.setThreshold(1e-11);
  const Vector x = solver.solve(b);
  if ((A * x - b).norm() > negligible * (b.norm() + 1 / reach_))
    throw Error(fmt::format(
        "the equilibrium does not persist when '{}' changes: a motion that no stiffness resists begins to drift",
        parameter_));
  return {s.cwiseProduct(x.head(n)), energy * w.cwiseProduct(x.tail(m))};
}

ShiftOfEquilibrium::Shift ShiftOfEquilibrium::solve(const Vector& r, const Vector& phi) {
  require_closed(phi);
  if (r.isZero(0) && phi.isZero(0)) return {Vector::Zero(statics_.n()), Vector::Zero(statics_.m())};
  if (rest_.neutral_directions > 0 || !statics_.factor(at_, {})) return without_drift(r, phi);
  const Vector scaled_phi = scales().w.cwiseProduct(phi);
  Vector independent = scaled_phi;
  for (std::size_t i = 0; i < statics_.rows_in_use().size(); ++i) {
    if (!statics_.rows_in_use()[i]) independent[static_cast<Eigen::Index>(i)] = 0;
  }
  const Statics::Step step = statics_.solve(scales().s.cwiseProduct(r), independent);
  return {scales().s.cwiseProduct(step.x), step.lambda};
}

void require_regular(const Equilibrium& rest) {
  if (rest.status != EquilibriumStatus::at_rest)
    throw Error("derivatives with respect to parameters are those of an equilibrium: " + rest.message);
  if (rest.kind == ConfigurationType::singular || rest.kind == ConfigurationType::isolated)
    throw Error(
        "the configuration is singular: what the mechanism does beside it depends on the branch, and derivatives with "
        "respect to parameters do not exist");
}

// A residual of constraints is zero; its terms are lengths and angles of the size of the model. Forces may all be zero;
// their terms are those that stretched springs exert.
Sample residuals_at(const Model& model, const State& state, const ShiftOfEquilibrium& shift) {
  Vector applied = applied_forces(model, state);
  Vector of_constraints = Vector::Zero(model.coordinates());
  if (model.constraints() > 0) of_constraints = MotionAssembly(model).at(state).J.transpose() * state.lambda;
  const double forces = std::max({applied.norm(), of_constraints.norm(), shift.usual_force()});
  return {{applied, of_constraints, constraint_residual(model, state)},
          {},
          {forces, forces, shift.scales().w.cwiseInverse().norm()}};
}

Sample matrices_at(const Model& model, const State& state) {
  Assembly assembly(model);
  const Matrices& at = assembly.at(state);
  return {{}, {at.M, at.C, at.K, at.J}};
}

}  // namespace

bool SystemRates::occurs() const {
  const auto has_entries = [](const SparseMatrix& A) { return A.nonZeros() > 0 && A.norm() > 0; };
  return !q.isZero(0) || !lambda.isZero(0) || has_entries(M.rate) || has_entries(C.rate) || has_entries(K.rate) ||
         has_entries(J.rate);
}

SystemRates system_rates(const Variation& variation, const Equilibrium& rest, const RatesOptions& options) {
  require_regular(rest);
  Line line(variation, rest);
  Differentiator differentiator(variation);
  ShiftOfEquilibrium shift(line.here(), rest, variation.name, differentiator.reach());
  SystemRates result;
  result.parameter = variation.name;
  result.value = variation.value;
  result.unit = variation.unit;

  const auto residuals = [&](double t) { return residuals_at(line.at(t), line.state(t, {}, {}), shift); };
  const Derivative of_residuals = differentiator.derivative(residuals, residuals_at(line.here(), rest.state, shift));
  const auto& rates = of_residuals.rate.vectors;
  ShiftOfEquilibrium::Shift moved = shift.solve(rates[0] - rates[1], rates[2]);
  result.q = std::move(moved.q);
  result.lambda = std::move(moved.lambda);
  result.q_error = of_residuals.relative_error;

  const Sample here = matrices_at(line.here(), rest.state);
  const auto total = [&](double t) { return matrices_at(line.at(t), line.state(t, result.q, result.lambda)); };
  Derivative of_matrices = differentiator.derivative(total, here);
  auto part = of_matrices.rate.matrices.begin(), error = of_matrices.error.matrices.begin();
  for (MatrixRate* rate : {&result.M, &result.C, &result.K, &result.J})
    *rate = {(part++)->pruned(0, 0), (error++)->pruned(0, 0)};
  if (options.frozen) {
    const auto frozen = [&](double t) { return matrices_at(line.at(t), line.state(t, {}, {})); };
    const Derivative of_frozen = differentiator.derivative(frozen, here);
    auto matrix = of_frozen.rate.matrices.begin();
    for (auto* rate : {&result.frozen_M, &result.frozen_C, &result.frozen_K, &result.frozen_J}) *rate = *matrix++;
  }
  result.models = line.models();
  return result;
}

}  // namespace stillpoint
