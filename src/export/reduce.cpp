#include "stillpoint/reduce.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "algebra/lapack.h"
#include "algebra/lyapunov.h"
#include "algebra/schur.h"
#include "base/at.h"
#include "export/modal_parts.h"
#include "export/plant_parts.h"
#include "export/reduced_bases.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

// Frequencies at which errors are measured.
constexpr Index grid = 120;

// Without another choice.
constexpr Index usual_order = 20;

Index order_of(const ReduceOptions& options) { return options.order > 0 ? options.order : usual_order; }

/// max over ω of ‖H − H_r‖₂, in channels.
double gain_error(const Plant& full, const Plant& reduced, const Eigen::VectorXd& omega) {
  const auto H = response_of(full, omega), H_r = response_of(reduced, omega);
  double largest = 0;
  for (std::size_t k = 0; k < H.size(); ++k) {
    if (H[k].hasNaN() || H[k].size() == 0) continue;
    largest = std::max(largest, Eigen::JacobiSVD<Eigen::MatrixXcd>(H[k] - H_r[k]).singularValues()[0]);
  }
  return largest;
}

Eigen::VectorXd errors_at(const LinearSystem& system) {
  const ResponseRange range = range_of_modes(system);
  return log_spaced(range.from, range.to, grid);
}

/// What is measured of every reduction, and said.
void measure(const LinearSystem& system, const ReduceOptions& options, const std::string& how, ReducedPlant& reduced) {
  const Eigen::VectorXd omega = errors_at(system);
  const FrequencyResponse exact =
      frequency_response(system, omega, {.minimum_norm_reactions = options.plant.minimum_norm_reactions});
  reduced.measured = response_error(exact, reduced.plant);
  std::vector<std::string>& notes = reduced.plant.notes;
  notes.push_back(
      fmt::format("reduced from {} to {} states by {}", reduced.full_order, reduced.plant.first.A.rows(), how));
  notes.push_back(fmt::format(
      "its frequency response is off by up to {:.1e} of the largest, at {:.3g} rad/s (measured at {} frequencies from "
      "{:.3g} to {:.3g} rad/s)",
      reduced.measured.relative, reduced.measured.omega, grid, omega[0], omega[grid - 1]));
  if (std::isfinite(reduced.bound)) {
    notes.push_back(
        fmt::format("the bound of its error is {:.1e} (in the largest singular value of H, for all "
                    "frequencies); measured: {:.1e}",
                    reduced.bound, reduced.gain_error));
  }
  find_check(reduced.plant);
}

// ----- modal

/// "mode[3].a" and "mode[3].b" of a pair, "mode[4]" of a real root, "mode[1].a" ... of a chain.
std::vector<std::string> modal_names(const std::vector<ModalPart>& parts) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    for (Eigen::Index i = 0; i < parts[k].size; ++i) {
      const std::string which = parts[k].size == 1    ? ""
                                : parts[k].size <= 26 ? fmt::format(".{}", static_cast<char>('a' + i))
                                                      : fmt::format(".{}", i + 1);
      names.push_back(fmt::format("mode[{}]{}", k + 1, which));
    }
  }
  return names;
}

// A pair is taken to be on the imaginary axis if its damping is no more than rounding.
constexpr double on_axis = 1e-10;

bool is_stable(const ModalPart& part) { return part.largest_real() < -on_axis * part.slowest(); }

// What undamped modes are weighed with.
constexpr double assumed_damping = 1e-3;

double importance(const Plant& modal, const ModalPart& part, Importance keep) {
  const double infinite = std::numeric_limits<double>::infinity();
  const double real = part.largest_real(), size = part.slowest();
  if (size == 0 || real > on_axis * size) return infinite;
  if (keep == Importance::frequency) return 1 / size;
  const double damping = std::max(-real, assumed_damping * size);
  const double b = MatrixXd(modal.first.B).middleRows(part.first, part.size).norm();
  const double c = MatrixXd(modal.first.C).middleCols(part.first, part.size).norm();
  return b * c / (4 * damping);
}

