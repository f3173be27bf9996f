#include "equilibrium/statics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "model/displacement.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

constexpr double rounding = std::numeric_limits<double>::epsilon();

// Where nothing is constrained the applied forces may cancel; they are then compared with the force that the stiffest
// spring needs for this strain. A smaller reference would demand more than rounding of its length allows.
constexpr double small_strain = 1e-3;

/// Whether the forces of an element are finite.
bool has_forces(const ElementArrayBase& element, const Context& context, const std::vector<Index>& coordinates,
                Eigen::VectorXd& f) {
  for (const Index i : coordinates) f[i] = 0;
  element.add_forces(context, f.data());
  return std::all_of(coordinates.begin(), coordinates.end(), [&](Index i) { return std::isfinite(f[i]); });
}

/// Names the element that has no force at a state; empty if each has one.
std::string element_without_force(const Model& model, const State& state) {
  const Context context = model.context(state);
  Eigen::VectorXd f = Eigen::VectorXd::Zero(model.coordinates());
  for (std::size_t k = 0; k < model.arrays().size(); ++k) {
    const ElementArrayBase& elements = *model.arrays()[k].elements;
    for (Index e = 0; e < elements.size() && elements.laws() != 0; ++e) {
      const std::shared_ptr<ElementArrayBase> element = elements.part({{e}});
      element->prepare(context);
      std::vector<Index> coordinates;
      element->add_coordinates(context, 0, coordinates);
      if (!has_forces(*element, context, coordinates, f))
        return fmt::format("{} '{}'", elements.info().keyword, model.element_name(k, e));
    }
  }
  return {};
}

[[noreturn]] void refuse_force(const Model& model, const State& guess, Index coordinate, double value) {
  const std::string name = model.coordinate_name(coordinate), element = element_without_force(model, guess);
  if (element.empty()) throw Error(fmt::format("the forces on '{}' are too large for a number at the guess", name));
  if (std::isnan(value))
    throw Error(
        fmt::format("the force on '{}' has no value at the guess: the ends of {} coincide, so that it has no "
                    "direction; move one of them",
                    name, element));
  throw Error(fmt::format("the force on '{}' has no value at the guess: that of {} is infinite", name, element));
}

void require_values(const Model& model, const State& guess) {
  const Eigen::VectorXd f = applied_forces(model, guess);
  for (Index i = 0; i < f.size(); ++i) {
    if (!std::isfinite(f[i])) refuse_force(model, guess, i, f[i]);
  }
  const Eigen::VectorXd phi = constraint_residual(model, guess);
  for (Index i = 0; i < phi.size(); ++i) {
    if (!std::isfinite(phi[i]))
      throw Error(
          fmt::format("constraint '{}' has no value at the guess ({}): two of its points coincide; move one of them",
                      model.constraint_name(i), phi[i]));
  }
}

void require_derivatives(const Model& model, const Matrices& at) {
  for (Index j = 0; j < at.J.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(at.J, j); entry; ++entry) {
      if (!std::isfinite(entry.value()))
        throw Error(
            fmt::format("constraint '{}' has no direction at the guess: two of its points coincide; move one of them",
                        model.constraint_name(static_cast<Index>(entry.row()))));
    }
    for (SparseMatrix::InnerIterator entry(at.K, j); entry; ++entry) {
      if (!std::isfinite(entry.value()))
        throw Error(fmt::format("the force on '{}' has no derivative at the guess; move the places of its elements",
                                model.coordinate_name(static_cast<Index>(entry.row()))));
    }
  }
}

bool are_same(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool are_same(const std::vector<Rotation<double>>& a, const std::vector<Rotation<double>>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Rotation<double>& r, const Rotation<double>& s) {
    return r.w == s.w && r.x == s.x && r.y == s.y && r.z == s.z;
  });
}

// Empty multipliers are zero multipliers.
bool are_same_multipliers(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return a.size() == 0 || b.size() == 0 ? a.isZero(0) && b.isZero(0) : are_same(a, b);
}

bool are_same(const State& a, const State& b) {
  return are_same(a.q, b.q) && are_same(a.orientations, b.orientations) && are_same(a.u, b.u) &&
         are_same_multipliers(a.lambda, b.lambda);
}

}  // namespace

Statics::Statics(const Model& model, const State& guess) : Statics(model, guess, {}) {
  scales_ = find_scales(model, guess, matrices(guess).J);
}

Statics::Statics(const Model& model, const State& guess, const Scales& scales)
    : model_(model), assembly_(model), scales_(scales) {
  require_values(model, guess);
  const Matrices& at = matrices(guess);
  require_derivatives(model, at);
  allowed_phi_ = Eigen::VectorXd::Zero(m());
}

