#include "forms/scaled_constraints.h"

#include <cmath>

#include "algebra/scaling/power_scaling.h"
#include "base/at.h"

namespace stillpoint {

SparseMatrix ScaledConstraints::scaled(const SparseMatrix& G) const {
  std::vector<Index> place(at(G.rows()), -1);
  for (std::size_t i = 0; i < independent.size(); ++i) place[at(independent[i])] = static_cast<Index>(i);
  SparseMatrix result(rank(), G.cols());
  for (Index j = 0; j < G.outerSize(); ++j) {
    result.startVec(j);
    for (SparseMatrix::InnerIterator entry(G, j); entry; ++entry) {
      const Index i = place[at(entry.row())];
      if (i >= 0 && entry.value() != 0) result.insertBack(i, j) = std::ldexp(entry.value(), rows[at(i)]);
    }
  }
  result.finalize();
  return result;
}

ScaledConstraints scale_constraints(const LinearSystem& system) {
  ScaledConstraints constraints;
  constraints.independent = system.rows.independent;
  constraints.S = independent_rows(system);
  constraints.S.prune([](Index, Index, double value) { return value != 0; });
  // Without a stated noise there is one scaling. It is found without the rounding of zeros; these entries are scaled
  // with the rest.
  PowerScaled scaling = std::move(scale_by_powers_of_two(constraints.S, 0).back());
  constraints.rows = std::move(scaling.rows);
  constraints.columns = std::move(scaling.columns);
  for (Index j = 0; j < constraints.S.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(constraints.S, j); entry; ++entry) {
      entry.valueRef() = std::ldexp(entry.value(), constraints.rows[at(entry.row())] + constraints.columns[at(j)]);
    }
  }
  return constraints;
}

}  // namespace stillpoint
