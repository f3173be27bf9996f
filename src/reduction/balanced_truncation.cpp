// Balanced truncation [Moore 1981] of the stable part by the square-root method [Tombs & Postlethwaite 1987], with
// factors of the Gramians from Lyapunov's equation [Hammarling 1982]. Poles that are not asymptotically stable are
// kept.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algebra/dense/lapack.h"
#include "algebra/dense/lyapunov.h"
#include "algebra/dense/schur.h"
#include "reduction/modal_parts.h"
#include "reduction/reductions.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using Eigen::MatrixXd;

/// The factors of both Gramians, and the singular value decomposition Lₒᵀ L_c = U Σ Vᵀ with the Hankel singular values
/// Σ.
struct Balancing {
  MatrixXd controllable, observable;
  SingularValues hankel;
};

Balancing balancing_of(const MatrixXd& A, const MatrixXd& B, const MatrixXd& C) {
  Balancing result{gramian_factor(A, B), gramian_factor(A.transpose(), C.transpose()), {}};
  result.hankel = decompose(result.observable.transpose() * result.controllable);
  return result;
}

/// Returns how many balanced states the options keep. Values that are only rounding are not kept.
Eigen::Index count_kept(const Eigen::VectorXd& hankel, const ReduceOptions& options, Eigen::Index untouched) {
  if (options.order > 0 && options.order < untouched) {
    throw Error(fmt::format(
        "an order of {} is too small: {} states are not asymptotically stable (undamped ones are not) and are "
        "kept unchanged; reduction 'modal' and reduction 'craig-bampton' are alternatives",
        options.order, untouched));
  }
  if (hankel.size() == 0) return 0;
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(hankel.size());
  const Eigen::Index significant = (hankel.array() > rounding * hankel[0]).count();
  if (options.order > 0) return std::min<Eigen::Index>(options.order - untouched, significant);
  Eigen::Index kept = hankel.size();
  double bound = 0;
  while (kept > 0 && bound + 2 * hankel[kept - 1] <= options.tolerance * hankel[0]) bound += 2 * hankel[--kept];
  return std::min(kept, significant);
}

std::vector<std::string> numbered(const char* word, Eigen::Index count) {
  std::vector<std::string> names;
  for (Eigen::Index i = 0; i < count; ++i) names.push_back(fmt::format("{}[{}]", word, i + 1));
  return names;
}

/// Returns the columns to be balanced: all, with A equilibrated, if all are stable; otherwise the stable parts.
ModalColumns stable_columns(const Plant& full, const ModalParts& all, const std::vector<ModalPart>& stable) {
  if (stable.size() < all.parts.size()) return columns_of(all, stable);
  const MatrixXd A = full.first.A;
  const Eigen::VectorXd d = balancing_scales(A);
  return {d.asDiagonal().toDenseMatrix(), d.cwiseInverse().asDiagonal().toDenseMatrix(),
          d.cwiseInverse().asDiagonal() * A * d.asDiagonal()};
}

}  // namespace

ReducedPlant truncate_balanced(const Plant& full, const ReduceOptions& options) {
  ReducedPlant reduced;
  const ModalParts all = modal_parts(full.first.A, full.poles);
  std::vector<ModalPart> kept, stable;
  for (const ModalPart& part : all.parts) (part.is_stable() ? stable : kept).push_back(part);
  const ModalColumns same = columns_of(all, kept), changed = stable_columns(full, all, stable);
  const Balancing balancing = balancing_of(changed.A, changed.W.transpose() * full.first.B, full.first.C * changed.V);
  reduced.hankel = balancing.hankel.values;
  reduced.kept_exactly = static_cast<Index>(same.A.rows());
  const Eigen::Index r = count_kept(reduced.hankel, options, same.A.rows()), size = same.A.rows() + r;
  reduced.bound = 2 * reduced.hankel.tail(reduced.hankel.size() - r).sum();

  const Eigen::VectorXd root = reduced.hankel.head(r).cwiseSqrt().cwiseInverse();
  const MatrixXd V = balancing.controllable * balancing.hankel.V.leftCols(r) * root.asDiagonal();
  const MatrixXd W = balancing.observable * balancing.hankel.U.leftCols(r) * root.asDiagonal();
  ModalColumns both{MatrixXd(same.V.rows(), size), MatrixXd(same.V.rows(), size), MatrixXd::Zero(size, size)};
  both.V << same.V, changed.V * V;
  both.W << same.W, changed.W * W;
  both.A.topLeftCorner(same.A.rows(), same.A.rows()) = same.A;
  both.A.bottomRightCorner(r, r) = W.transpose() * changed.A * V;
  std::vector<std::string> names = numbered("kept", same.A.rows());
  for (const std::string& name : numbered("balanced", r)) names.push_back(name);
  reduced.plant = in_coordinates(full, both.V, both.W, both.A, std::move(names));
  return reduced;
}

}  // namespace stillpoint
