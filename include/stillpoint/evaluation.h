// One element where it stands: which of its laws apply, on which coordinates, and their values over any scalar.
#pragma once

#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "stillpoint/dual.h"
#include "stillpoint/element.h"
#include "stillpoint/places.h"

namespace stillpoint::detail {

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

}  // namespace stillpoint::detail
