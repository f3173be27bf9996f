// All elements of one type in a model, as the model and the assembly see them: one virtual call for each type and
// operation, none for each element.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stillpoint/authoring/element.h"
#include "stillpoint/authoring/time_series.h"
#include "stillpoint/authoring/unit_book.h"

namespace stillpoint {

/// Consecutive elements of an array.
struct ElementRange {
  Index first = 0, last = 0;  ///< the last one is not among them
};

/// The operations of the laws of some elements along a motion, one tape for each law.
struct SeriesTapes {
  SeriesTape potential, forces, inertia, residual;
};

/// Coefficients of power series in time along a motion, theory (13.9), for the power k: coordinates are known up to
/// t^(k + 1), rates up to t^k, accelerations and multipliers below; the coefficient k of the accelerations is zero
/// until it is known.
struct SeriesCoefficients {
  int power = 0;                   ///< k
  double* applied = nullptr;       ///< of t^k: the applied forces
  double* opposing = nullptr;      ///< of t^k: inertia forces, and Jᵀλ without λ_k
  double* residual = nullptr;      ///< of t^k: the second derivative of the residual of each row, without J a_k
  const double* lambda = nullptr;  ///< multipliers of the rows, as series with the terms of the expansion
  Index first_row = 0;             ///< of the array
};

struct MassMoments;
struct Observed;
class PatternSink;
class ValueSink;
template <class Sink>
struct Sinks;

class ElementArrayBase {
 public:
  virtual ~ElementArrayBase() = default;

  virtual const ElementInfo& info() const = 0;
  virtual unsigned laws() const = 0;
  virtual Index size() const = 0;
  virtual int rows() const = 0;  ///< number of constraint equations of one element
  virtual const char* row_name(int row) const = 0;
  virtual bool has_strains() const { return false; }  ///< whether the energy is stated by strains
  virtual const void* element(Index i) const = 0;
  /// Appends a copy of an element, which must be of the type of the array.
  virtual void append(const void* element) = 0;
  /// Returns an array of copies of some of the elements; `prepare` must follow.
  virtual std::shared_ptr<ElementArrayBase> part(std::span<const Index> elements) const = 0;
  /// Replaces the value of a field of an element; `prepare` must follow.
  virtual void set(Index element, const Field& field, const FieldValue& value) = 0;

  /// Units: what the elements say of coordinates and inputs, and the units of a measure and of a scalar reaction; an
  /// element without a statement leaves them empty.
  virtual void state_units(UnitBook& book) const = 0;
  virtual std::string measure_unit(const UnitBook& book, Index element) const = 0;
  virtual std::string reaction_unit(const UnitBook& book, Index element, int place) const = 0;

  virtual int places() const = 0;  ///< number of handles of one element
  /// Returns the block to which a handle of an element is attached; −1 (`on_ground`) for the ground and for an absent
  /// handle.
  virtual Index block(const Context& context, Index element, int place) const = 0;
  /// Appends the coordinates on which an element depends, place after place.
  virtual void add_coordinates(const Context& context, Index element, std::vector<Index>& to) const = 0;

  /// Determines the sparsity of the laws for every kind of attachment that occurs. To be called once, after the last
  /// element has been added.
  virtual void prepare(const Context& context) = 0;
  /// Whether the elements of this array and another one of its type, both prepared, are known to have entries in the
  /// same places of all matrices.
  virtual bool has_pattern_of(const Context& context, const ElementArrayBase& other) const = 0;

  virtual double potential(const Context& context) const = 0;
  virtual void add_forces(const Context& context, double* f) const = 0;
  virtual void add_inertia(const Context& context, double* r) const = 0;
  /// The residuals of some elements.
  virtual void residuals(const Context& context, ElementRange range, double* phi) const = 0;
  /// The second and, unless the pointer is null, the third derivatives of these along q ⊕ v t and u + u̇ t. Rates of the
  /// inputs are zero for a null pointer; the context must have rates of the coordinates.
  virtual void residual_derivatives(const Context& context, ElementRange range, const double* input_rates,
                                    double* second, double* third) const = 0;
  /// Adds the coefficients of the laws of some elements along the expansion of the context, whose arrays are the same
  /// ones for all powers, from k = 0 on.
  virtual void add_series(const Context& context, ElementRange range, const SeriesCoefficients& to,
                          SeriesTapes& tapes) const = 0;
  virtual void add_mass_moments(const Context& context, const Vec3<double>& about, MassMoments& total) const = 0;

  /// Returns the suffixes of the components of an element's measure, each with its dot; empty if it has no measure.
  virtual std::span<const char* const> measure_names() const = 0;
  virtual Observed measured(const Context& context, Index element) const = 0;
  /// Returns the kind of wrench that a constraint exerts at a place, and that wrench for given multipliers of the
  /// element, about the place and in the axes of the ground.
  virtual WrenchKind wrench_kind(int place) const = 0;
  virtual Observed reaction(const Context& context, Index element, int place, const double* lambda) const = 0;

  /// Adds to M, C, K, J, F and G what all elements, or some of them, have there. `lambda` holds the multipliers of
  /// these elements, whose first equation is `first_row`.
  virtual void add_pattern(const Context& context, Index first_row, Sinks<PatternSink>& sinks) const = 0;
  virtual void add_values(const Context& context, ElementRange range, const double* lambda, Index first_row,
                          Sinks<ValueSink>& sinks) const = 0;
};

/// The element if the array is of type E, or else a null pointer.
template <class E>
const E* element_as(const ElementArrayBase& elements, Index element) {
  return &elements.info() == &E::info() ? static_cast<const E*>(elements.element(element)) : nullptr;
}

/// Returns an empty array for elements of type E. Defined in stillpoint/authoring/define_element.h and instantiated
/// once for each type of element of the library; a header with an element of your own includes that file.
template <class E>
std::shared_ptr<ElementArrayBase> new_element_array();

}  // namespace stillpoint
