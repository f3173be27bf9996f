#include "scene/projection.h"

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "model/displacement.h"

namespace stillpoint {

namespace {

constexpr double closed = 1e-11;        // residual at which a position is taken, relative to the size
constexpr double closed_enough = 1e-9;  // and where rounding ends the descent
constexpr int most_steps = 40;
constexpr double good_descent = 0.2;  // a step with the old factorisation that leaves more asks for a new one
constexpr double no_descent = 2;      // a residual that grows by more is no descent, even far away
constexpr double damping = 1e-12;     // keeps the matrix regular where rows depend on each other

double largest_entry(const Eigen::VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0; }

Eigen::VectorXd scales_of(const Model& model, double size) {
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(model.coordinates());
  for (const Block& block : model.blocks())
    for (Index k = 0; k < lengths_of(block.kind); ++k) scales[block.first + k] = size;
  return scales;
}

/// Rows are related to their change when everything moves by the size; a row that nothing changes is left as it is.
Eigen::VectorXd weights_of(const SparseMatrix& scaled_jacobian) {
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(scaled_jacobian.rows());
  for (Index j = 0; j < scaled_jacobian.cols(); ++j)
    for (SparseMatrix::InnerIterator entry(scaled_jacobian, j); entry; ++entry)
      largest[entry.row()] = std::max(largest[entry.row()], std::abs(entry.value()));
  const double typical = largest_entry(largest);
  for (double& each : largest) each = 1 / std::max(each, typical > 0 ? 1e-6 * typical : 1.0);
  return largest;
}

}  // namespace

ConstraintProjection::ConstraintProjection(const Model& model, const Equilibrium& rest, double size)
    : model_(model),
      rest_(rest.state),
      assembly_(model),
      in_use_(at(model.constraints()), 0),
      singular_(rest.kind == ConfigurationType::singular),
      scales_(scales_of(model, size)) {
  rest_.v.resize(0);
  rest_.a.resize(0);
  for (const Index row : rest.independent_rows) in_use_[at(row)] = 1;
  if (singular_) std::fill(in_use_.begin(), in_use_.end(), char{1});
  weights_ = Eigen::VectorXd::Ones(model.constraints());
  const SparseMatrix J = scaled_jacobian(rest_);
  weights_ = weights_of(J);
  jacobian_at_rest_ = weights_.asDiagonal() * J;
}

SparseMatrix ConstraintProjection::scaled_jacobian(const State& state) {
  const SparseMatrix& J = assembly_.at(state).J;
  return SparseMatrix(weights_.asDiagonal() * J * scales_.asDiagonal());
}

Eigen::VectorXd ConstraintProjection::residual(const State& state) const {
  return weights_.cwiseProduct(constraint_residual(model_, state));
}

bool ConstraintProjection::factor(const State& state) {
  const Index n = model_.coordinates(), m = model_.constraints();
  const SparseMatrix J = scaled_jacobian(state);
  const SparseMatrix& normals = singular_ ? J : jacobian_at_rest_;
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0);
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry)
      if (in_use_[at(entry.row())] != 0) entries.emplace_back(n + static_cast<Index>(entry.row()), j, entry.value());
    for (SparseMatrix::InnerIterator entry(normals, j); entry; ++entry)
      if (in_use_[at(entry.row())] != 0) entries.emplace_back(j, n + static_cast<Index>(entry.row()), entry.value());
  }
  for (Index r = 0; r < m; ++r)
    entries.emplace_back(n + r, n + r, in_use_[at(r)] == 0 ? -1.0 : singular_ ? -damping : 0.0);
  matrix_.resize(n + m, n + m);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  if (!lu_) lu_ = std::make_unique<SparseLu>(matrix_, m);
  return lu_->factor(matrix_);
}

Eigen::VectorXd ConstraintProjection::step(const Eigen::VectorXd& residual) {
  const Index n = model_.coordinates(), m = model_.constraints();
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
  for (Index r = 0; r < m; ++r)
    if (in_use_[at(r)] != 0) right[n + r] = -residual[r];
  return scales_.cwiseProduct(lu_->solve_once(right).head(n));
}

std::optional<ConstraintProjection::Projected> ConstraintProjection::project(const Eigen::VectorXd& increments,
                                                                             const Eigen::VectorXd& guess) {
  Projected here{guess.size() > 0 ? guess : increments, {}, 0};
  here.state = model_.displaced(rest_, here.increments);
  if (model_.constraints() == 0) return here;
  Eigen::VectorXd phi = residual(here.state);
  here.residual = largest_entry(phi);
  for (int k = 0; k < most_steps && here.residual > closed; ++k) {
    if (!std::isfinite(here.residual)) return std::nullopt;
    if ((singular_ || !lu_) && !factor(singular_ ? here.state : rest_)) return std::nullopt;
    const Eigen::VectorXd moved = here.increments + step(phi);
    const State there = model_.displaced(rest_, moved);
    const Eigen::VectorXd left = residual(there);
    const double after = largest_entry(left);
    if (!std::isfinite(after) || after > no_descent * std::max(here.residual, 1.0)) return std::nullopt;
    const bool is_stuck = after >= here.residual && here.residual <= closed_enough;
    if (is_stuck) break;
    const bool is_slow = after > good_descent * here.residual;
    here = {moved, there, after};
    phi = left;
    if (!singular_ && is_slow && after > closed && !factor(here.state)) return std::nullopt;
  }
  if (here.residual > closed_enough) return std::nullopt;
  return here;
}

}  // namespace stillpoint
