// Evaluation of one element in a given state: which laws it has, on which coordinates it depends, and the values of its
// laws over any scalar type.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

#include "stillpoint/authoring/dual.h"
#include "stillpoint/authoring/element.h"
#include "stillpoint/authoring/places.h"

namespace stillpoint::detail {

template <class E>
using PlacesOf = decltype(std::declval<const E&>().places());

template <class E>
constexpr std::size_t place_count = std::tuple_size_v<PlacesOf<E>>;

/// Returns the set of sums of one number from each of the sets; bit i of a set stands for the number i.
constexpr std::uint64_t sums_of(std::initializer_list<std::uint64_t> sets) {
  std::uint64_t sums = 1;
  for (const std::uint64_t counts : sets) {
    std::uint64_t longer = 0;
    for (int i = 0; i < 32; ++i) longer |= (counts >> i) & 1U ? sums << i : 0;
    sums = longer;
  }
  return sums;
}

/// The possible numbers of coordinates of an element of type E, as a set of bits; and those without flexible bodies.
template <class E>
constexpr std::uint64_t possible_counts =
    std::apply([](auto... place) { return sums_of({possible_coordinates(place)...}); }, PlacesOf<E>());
template <class E>
constexpr std::uint64_t rigid_counts = std::apply([](auto... place) { return sums_of({rigid_coordinates(place)...}); },
                                                  PlacesOf<E>());

template <class E>
constexpr int max_local = std::bit_width(possible_counts<E>) - 1;

template <class E>
constexpr bool has_input = requires(const E& e) {
  e.input;
};

template <class E>
constexpr int row_count = [] {
  if constexpr (requires { E::row_names; }) return static_cast<int>(E::row_names.size());
  return 0;
}();

/// Whether the element states its energy by strains.
template <class E>
constexpr bool has_strains = requires {
  E::strain_count;
};

/// Whether the element states the forces of its strains, too.
template <class E>
constexpr bool has_strain_forces = requires {
  &E::template strain_forces<double>;
};

/// Whether a given element has a law: its type may have it although its data do not need it.
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
  const Vec3<double>& g = context.gravity;
  return uses<Law::weight>(e) && (g.x != 0 || g.y != 0 || g.z != 0);
}

/// The number of variants of an element type whose data change the sparsity of a law, and the variant of an element.
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

/// The coordinates on which an element depends, place after place.
template <class E>
struct Local {
  int count = 0;
  int code = 0;  ///< elements of one type with equal codes have the same sparsity
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

/// Evaluates the laws of one element in a given state over the scalar T.
template <class T, class E>
class Evaluation {
 public:
  Evaluation(const Context& context, const E& e, const Local<E>& local, const Seeds& seeds, int input_seed = -1)
      : context_(context), e_(e), places_(e.places()), local_(local), seeds_(seeds) {
    if constexpr (has_input<E>) u_ = seed<T>(e.input.input == nothing ? 1 : context.u[e.input.input], input_seed);
  }

  /// Lets the input vary with this rate, over a series in time.
  void vary_input(double rate) { u_ = T(value_of(u_), rate); }

  T energy() const {
    if constexpr (has_strains<E>) {
      return sum_of(strains(), [](const Strain<T>& s) { return (0.5 * s.stiffness) * (s.value * s.value); });
    } else {
      return std::apply([&](const auto&... p) { return with_input([&](auto... u) { return e_.energy(p..., u...); }); },
                        positions());
    }
  }

  auto strains() const {
    return std::apply([&](const auto&... p) { return e_.strains(p...); }, positions());
  }

  /// The forces −∂V/∂q of the strains.
  auto strain_forces() const {
    return pulled_back(std::apply([&](const auto&... p) { return e_.strain_forces(p...); }, positions()));
  }

  T weight() const {
    const auto gravity = gravity_at(context_, std::get<0>(places_));
    return std::apply([&](const auto&... p) { return e_.weight(p..., gravity); }, positions());
  }

  /// Returns the potential energy, including that of gravity.
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

  /// Returns Σ stress · strain in place of the energy, with the stresses held at their current values.
  template <std::size_t count>
  T potential_under_stress(const std::array<Strain<T>, count>& strains) const {
    T total = sum_of(strains, [](const Strain<T>& s) { return (s.stiffness * s.value.value) * s.value; });
    if constexpr ((E::laws & Law::weight) != 0) {
      if (feels_gravity(context_, e_)) total += weight();
    }
    return total;
  }

