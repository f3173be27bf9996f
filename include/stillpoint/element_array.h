// All elements of one type in one array, and the machinery that turns their laws into forces and sparse matrices.
//
// There is one virtual call for each type and question, none for each element. Derivatives are taken by forward
// differentiation over the few coordinates that an element touches; where they go is known from tracing the laws.
#pragma once

#include <memory>
#include <vector>

#include "stillpoint/evaluation.h"
#include "stillpoint/mass_moments.h"
#include "stillpoint/sink.h"
#include "stillpoint/trace.h"

namespace stillpoint {

class ElementArrayBase {
 public:
  virtual ~ElementArrayBase() = default;

  virtual const ElementInfo& info() const = 0;
  virtual unsigned laws() const = 0;
  virtual Index size() const = 0;
  virtual int rows() const = 0;  ///< constraint equations of one element
  virtual const char* row_name(int row) const = 0;
  virtual const void* element(Index i) const = 0;

  /// Finds the sparsity of the laws for every way the elements hold on. To be called once, when no more are added.
  virtual void prepare(const Context& context) = 0;

  virtual double potential(const Context& context) const = 0;
  virtual void add_forces(const Context& context, double* f) const = 0;
  virtual void add_inertia(const Context& context, double* r) const = 0;
  virtual void residuals(const Context& context, double* phi) const = 0;
  virtual void add_mass_moments(const Context& context, const Vec2<double>& about, MassMoments& total) const = 0;

  /// Adds to M, C, K, J, F, G. `lambda` are the multipliers of this array, whose first equation is `first_row`.
  virtual void add_pattern(const Context& context, Index first_row, Sinks<PatternSink>& sinks) const = 0;
  virtual void add_values(const Context& context, const double* lambda, Index first_row,
                          Sinks<ValueSink>& sinks) const = 0;
};

template <class E>
class ElementArray final : public ElementArrayBase {
 public:
  static constexpr int rows_each = detail::row_count<E>;
  static constexpr int most = detail::max_local<E>;
  static constexpr int inputs = detail::has_input<E> ? 1 : 0;

  void push_back(const E& element) { elements_.push_back(element); }
  const std::vector<E>& elements() const { return elements_; }

  const ElementInfo& info() const override { return E::info(); }
  unsigned laws() const override { return E::laws; }
  Index size() const override { return static_cast<Index>(elements_.size()); }
  int rows() const override { return rows_each; }
  const char* row_name(int row) const override {
    if constexpr (rows_each > 0) return E::row_names[static_cast<std::size_t>(row)];
    return "";
  }
  const void* element(Index i) const override { return &elements_[static_cast<std::size_t>(i)]; }

  void prepare(const Context& context) override;
  double potential(const Context& context) const override;
  void add_forces(const Context& context, double* f) const override;
  void add_inertia(const Context& context, double* r) const override;
  void residuals(const Context& context, double* phi) const override;
  void add_mass_moments(const Context& context, const Vec2<double>& about, MassMoments& total) const override;
  void add_pattern(const Context& context, Index first_row, Sinks<PatternSink>& sinks) const override {
    visit(context, nullptr, first_row, sinks);
  }
  void add_values(const Context& context, const double* lambda, Index first_row,
                  Sinks<ValueSink>& sinks) const override {
    visit(context, lambda, first_row, sinks);
  }

 private:
  using Local = detail::Local<E>;
  template <class T>
  using Evaluation = detail::Evaluation<T, E>;

  using LocalTraces = std::array<Trace, static_cast<std::size_t>(most)>;  // one for each coordinate

  // The sparsity of every law, for one way of holding on. Variables: coordinates, rates, input.
  struct Sparsity {
    std::array<Trace, 4> potential;  // of neither, energy, weight, both
    std::array<Trace, static_cast<std::size_t>(rows_each)> residual;
    Trace bends;  // all rows of the residual
    LocalTraces forces;
    LocalTraces inertia;         // in the accelerations
    LocalTraces inertia_moving;  // in coordinates and rates
  };

  static Sparsity traced(Context context, const E& e, const Local& local);