/// The most important parts that fit, in their order.
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
        throw Error(
            fmt::format("{} states are too few: those that grow, or move freely, are {} or more and must be "
                        "kept",
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

struct Columns {
  MatrixXd V, W, A;
};

Columns columns_of(const ModalParts& all, const std::vector<ModalPart>& chosen) {
  Eigen::Index size = 0;
  for (const ModalPart& part : chosen) size += part.size;
  Columns columns{MatrixXd(all.V.rows(), size), MatrixXd(all.V.rows(), size), MatrixXd::Zero(size, size)};
  Eigen::Index first = 0;
  for (const ModalPart& part : chosen) {
    columns.V.middleCols(first, part.size) = all.V.middleCols(part.first, part.size);
    columns.W.middleCols(first, part.size) = all.W.middleCols(part.first, part.size);
    columns.A.block(first, first, part.size, part.size) = all.A.block(part.first, part.first, part.size, part.size);
    first += part.size;
  }
  return columns;
}

Plant modal_plant(const Plant& full, const ModalParts& all) {
  Plant plant = in_coordinates(full, all.V, all.W, all.A, modal_names(all.parts));
  plant.form = PlantForm::modal;
  return plant;
}

/// −C A⁻¹ B of the parts that are left out.
MatrixXd static_gain(const Plant& modal, const ModalParts& all, const std::vector<ModalPart>& chosen) {
  const MatrixXd B = modal.first.B, C = modal.first.C;
  MatrixXd gain = MatrixXd::Zero(C.rows(), B.cols());
  for (const ModalPart& part : all.parts) {
    const bool is_chosen =
        std::any_of(chosen.begin(), chosen.end(), [&](const ModalPart& other) { return other.first == part.first; });
    if (is_chosen) continue;
    const MatrixXd block = all.A.block(part.first, part.first, part.size, part.size);
    gain -= C.middleCols(part.first, part.size) * block.partialPivLu().solve(B.middleRows(part.first, part.size));
  }
  return gain;
}

void truncate_modes(const Plant& full, const ReduceOptions& options, ReducedPlant& reduced) {
  const ModalParts all = modal_parts(full.first.A, full.poles);
  const Plant modal = modal_plant(full, all);
  const std::vector<ModalPart> chosen = chosen_parts(modal, all, options);
  const Columns columns = columns_of(all, chosen);
  reduced.plant = in_coordinates(full, columns.V, columns.W, columns.A, modal_names(chosen));
  reduced.plant.form = PlantForm::modal;
  if (!options.static_correction) return;
  const MatrixXd D = MatrixXd(full.first.D) + static_gain(modal, all, chosen);
  reduced.plant.first.D = D.sparseView();
}

// ----- balanced

/// Factors of both gramians, and what links them: Lₒᵀ L_c = U Σ Vᵀ.
struct Balancing {
  MatrixXd controllable, observable;
  SingularValues link;
};

Balancing balancing_of(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C) {
  Balancing result{gramian_factor(A, B), gramian_factor(A.transpose(), C.transpose()), {}};
  result.link = decompose(result.observable.transpose() * result.controllable);
  return result;
}

/// How many are kept, as the options say; values that are rounding are not.
Eigen::Index count_kept(const Eigen::VectorXd& hankel, const ReduceOptions& options, Eigen::Index untouched) {
  if (hankel.size() == 0) return 0;
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(hankel.size());
  const Eigen::Index sure = (hankel.array() > rounding * hankel[0]).count();
  if (options.order > 0) {
    if (options.order < untouched) {
      throw Error(
          fmt::format("{} states are too few: {} are not stable and are kept as they are", options.order, untouched));
    }
    return std::min<Eigen::Index>(options.order - untouched, sure);
  }
  Eigen::Index kept = hankel.size();
  double bound = 0;
  while (kept > 0 && bound + 2 * hankel[kept - 1] <= options.tolerance * hankel[0]) bound += 2 * hankel[--kept];
  return std::min(kept, sure);
}

std::vector<std::string> numbered(const char* word, Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < count; ++i) names.push_back(fmt::format("{}[{}]", word, i + 1));
  return names;
}

/// What is balanced: everything, in units that make A even; or the stable parts.
Columns stable_columns(const Plant& full, const ModalParts& all, const std::vector<ModalPart>& stable) {
  if (stable.size() < all.parts.size()) return columns_of(all, stable);
  const MatrixXd A = full.first.A;
  const Eigen::VectorXd d = balancing_scales(A);
  return {d.asDiagonal().toDenseMatrix(), d.cwiseInverse().asDiagonal().toDenseMatrix(),
          d.cwiseInverse().asDiagonal() * A * d.asDiagonal()};
}

void truncate_balanced(const Plant& full, const ReduceOptions& options, ReducedPlant& reduced) {
  const ModalParts all = modal_parts(full.first.A, full.poles);
  std::vector<ModalPart> kept, stable;
  for (const ModalPart& part : all.parts) (is_stable(part) ? stable : kept).push_back(part);
  const Columns same = columns_of(all, kept), changed = stable_columns(full, all, stable);
  const Balancing balancing = balancing_of(changed.A, changed.W.transpose() * full.first.B, full.first.C * changed.V);
  reduced.hankel = balancing.link.values;
  reduced.kept_exactly = static_cast<Index>(same.A.rows());
  const Eigen::Index r = count_kept(reduced.hankel, options, same.A.rows()), size = same.A.rows() + r;
  reduced.bound = 2 * reduced.hankel.tail(reduced.hankel.size() - r).sum();

  const Eigen::VectorXd root = reduced.hankel.head(r).cwiseSqrt().cwiseInverse();
  const MatrixXd V = balancing.controllable * balancing.link.V.leftCols(r) * root.asDiagonal();
  const MatrixXd W = balancing.observable * balancing.link.U.leftCols(r) * root.asDiagonal();
  Columns both{MatrixXd(same.V.rows(), size), MatrixXd(same.V.rows(), size), MatrixXd::Zero(size, size)};
  both.V << same.V, changed.V * V;
  both.W << same.W, changed.W * W;
  both.A.topLeftCorner(same.A.rows(), same.A.rows()) = same.A;
  both.A.bottomRightCorner(r, r) = W.transpose() * changed.A * V;
  std::vector<std::string> names = numbered("kept", same.A.rows());
  for (const std::string& name : numbered("balanced", r)) names.push_back(name);
  reduced.plant = in_coordinates(full, both.V, both.W, both.A, std::move(names));
}

}  // namespace

