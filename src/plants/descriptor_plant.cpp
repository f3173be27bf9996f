// The descriptor form with outputs, theory (4.1). The multipliers are states. If M is singular, an acceleration is not
// a function of q, q̇ and λ; the accelerations that an output needs are therefore states, too, by q̈_j = d/dt q̇_j.
#include <algorithm>

#include "base/at.h"
#include "forms/motion_outputs.h"
#include "plants/plant_parts.h"
#include "plants/units.h"

namespace stillpoint {

namespace {

using Triplets = std::vector<Eigen::Triplet<double, Index>>;

void add(const SparseMatrix& A, Index first_column, Triplets& entries) {
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      entries.emplace_back(static_cast<Index>(entry.row()), first_column + j, entry.value());
    }
  }
}

/// Adds the columns `chosen` of A as columns from `first_column` on.
void add(const SparseMatrix& A, const std::vector<Index>& chosen, Index first_column, Triplets& entries) {
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    for (SparseMatrix::InnerIterator entry(A, chosen[k]); entry; ++entry) {
      entries.emplace_back(static_cast<Index>(entry.row()), first_column + static_cast<Index>(k), entry.value());
    }
  }
}

SparseMatrix matrix_of(Index rows, Index columns, const Triplets& entries) {
  SparseMatrix A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

std::vector<Index> columns_with_entries(const SparseMatrix& A) {
  std::vector<Index> columns;
  for (Index j = 0; j < A.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(A, j); entry; ++entry) {
      if (entry.value() == 0) continue;
      columns.push_back(j);
      break;
    }
  }
  return columns;
}

void name_states(const LinearSystem& system, const DescriptorForm& form, const std::vector<Index>& accelerated,
                 Plant& plant) {
  std::vector<std::string>& names = plant.state_names;
  for (const int order : {0, 1}) {
    for (Index i = 0; i < form.n; ++i) names.push_back(rate_name(system.coordinate_name(i), order));
  }
  for (const Index row : form.rows) names.push_back("lambda(" + system.constraint_name(row) + ")");
  for (const Index i : accelerated) names.push_back(rate_name(system.coordinate_name(i), 2));
  plant.state_units.resize(names.size());
  plant.at.x = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(names.size()));
  if (system.q.size() > 0) plant.at.x.head(form.n) = system.q;
  for (Index i = 0; i < form.r && system.lambda.size() > 0; ++i) {
    plant.at.x[2 * form.n + i] = system.lambda[form.rows[at(i)]];
  }
}

}  // namespace

Plant descriptor(const LinearSystem& system, const PlantOptions& options) {
  Plant plant = named_plant(system, PlantForm::descriptor, "rcs");
  const SparseMatrix reactions = determined_reactions(system, options.minimum_norm_reactions, plant.notes);
  const DescriptorForm form = descriptor_form(system);
  const std::vector<Index> accelerated = columns_with_entries(system.Ha);
  const Index n = form.n, own = 2 * n + form.r, size = own + static_cast<Index>(accelerated.size());
  Triplets E, A, B, C;
  add(form.E, 0, E);
  add(form.A, 0, A);
  add(form.B, 0, B);
  for (std::size_t k = 0; k < accelerated.size(); ++k) {
    const Index row = own + static_cast<Index>(k);
    E.emplace_back(row, n + accelerated[k], 1.0);
    A.emplace_back(row, row, 1.0);
  }
  add(system.Hq, 0, C);
  add(system.Hv, n, C);
  add(reactions, form.rows, 2 * n, C);
  add(system.Ha, accelerated, own, C);
  choose_channels(system, {}, plant);
  plant.first = {matrix_of(size, size, E), matrix_of(size, size, A), matrix_of(size, system.inputs(), B),
                 matrix_of(system.outputs(), size, C), system.Hu};
  plant.T.resize(n, size);
  for (Index i = 0; i < n; ++i) plant.T.insert(i, i) = 1;
  plant.T.makeCompressed();
  plant.S.resize(n, system.inputs());
  name_states(system, form, accelerated, plant);
  set_operating_point(system, plant);
  find_poles(system, options, plant);
  find_check(plant);
  return with_units(std::move(plant), system);
}

}  // namespace stillpoint
