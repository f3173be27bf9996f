// Arrays of elements of one type, and the evaluation of their laws to forces and sparse matrices.
//
// There is one virtual call for each type and operation, none for each element. Derivatives are computed by forward
// automatic differentiation with respect to the few coordinates on which an element depends; the sparsity is known from
// tracing the laws.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "stillpoint/authoring/element_array.h"
#include "stillpoint/authoring/series.h"
#include "stillpoint/detail/evaluation.h"
#include "stillpoint/detail/mass_moments.h"
#include "stillpoint/detail/observed.h"
#include "stillpoint/detail/sink.h"
#include "stillpoint/detail/trace.h"

namespace stillpoint {

template <class E>
class ElementArray final : public ElementArrayBase {
 public:
  static constexpr int rows_each = detail::row_count<E>;
  static constexpr int most = detail::max_local<E>;
  static constexpr int inputs = detail::has_input<E> ? 1 : 0;

  // The traced variables are coordinates and input, and rates where there are forces or inertia.
  static_assert(most + inputs <= Trace::directions && most <= TimeSeries::directions);
  static_assert((E::laws & (Law::forces | Law::inertia)) == 0 || 2 * most + inputs <= Trace::directions);

  void push_back(const E& element) { elements_.push_back(element); }
  void append(const void* element) override { elements_.push_back(*static_cast<const E*>(element)); }
  std::shared_ptr<ElementArrayBase> part(std::span<const Index> elements) const override {
    auto some = std::make_shared<ElementArray>();
    some->sparsity_ = sparsity_;
    some->sparsity_of_code_ = sparsity_of_code_;
    some->elements_.reserve(elements.size());
    for (const Index element : elements) some->elements_.push_back(elements_[static_cast<std::size_t>(element)]);
    return some;
  }
  void set(Index element, const Field& field, const FieldValue& value) override {
    field.store(&elements_[static_cast<std::size_t>(element)], value);
  }
  const std::vector<E>& elements() const { return elements_; }

  const ElementInfo& info() const override { return E::info(); }
  unsigned laws() const override { return E::laws; }
  Index size() const override { return static_cast<Index>(elements_.size()); }
  int rows() const override { return rows_each; }
  const char* row_name(int row) const override {
    if constexpr (rows_each > 0) return E::row_names[static_cast<std::size_t>(row)];
    return "";
  }
  bool has_strains() const override { return detail::has_strains<E>; }
  const void* element(Index i) const override { return &elements_[static_cast<std::size_t>(i)]; }

  void state_units([[maybe_unused]] UnitBook& book) const override {
    if constexpr (requires(const E& e) { e.state_units(book); }) {
      for (const E& e : elements_) e.state_units(book);
    }
  }
  std::string measure_unit([[maybe_unused]] const UnitBook& book, [[maybe_unused]] Index element) const override {
    if constexpr (requires(const E& e) { e.measure_unit(book); })
      return elements_[static_cast<std::size_t>(element)].measure_unit(book);
    return {};
  }
  std::string reaction_unit([[maybe_unused]] const UnitBook& book, [[maybe_unused]] Index element,
                            [[maybe_unused]] int place) const override {
    if constexpr (requires(const E& e) { e.reaction_unit(book, place); })
      return elements_[static_cast<std::size_t>(element)].reaction_unit(book, place);
    return {};
  }

  void prepare(const Context& context) override;
  bool has_pattern_of(const Context& context, const ElementArrayBase& other) const override;
  double potential(const Context& context) const override;
  void add_forces(const Context& context, double* f) const override;
  void add_inertia(const Context& context, double* r) const override;
  void residuals(const Context& context, ElementRange range, double* phi) const override;
  void residual_derivatives(const Context& context, ElementRange range, const double* input_rates, double* second,
                            double* third) const override;
  void add_series(const Context& context, ElementRange range, const SeriesCoefficients& to,
                  SeriesTapes& tapes) const override;
  void add_mass_moments(const Context& context, const Vec3<double>& about, MassMoments& total) const override;
  int places() const override { return static_cast<int>(detail::place_count<E>); }
  Index block(const Context& context, Index element, int place) const override;
  void add_coordinates(const Context& context, Index element, std::vector<Index>& to) const override {
    const Local local(context, elements_[static_cast<std::size_t>(element)]);
    to.insert(to.end(), local.coordinate.begin(), local.coordinate.begin() + local.count);
  }
  std::span<const char* const> measure_names() const override {
    if constexpr (requires { E::measure_names; }) return E::measure_names;
    return {};
  }
  Observed measured(const Context& context, Index element) const override;
  WrenchKind wrench_kind(int place) const override;
  Observed reaction(const Context& context, Index element, int place, const double* lambda) const override;