Plant modal_form(const LinearSystem& system, const PlantOptions& options) {
  const Plant full = state_space(system, options);
  Plant plant = modal_plant(full, modal_parts(full.first.A, full.poles));
  find_check(plant);
  return plant;
}

ReducedPlant reduce(const LinearSystem& system, const ReduceOptions& options) {
  ReducedPlant reduced;
  reduced.full_order = 2 * system.freedom();
  std::string how;
  const bool is_dense = options.method == Reduction::modal || options.method == Reduction::balanced;
  if (is_dense) {
    const Plant full = state_space(system, options.plant);
    reduced.full_order = static_cast<Index>(full.first.A.rows());
    if (options.method == Reduction::modal) truncate_modes(full, options, reduced);
    else truncate_balanced(full, options, reduced);
    reduced.gain_error = gain_error(full, reduced.plant, errors_at(system));
    how = options.method == Reduction::balanced ? "balanced truncation"
          : options.keep == Importance::gramian ? "the modes of most weight"
                                                : "the slowest modes";
    if (options.method == Reduction::modal && options.static_correction) how += ", with the static part of the others";
  } else {
    const bool is_krylov = options.method == Reduction::krylov;
    const Index vectors = std::max<Index>(1, order_of(options) / 2);
    const MinimalForm basis = is_krylov ? krylov_basis(system, options.frequencies, vectors)
                                        : craig_bampton_basis(system, options.boundary, vectors);
    reduced.plant = state_space(system, basis, options.plant);
    how = is_krylov ? "moments at some frequencies (Krylov)" : "Craig and Bampton's modes";
  }
  measure(system, options, how, reduced);
  return reduced;
}

}  // namespace stillpoint
