#include "stillpoint/make_plant.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/lu/sparse_lu.h"
#include "base/at.h"
#include "modes/methods/minimal_modes.h"
#include "plants/massless_coordinates.h"
#include "plants/measured_error.h"
#include "plants/plant_parts.h"
#include "plants/second_order_parts.h"
#include "plants/units.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

SparseMatrix matrix_of(Index rows, Index columns, const std::vector<Eigen::Triplet<double, Index>>& entries) {
  SparseMatrix A(rows, columns);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// Returns columns of the unit matrix.
SparseMatrix unit_vectors(Index size, const std::vector<Index>& chosen) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (std::size_t k = 0; k < chosen.size(); ++k) entries.emplace_back(chosen[k], static_cast<Index>(k), 1.0);
  return matrix_of(size, static_cast<Index>(chosen.size()), entries);
}

[[noreturn]] void refuse_acceleration(const LinearSystem& system, Index output) {
  throw Error(
      fmt::format("the output '{}' needs accelerations of motions without mass, which no equation of the second-order "
                  "form gives: choose form 'state-space' or form 'descriptor'",
                  system.output_name(output)));
}

/// Returns W with W M = H_a, which expresses accelerations by forces: H_a z̈ = W (B w − C ż − K z). Only the rows and
/// columns of M with mass take part.
SparseMatrix forces_to_accelerations(const LinearSystem& system, const MinimalForm& form,
                                     const SecondOrderParts& parts) {
  if (parts.Ha.nonZeros() == 0) return matrix_of(static_cast<Index>(parts.Ha.rows()), parts.dofs(), {});
  const std::vector<Index> massive = inertial_dofs(system, form);
  const SparseMatrix chosen = unit_vectors(parts.dofs(), massive), rows = chosen.transpose();
  const SparseMatrix Mt = SparseMatrix(rows * parts.M * chosen).transpose();
  const SparseMatrix all = parts.Ha.transpose(), Ha = rows * all;
  SparseLu lu(Mt);
  const bool is_regular = lu.factor(Mt);
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < Ha.outerSize(); ++i) {
    const Eigen::VectorXd h = Ha.col(i);
    if (SparseMatrix(all.col(i)).nonZeros() == 0) continue;
    if (!is_regular || SparseMatrix(Ha.col(i)).nonZeros() < SparseMatrix(all.col(i)).nonZeros())
      refuse_acceleration(system, i);
    const Eigen::VectorXd w = lu.solve(h);
    for (Index j = 0; j < w.size(); ++j) {
      if (w[j] != 0) entries.emplace_back(i, massive[at(j)], w[j]);
    }
  }
  return matrix_of(static_cast<Index>(parts.Ha.rows()), parts.dofs(), entries);
}

Plant explicit_plant(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options) {
  require_few_states(static_cast<Index>(form.M.rows()), options);
  Plant plant = named_plant(system, PlantForm::state_space, "mcs");
  const Quadratic P = reduced_quadratic(system, form);
  const auto [parts, kinds] = with_massless_coordinates(parts_of(system, form, options), P.M, P.C);
  make_explicit(system, parts, kinds, plant);
  return plant;
}

Plant sparse_plant(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options) {
  const SecondOrderParts parts = parts_of(system, form, options);
  const SparseMatrix W = forces_to_accelerations(system, form, parts);
  std::vector<Eigen::MatrixXd> D = parts.D;
  for (std::size_t order = 0; order < D.size(); ++order) D[order] += W * parts.B[order];

  Plant plant = named_plant(system, PlantForm::second_order, "mcs");
  choose_channels(system, {parts.B, D}, plant);
  plant.second = {parts.M,
                  parts.C,
                  parts.K,
                  by_channels(plant, parts.B),
                  SparseMatrix(parts.Hq - W * parts.K),
                  SparseMatrix(parts.Hv - W * parts.C),
                  by_channels(plant, D)};
  plant.T = parts.T;
  plant.S = by_channels(plant, {parts.S});
  plant.state_names = parts.names;
  plant.state_units.resize(parts.names.size());
  plant.notes = parts.notes;
  set_operating_point(system, plant);
  plant.at.x = parts.values;
  return plant;
}

Plant completed(Plant plant, const LinearSystem& system, const PlantOptions& options) {
  find_poles(system, options, plant);
  find_check(plant);
  return with_units(std::move(plant), system);
}

}  // namespace

Plant whole_state_space(const LinearSystem& system, const PlantOptions& options) {
  require_few_states(system.dof(), options);
  const MinimalForm form = minimal_form(system, options.minimal);
  return completed(explicit_plant(system, form, options), system, options);
}

Plant state_space(const LinearSystem& system, const PlantOptions& options) {
  Plant plant = whole_state_space(system, options);
  tell_rounding(system, options, plant);
  return plant;
}

Plant state_space(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options) {
  return completed(explicit_plant(system, form, options), system, options);
}

Plant second_order(const LinearSystem& system, const PlantOptions& options) {
  const MinimalForm form = minimal_form(system, options.minimal);
  return completed(sparse_plant(system, form, options), system, options);
}

Plant second_order(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options) {
  return completed(sparse_plant(system, form, options), system, options);
}

}  // namespace stillpoint
