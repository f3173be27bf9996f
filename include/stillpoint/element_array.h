// All elements of one type in one array, and the machinery that turns their laws into forces and sparse matrices.
//
// There is one virtual call for each type and question, none for each element. Derivatives are taken by forward
// differentiation over the few coordinates that an element touches; where they go is known from tracing the laws.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "stillpoint/dual.h"
#include "stillpoint/element.h"
#include "stillpoint/places.h"
#include "stillpoint/sink.h"
#include "stillpoint/trace.h"

namespace stillpoint {

/// Mass and its moments about a point c: Σm, Σm (p − c), Σ(I + m |p − c|²).
struct MassMoments {
  double mass = 0;
  Vec2<double> first;
  double second = 0;
};

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

namespace detail {

template <class E>
using PlacesOf = decltype(std::declval<const E&>().places());

template <class E>
constexpr std::size_t place_count = std::tuple_size_v<PlacesOf<E>>;

/// The most coordinates that an element of type E can touch.
template <class E>
constexpr int max_local = std::apply([](auto... place) { return (0 + ... + max_coordinates(place)); }, PlacesOf<E>());

template <class E>
constexpr bool has_input = requires(const E& e) {
  e.input;
};

template <class E>
constexpr int row_count = [] {
  if constexpr (requires { E::row_names; }) return static_cast<int>(E::row_names.size());
  return 0;
}();

/// Whether this very element has a law (its type may have it, its data may not need it).
template <unsigned law, class E>
bool uses(const E& e) {
  if constexpr ((E::laws & law) == 0) {
    return false;
  } else if constexpr (requires { e.uses(law); }) {
    return e.uses(law);
  }
  return true;
}

template <class E>
bool feels_gravity(const Context& context, const E& e) {
  return uses<Law::weight>(e) && (context.gravity.x != 0 || context.gravity.y != 0);
}

/// Elements whose data change the sparsity of a law say in how many ways, and which is theirs.
template <class E>
constexpr int variants = [] {
  if constexpr (requires { E::variants; }) return E::variants;
  return 1;
}();

template <class E>
int variant([[maybe_unused]] const E& e) {
  if constexpr (1 < variants<E>) return e.variant();
  return 0;
}

/// The coordinates that an element touches, place after place.
template <class E>
struct Local {
  int count = 0;
  int code = 0;  ///< elements of one type with the same code have the same sparsity
  std::array<int, place_count<E>> offset{};
  std::array<Index, static_cast<std::size_t>(max_local<E>)> coordinate{};

  Local(const Context& context, const E& e) : code(variant(e)) {
    std::size_t place = 0;
    std::apply([&](auto... p) { (append(dependence(context, p), place++), ...); }, e.places());
  }

  Index operator[](int i) const { return coordinate[static_cast<std::size_t>(i)]; }

 private:
  void append(const Dependence& part, std::size_t place) {
    offset[place] = count;
    code = code * Dependence::codes + part.code;
    for (int i = 0; i < part.count; ++i) {
      coordinate[static_cast<std::size_t>(count++)] = part.coordinate[static_cast<std::size_t>(i)];
    }
  }
};

template <class E>
constexpr std::size_t code_count = [] {
  auto codes = static_cast<std::size_t>(variants<E>);
  for (std::size_t i = 0; i < place_count<E>; ++i) codes *= Dependence::codes;
  return codes;
}();

/// One element where it stands: evaluates its laws over the scalar T.
template <class T, class E>
class Evaluation {
 public:
  Evaluation(const Context& context, const E& e, const Local<E>& local, const Seeds& seeds, int input_seed = -1)
      : context_(context), e_(e), places_(e.places()), local_(local), seeds_(seeds) {
    if constexpr (has_input<E>) u_ = seed<T>(e.input.input == nothing ? 1 : context.u[e.input.input], input_seed);
  }

  T energy() const {
    return std::apply([&](const auto&... p) { return with_input([&](auto... u) { return e_.energy(p..., u...); }); },
                      positions());
  }

  T weight() const {
    return std::apply([&](const auto&... p) { return e_.weight(p..., context_.gravity); }, positions());
  }

  /// Potential energy, with that of gravity where there is any.
  T potential() const {
    T total(0);
    if constexpr ((E::laws & Law::energy) != 0) {
      if (uses<Law::energy>(e_)) total += energy();
    }
    if constexpr ((E::laws & Law::weight) != 0) {
      if (feels_gravity(context_, e_)) total += weight();
    }
    return total;
  }

  auto residual() const {
    return std::apply([&](const auto&... p) { return with_input([&](auto... u) { return e_.residual(p..., u...); }); },
                      positions());
  }

  /// Σ weight · residual
  T weighted_residual(const double* weight) const {
    T total(0);
    for (const T& row : residual()) total += *weight++ * row;
    return total;
  }

  auto forces() const {
    return pulled_back(std::apply(
        [&](const auto&... m) { return with_input([&](auto... u) { return e_.forces(m..., u...); }); }, motions()));
  }

