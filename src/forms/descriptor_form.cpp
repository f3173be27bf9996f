// Descriptor form: positions, velocities and multipliers as one system of first order, theory (4.1), or with J or Jᵀ
// moved to E, theory (4.2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "base/name_list.h"
#include "forms/prescribed_motion.h"
#include "stillpoint/error.h"
#include "stillpoint/forms.h"

namespace stillpoint {

namespace {

class Blocks {
 public:
  Blocks(Index rows, Index columns) : rows_(rows), columns_(columns) {}

  void add(Index row, Index column, const SparseMatrix& A, double factor = 1) {
    for (Index j = 0; j < A.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
        entries_.emplace_back(row + static_cast<Index>(entry.row()), column + j, factor * entry.value());
      }
    }
  }
  void add_identity(Index row, Index column, Index size) {
    for (Index i = 0; i < size; ++i) entries_.emplace_back(row + i, column + i, 1.0);
  }
  SparseMatrix matrix() const {
    SparseMatrix A(rows_, columns_);
    A.setFromTriplets(entries_.begin(), entries_.end());
    return A;
  }

 private:
  Index rows_, columns_;
  std::vector<Eigen::Triplet<double, Index>> entries_;
};

/// If a motion of the system needs no force, s = 0 is an eigenvalue of it, which the added zeros would hide.
void require_stiff(const LinearSystem& system, const SparseMatrix& J) {
  const Index n = system.coordinates(), r = static_cast<Index>(J.rows());
  Blocks bordered(n + r, n + r);
  bordered.add(0, 0, system.K);
  bordered.add(0, n, J.transpose());
  bordered.add(n, 0, J);
  // The left null vectors of the transposed matrix are the motions (q, λ) without force.
  const RowDependence dependence = find_dependent_rows(bordered.matrix().transpose());
  if (dependence.dependent.empty()) return;
  std::vector<std::string> moving;
  const SparseMatrix& motions = dependence.null_vectors;
  for (SparseMatrix::InnerIterator entry(motions, 0); entry; ++entry) {
    if (entry.row() < n) moving.push_back("'" + system.coordinate_name(static_cast<Index>(entry.row())) + "'");
  }
  throw Error(fmt::format(
      "J cannot be moved to E here: no stiffness resists {} {} (in {}), and the zeros that this adds would coincide "
      "with those of rigid-body motion",
      dependence.dependent.size(), dependence.dependent.size() == 1 ? "motion" : "motions", name_list(moving)));
}

}  // namespace

DescriptorForm descriptor_form(const LinearSystem& system, const DescriptorOptions& options) {
  require_consistent_motion(system);
  const SparseMatrix J = independent_rows(system);
  if (options.J_on_velocities || options.Jt_on_rates) require_stiff(system, J);
  if (options.J_on_velocities && system.G.nonZeros() > 0) {
    throw Error("J cannot be moved to E where motion is prescribed: that would need the rates of the inputs");
  }

  DescriptorForm form;
  form.moved = options;
  const Index n = form.n = system.coordinates(), r = form.r = static_cast<Index>(J.rows()), size = 2 * n + r;
  form.rows = system.rows.independent;
  for (const Index row : system.rows.dependent) form.dropped.push_back(system.constraint_name(row));

  Blocks E(size, size), A(size, size), B(size, system.inputs());
  E.add_identity(0, 0, n);
  E.add(n, n, system.M);
  A.add_identity(0, n, n);
  A.add(n, 0, system.K, -1);
  A.add(n, n, system.C, -1);
  if (options.Jt_on_rates) {
    E.add(n, 2 * n, J.transpose());
  } else {
    A.add(n, 2 * n, J.transpose(), -1);
  }
  if (options.J_on_velocities) {
    E.add(2 * n, 0, J);
  } else {
    A.add(2 * n, 0, J, -1);
  }
  B.add(n, 0, system.F);
  SparseMatrix choose(r, system.constraints());
  choose.reserve(r);
  for (Index i = 0; i < r; ++i) choose.insert(i, form.rows[at(i)]) = 1;
  B.add(2 * n, 0, choose * system.G);
  form.E = E.matrix();
  form.A = A.matrix();
  form.B = B.matrix();
  return form;
}

}  // namespace stillpoint
