#include "motion/dynamic_forms.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "algebra/lu/sparse_lu.h"
#include "base/at.h"
#include "forms/relative_motions.h"
#include "forms/scaled_constraints.h"
#include "stillpoint/error.h"
#include "stillpoint/forms.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void refuse_without_inertia(const Model& model, const SparseMatrix& M) {
  const std::string name = name_without_inertia(model, M);
  throw Undecided(
      "the accelerations are not determined: " +
      (name.empty() ? std::string("a motion has no inertia") : fmt::format("a motion of '{}' has no inertia", name)));
}

/// Throws Error, with the name of a coordinate, for a form that needs the inverse of M.
[[noreturn]] void refuse_singular_mass(const Model& model, const SparseMatrix& M, const char* form) {
  const std::string name = name_without_inertia(model, M);
  throw Error(fmt::format("the {} form needs the inverse of the mass matrix, and {}: use another form", form,
                          name.empty() ? "the mass matrix is singular" : fmt::format("'{}' has no inertia", name)));
}

void require_dense_size(const Model& model, const FormOptions& form, const char* name) {
  if (model.coordinates() <= form.largest_dense) return;
  throw Error(fmt::format("the {} form needs dense matrices of order {}; allowed are {}", name, model.coordinates(),
                          form.largest_dense));
}

/// Puts multipliers of some rows among zeros.
VectorXd spread(const VectorXd& some, const std::vector<Index>& rows, Eigen::Index count) {
  VectorXd all = VectorXd::Zero(count);
  for (std::size_t k = 0; k < rows.size(); ++k) all[rows[k]] = some[static_cast<Eigen::Index>(k)];
  return all;
}

Accelerations by_kkt(const Model& model, const EquationsOfMotion& at, const RowDependence& rows) {
  auto found = solve_kkt(at.M, rows_of(at.J, rows.independent), at.b, at.c(rows.independent));
  if (!found) refuse_without_inertia(model, at.M);
  return {found->a, spread(found->lambda, rows.independent, at.J.rows())};
}

// (J M⁻¹Jᵀ) λ = J M⁻¹ b − c
Accelerations by_range_space(const Model& model, const EquationsOfMotion& at, const RowDependence& rows) {
  SparseLu mass(at.M);
  if (at.M.rows() > 0 && !mass.factor(at.M)) refuse_singular_mass(model, at.M, "range-space");
  const auto inverse = [&](const VectorXd& x) { return x.size() > 0 ? mass.solve(x) : x; };
  const MatrixXd J = rows_of(at.J, rows.independent);
  MatrixXd X(J.cols(), J.rows());
  for (Eigen::Index i = 0; i < J.rows(); ++i) X.col(i) = inverse(J.row(i).transpose());
  const Eigen::LLT<MatrixXd> mobility(J * X);
  VectorXd a = VectorXd::Zero(J.cols()), lambda = VectorXd::Zero(J.rows());
  // J M⁻¹Jᵀ has the square of the condition number of J M^(−1/2); what it leaves is solved for once more.
  for (int twice = 0; twice < 2; ++twice) {
    const VectorXd free = inverse(at.b - at.M * a - J.transpose() * lambda);
    const VectorXd change = mobility.solve(J * (a + free) - at.c(rows.independent));
    a += free - X * change;
    lambda += change;
  }
  return {a, spread(lambda, rows.independent, at.J.rows())};
}

// v̇ = R z̈ + S with J R = 0, J S = c:  RᵀMR z̈ = Rᵀ(b − M S)
Accelerations by_null_space(const Model& model, const EquationsOfMotion& at, const LinearSystem& system) {
  const MinimalForm form = minimal_form(system, {.basis = NullSpaceBasis::projective});
  const VectorXd S = form.S * VectorXd::Ones(1);
  const auto a = accelerations_along(form.R, MatrixXd(form.M), S, at);
  if (!a) refuse_without_inertia(model, at.M);
  return {*a, minimum_norm_multipliers(at.J, at.b - at.M * *a, system.rows)};
}

// R are the motions that the joints of a spanning tree allow, w any accelerations that these joints ask for; the joints
// that close loops remain:  [RᵀMR, (HR)ᵀ; HR, 0] [z̈; μ] = [Rᵀ(b − M w); c_H − H w]
Accelerations by_tree(const Model& model, const EquationsOfMotion& at, const LinearSystem& system) {
  constexpr std::int64_t most_entries = 50'000'000;
  const ScaledConstraints constraints = scale_constraints(system);
  const SparseMatrix none(at.J.rows(), 0);
  const RelativeMotions tree = relative_motions(system.joint_tree(), constraints, none, most_entries);
  std::vector<Index> of_tree;
  std::set_difference(system.rows.independent.begin(), system.rows.independent.end(), tree.closing.begin(),
                      tree.closing.end(), std::back_inserter(of_tree));
  const SparseMatrix H = rows_of(at.J, tree.closing), T = rows_of(at.J, of_tree);
  const VectorXd w = least_norm_solution(T, at.c(of_tree), find_dependent_rows(T));
  const SparseMatrix M = tree.R.transpose() * at.M * tree.R, closing = H * tree.R;
  const auto reduced = solve_kkt(M, closing, tree.R.transpose() * (at.b - at.M * w), at.c(tree.closing) - H * w);
  if (!reduced) refuse_without_inertia(model, at.M);
  const VectorXd a = tree.R * reduced->a + w;
  return {a, minimum_norm_multipliers(at.J, at.b - at.M * a, system.rows)};
}