  template <class Sink>
  void visit(const Context& context, const double* lambda, Index first_row, Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_potential(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_forces(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_inertia(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_motion(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class Sink, class Derivative>
  static void scatter_forces(const LocalTraces& where, const Local& local, double sign, Derivative derivative,
                             Sinks<Sink>& sinks);
  template <class Sink>
  void visit_residual(const Context& context, const E& e, const Local& local, const double* lambda, Index row,
                      Sinks<Sink>& sinks) const;

  const Sparsity& sparsity(const Local& local) const {
    return sparsity_[static_cast<std::size_t>(sparsity_of_code_[static_cast<std::size_t>(local.code)])];
  }

  std::vector<E> elements_;
  std::vector<Sparsity> sparsity_;       // one for each way of holding on that occurs
  std::vector<Index> sparsity_of_code_;  // which of them, or `nothing`
};

// ---------------------------------------------------------------------------------------------------------------------
// Sparsity

template <class E>
void ElementArray<E>::prepare(const Context& context) {
  sparsity_of_code_.assign(detail::code_count<E>, nothing);
  for (const E& e : elements_) {
    const Local local(context, e);
    Index& which = sparsity_of_code_[static_cast<std::size_t>(local.code)];
    if (which != nothing) continue;
    which = static_cast<Index>(sparsity_.size());
    sparsity_.push_back(traced(context, e, local));
  }
}

template <class E>
typename ElementArray<E>::Sparsity ElementArray<E>::traced(Context context, const E& e, const Local& local) {
  if (context.gravity.x == 0 && context.gravity.y == 0) context.gravity = {1, 1};
  const int n = local.count;
  const Evaluation<Trace> still(context, e, local, {.q = 0}, n);
  const Evaluation<Trace> moving(context, e, local, {.q = 0, .v = n}, 2 * n);
  const Evaluation<Trace> accelerated(context, e, local, {.a = 0});
  Sparsity found;
  if constexpr ((E::laws & Law::energy) != 0) found.potential[1] = still.energy();
  if constexpr ((E::laws & Law::weight) != 0) found.potential[2] = still.weight();
  found.potential[3] = found.potential[1] + found.potential[2];
  if constexpr ((E::laws & Law::residual) != 0) {
    found.residual = still.residual();
    for (const Trace& row : found.residual) found.bends += row;
  }
  if constexpr ((E::laws & Law::forces) != 0) found.forces = moving.forces();
  if constexpr ((E::laws & Law::inertia) != 0) {
    found.inertia = accelerated.inertia();
    found.inertia_moving = moving.inertia();
  }
  return found;
}

// ---------------------------------------------------------------------------------------------------------------------
// Values

template <class E>
double ElementArray<E>::potential(const Context& context) const {
  double total = 0;
  if constexpr ((E::laws & (Law::energy | Law::weight)) != 0) {
    for (const E& e : elements_) {
      const Local local(context, e);
      total += Evaluation<double>(context, e, local, {}).potential();
    }
  }
  return total;
}

template <class E>
void ElementArray<E>::add_forces(const Context& context, double* f) const {
  for (const E& e : elements_) {
    const Local local(context, e);
    if (local.count == 0) continue;  // between places on the ground
    if constexpr ((E::laws & (Law::energy | Law::weight)) != 0) {
      detail::with_size<most>(local.count, [&](auto size) {
        constexpr int n = decltype(size)::value;
        const auto potential = Evaluation<Dual<n>>(context, e, local, {.q = 0}).potential();
        for (int i = 0; i < n; ++i) f[local[i]] -= potential.gradient[static_cast<std::size_t>(i)];
      });
    }
    if constexpr ((E::laws & Law::forces) != 0) {
      if (!detail::uses<Law::forces>(e)) continue;
      const auto forces = Evaluation<double>(context, e, local, {}).forces();
      for (int i = 0; i < local.count; ++i) f[local[i]] += forces[static_cast<std::size_t>(i)];
    }
  }
}

template <class E>
void ElementArray<E>::add_inertia(const Context& context, double* r) const {
  if constexpr ((E::laws & Law::inertia) != 0) {
    for (const E& e : elements_) {
      if (!detail::uses<Law::inertia>(e)) continue;
      const Local local(context, e);
      const auto forces = Evaluation<double>(context, e, local, {}).inertia();
      for (int i = 0; i < local.count; ++i) r[local[i]] += forces[static_cast<std::size_t>(i)];
    }
  }
}

template <class E>
void ElementArray<E>::residuals(const Context& context, double* phi) const {
  if constexpr ((E::laws & Law::residual) != 0) {
    for (const E& e : elements_) {
      const Local local(context, e);
      for (const double value : Evaluation<double>(context, e, local, {}).residual()) *phi++ = value;
    }
  }
}

// Accelerated by (1, 0) the world pushes back with the mass; turned by α = 1 with Σ m p⊥ and the moment of inertia.
template <class E>
void ElementArray<E>::add_mass_moments([[maybe_unused]] const Context& context,
                                       [[maybe_unused]] const Vec2<double>& about,
                                       [[maybe_unused]] MassMoments& total) const {
  if constexpr ((E::laws & Law::inertia) != 0) {
    for (const E& e : elements_) {
      const Wrench<double> pushed = detail::inertia_resultant(context, e, {about, {1, 0}, 0});
      const Wrench<double> turned = detail::inertia_resultant(context, e, {about, {0, 0}, 1});
      total.mass += pushed.force.x;
      total.first += Vec2<double>{turned.force.y, -turned.force.x};
      total.second += turned.torque;
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Matrices

template <class E>
template <class Sink>
void ElementArray<E>::visit(const Context& context, const double* lambda, Index first_row, Sinks<Sink>& sinks) const {
  [[maybe_unused]] const bool in_motion = context.v != nullptr || context.a != nullptr;
  Index row = first_row;
  for (const E& e : elements_) {
    const Local local(context, e);
    if (local.count > 0) {  // not between places on the ground
      if constexpr ((E::laws & (Law::energy | Law::weight)) != 0) visit_potential(context, e, local, sinks);
      if constexpr ((E::laws & Law::forces) != 0) {
        if (detail::uses<Law::forces>(e)) visit_forces(context, e, local, sinks);
      }
      if constexpr ((E::laws & Law::inertia) != 0) {
        if (detail::uses<Law::inertia>(e)) {
          visit_inertia(context, e, local, sinks);
          if (in_motion) visit_motion(context, e, local, sinks);
        }
      }
      if constexpr ((E::laws & Law::residual) != 0) visit_residual(context, e, local, lambda, row, sinks);
    }
    row += rows_each;
    if (lambda) lambda += rows_each;
  }
}

// K = ∂²V/∂q²,  F = −∂²V/∂q∂u
template <class E>
template <class Sink>
void ElementArray<E>::visit_potential(const Context& context, const E& e, const Local& local,
                                      Sinks<Sink>& sinks) const {
  const Trace& where =
      sparsity(local)
          .potential[(detail::uses<Law::energy>(e) ? 1U : 0U) + (detail::feels_gravity(context, e) ? 2U : 0U)];
  if (!where.bends()) return;
  const auto scatter = [&](int n, auto second_derivative) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (where.couples(i, j)) sinks.K.add(local[i], local[j], second_derivative(i, j));
      }
      if constexpr (inputs > 0) {
        const Index input = e.input.input;
        if (input != nothing && where.couples(i, n)) sinks.F.add(local[i], input, -second_derivative(i, n));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<most>(local.count, [&](auto size) {
      constexpr int n = decltype(size)::value;
      const auto V = Evaluation<Dual2<n + inputs>>(context, e, local, {.q = 0}, n).potential();
      scatter(n, [&](int i, int j) { return V.hessian(i, j); });
    });
  } else {
    scatter(local.count, [](int, int) { return 0.0; });
  }
}

namespace detail {

/// The derivative of value i in direction j, of values that carry their gradients.
template <class Values>
auto gradients_of(const Values& values) {
  return [&values](int i, int j) { return values[static_cast<std::size_t>(i)].gradient[static_cast<std::size_t>(j)]; };
}

}  // namespace detail

// K = ± ∂r/∂q,  C = ± ∂r/∂v  for forces r on the coordinates, whose sparsity is `where`
template <class E>
template <class Sink, class Derivative>
void ElementArray<E>::scatter_forces(const LocalTraces& where, const Local& local, double sign, Derivative derivative,
                                     Sinks<Sink>& sinks) {
  const int n = local.count;
  for (int i = 0; i < n; ++i) {
    const Trace& row = where[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) {
      if (row.depends_on(j)) sinks.K.add(local[i], local[j], sign * derivative(i, j));
      if (row.depends_on(n + j)) sinks.C.add(local[i], local[j], sign * derivative(i, n + j));
    }
  }
}

// K = −∂f/∂q,  C = −∂f/∂v,  F = ∂f/∂u
template <class E>
template <class Sink>
void ElementArray<E>::visit_forces(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const LocalTraces& where = sparsity(local).forces;
  const auto scatter = [&](int n, auto derivative) {
    scatter_forces(where, local, -1, derivative, sinks);
    if constexpr (inputs > 0) {
      if (e.input.input == nothing) return;
      for (int i = 0; i < n; ++i) {
        const bool pushes = where[static_cast<std::size_t>(i)].depends_on(2 * n);
        if (pushes) sinks.F.add(local[i], e.input.input, derivative(i, 2 * n));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<most>(local.count, [&](auto size) {
      constexpr int n = decltype(size)::value;
      const auto f = Evaluation<Dual<2 * n + inputs>>(context, e, local, {.q = 0, .v = n}, 2 * n).forces();
      scatter(n, detail::gradients_of(f));
    });
  } else {
    scatter(local.count, [](int, int) { return 0.0; });
  }
}

// M = ∂r/∂a
template <class E>
template <class Sink>
void ElementArray<E>::visit_inertia(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const LocalTraces& where = sparsity(local).inertia;
  const auto scatter = [&](int n, auto derivative) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (where[static_cast<std::size_t>(i)].depends_on(j)) sinks.M.add(local[i], local[j], derivative(i, j));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<most>(local.count, [&](auto size) {
      constexpr int n = decltype(size)::value;
      const auto r = Evaluation<Dual<n>>(context, e, local, {.a = 0}).inertia();
      scatter(n, detail::gradients_of(r));
    });
  } else {
    scatter(local.count, [](int, int) { return 0.0; });
  }
}

// In motion the inertia forces also depend on position and rate: K = ∂r/∂q,  C = ∂r/∂v
template <class E>
template <class Sink>
void ElementArray<E>::visit_motion(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const LocalTraces& where = sparsity(local).inertia_moving;
  if constexpr (Sink::wants_values) {
    detail::with_size<most>(local.count, [&](auto size) {
      constexpr int n = decltype(size)::value;
      const auto r = Evaluation<Dual<2 * n>>(context, e, local, {.q = 0, .v = n}).inertia();
      scatter_forces(where, local, 1, detail::gradients_of(r), sinks);
    });
  } else {
    scatter_forces(
        where, local, 1, [](int, int) { return 0.0; }, sinks);
  }
}

// J = ∂Φ/∂q,  G = −∂Φ/∂u,  K = ∂²(λᵀΦ)/∂q²
template <class E>
template <class Sink>
void ElementArray<E>::visit_residual(const Context& context, const E& e, const Local& local, const double* lambda,
                                     Index first_row, Sinks<Sink>& sinks) const {
  const auto& where = sparsity(local).residual;
  const Trace& bends = sparsity(local).bends;

  const auto scatter_first = [&](int n, auto derivative) {
    for (int r = 0; r < rows_each; ++r) {
      const Trace& row = where[static_cast<std::size_t>(r)];
      for (int i = 0; i < n; ++i) {
        if (row.depends_on(i)) sinks.J.add(first_row + r, local[i], derivative(r, i));
      }
      if constexpr (inputs > 0) {
        if (e.input.input != nothing && row.depends_on(n)) sinks.G.add(first_row + r, e.input.input, -derivative(r, n));
      }
    }
  };
  const auto scatter_second = [&](int n, auto second_derivative) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (bends.couples(i, j)) sinks.K.add(local[i], local[j], second_derivative(i, j));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<most>(local.count, [&](auto size) {
      constexpr int n = decltype(size)::value;
      if constexpr (rows_each == 1) {
        if (bends.bends()) {  // one evaluation gives both
          const auto phi = Evaluation<Dual2<n + inputs>>(context, e, local, {.q = 0}, n).residual()[0];
          scatter_first(n, [&](int, int i) { return phi.gradient[static_cast<std::size_t>(i)]; });
          scatter_second(n, [&](int i, int j) { return *lambda * phi.hessian(i, j); });
          return;
        }
      }
      const auto phi = Evaluation<Dual<n + inputs>>(context, e, local, {.q = 0}, n).residual();
      scatter_first(n, detail::gradients_of(phi));
      if (!bends.bends()) return;
      const auto weighted = Evaluation<Dual2<n>>(context, e, local, {.q = 0}).weighted_residual(lambda);
      scatter_second(n, [&](int i, int j) { return weighted.hessian(i, j); });
    });
  } else {
    scatter_first(local.count, [](int, int) { return 0.0; });
    scatter_second(local.count, [](int, int) { return 0.0; });
  }
}

}  // namespace stillpoint