void Statics::use_rows(const std::vector<Index>& independent) {
  std::vector<char> is_on;
  if (static_cast<Index>(independent.size()) != m()) {
    is_on.assign(static_cast<std::size_t>(m()), 0);
    for (const Index row : independent) is_on[static_cast<std::size_t>(row)] = 1;
  }
  if (is_on == is_on_) return;
  is_on_ = std::move(is_on);
  factored_.reset();
}

void Statics::hold_in_assembly(std::vector<Index> coordinates) {
  held_in_assembly_ = std::move(coordinates);
  assembly_problem_.reset();
}

Eigen::VectorXd Statics::forces(const State& state) const {
  Eigen::VectorXd f = applied_forces(model_, state);
  if (holds()) f += share_ * held_;
  return f;
}

Point Statics::at(State state) const {
  Point point;
  point.f = forces(state);
  point.phi = phi(state);
  point.state = std::move(state);
  return point;
}

Eigen::VectorXd Statics::phi(const State& state) const {
  Eigen::VectorXd phi = scales_.w.cwiseProduct(constraint_residual(model_, state) - allowed_phi_);
  for (std::size_t i = 0; i < is_on_.size(); ++i) {
    if (!is_on_[i]) phi[static_cast<Index>(i)] = 0;
  }
  return phi;
}

Eigen::VectorXd Statics::whole_phi(const State& state) const {
  return scales_.w.cwiseProduct(constraint_residual(model_, state));
}

State Statics::displaced(State state, const Eigen::VectorXd& x) const {
  return model_.displaced(std::move(state), scales_.s.cwiseProduct(x));
}

Eigen::VectorXd Statics::difference(const State& from, const State& to) const {
  return displacement_between(model_, from, to).cwiseQuotient(scales_.s);
}

const Matrices& Statics::matrices(const State& state) {
  if (matrices_ && are_same(state, assembled_)) return *matrices_;
  matrices_ = nullptr;  // in case the evaluation throws
  factored_.reset();
  const Matrices& at = assembly_.at(state);
  assembled_ = state;
  matrices_ = &at;
  return at;
}

const Matrices& Statics::linearize(Point& point) {
  const Matrices& at = matrices(point.state);
  const Eigen::VectorXd& s = scales_.s;
  if (point.state.lambda.size() == 0) point.state.lambda = Eigen::VectorXd::Zero(m());
  const Eigen::VectorXd& lambda = point.state.lambda;
  Eigen::VectorXd sizes = point.f.cwiseAbs(), stiffness = Eigen::VectorXd::Zero(n()), strain = stiffness;
  point.r = point.f;
  double largest_stiffness = 0;
  for (Index j = 0; j < n(); ++j) {
    for (SparseMatrix::InnerIterator entry(at.J, j); entry; ++entry) {
      const double part = entry.value() * lambda[entry.row()];
      point.r[j] -= part;
      sizes[j] += std::abs(part);
    }
    const double reach = s[j] + std::abs(point.state.q[j]);
    for (SparseMatrix::InnerIterator entry(at.K, j); entry; ++entry) {
      stiffness[entry.row()] += std::abs(entry.value()) * reach;
      strain[entry.row()] += std::abs(entry.value()) * s[j];
      largest_stiffness = std::max(largest_stiffness, std::abs(entry.value()) * s[j] * s[entry.row()]);
    }
  }
  point.r.array() *= s.array();
  point.force =
      n() == 0 ? 0 : std::max(s.cwiseProduct(sizes).maxCoeff(), small_strain * s.cwiseProduct(strain).maxCoeff());
  const double stiffest = n() > 0 ? s.cwiseProduct(stiffness).maxCoeff() : 0;
  point.noise = point.force > 0 ? rounding * stiffest / point.force : 0;
  energy_ = std::max(largest_stiffness, n() > 0 ? s.cwiseProduct(point.f).lpNorm<Eigen::Infinity>() : 0);
  if (!(energy_ > 0)) energy_ = 1;
  return at;
}

double Statics::lagrangian(const Point& point) const {
  const State& state = point.state;
  double value = potential_energy(model_, state);
  if (holds()) value -= share_ * held_.dot(state.q);
  return value + state.lambda.cwiseQuotient(scales_.w).dot(point.phi);
}

double Statics::constraint_noise(const State& state) const { return position_noise(state.q.cwiseQuotient(scales_.s)); }