// With K = J M^(−1/2):  v̇ = a + M^(−1/2) K⁺ (c − J a),  λ = −K⁺ᵀK⁺ (c − J a)
Accelerations by_udwadia_kalaba(const Model& model, const EquationsOfMotion& at, const FormOptions& form) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> mass{MatrixXd(at.M)};
  if (at.M.rows() == 0) return {at.b, VectorXd::Zero(at.J.rows())};
  if (!(mass.eigenvalues()[0] > 1e-14 * mass.eigenvalues().tail(1)[0]))
    refuse_singular_mass(model, at.M, "Udwadia–Kalaba");
  const MatrixXd root = mass.eigenvectors() * mass.eigenvalues().cwiseSqrt().cwiseInverse().asDiagonal() *
                        mass.eigenvectors().transpose();
  // Unlike the root, Cholesky's factors keep the digits of light coordinates beside heavy ones.
  const VectorXd free = Eigen::LLT<MatrixXd>(MatrixXd(at.M)).solve(at.b);
  const MatrixXd inverse = pseudoinverse(MatrixXd(at.J * root), form.pseudoinverse).matrix;
  const VectorXd impulse = inverse * (at.c - at.J * free);
  return {free + root * impulse, -(inverse.transpose() * impulse)};
}

// (M + JᵀΞJ) v̇ = b + JᵀΞ (c − 2ωΦ̇ − ω²Φ)
Accelerations by_penalty(const Model& model, const EquationsOfMotion& at, const FormOptions& form) {
  VectorXd mobility = VectorXd::Zero(at.J.rows());
  for (Index j = 0; j < at.J.outerSize(); ++j) {
    const double mass = at.M.coeff(j, j);
    for (SparseMatrix::InnerIterator entry(at.J, j); entry; ++entry) {
      if (mass > 0) mobility[entry.row()] += entry.value() * entry.value() / mass;
    }
  }
  const double most = mobility.size() > 0 ? mobility.maxCoeff() : 0;
  VectorXd factors = mobility;
  for (double& x : factors) x = form.penalty / (x > 0 ? x : most > 0 ? most : 1);
  const double omega = form.penalty_frequency;
  const VectorXd asked = at.c - 2 * omega * at.open_rate - omega * omega * at.open;
  const SparseMatrix P = at.M + SparseMatrix(at.J.transpose() * factors.asDiagonal() * at.J);
  SparseLu lu(P);
  if (P.rows() == 0) return {at.b, VectorXd::Zero(at.J.rows())};
  if (!lu.factor(P)) refuse_without_inertia(model, at.M);
  const VectorXd a = lu.solve(at.b + at.J.transpose() * factors.cwiseProduct(asked));
  return {a, factors.cwiseProduct(at.J * a - asked)};
}

}  // namespace

SparseMatrix rows_of(const SparseMatrix& J, const std::vector<Index>& rows) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  std::vector<Index> place(at(static_cast<Index>(J.rows())), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) place[at(rows[k])] = static_cast<Index>(k);
  for (Index j = 0; j < J.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      const Index row = place[at(entry.row())];
      if (row >= 0) entries.emplace_back(row, j, entry.value());
    }
  }
  SparseMatrix some(static_cast<Index>(rows.size()), J.cols());
  some.setFromTriplets(entries.begin(), entries.end());
  return some;
}

std::optional<Accelerations> solve_kkt(const SparseMatrix& M, const SparseMatrix& J, const VectorXd& b,
                                       const VectorXd& c) {
  const auto n = static_cast<Index>(M.rows()), m = static_cast<Index>(J.rows());
  if (n + m == 0) return Accelerations{};
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < n; ++j) {
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry)
      entries.emplace_back(static_cast<Index>(entry.row()), j, entry.value());
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      entries.emplace_back(n + static_cast<Index>(entry.row()), j, entry.value());
      entries.emplace_back(j, n + static_cast<Index>(entry.row()), entry.value());
    }
  }
  SparseMatrix kkt(n + m, n + m);
  kkt.setFromTriplets(entries.begin(), entries.end());
  SparseLu lu(kkt);
  if (!lu.factor(kkt)) return {};
  VectorXd right(n + m);
  right << b, c;
  const VectorXd both = lu.solve(right);
  return Accelerations{both.head(n), both.tail(m)};
}

double residual_of(const EquationsOfMotion& equations, const VectorXd& a) {
  if (equations.J.rows() == 0) return 0;
  const VectorXd left = (equations.J * a - equations.c).cwiseAbs();
  const VectorXd size = equations.J.cwiseAbs() * a.cwiseAbs() + equations.c.cwiseAbs();
  const double most = size.maxCoeff();
  return most > 0 ? left.maxCoeff() / most : 0;
}

Accelerations solve_by_form(const Model& model, const State& state, const EquationsOfMotion& equations,
                            const FormOptions& form) {
  const auto rows = [&] { return find_dependent_rows(equations.J); };
  const auto solved = [&]() -> Accelerations {
    switch (form.form) {
      case DynamicForm::kkt:
        return by_kkt(model, equations, rows());
      case DynamicForm::range_space:
        require_dense_size(model, form, "range-space");
        return by_range_space(model, equations, rows());
      case DynamicForm::null_space:
        return by_null_space(model, equations, system_of(model, state, equations));
      case DynamicForm::tree:
        return by_tree(model, equations, system_of(model, state, equations));
      case DynamicForm::udwadia_kalaba:
        require_dense_size(model, form, "Udwadia–Kalaba");
        return by_udwadia_kalaba(model, equations, form);
      case DynamicForm::penalty:
        return by_penalty(model, equations, form);
      case DynamicForm::augmented:
      case DynamicForm::baumgarte:
        break;
    }
    throw std::invalid_argument("this form is solved by the proximal matrix");
  };
  Accelerations found = solved();
  found.residual = residual_of(equations, found.a);
  return found;
}

}  // namespace stillpoint
