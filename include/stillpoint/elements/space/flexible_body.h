// A flexible body from matrices (see flexible_matrices.h), in space. Its nodes are frames of the mechanism, so joints
// and forces hold on to them as to any body; its other freedoms, displacements or modes, are scalars. The first node is
// the frame in whose axes displacements are small:
//
//   u        of node k  R₀ᵀ (p_k − p₀) − (x_k − x₀)  and the rotation vector of R₀ᵀ R_k;  of the others their scalars
//   V        ½ uᵀ K u − m g·p₀ − γ·(s + P u),   γ = R₀ᵀ g,   P u = ∫ u dm,   s = ∫ (x − x₀) dm
//   w        of node k its velocity and turning in the axes of the first; of the others their rates and what they take
//            part in the first node's motion
//   inertia  Bᵀ M B q̈ with w = B q̇, at rest
//   damping  −(α Bᵀ M B + Jᵀ (β K + D) J) q̇,   J = ∂u/∂q
//
// The first node's axes must be those in which the matrices are given.
#pragma once

#include <memory>

#include "stillpoint/element_array.h"
#include "stillpoint/elements/rayleigh.h"
#include "stillpoint/flexible_matrices.h"

namespace stillpoint {

namespace space {

struct FlexibleBody {
  std::vector<FrameOf> nodes;
  Index first_scalar = 0;                            ///< the coordinate of its first other freedom; the others follow
  std::shared_ptr<const FlexibleMatrices> matrices;  ///< with the nodes first
  Rayleigh damping{};

  static constexpr unsigned laws = Law::energy | Law::weight | Law::inertia | Law::forces;
  static const ElementInfo& info();
};

}  // namespace space

/// Its elements have any number of places and coordinates, so its matrices come from products of sparse matrices; only
/// the displacement of one node against the first is differentiated automatically.
template <>
class ElementArray<space::FlexibleBody> final : public ElementArrayBase {
 public:
  using FlexibleBody = space::FlexibleBody;

  void push_back(const FlexibleBody& element) { elements_.push_back(element); }
  const std::vector<FlexibleBody>& elements() const { return elements_; }

  const ElementInfo& info() const override { return FlexibleBody::info(); }
  unsigned laws() const override { return FlexibleBody::laws; }
  Index size() const override { return static_cast<Index>(elements_.size()); }
  int rows() const override { return 0; }
  const char* row_name(int) const override { return ""; }
  const void* element(Index i) const override { return &elements_[static_cast<std::size_t>(i)]; }
  int places() const override;
  Index block(const Context& context, Index element, int place) const override;
  void add_coordinates(const Context& context, Index element, std::vector<Index>& to) const override;
  void prepare(const Context&) override {}

  double potential(const Context& context) const override;
  void add_forces(const Context& context, double* f) const override;
  void add_inertia(const Context& context, double* r) const override;
  void residuals(const Context&, double*) const override {}
  void add_mass_moments(const Context& context, const Vec3<double>& about, MassMoments& total) const override;

  std::span<const char* const> measure_names() const override { return {}; }
  Observed measured(const Context&, Index) const override { return {}; }
  WrenchKind wrench_kind(int) const override { return WrenchKind::wrench; }
  Observed reaction(const Context&, Index, int, const double*) const override { return {}; }

  void add_pattern(const Context& context, Index first_row, Sinks<PatternSink>& sinks) const override;
  void add_values(const Context& context, const double* lambda, Index first_row,
                  Sinks<ValueSink>& sinks) const override;
  void add_values_of(const Context& context, Index element, const double* lambda, Index first_row,
                     Sinks<ValueSink>& sinks) const override;

 private:
  std::vector<FlexibleBody> elements_;
};

}  // namespace stillpoint