  void add_pattern(const Context& context, Index first_row, Sinks<PatternSink>& sinks) const override {
    visit(context, {0, size()}, nullptr, first_row, sinks);
  }
  void add_values(const Context& context, ElementRange range, const double* lambda, Index first_row,
                  Sinks<ValueSink>& sinks) const override {
    visit(context, range, lambda, first_row, sinks);
  }

 private:
  using Local = detail::Local<E>;
  template <class T>
  using Evaluation = detail::Evaluation<T, E>;

  std::span<const E> elements_in(ElementRange range) const {
    return {elements_.data() + range.first, elements_.data() + range.last};
  }

  using LocalTraces = std::array<Trace, static_cast<std::size_t>(most)>;  // one for each coordinate

  // The sparsity of every law for one kind of attachment. The variables are coordinates, rates and input.
  struct Sparsity {
    std::array<Trace, 4> potential;  // of neither, energy, weight, both
    std::array<Trace, static_cast<std::size_t>(rows_each)> residual;
    Trace bends;  // union over all rows of the residual
    LocalTraces forces;
    LocalTraces inertia;          // with respect to accelerations
    LocalTraces inertia_moving;   // with respect to coordinates and rates
    bool inertia_varies = false;  // whether it depends on them at all
  };

  static Sparsity traced(Context context, const E& e, const Local& local);