bool Statics::has_potential(const State& state) const {
  const Context context = model_.context(state);
  Eigen::VectorXd f;
  for (const ModelArray& array : model_.arrays()) {
    const unsigned laws = array.elements->laws();
    if (!(laws & Law::forces) || (laws & Law::energy)) continue;
    if (f.size() == 0) f = Eigen::VectorXd::Zero(n());
    array.elements->add_forces(context, f.data());
  }
  return f.isZero(0);
}

const SparseMatrix& Statics::bordered(const Matrices& at, const BorderedMatrix::Shifts& shifts) {
  return bordered_with(at, energy_, shifts);
}

const SparseMatrix& Statics::bordered_with(const Matrices& at, double energy, const BorderedMatrix::Shifts& shifts) {
  factored_.reset();
  BorderedMatrix& bordered = analysis_of(at).bordered();
  bordered.set(at.K, at.J, scales_, energy, shifts, is_on_);
  return bordered.matrix();
}

BorderedAnalysis& Statics::analysis_of(const Matrices& at) {
  if (!analysis_) analysis_ = std::make_shared<BorderedAnalysis>(at.K, at.J);
  return *analysis_;
}

void Statics::take_analysis(const std::shared_ptr<BorderedAnalysis>& analysis) {
  if (!analysis || !matrices_ || !analysis->serves(matrices_->K, matrices_->J)) return;
  analysis_ = analysis;
  factored_.reset();
}

bool Statics::factored() {
  ++factorisations_;
  return analysis_->factor();
}

bool Statics::factor(const Matrices& at, const BorderedMatrix::Shifts& shifts) {
  const Factored wanted{energy_, shifts};
  if (factored_ == wanted && &at == matrices_) return true;
  bordered(at, shifts);
  if (!factored()) return false;
  if (&at == matrices_) factored_ = wanted;
  return true;
}

bool Statics::factor_metric(const Matrices& at, double mu) {
  bordered_with(at, std::numeric_limits<double>::infinity(), {1, mu});
  return factored();
}

Statics::Step Statics::solve(const Eigen::VectorXd& r, const Eigen::VectorXd& phi) {
  Eigen::VectorXd b(n() + m());
  b << r / energy_, -phi;
  const Eigen::VectorXd solution = analysis_->solve(b);
  return {solution.head(n()), solution.tail(m()).cwiseProduct(scales_.w) * energy_};
}

Eigen::VectorXd Statics::solve_for_constraints(const Eigen::VectorXd& phi) {
  Eigen::VectorXd b(n() + m());
  b.head(n()).setZero();
  b.tail(m()) = -phi;
  return analysis_->solve(b).head(n());
}

const DisplacementMetric& Statics::metric() {
  assert(matrices_);
  if (!metric_) metric_ = std::make_unique<DisplacementMetric>(model_, *matrices_);
  return *metric_;
}

double Statics::length_of_step(const Eigen::VectorXd& x, double limit) {
  const double size = largest(x);
  return size > limit ? metric().largest_change(x) : size;
}

bool Statics::factor_assembly(const Matrices& at, double mu) {
  if (!assembly_problem_) {
    assembly_problem_ = std::make_unique<AssemblyMatrix>(metric().matrix(scales_, held_in_assembly_), at.J);
  }
  AssemblyMatrix& problem = *assembly_problem_;
  problem.bordered.set(problem.metric, at.J, scales_, 1, {0, mu}, is_on_);
  ++assembly_factorisations_;
  try {
    problem.factor.factor(problem.bordered.matrix());
  } catch (const Undecided&) {  // an entry is not finite, or numbers overflow
    return false;
  }
  return problem.factor.signs().zero == 0;
}

Eigen::VectorXd Statics::solve_for_assembly(const Eigen::VectorXd& phi) {
  Eigen::VectorXd b(n() + m());
  b.head(n()).setZero();
  b.tail(m()) = -phi;
  const AssemblyMatrix& problem = *assembly_problem_;
  Eigen::VectorXd x = problem.factor.solve(b);
  x += problem.factor.solve(b - problem.bordered.matrix() * x);  // iterative refinement
  return x.head(n());
}

RowDependence Statics::dependence(const Matrices& at, const RankOptions& options) const {
  const SparseMatrix J = scales_.w.asDiagonal() * at.J * scales_.s.asDiagonal();
  RowDependence found = find_dependent_rows(J, options);
  found.null_vectors = SparseMatrix(scales_.w.asDiagonal() * found.null_vectors);
  return found;
}

bool Statics::fit_multipliers(Point& point) {
  point.state.lambda = Eigen::VectorXd::Zero(m());
  if (m() == 0) return true;
  const Matrices& at = linearize(point);
  if (!factor_metric(at)) return false;
  point.state.lambda = solve(point.r, Eigen::VectorXd::Zero(m())).lambda;
  return true;
}

}  // namespace stillpoint