  auto inertia() const {
    return pulled_back(std::apply([&](const auto&... m) { return e_.inertia(m...); }, motions()));
  }

 private:
  template <class Make>
  auto at_places(Make make) const {
    return [&]<std::size_t... k>(std::index_sequence<k...>) {
      return std::tuple(make(std::get<k>(places_), seeds_.after(local_.offset[k]))...);
    }
    (std::make_index_sequence<place_count<E>>());
  }

  auto positions() const {
    return at_places([&](auto place, const Seeds& seeds) { return lift<T>(context_, place, seeds); });
  }

  auto motions() const {
    return at_places([&](auto place, const Seeds& seeds) { return lift_motion<T>(context_, place, seeds); });
  }

  template <class Law>
  auto with_input(Law law) const {
    if constexpr (has_input<E>) return law(u_);
    else return law();
  }

  template <class Forces>
  std::array<T, static_cast<std::size_t>(max_local<E>)> pulled_back(const Forces& at_each) const {
    std::array<T, static_cast<std::size_t>(max_local<E>)> total{};
    [&]<std::size_t... k>(std::index_sequence<k...>) { (collect<k>(std::get<k>(at_each), total), ...); }
    (std::make_index_sequence<place_count<E>>());
    return total;
  }

  template <std::size_t k, class Force, class Total>
  void collect(const Force& force, Total& total) const {
    const auto part = pull_back<T>(context_, std::get<k>(places_), seeds_.after(local_.offset[k]), force);
    const int first = local_.offset[k];
    const int end = k + 1 < place_count<E> ? local_.offset[(k + 1) % place_count<E>] : local_.count;
    for (std::size_t j = 0; j < part.size(); ++j) {
      const int i = first + static_cast<int>(j);
      if (i < end) total[static_cast<std::size_t>(i)] = part[j];
    }
  }

  const Context& context_;
  const E& e_;
  PlacesOf<E> places_;
  const Local<E>& local_;
  Seeds seeds_;
  T u_{};
};

// ---------------------------------------------------------------------------------------------------------------------
// Rigid motions of the whole world, ground included: what mass the inertia forces amount to

/// Accelerations a + α × (p − c), everything being at rest.
struct RigidAcceleration {
  Vec2<double> centre;
  Vec2<double> linear;
  double angular = 0;
};

inline MovingPoint<double> moved(const Context& context, PositionOf place, const RigidAcceleration& world) {
  const Vec2<double> p = lift<double>(context, place, {});
  return {p, {}, world.linear + world.angular * perpendicular(p - world.centre)};
}
inline Moving<double> moved(const Context& context, AngleOf place, const RigidAcceleration& world) {
  const Index block = context.markers[place.marker].block;
  const bool in_space = block == on_ground || context.blocks[block].kind == BlockKind::body;
  return {lift<double>(context, place, {}), 0, in_space ? world.angular : 0};
}
inline MovingFrame<double> moved(const Context& context, FrameOf place, const RigidAcceleration& world) {
  const MovingPoint<double> point = moved(context, PositionOf{place.marker}, world);
  return {point.p, point.v, point.a, moved(context, AngleOf{place.marker}, world)};
}
inline Moving<double> moved(const Context& context, CoordinateOf place, const RigidAcceleration&) {
  return {lift<double>(context, place, {}), 0, 0};  // of a kind unknown here: has no mass to speak of
}

inline Wrench<double> at_centre(const Context& context, PositionOf place, const RigidAcceleration& world,
                                const Vec2<double>& force) {
  return {force, cross(lift<double>(context, place, {}) - world.centre, force)};
}
inline Wrench<double> at_centre(const Context& context, FrameOf place, const RigidAcceleration& world,
                                const Wrench<double>& wrench) {
  const Wrench<double> moment = at_centre(context, PositionOf{place.marker}, world, wrench.force);
  return {wrench.force, moment.torque + wrench.torque};
}
inline Wrench<double> at_centre(const Context&, AngleOf, const RigidAcceleration&, double torque) {
  return {{}, torque};
}
inline Wrench<double> at_centre(const Context&, CoordinateOf, const RigidAcceleration&, double) { return {}; }

/// The resultant, at the centre, of an element's inertia forces in a rigid acceleration of the world.
template <class E>
Wrench<double> inertia_resultant(const Context& context, const E& e, const RigidAcceleration& world) {
  const auto places = e.places();
  const auto forces = std::apply([&](auto... place) { return e.inertia(moved(context, place, world)...); }, places);
  Wrench<double> total;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    for (const Wrench<double>& part : {at_centre(context, std::get<k>(places), world, std::get<k>(forces))...}) {
      total.force += part.force;
      total.torque += part.torque;
    }
  }
  (std::make_index_sequence<place_count<E>>());
  return total;
}

/// Calls f with a number known at compile time. All that it calls is inlined: the law, its numbers, and their way into
/// the matrix become one piece of code for each number of coordinates.
template <int n, class F>
STILLPOINT_FLATTEN void call_with(const F& f) {
  f(std::integral_constant<int, n>());
}

/// Calls f with the number n, one of 1 … most, known at compile time.
template <int most, class F>
void with_size(int n, const F& f) {
  if constexpr (most > 1) {
    if (n < most) return with_size<most - 1>(n, f);
  }
  call_with<most>(f);
}

}  // namespace detail

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

  // The sparsity of every law, for one way of holding on. Variables: coordinates, rates, input.
  struct Sparsity {
    bool known = false;
    std::array<Trace, 4> potential;  // of neither, energy, weight, both
    std::array<Trace, static_cast<std::size_t>(rows_each)> residual;
    Trace bends;  // all rows of the residual
    std::array<Trace, static_cast<std::size_t>(most)> forces;
    std::array<Trace, static_cast<std::size_t>(most)> inertia;         // in the accelerations
    std::array<Trace, static_cast<std::size_t>(most)> inertia_moving;  // in coordinates and rates
  };

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
  template <class Sink>
  void visit_residual(const Context& context, const E& e, const Local& local, const double* lambda, Index row,
                      Sinks<Sink>& sinks) const;

  const Sparsity& sparsity(const Local& local) const { return sparsity_[static_cast<std::size_t>(local.code)]; }

  std::vector<E> elements_;
  std::vector<Sparsity> sparsity_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Sparsity

