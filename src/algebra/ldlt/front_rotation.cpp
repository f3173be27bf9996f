#include "algebra/ldlt/front_rotation.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>

namespace stillpoint {

namespace {

using Strided = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;
using Vector = Eigen::Map<Eigen::VectorXd>;

/// Overwrites x by the unit vector v of the reflection that maps x to (±‖x‖, 0, …), or by zeros if x has this form
/// already. Returns the first entry of the image.
double make_reflection(Vector x) {
  const double first = x[0];
  if (x.tail(x.size() - 1).isZero(0)) {
    x.setZero();
    return first;
  }
  const double norm = x.stableNorm();
  x[0] += first < 0 ? -norm : norm;
  x.normalize();
  return first < 0 ? norm : -norm;
}

/// Computes the lower triangle of H D H, where H = I − 2 v vᵀ acts on the last unknowns of D:
///   H D H = D − v pᵀ − p vᵀ,   p = 2 D v − 2 (vᵀ D v) v
void reflect_both_sides(Strided D, const Vector& v) {
  const Eigen::Index from = D.rows() - v.size();
  Eigen::VectorXd whole_v = Eigen::VectorXd::Zero(D.rows());
  whole_v.tail(v.size()) = 2 * v;
  Eigen::VectorXd p = D.selfadjointView<Eigen::Lower>() * whole_v;
  p.tail(v.size()) -= v.dot(p.tail(v.size())) * v;
  D.bottomRightCorner(v.size(), v.size()).selfadjointView<Eigen::Lower>().rankUpdate(v, p.tail(v.size()), -1.0);
  D.bottomLeftCorner(v.size(), from).noalias() -= v * p.head(from).transpose();
}

template <class Reflect>
void reflect_rows(const FrontRotation& rotation, double* x, std::ptrdiff_t stride, const Reflect& reflect) {
  Eigen::VectorXd rows(rotation.size);
  for (Index i = 0; i < rotation.size; ++i) rows[i] = x[stride * rotation.position[i]];
  reflect(rows);
  for (Index i = 0; i < rotation.size; ++i) x[stride * rotation.position[i]] = rows[i];
}

void reflect(const FrontRotation& rotation, Index k, Eigen::VectorXd& rows) {
  const std::int64_t before = std::int64_t{k} * rotation.size - std::int64_t{k} * (k - 1) / 2;
  const Eigen::Map<const Eigen::VectorXd> v(rotation.vectors + before, rotation.size - k);
  rows.tail(v.size()) -= 2 * v.dot(rows.tail(v.size())) * v;
}

}  // namespace

FrontRotation rotate(Front& front, BlockStore<double>& numbers, BlockStore<Index>& positions) {
  const Index size = front.candidates, border = front.size - size;
  FrontRotation rotation{.size = size, .reflections = border};
  Index* const position = positions.take(size);
  std::copy(front.position, front.position + size, position);
  rotation.position = position;
  double* next = numbers.take(rotation.entries());
  rotation.vectors = next;

  Strided D(front.entries, size, size, Eigen::OuterStride<>(front.stride));
  Strided B(front.entries + size, border, size, Eigen::OuterStride<>(front.stride));
  // Each reflection makes a few rounding errors in each entry that it changes.
  const double magnitude = std::hypot(Eigen::MatrixXd(D.selfadjointView<Eigen::Lower>()).norm(), B.norm());
  rotation.error = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(border)) * magnitude;
  for (Index k = 0; k < border; ++k) {
    Vector v(next, size - k);
    next += v.size();
    v = B.row(k).tail(v.size());
    const double first = make_reflection(v);
    B.row(k).tail(v.size()).setZero();
    B(k, k) = first;
    if (v.isZero(0)) continue;
    auto below = B.bottomRightCorner(border - k - 1, v.size());
    below -= 2 * (below * v) * v.transpose();
    reflect_both_sides(D, v);
  }
  return rotation;
}

void apply_transposed(const FrontRotation& rotation, double* x, Index stride) {
  reflect_rows(rotation, x, stride, [&](Eigen::VectorXd& rows) {
    for (Index k = 0; k < rotation.reflections; ++k) reflect(rotation, k, rows);
  });
}

void apply(const FrontRotation& rotation, double* x, Index stride) {
  reflect_rows(rotation, x, stride, [&](Eigen::VectorXd& rows) {
    for (Index k = rotation.reflections - 1; k >= 0; --k) reflect(rotation, k, rows);
  });
}

}  // namespace stillpoint