  template <class Sink>
  void visit(const Context& context, ElementRange range, const double* lambda, Index first_row,
             Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_element(const Context& context, const E& e, const double* lambda, Index row, Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_potential(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class T>
  static T take_strains(const Evaluation<T>& at, const Local& local, StrainRows& to);
  template <class Sink>
  void visit_forces(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_inertia(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class Sink>
  void visit_motion(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const;
  template <class Sink, class Derivative>
  static void scatter_forces(const LocalTraces& where, const Local& local, int width, double sign,
                             Derivative derivative, Sinks<Sink>& sinks);
  template <class Sink>
  void visit_residual(const Context& context, const E& e, const Local& local, const double* lambda, Index row,
                      Sinks<Sink>& sinks) const;

  const Sparsity& sparsity(const Local& local) const {
    return sparsity_[static_cast<std::size_t>(sparsity_of_code_[static_cast<std::size_t>(local.code)])];
  }

  void add_series_of_potential(const Context& context, std::span<const E> elements, const SeriesCoefficients& to,
                               SeriesTape& tape) const;
  void add_series_of_forces(const Context& context, std::span<const E> elements, const SeriesCoefficients& to,
                            SeriesTape& tape) const;
  void add_series_of_inertia(const Context& context, std::span<const E> elements, const SeriesCoefficients& to,
                             SeriesTape& tape) const;
  void add_series_of_residual(const Context& context, std::span<const E> elements, const SeriesCoefficients& to,
                              SeriesTape& tape) const;
  /// Notes the operations of a law of each element.
  template <class Law>
  void note(const Context& context, std::span<const E> elements, SeriesTape& tape, const Law& law) const;

  template <std::size_t place>
  Observed reaction_at(const Context& context, const E& e, const double* lambda) const;

  std::vector<E> elements_;
  std::vector<Sparsity> sparsity_;       // one for each kind of attachment that occurs
  std::vector<Index> sparsity_of_code_;  // index into sparsity_, or `nothing`
};

// ---------------------------------------------------------------------------------------------------------------------
// Sparsity

// What is known of a code holds for every element with it.
template <class E>
void ElementArray<E>::prepare(const Context& context) {
  sparsity_of_code_.resize(detail::code_count<E>, nothing);
  for (const E& e : elements_) {
    const Local local(context, e);
    Index& which = sparsity_of_code_[static_cast<std::size_t>(local.code)];
    if (which != nothing) continue;
    which = static_cast<Index>(sparsity_.size());
    sparsity_.push_back(traced(context, e, local));
  }
}

template <class E>
bool ElementArray<E>::has_pattern_of(const Context& context, const ElementArrayBase& other) const {
  const auto has_same = [&](const E& a, const E& b) {
    const Local here(context, a), there(context, b);
    bool is_same = here.code == there.code && here.coordinate == there.coordinate &&
                   detail::uses<Law::energy>(a) == detail::uses<Law::energy>(b) &&
                   detail::uses<Law::weight>(a) == detail::uses<Law::weight>(b) &&
                   detail::uses<Law::forces>(a) == detail::uses<Law::forces>(b) &&
                   detail::uses<Law::inertia>(a) == detail::uses<Law::inertia>(b);
    if constexpr (inputs > 0) is_same = is_same && a.input.input == b.input.input;
    return is_same;
  };
  const std::vector<E>& others = static_cast<const ElementArray&>(other).elements_;
  return std::equal(elements_.begin(), elements_.end(), others.begin(), others.end(), has_same);
}

template <class E>
typename ElementArray<E>::Sparsity ElementArray<E>::traced(Context context, const E& e, const Local& local) {
  context.gravity = {1, 1, 1};  // any direction is possible
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
    found.inertia_varies = std::any_of(found.inertia_moving.begin(), found.inertia_moving.end(),
                                       [](const Trace& row) { return row.gradient != 0; });
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
    if (local.count == 0) continue;  // all its places are on the ground
    if constexpr ((E::laws & (Law::energy | Law::weight)) != 0) {
      detail::with_size<E>(local.count, [&](auto size) {
        constexpr int n = decltype(size)::value;
        const auto potential = Evaluation<Dual<n>>(context, e, local, {.q = 0}).potential();
        for (int i = 0; i < local.count; ++i) f[local[i]] -= potential.gradient[static_cast<std::size_t>(i)];
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
      if (context.a == nullptr && local.count > 0 && !sparsity(local).inertia_varies) continue;  // linear in a = 0
      const auto forces = Evaluation<double>(context, e, local, {}).inertia();
      for (int i = 0; i < local.count; ++i) r[local[i]] += forces[static_cast<std::size_t>(i)];
    }
  }
}

template <class E>
void ElementArray<E>::residuals([[maybe_unused]] const Context& context, [[maybe_unused]] ElementRange range,
                                [[maybe_unused]] double* phi) const {
  if constexpr ((E::laws & Law::residual) != 0) {
    for (const E& e : elements_in(range)) {
      const Local local(context, e);
      for (const double value : Evaluation<double>(context, e, local, {}).residual()) *phi++ = value;
    }
  }
}

template <class E>
void ElementArray<E>::residual_derivatives([[maybe_unused]] const Context& context, [[maybe_unused]] ElementRange range,
                                           [[maybe_unused]] const double* input_rates, [[maybe_unused]] double* second,
                                           [[maybe_unused]] double* third) const {
  if constexpr ((E::laws & Law::residual) != 0) {
    for (const E& e : elements_in(range)) {
      const Local local(context, e);
      Evaluation<Series<3>> along(context, e, local, {.q = 0});
      if constexpr (inputs > 0) {
        if (input_rates && e.input.input != nothing) along.vary_input(input_rates[e.input.input]);
      }
      for (const Series<3>& row : along.residual()) {
        *second++ = 2 * row.c[2];
        if (third) *third++ = 6 * row.c[3];
      }
    }
  }
}

template <class E>
void ElementArray<E>::add_series(const Context& context, ElementRange range, const SeriesCoefficients& to,
                                 SeriesTapes& tapes) const {
  const std::span<const E> some = elements_in(range);
  if constexpr ((E::laws & (Law::energy | Law::weight)) != 0)
    add_series_of_potential(context, some, to, tapes.potential);
  if constexpr ((E::laws & Law::forces) != 0) add_series_of_forces(context, some, to, tapes.forces);
  if constexpr ((E::laws & Law::inertia) != 0) add_series_of_inertia(context, some, to, tapes.inertia);
  if constexpr ((E::laws & Law::residual) != 0) add_series_of_residual(context, some, to, tapes.residual);
}

template <class E>
void ElementArray<E>::add_series_of_potential(const Context& context, std::span<const E> elements,
                                              const SeriesCoefficients& to, SeriesTape& tape) const {
  if (to.power == 0 && !tape.serves_again(context.expansion->terms)) {
    note(context, elements, tape, [&](const E& e, const Local& local) {
      if (local.count == 0) return;
      const Evaluation<TimeSeries> varied(context, e, local, {.q = 0});
      const auto add_of = [&](const TimeSeries& V) {
        for (int i = 0; i < V.varied; ++i) tape.add_to_force(local[i], V.gradient[static_cast<std::size_t>(i)], -1);
      };
      if constexpr (detail::has_strain_forces<E>) {
        static_assert(detail::has_strains<E>);
        if (detail::uses<Law::energy>(e)) {
          const auto f = Evaluation<TimeSeries>(context, e, local, {}).strain_forces();
          for (int i = 0; i < local.count; ++i) tape.add_to_force(local[i], f[static_cast<std::size_t>(i)].value, 1);
        }
        if (detail::feels_gravity(context, e)) add_of(varied.weight());
      } else {
        add_of(varied.potential());
      }
    });
  }
  tape.compute(to.power, {.forces = to.applied});
}

template <class E>
void ElementArray<E>::add_series_of_forces([[maybe_unused]] const Context& context,
                                           [[maybe_unused]] std::span<const E> elements,
                                           [[maybe_unused]] const SeriesCoefficients& to,
                                           [[maybe_unused]] SeriesTape& tape) const {
  if constexpr ((E::laws & Law::forces) != 0) {
    if (to.power == 0 && !tape.serves_again(context.expansion->terms)) {
      note(context, elements, tape, [&](const E& e, const Local& local) {
        if (local.count == 0 || !detail::uses<Law::forces>(e)) return;
        const auto f = Evaluation<TimeSeries>(context, e, local, {}).forces();
        for (int i = 0; i < local.count; ++i) tape.add_to_force(local[i], f[static_cast<std::size_t>(i)].value, 1);
      });
    }
    tape.compute(to.power, {.forces = to.applied});
  }
}

// The results of the power before are completed, now that the accelerations of that power are known.
template <class E>
void ElementArray<E>::add_series_of_inertia([[maybe_unused]] const Context& context,
                                            [[maybe_unused]] std::span<const E> elements,
                                            [[maybe_unused]] const SeriesCoefficients& to,
                                            [[maybe_unused]] SeriesTape& tape) const {
  if constexpr ((E::laws & Law::inertia) != 0) {
    if (to.power <= 1 && !tape.serves_again(context.expansion->terms)) {
      note(context, elements, tape, [&](const E& e, const Local& local) {
        // Inertia forces that are linear in the accelerations are those of M a_k alone.
        if (local.count == 0 || !detail::uses<Law::inertia>(e) || !sparsity(local).inertia_varies) return;
        const auto r = Evaluation<TimeSeries>(context, e, local, {}).inertia();
        for (int i = 0; i < local.count; ++i) tape.add_to_force(local[i], r[static_cast<std::size_t>(i)].value, 1);
      });
    } else if (to.power == 1) {
      tape.compute(0, {});
    } else if (to.power > 1) {
      tape.complete(to.power - 1);
    }
    tape.compute(to.power, {.forces = to.opposing});
  }
}

// The rows of J are the gradients of the residuals.
template <class E>
void ElementArray<E>::add_series_of_residual([[maybe_unused]] const Context& context,
                                             [[maybe_unused]] std::span<const E> elements,
                                             [[maybe_unused]] const SeriesCoefficients& to,
                                             [[maybe_unused]] SeriesTape& tape) const {
  if constexpr ((E::laws & Law::residual) != 0) {
    if (to.power == 0 && tape.serves_again(context.expansion->terms)) {
      tape.compute(0, {});
    } else if (to.power == 0) {
      Index number = to.first_row + rows_each * static_cast<Index>(elements.data() - elements_.data());
      note(context, elements, tape, [&](const E& e, const Local& local) {
        for (const TimeSeries& row : Evaluation<TimeSeries>(context, e, local, {.q = 0}).residual()) {
          for (int i = 0; i < row.varied; ++i) {
            tape.add_to_row(number, local[i], row.gradient[static_cast<std::size_t>(i)],
                            context.expansion->rates(local[i]));
          }
          ++number;
        }
      });
    }
    tape.compute(to.power + 1, {.forces = to.opposing, .residual = to.residual, .lambda = to.lambda});
  }
}

template <class E>
template <class Law>
void ElementArray<E>::note(const Context& context, std::span<const E> elements, SeriesTape& tape,
                           const Law& law) const {
  const SeriesTape::Use use(tape);
  tape.begin(context.expansion->terms);
  for (const E& e : elements) {
    law(e, Local(context, e));
    tape.finish_element();
  }
}

template <class E>
void ElementArray<E>::add_mass_moments([[maybe_unused]] const Context& context,
                                       [[maybe_unused]] const Vec3<double>& about,
                                       [[maybe_unused]] MassMoments& total) const {
  if constexpr ((E::laws & Law::inertia) != 0) {
    for (const E& e : elements_) detail::add_mass_moments(context, e, about, total);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Matrices

template <class E>
template <class Sink>
void ElementArray<E>::visit(const Context& context, ElementRange range, const double* lambda, Index first_row,
                            Sinks<Sink>& sinks) const {
  Index row = first_row;
  for (const E& e : elements_in(range)) {
    visit_element(context, e, lambda, row, sinks);
    row += rows_each;
    if (lambda) lambda += rows_each;
  }
}

template <class E>
template <class Sink>
void ElementArray<E>::visit_element(const Context& context, const E& e, [[maybe_unused]] const double* lambda,
                                    [[maybe_unused]] Index row, Sinks<Sink>& sinks) const {
  const Local local(context, e);
  if (local.count == 0) return;  // all its places are on the ground
  if constexpr ((E::laws & (Law::energy | Law::weight)) != 0) {
    if (!sinks.for_motion) visit_potential(context, e, local, sinks);
  }
  if constexpr ((E::laws & Law::forces) != 0) {
    if (detail::uses<Law::forces>(e) && !sinks.for_motion) visit_forces(context, e, local, sinks);
  }
  if constexpr ((E::laws & Law::inertia) != 0) {
    if (detail::uses<Law::inertia>(e)) {
      const InertiaPart mine = sparsity(local).inertia_varies ? InertiaPart::varying : InertiaPart::constant;
      if (sinks.inertia == InertiaPart::all || sinks.inertia == mine) visit_inertia(context, e, local, sinks);
      if ((context.v != nullptr || context.a != nullptr) && !sinks.for_motion) visit_motion(context, e, local, sinks);
    }
  }
  if constexpr ((E::laws & Law::residual) != 0) visit_residual(context, e, local, lambda, row, sinks);
}

// V = ½ Σ D ε² gives K = Σ D ε' ε'ᵀ + Σ D ε ε''. The first sum is stored as rows ε' with stiffness D; the potential
// that yields the second sum is returned.
template <class E>
template <class T>
T ElementArray<E>::take_strains(const Evaluation<T>& at, const Local& local, StrainRows& to) {
  const auto strains = at.strains();
  for (const auto& strain : strains) {
    for (int i = 0; i < local.count; ++i) {
      const double slope = strain.value.gradient[static_cast<std::size_t>(i)];
      if (slope != 0) to.entries.emplace_back(static_cast<Index>(to.stiffness.size()), local[i], slope);
    }
    to.stiffness.push_back(strain.stiffness);
  }
  return at.potential_under_stress(strains);
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
  const int n = local.count;
  const auto scatter = [&](int width, auto second_derivative) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (where.couples(i, j)) sinks.K.add(local[i], local[j], second_derivative(i, j));
      }
      if constexpr (inputs > 0) {
        const Index input = e.input.input;
        if (input != nothing && where.couples(i, n)) {
          sinks.F.add(local[i], input, -second_derivative(i, width));
        }
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<E>(n, [&](auto size) {
      constexpr int width = decltype(size)::value;
      const Evaluation<Dual2<width + inputs>> at(context, e, local, {.q = 0}, width);
      if constexpr (detail::has_strains<E>) {
        if (sinks.strains) {
          const auto V = take_strains(at, local, *sinks.strains);
          return scatter(width, [&](int i, int j) { return V.hessian(i, j); });
        }
      }
      const auto V = at.potential();
      scatter(width, [&](int i, int j) { return V.hessian(i, j); });
    });
  } else {
    scatter(n, [](int, int) { return 0.0; });
  }
}

namespace detail {

/// Returns a function (i, j) for the derivative of value i in direction j, of values that carry their gradients.
template <class Values>
auto gradients_of(const Values& values) {
  return [&values](int i, int j) { return values[static_cast<std::size_t>(i)].gradient[static_cast<std::size_t>(j)]; };
}

}  // namespace detail

// Adds K = ± ∂r/∂q and C = ± ∂r/∂v for forces r on the coordinates, whose sparsity is `where`. Coordinates are varied
// in the directions from 0 on, rates in those from `width` on.
template <class E>
template <class Sink, class Derivative>
void ElementArray<E>::scatter_forces(const LocalTraces& where, const Local& local, int width, double sign,
                                     Derivative derivative, Sinks<Sink>& sinks) {
  const int n = local.count;
  for (int i = 0; i < n; ++i) {
    const Trace& row = where[static_cast<std::size_t>(i)];
    for (int j = 0; j < n; ++j) {
      if (row.depends_on(j)) sinks.K.add(local[i], local[j], sign * derivative(i, j));
      if (row.depends_on(n + j)) sinks.C.add(local[i], local[j], sign * derivative(i, width + j));
    }
  }
}

// K = −∂f/∂q,  C = −∂f/∂v,  F = ∂f/∂u
template <class E>
template <class Sink>
void ElementArray<E>::visit_forces(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const LocalTraces& where = sparsity(local).forces;
  const int n = local.count;
  const auto scatter = [&](int width, auto derivative) {
    scatter_forces(where, local, width, -1, derivative, sinks);
    if constexpr (inputs > 0) {
      if (e.input.input == nothing) return;
      for (int i = 0; i < n; ++i) {
        const bool pushes = where[static_cast<std::size_t>(i)].depends_on(2 * n);
        if (pushes) sinks.F.add(local[i], e.input.input, derivative(i, 2 * width));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<E, 2>(n, [&](auto size) {
      constexpr int width = decltype(size)::value;
      const auto f = Evaluation<Dual<2 * width + inputs>>(context, e, local, {.q = 0, .v = width}, 2 * width).forces();
      scatter(width, detail::gradients_of(f));
    });
  } else {
    scatter(n, [](int, int) { return 0.0; });
  }
}

// M = ∂r/∂a
template <class E>
template <class Sink>
void ElementArray<E>::visit_inertia(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const LocalTraces& where = sparsity(local).inertia;
  const int n = local.count;
  const auto scatter = [&](auto derivative) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (where[static_cast<std::size_t>(i)].depends_on(j)) sinks.M.add(local[i], local[j], derivative(i, j));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<E>(n, [&](auto size) {
      const auto r = Evaluation<Dual<decltype(size)::value>>(context, e, local, {.a = 0}).inertia();
      scatter(detail::gradients_of(r));
    });
  } else {
    scatter([](int, int) { return 0.0; });
  }
}

// In motion the inertia forces also depend on coordinates and rates: K = ∂r/∂q,  C = ∂r/∂v.
template <class E>
template <class Sink>
void ElementArray<E>::visit_motion(const Context& context, const E& e, const Local& local, Sinks<Sink>& sinks) const {
  const LocalTraces& where = sparsity(local).inertia_moving;
  if constexpr (Sink::wants_values) {
    detail::with_large_size<E>(local.count, [&](auto size) {
      constexpr int width = decltype(size)::value;
      const auto r = Evaluation<Dual<2 * width>>(context, e, local, {.q = 0, .v = width}).inertia();
      scatter_forces(where, local, width, 1, detail::gradients_of(r), sinks);
    });
  } else {
    scatter_forces(
        where, local, local.count, 1, [](int, int) { return 0.0; }, sinks);
  }
}

// J = ∂Φ/∂q,  G = −∂Φ/∂u,  K = ∂²(λᵀΦ)/∂q²
template <class E>
template <class Sink>
void ElementArray<E>::visit_residual(const Context& context, const E& e, const Local& local, const double* lambda,
                                     Index first_row, Sinks<Sink>& sinks) const {
  const auto& where = sparsity(local).residual;
  const Trace& bends = sparsity(local).bends;

  const int n = local.count;
  const auto scatter_first = [&](int width, auto derivative) {
    for (int r = 0; r < rows_each; ++r) {
      const Trace& row = where[static_cast<std::size_t>(r)];
      for (int i = 0; i < n; ++i) {
        if (row.depends_on(i)) sinks.J.add(first_row + r, local[i], derivative(r, i));
      }
      if constexpr (inputs > 0) {
        if (e.input.input != nothing && row.depends_on(n)) {
          sinks.G.add(first_row + r, e.input.input, -derivative(r, width));
        }
      }
    }
  };
  const auto scatter_second = [&](auto second_derivative) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (bends.couples(i, j)) sinks.K.add(local[i], local[j], second_derivative(i, j));
      }
    }
  };
  if constexpr (Sink::wants_values) {
    detail::with_size<E>(n, [&](auto size) {
      constexpr int width = decltype(size)::value;
      if constexpr (rows_each == 1) {
        if (bends.bends() && !sinks.for_motion) {  // one evaluation gives both derivatives
          const auto phi = Evaluation<Dual2<width + inputs>>(context, e, local, {.q = 0}, width).residual()[0];
          scatter_first(width, [&](int, int i) { return phi.gradient[static_cast<std::size_t>(i)]; });
          scatter_second([&](int i, int j) { return *lambda * phi.hessian(i, j); });
          return;
        }
      }
      const auto phi = Evaluation<Dual<width + inputs>>(context, e, local, {.q = 0}, width).residual();
      scatter_first(width, detail::gradients_of(phi));
      if constexpr (rows_each > 1) {
        if (!bends.bends() || sinks.for_motion) return;
        const auto weighted = Evaluation<Dual2<width>>(context, e, local, {.q = 0}).weighted_residual(lambda);
        scatter_second([&](int i, int j) { return weighted.hessian(i, j); });
      }
    });
  } else {
    scatter_first(n, [](int, int) { return 0.0; });
    if (!sinks.for_motion) scatter_second([](int, int) { return 0.0; });
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Observation. There are few outputs; derivatives are computed for the largest number of coordinates and stored
// densely.

namespace detail {

template <class E, std::size_t place>
constexpr WrenchKind wrench_kind_at = wrench_kind(std::tuple_element_t<place, PlacesOf<E>>());

/// Calls f(k) with the compile-time number k equal to `place`.
template <class E, class F>
auto at_place(int place, const F& f) {
  using Result = decltype(f(std::integral_constant<std::size_t, 0>()));
  Result result{};
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((static_cast<int>(k) == place ? void(result = f(std::integral_constant<std::size_t, k>())) : void()), ...);
  }
  (std::make_index_sequence<place_count<E>>());
  return result;
}

/// Returns columns first … first + count − 1 of the gradients of the values.
template <class Values>
Eigen::MatrixXd gradient_columns(const Values& values, int first, int count) {
  Eigen::MatrixXd matrix(static_cast<Eigen::Index>(values.size()), count);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (int j = 0; j < count; ++j) {
      matrix(i, j) = values[static_cast<std::size_t>(i)].gradient[static_cast<std::size_t>(first + j)];
    }
  }
  return matrix;
}

}  // namespace detail

template <class E>
Index ElementArray<E>::block(const Context& context, Index element, int place) const {
  const auto places = elements_[static_cast<std::size_t>(element)].places();
  return detail::at_place<E>(place, [&](auto k) { return block_of(context, std::get<k>(places)); });
}

template <class E>
WrenchKind ElementArray<E>::wrench_kind(int place) const {
  return detail::at_place<E>(place, [](auto k) { return detail::wrench_kind_at<E, k>; });
}

template <class E>
Observed ElementArray<E>::measured([[maybe_unused]] const Context& context, [[maybe_unused]] Index element) const {
  Observed seen;
  if constexpr (requires { E::measure_names; }) {
    const E& e = elements_[static_cast<std::size_t>(element)];
    const Local local(context, e);
    const int n = local.count;
    constexpr int input_direction = 3 * most;
    const auto y =
        Evaluation<Dual<3 * most + inputs>>(context, e, local, {.q = 0, .v = most, .a = 2 * most}, input_direction)
            .measure();
    seen.coordinates.assign(local.coordinate.begin(), local.coordinate.begin() + n);
    seen.value.resize(static_cast<Eigen::Index>(y.size()));
    for (std::size_t i = 0; i < y.size(); ++i) seen.value[static_cast<Eigen::Index>(i)] = y[i].value;
    seen.by_q = detail::gradient_columns(y, 0, n);
    seen.by_v = detail::gradient_columns(y, most, n);
    seen.by_a = detail::gradient_columns(y, 2 * most, n);
    if constexpr (inputs > 0) {
      seen.input = e.input.input;
      seen.by_input = detail::gradient_columns(y, input_direction, 1);
    }
  }
  return seen;
}

template <class E>
Observed ElementArray<E>::reaction([[maybe_unused]] const Context& context, [[maybe_unused]] Index element,
                                   [[maybe_unused]] int place, [[maybe_unused]] const double* lambda) const {
  if constexpr ((E::laws & Law::residual) != 0) {
    const E& e = elements_[static_cast<std::size_t>(element)];
    return detail::at_place<E>(place, [&](auto k) { return this->template reaction_at<k>(context, e, lambda); });
  }
  return {};
}

// By the principle of virtual work, the wrench w does the work of the constraint in a variation δ of the place:
//   w·δ = −λᵀ (∂Φ/∂δ) δ
template <class E>
template <std::size_t place>
Observed ElementArray<E>::reaction_at(const Context& context, const E& e, const double* lambda) const {
  constexpr int size = size_of(detail::wrench_kind_at<E, place>);
  const Local local(context, e);
  const int n = local.count;
  using Second = Dual2<most + size>;
  const Second work = Evaluation<Second>(context, e, local, {.q = 0}).template varied_residual<place>(most, lambda);
  const auto phi = Evaluation<Dual<size>>(context, e, local, {}).template varied_residuals<place>(0);

  Observed seen;
  seen.coordinates.assign(local.coordinate.begin(), local.coordinate.begin() + n);
  seen.value.resize(size);
  seen.by_q.resize(size, n);
  seen.by_lambda = -detail::gradient_columns(phi, 0, size).transpose();
  for (int i = 0; i < size; ++i) {
    seen.value[i] = -work.gradient[static_cast<std::size_t>(most + i)];
    for (int j = 0; j < n; ++j) seen.by_q(i, j) = -work.hessian(most + i, j);
  }
  return seen;
}

template <class E>
std::shared_ptr<ElementArrayBase> new_element_array() {
  return std::make_shared<ElementArray<E>>();
}

}  // namespace stillpoint
