// The reduced stiffness without multipliers by coordinate partitioning [Wehage & Haug 1982], [González 2017] eq. 16.
// With R = [I; −J_D⁻¹ J_I] and the derivative of J R = 0,
//
//   (∂Rᵀ/∂z_j) f = −Rᵀ (∂J/∂z_j)ᵀ λ̂,   J_Dᵀ λ̂ = f_D,   ∂J/∂z_j = Σ_k ∂J/∂q_k R_kj
//
// so that −(∂Rᵀ/∂z) f = Rᵀ ∂(Jᵀλ̂)/∂q R, where λ̂ follows from the forces at the dependent coordinates alone.

#include <fmt/format.h>

#include <algorithm>

#include "algebra/lu/sparse_lu.h"
#include "base/at.h"
#include "equilibrium/scales.h"
#include "stillpoint/error.h"
#include "stillpoint/linearize.h"

namespace stillpoint {

namespace {

using Vector = Eigen::VectorXd;
using Triplets = std::vector<Eigen::Triplet<double, Index>>;

/// A partition into independent and dependent coordinates, and the independent rows of J.
struct Partition {
  std::vector<Index> independent, dependent, rows;
};

Partition partition(const Model& model, const State& state, const Matrices& at_state,
                    const std::vector<Index>& independent) {
  const Index n = model.coordinates();
  Partition parts;
  parts.independent = independent;
  std::vector<char> is_independent(at(n), 0);
  for (const Index i : independent) {
    if (i < 0 || i >= n) throw Error(fmt::format("there is no coordinate {}: there are {}", i + 1, n));
    if (is_independent[at(i)]) throw Error(fmt::format("coordinate '{}' is given twice", model.coordinate_name(i)));
    is_independent[at(i)] = 1;
  }
  for (Index i = 0; i < n; ++i) {
    if (!is_independent[at(i)]) parts.dependent.push_back(i);
  }
  const Scales scales = find_scales(model, state, at_state.J);
  const SparseMatrix J = scales.w.asDiagonal() * at_state.J * scales.s.asDiagonal();
  parts.rows = find_dependent_rows(J).independent;
  if (parts.rows.size() != parts.dependent.size())
    throw Error(
        fmt::format("{} independent coordinates are given, and {} coordinates with {} independent constraints "
                    "leave {}",
                    independent.size(), n, parts.rows.size(), n - static_cast<Index>(parts.rows.size())));
  return parts;
}

/// A submatrix of some rows and columns, transposed on request.
SparseMatrix block(const SparseMatrix& A, const std::vector<Index>& rows, const std::vector<Index>& columns,
                   bool transposed = false) {
  std::vector<Index> place(at(A.rows()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) place[at(rows[i])] = static_cast<Index>(i);
  Triplets triplets;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, columns[j]); entry; ++entry) {
      const Index row = place[at(entry.row())], column = static_cast<Index>(j);
      if (row < 0) continue;
      triplets.emplace_back(transposed ? column : row, transposed ? row : column, entry.value());
    }
  }
  const auto height = static_cast<Index>(rows.size()), width = static_cast<Index>(columns.size());
  SparseMatrix made(transposed ? width : height, transposed ? height : width);
  made.setFromTriplets(triplets.begin(), triplets.end());
  return made;
}

[[noreturn]] void refuse(const Model& model, const Partition& parts) {
  std::vector<std::string> names;
  for (const Index i : parts.independent) names.push_back(model.coordinate_name(i));
  throw Error(fmt::format("the other coordinates do not follow from {}: choose other independent ones",
                          fmt::join(names, ", ")));
}

Eigen::MatrixXd tangents(const Model& model, const SparseMatrix& J, const Partition& parts) {
  const auto dof = static_cast<Eigen::Index>(parts.independent.size());
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(model.coordinates(), dof);
  const SparseMatrix J_D = block(J, parts.rows, parts.dependent), J_I = block(J, parts.rows, parts.independent);
  SparseLu lu(J_D);
  if (!lu.factor(J_D)) refuse(model, parts);
  for (Eigen::Index k = 0; k < dof; ++k) {
    R(parts.independent[at(k)], k) = 1;
    const Vector follows = lu.solve(-Vector(J_I.col(k)));
    for (std::size_t d = 0; d < parts.dependent.size(); ++d) R(parts.dependent[d], k) = follows[static_cast<Index>(d)];
  }
  return R;
}

/// Solves J_Dᵀ λ̂ = f_D; λ̂ is zero in the rows that are left out.
Vector multipliers(const Model& model, const SparseMatrix& J, const Partition& parts, const Vector& f) {
  const SparseMatrix J_D_transposed = block(J, parts.rows, parts.dependent, true);
  SparseLu lu(J_D_transposed);
  if (!lu.factor(J_D_transposed)) refuse(model, parts);
  Vector f_D(static_cast<Eigen::Index>(parts.dependent.size()));
  for (std::size_t d = 0; d < parts.dependent.size(); ++d) f_D[static_cast<Index>(d)] = f[parts.dependent[d]];
  const Vector solved = lu.solve(f_D);
  Vector lambda = Vector::Zero(model.constraints());
  for (std::size_t i = 0; i < parts.rows.size(); ++i) lambda[parts.rows[i]] = solved[static_cast<Index>(i)];
  return lambda;
}

}  // namespace

Eigen::MatrixXd reduced_stiffness_without_multipliers(const Model& model, const State& state,
                                                      const std::vector<Index>& independent) {
  State bare = state;
  bare.lambda = Vector::Zero(model.constraints());
  Assembly assembly(model);
  const Matrices& matrices = assembly.at(bare);
  const Partition parts = partition(model, bare, matrices, independent);
  const Eigen::MatrixXd R = tangents(model, matrices.J, parts);

  const Eigen::MatrixXd of_forces = R.transpose() * (matrices.K * R);  // −Rᵀ ∂f/∂z
  const SparseMatrix without = matrices.K;
  bare.lambda = multipliers(model, matrices.J, parts, applied_forces(model, bare));
  const SparseMatrix bending = SparseMatrix(assembly.at(bare).K - without);  // ∂(Jᵀλ̂)/∂q
  return of_forces + R.transpose() * (bending * R);                          // the second term is −(∂Rᵀ/∂z) f
}

}  // namespace stillpoint
