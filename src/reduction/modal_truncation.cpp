// Modal truncation with static correction: some modes are kept, and the static response of the others is added.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "reduction/modal_parts.h"
#include "reduction/reductions.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

// The damping ratio by which undamped modes are weighted.
constexpr double assumed_damping = 1e-3;

double importance(const Plant& modal, const ModalPart& part, Importance keep) {
  const double infinite = std::numeric_limits<double>::infinity();
  const double size = part.slowest();
  if (size == 0 || part.is_unstable()) return infinite;
  if (keep == Importance::frequency) return 1 / size;
  const double b = MatrixXd(modal.first.B).middleRows(part.first, part.size).norm();
  const double c = MatrixXd(modal.first.C).middleCols(part.first, part.size).norm();
  if (keep == Importance::participation) return b * c;
  return b * c / (4 * std::max(-part.largest_real(), assumed_damping * size));
}

/// Returns the most important parts that fit into the order, sorted as in the modal form.
std::vector<ModalPart> chosen_parts(const Plant& modal, const ModalParts& all, const ReduceOptions& options) {
  std::vector<std::pair<double, std::size_t>> ranking;
  for (std::size_t k = 0; k < all.parts.size(); ++k) {
    ranking.emplace_back(-importance(modal, all.parts[k], options.keep), k);
  }
  std::sort(ranking.begin(), ranking.end());
  std::vector<std::size_t> places;
  Eigen::Index order = 0;
  for (const auto& [less_important, k] : ranking) {
    const bool must_be_in = std::isinf(less_important);
    if (order + all.parts[k].size > order_of(options)) {
      if (must_be_in) {
        throw Error(fmt::format(
            "an order of {} is too small: unstable modes and rigid-body motions must be kept, and have at least {} "
            "states",
            order_of(options), order + all.parts[k].size));
      }
      break;
    }
    order += all.parts[k].size;
    places.push_back(k);
  }
  std::sort(places.begin(), places.end());
  std::vector<ModalPart> chosen;
  for (const std::size_t k : places) chosen.push_back(all.parts[k]);
  return chosen;
}

/// Returns the static gain −C A⁻¹ B of the parts that are left out.
MatrixXd static_gain(const MatrixXd& C, const MatrixXd& B, const ModalParts& all,
                     const std::vector<ModalPart>& chosen) {
  MatrixXd gain = MatrixXd::Zero(C.rows(), B.cols());
  for (const ModalPart& part : all.parts) {
    const bool is_chosen =
        std::any_of(chosen.begin(), chosen.end(), [&](const ModalPart& other) { return other.first == part.first; });
    if (is_chosen || B.cols() == 0) continue;
    const MatrixXd block = all.A.block(part.first, part.first, part.size, part.size);
    gain -= C.middleCols(part.first, part.size) * block.partialPivLu().solve(B.middleRows(part.first, part.size));
  }
  return gain;
}

}  // namespace

ReducedPlant truncate_modes(const Plant& full, const ReduceOptions& options) {
  const ModalParts all = modal_parts(full.first.A, full.poles);
  const Plant modal = modal_plant(full, all);
  const std::vector<ModalPart> chosen = chosen_parts(modal, all, options);
  const ModalColumns columns = columns_of(all, chosen);
  ReducedPlant reduced;
  reduced.plant = in_coordinates(full, columns.V, columns.W, columns.A, modal_names(chosen));
  reduced.plant.form = PlantForm::modal;
  if (!options.static_correction) return reduced;
  const MatrixXd D = full.first.D + static_gain(modal.first.C, modal.first.B, all, chosen);
  const MatrixXd S = full.S + static_gain(modal.T, modal.first.B, all, chosen);
  reduced.plant.first.D = D.sparseView();
  reduced.plant.S = S.sparseView();
  return reduced;
}

}  // namespace stillpoint