template <class E>
void ElementArray<E>::prepare(const Context& context) {
  sparsity_.resize(detail::code_count<E>);
  Context anywhere = context;
  if (anywhere.gravity.x == 0 && anywhere.gravity.y == 0) anywhere.gravity = {1, 1};
  for (const E& e : elements_) {
    const Local local(context, e);
    Sparsity& found = sparsity_[static_cast<std::size_t>(local.code)];
    if (found.known) continue;
    found.known = true;
    const int n = local.count;
    const Evaluation<Trace> still(anywhere, e, local, {.q = 0}, n);
    const Evaluation<Trace> moving(anywhere, e, local, {.q = 0, .v = n}, 2 * n);
    const Evaluation<Trace> accelerated(anywhere, e, local, {.a = 0});
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
  }
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

// K = −∂f/∂q,  C = −∂f/∂v,  F = ∂f/∂u
template <class E>
template <class Sink>
void ElementArray<E>::visit_forces(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const auto& where = sparsity(local).forces;
  const auto scatter = [&](int n, auto derivative) {
    for (int i = 0; i < n; ++i) {
      const Trace& row = where[static_cast<std::size_t>(i)];
      for (int j = 0; j < n; ++j) {
        if (row.depends_on(j)) sinks.K.add(local[i], local[j], -derivative(i, j));
        if (row.depends_on(n + j)) sinks.C.add(local[i], local[j], -derivative(i, n + j));
      }
      if constexpr (inputs > 0) {
        const Index input = e.input.input;
        if (input != nothing && row.depends_on(2 * n)) sinks.F.add(local[i], input, derivative(i, 2 * n));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<most>(local.count, [&](auto size) {
      constexpr int n = decltype(size)::value;
      const auto f = Evaluation<Dual<2 * n + inputs>>(context, e, local, {.q = 0, .v = n}, 2 * n).forces();
      scatter(n, [&](int i, int j) { return f[static_cast<std::size_t>(i)].gradient[static_cast<std::size_t>(j)]; });
    });
  } else {
    scatter(local.count, [](int, int) { return 0.0; });
  }
}

// M = ∂r/∂a
template <class E>
template <class Sink>
void ElementArray<E>::visit_inertia(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const auto& where = sparsity(local).inertia;
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
      scatter(n, [&](int i, int j) { return r[static_cast<std::size_t>(i)].gradient[static_cast<std::size_t>(j)]; });
    });
  } else {
    scatter(local.count, [](int, int) { return 0.0; });
  }
}

// In motion the inertia forces also depend on position and rate: K = ∂r/∂q,  C = ∂r/∂v
template <class E>
template <class Sink>
void ElementArray<E>::visit_motion(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const auto& where = sparsity(local).inertia_moving;
  const auto scatter = [&](int n, auto derivative) {
    for (int i = 0; i < n; ++i) {
      const Trace& row = where[static_cast<std::size_t>(i)];
      for (int j = 0; j < n; ++j) {
        if (row.depends_on(j)) sinks.K.add(local[i], local[j], derivative(i, j));
        if (row.depends_on(n + j)) sinks.C.add(local[i], local[j], derivative(i, n + j));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<most>(local.count, [&](auto size) {
      constexpr int n = decltype(size)::value;
      const auto r = Evaluation<Dual<2 * n>>(context, e, local, {.q = 0, .v = n}).inertia();
      scatter(n, [&](int i, int j) { return r[static_cast<std::size_t>(i)].gradient[static_cast<std::size_t>(j)]; });
    });
  } else {
    scatter(local.count, [](int, int) { return 0.0; });
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
      scatter_first(
          n, [&](int r, int i) { return phi[static_cast<std::size_t>(r)].gradient[static_cast<std::size_t>(i)]; });
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