  auto residual() const {
    return std::apply([&](const auto&... p) { return with_input([&](auto... u) { return e_.residual(p..., u...); }); },
                      positions());
  }

  /// Returns Σ weight · residual.
  T weighted_residual(const double* weight) const {
    T total(0);
    for (const T& row : residual()) total += *weight++ * row;
    return total;
  }

  /// Returns the residual with one place varied in additional directions, from `first` on (see `varied`).
  template <std::size_t place>
  auto varied_residuals(int first) const {
    auto at = positions();
    std::get<place>(at) = varied(std::get<place>(at), first);
    return std::apply([&](const auto&... p) { return with_input([&](auto... u) { return e_.residual(p..., u...); }); },
                      at);
  }

  /// Returns Σ weight · residual with one place varied in the same way.
  template <std::size_t place>
  T varied_residual(int first, const double* weight) const {
    T total(0);
    for (const T& row : varied_residuals<place>(first)) total += *weight++ * row;
    return total;
  }

  /// Returns the values of an output.
  auto measure() const {
    return std::apply([&](const auto&... m) { return with_input([&](auto... u) { return e_.measure(m..., u...); }); },
                      motions());
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

  template <std::size_t count, class Term>
  static T sum_of(const std::array<Strain<T>, count>& strains, const Term& term) {
    T total(0);
    [&]<std::size_t... i>(std::index_sequence<i...>) { ((total += term(strains[i])), ...); }
    (std::make_index_sequence<count>());
    return total;
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

/// Calls f with a compile-time number and inlines everything that it calls: the law, its derivatives and their assembly
/// into the matrix become one piece of code for each number of coordinates.
template <int n, class F>
STILLPOINT_FLATTEN void call_flat(const F& f) {
  f(std::integral_constant<int, n>());
}

/// Whether an element refers to a place in space.
template <class E>
constexpr bool has_place_in_space =
    std::apply([](auto... place) { return ((wrench_kind(place) >= WrenchKind::force) || ...); }, PlacesOf<E>());

/// The sizes for which code is generated: the largest size without flexible bodies, and the largest of all. An element
/// with fewer coordinates has derivatives that are zero. More sizes would take minutes to compile.
template <class E>
constexpr std::uint64_t large_sizes = [] {
  constexpr std::uint64_t some = 0b11111111, counts = possible_counts<E>;
  return std::bit_floor(has_place_in_space<E> ? counts & some : rigid_counts<E>) | std::bit_floor(counts);
}();

/// These, and the sizes of one or two points, where time is saved by it.
template <class E>
constexpr std::uint64_t sizes_made = [] {
  constexpr std::uint64_t points_in_plane = 0b10100, point_in_space = 0b1000;
  return (possible_counts<E> & (has_place_in_space<E> ? point_in_space : points_in_plane)) | large_sizes<E>;
}();

/// Calls f with the smallest compile-time size, among those given, that is at least n. Everything is inlined where that
/// saves time: where few derivatives are taken, so many for each coordinate.
template <class E, int derivatives = 1, std::uint64_t sizes = sizes_made<E>, int candidate = 1, class F>
void with_size(int n, const F& f) {
  constexpr int most = std::bit_width(sizes) - 1, unrolled = static_cast<int>(most_unrolled);
  constexpr bool few = derivatives * candidate <= 3 ||
                       (derivatives * candidate <= unrolled && (most <= unrolled || !has_place_in_space<E>));
  if constexpr (((sizes >> candidate) & 1U) == 0) {
    with_size<E, derivatives, sizes, candidate + 1>(n, f);
  } else {
    if constexpr (candidate < most) {
      if (n > candidate) return with_size<E, derivatives, sizes, candidate + 1>(n, f);
    }
    if constexpr (few) call_flat<candidate>(f);
    else f(std::integral_constant<int, candidate>());
  }
}

/// The same for what is evaluated so rarely that more code does not pay.
template <class E, class F>
void with_large_size(int n, const F& f) {
  constexpr int many = static_cast<int>(most_unrolled) + 1;
  with_size<E, many, large_sizes<E>>(n, f);
}

}  // namespace stillpoint::detail
