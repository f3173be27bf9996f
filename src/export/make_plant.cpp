#include "stillpoint/make_plant.h"

#include <fmt/format.h>

#include <algorithm>

#include "algebra/sparse_lu.h"
#include "base/at.h"
#include "export/plant_parts.h"
#include "export/second_order_parts.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

/// W with W M = H_a: accelerations as forces, H_a z̈ = W (B w − C ż − K z).
SparseMatrix forces_to_accelerations(const LinearSystem& system, const SecondOrderParts& parts) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  if (parts.Ha.nonZeros() > 0) {
    const SparseMatrix Mt = parts.M.transpose(), Ha = parts.Ha.transpose();
    SparseLu lu(Mt);
    if (!lu.factor(Mt)) {
      throw Error(
          fmt::format("the output '{}' needs accelerations, and there are motions without mass: M of the second-order "
                      "form is singular; choose another form (--form state-space or descriptor)",
                      system.output_name(parts.Ha.innerIndexPtr()[0])));
    }
    for (Index i = 0; i < Ha.outerSize(); ++i) {
      const Eigen::VectorXd h = Ha.col(i);
      if (h.isZero(0)) continue;
      const Eigen::VectorXd w = lu.solve(h);
      for (Index j = 0; j < w.size(); ++j) {
        if (w[j] != 0) entries.emplace_back(i, j, w[j]);
      }
    }
  }
  SparseMatrix W(parts.Ha.rows(), parts.Ha.cols());
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

void complete(const LinearSystem& system, const PlantOptions& options, Plant& plant) {
  find_poles(system, options, plant);
  find_check(plant);
}

}  // namespace

Plant state_space(const LinearSystem& system, const PlantOptions& options) {
  require_few_states(system.freedom(), options);
  return state_space(system, minimal_form(system, options.minimal), options);
}

Plant state_space(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options) {
  require_few_states(static_cast<Index>(form.M.rows()), options);
  Plant plant = named_plant(system, PlantForm::state_space, "mcs");
  make_explicit(system, parts_of(system, form, options), kinds_of(system, form), plant);
  complete(system, options, plant);
  return plant;
}

Plant second_order(const LinearSystem& system, const PlantOptions& options) {
  return second_order(system, minimal_form(system, options.minimal), options);
}

Plant second_order(const LinearSystem& system, const MinimalForm& form, const PlantOptions& options) {
  const SecondOrderParts parts = parts_of(system, form, options);
  const SparseMatrix W = forces_to_accelerations(system, parts);
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
  complete(system, options, plant);
  return plant;
}

}  // namespace stillpoint
