#include "equilibrium/scales.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "base/median.h"
#include "model/displacement.h"

namespace stillpoint {

namespace {

// Places closer than this, relative to their positions, coincide.
constexpr double like_rounding = 1e-12;

// A sample of this size is enough for a median.
constexpr Index enough = 10'000;

/// Calls f(i) for at most `enough` evenly spread indices below count.
template <class F>
void for_some(Index count, const F& f) {
  const Index step = std::max<Index>(1, count / enough);
  for (Index i = 0; i < count; i += step) f(i);
}

void add_distances(const Context& context, const ElementArrayBase& elements, std::vector<double>& lengths) {
  if (elements.laws() == 0) return;
  for (const Field& field : elements.info().fields) {
    const bool in_plane =
        field.kind == FieldKind::position || field.kind == FieldKind::frame || field.kind == FieldKind::node;
    const bool in_space = field.kind == FieldKind::space_position || field.kind == FieldKind::space_frame;
    if (!(in_plane || in_space) || field.most < 2) continue;
    for_some(elements.size(), [&](Index e) {
      const FieldValue value = field.load(elements.element(e));
      if (value.count < 2 || value.references[0] == nothing || value.references[1] == nothing) return;
      const auto [a, b] = std::pair(value.references[0], value.references[1]);
      const auto add = [&](const auto& p_a, const auto& p_b) {
        const double l = length(p_b - p_a), rounding = like_rounding * (length(p_a) + length(p_b));
        if (std::isfinite(l) && l > rounding) lengths.push_back(l);
      };
      if (in_plane) add(lift<double>(context, PositionOf{a}, {}), lift<double>(context, PositionOf{b}, {}));
      else add(lift<double>(context, space::PositionOf{a}, {}), lift<double>(context, space::PositionOf{b}, {}));
    });
  }
}

// The typical length is the median of the distances between places that elements join and of the offsets of places on
// their bodies. A hinge contributes neither: its places coincide up to the residual of the guess.
double typical_length(const Model& model, const Context& context) {
  std::vector<double> lengths;
  for (const ModelArray& array : model.arrays()) add_distances(context, *array.elements, lengths);
  const auto add_offsets = [&](const auto& markers) {
    for_some(static_cast<Index>(markers.size()), [&](Index k) {
      const auto& marker = markers[static_cast<std::size_t>(k)];
      if (marker.block != on_ground && length(marker.position) > 0) lengths.push_back(length(marker.position));
    });
  };
  add_offsets(model.markers());
  add_offsets(model.space_markers());
  const double largest = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  std::erase_if(lengths, [&](double l) { return l < 1e-3 * largest; });
  return lengths.empty() ? 1 : median(std::move(lengths));
}

// The scale of a scalar is the value that moves the coordinates related to it by one scale.
void scale_scalars(const Model& model, const SparseMatrix& J, const std::vector<Index>& scalars, Eigen::VectorXd& s) {
  if (scalars.empty()) return;
  std::vector<char> is_scalar(static_cast<std::size_t>(model.coordinates()), 0);
  for (const Index i : scalars) is_scalar[static_cast<std::size_t>(i)] = 1;
  Eigen::VectorXd others = Eigen::VectorXd::Zero(J.rows());
  for (Index j = 0; j < J.cols(); ++j) {
    if (is_scalar[static_cast<std::size_t>(j)]) continue;
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      others[entry.row()] = std::max(others[entry.row()], std::abs(entry.value()) * s[j]);
    }
  }
  for (const Index j : scalars) {
    double largest = 0;
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      if (entry.value() != 0) largest = std::max(largest, others[entry.row()] / std::abs(entry.value()));
    }
    if (std::isfinite(largest) && largest > 0) s[j] = largest;
  }
}

}  // namespace

Scales find_scales(const Model& model, const State& state, const SparseMatrix& J) {
  Scales scales;
  scales.length = typical_length(model, model.context(state));
  scales.s = Eigen::VectorXd::Ones(model.coordinates());
  std::vector<Index> scalars;
  for (const Block& block : model.blocks()) {
    for (Index i = 0; i < coordinates_of(block.kind); ++i) {
      if (i < lengths_of(block.kind)) scales.s[block.first + i] = scales.length;
    }
    if (block.kind == BlockKind::scalar) scalars.push_back(block.first);
  }
  scale_scalars(model, J, scalars, scales.s);

  Eigen::VectorXd reach = Eigen::VectorXd::Zero(model.constraints());
  for (Index j = 0; j < J.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(J, j); entry; ++entry) {
      reach[entry.row()] = std::max(reach[entry.row()], std::abs(entry.value()) * scales.s[j]);
    }
  }
  scales.w = reach.unaryExpr([](double r) { return r > 0 && std::isfinite(r) ? 1 / r : 1.0; });
  return scales;
}

double position_noise(const Eigen::VectorXd& scaled) {
  constexpr double rounding = std::numeric_limits<double>::epsilon();
  return scaled.size() == 0 ? rounding : 8 * rounding * (1 + scaled.lpNorm<Eigen::Infinity>());
}

}  // namespace stillpoint
