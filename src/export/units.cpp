// Units of states, inputs and outputs, where a model tells them, or where they follow from what elements do with them:
// a scalar coordinate may be anything.
#include <cmath>
#include <map>

#include "base/at.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/make_plant.h"
#include "stillpoint/model.h"

namespace stillpoint {

namespace {

using Units = std::map<std::string, std::string>;  ///< by name

/// Of the rate, and so on: "rad", "rad/s", "rad/s²".
std::string differentiated(const std::string& unit, std::size_t order) {
  if (unit.empty() || order == 0) return unit;
  return unit + (order == 1 ? "/s" : "/s²");
}

/// Of what does work on a coordinate.
std::string force_on(const std::string& unit) { return unit == "m" ? "N" : unit == "rad" ? "N m" : ""; }

std::string unit_of(BlockKind kind, Index component) {
  const Index lengths = in_space(kind) ? 3 : 2;
  return component < lengths ? "m" : "rad";
}

template <class E>
const E* element_of(const ElementArrayBase& elements, Index element) {
  const auto* const array = dynamic_cast<const ElementArray<E>*>(&elements);
  return array ? &array->elements()[at(element)] : nullptr;
}

/// f(element) for all elements of a type.
template <class E, class F>
void for_each(const Model& model, F f) {
  for (const ModelArray& array : model.arrays()) {
    const auto* const found = dynamic_cast<const ElementArray<E>*>(array.elements.get());
    if (!found) continue;
    for (const E& element : found->elements()) f(element);
  }
}

/// Of a model: coordinates by their number.
class CoordinateUnits {
 public:
  explicit CoordinateUnits(const Model& model) : model_(model), by_place_(at(model.coordinates())) {
    for (const Block& block : model.blocks()) {
      for (Index i = 0; i < coordinates_of(block.kind); ++i) {
        const Index k = block.first + i;
        by_place_[at(k)] = block.kind == BlockKind::scalar ? model.scalar_unit(k) : unit_of(block.kind, i);
      }
    }
    // Where nobody says otherwise.
    for_each<Angle>(model, [&](const Angle& element) { set(of(element.angle), "rad"); });
    for_each<space::Angle>(model, [&](const space::Angle& element) { set(element.angle.coordinate, "rad"); });
    for_each<space::Travel>(model, [&](const space::Travel& element) { set(element.travel.coordinate, "m"); });
  }

  const std::string& operator[](Index coordinate) const { return by_place_[at(coordinate)]; }
  const std::string& operator[](CoordinateOf coordinate) const { return (*this)[coordinate.coordinate]; }

  /// That it turns; a scalar may be a displacement, or nobody has said what.
  bool is_turn(AngleOf angle) const {
    const Index scalar = of(angle);
    return scalar == nothing || (*this)[scalar] == "rad";
  }

 private:
  /// The coordinate of a scalar; nothing for what is an angle anyway.
  Index of(AngleOf angle) const {
    const Index block = angle.marker == ground_marker ? on_ground : model_.markers()[at(angle.marker)].block;
    if (block == on_ground) return nothing;
    const Block& owner = model_.blocks()[at(block)];
    return owner.kind == BlockKind::scalar ? owner.first : nothing;
  }
  void set(Index coordinate, const char* unit) {
    if (coordinate != nothing && by_place_[at(coordinate)].empty()) by_place_[at(coordinate)] = unit;
  }

  const Model& model_;
  std::vector<std::string> by_place_;
};

Units by_name(const Model& model, const CoordinateUnits& coordinates) {
  Units units;
  for (const Block& block : model.blocks()) {
    for (Index i = 0; i < coordinates_of(block.kind); ++i)
      units[model.coordinate_name(block.first + i)] = coordinates[block.first + i];
  }
  return units;
}

template <class Measure>
std::string unit_of_point(const ElementArrayBase& elements, Index element) {
  const Measure* const measure = element_of<Measure>(elements, element);
  if (!measure) return "";
  return differentiated("m", measure->what == PointMotion::position   ? 0
                             : measure->what == PointMotion::velocity ? 1
                                                                      : 2);
}

template <class... E>
bool is_any_of(const ElementArrayBase& elements, Index element) {
  return (element_of<E>(elements, element) || ...);
}

template <class E>
bool is_torque(const CoordinateUnits& coordinates, const ElementArrayBase& elements, Index element) {
  const E* const found = element_of<E>(elements, element);
  return found && coordinates.is_turn(found->a) && coordinates.is_turn(found->b);
}

std::string unit_of_measure(const CoordinateUnits& coordinates, const ElementArrayBase& elements, Index element) {
  if (is_any_of<Spring, Damper, space::Spring, space::Damper, Actuator, space::Actuator>(elements, element)) return "N";
  if (is_torque<TorsionSpring>(coordinates, elements, element) ||
      is_torque<TorsionDamper>(coordinates, elements, element) ||
      is_any_of<space::TorsionSpring, space::TorsionDamper>(elements, element))
    return "N m";
  if (is_any_of<DistanceMeasure, space::DistanceMeasure>(elements, element)) return "m";
  if (const auto* angle = element_of<AngleMeasure>(elements, element))
    return coordinates.is_turn(angle->of) && coordinates.is_turn(angle->against) ? "rad" : "";
  if (const auto* rate = element_of<RateMeasure>(elements, element))
    return coordinates.is_turn(rate->of) ? "rad/s" : "";
  if (is_any_of<space::AngleMeasure>(elements, element)) return "rad";
  if (is_any_of<space::RateMeasure>(elements, element)) return "rad/s";
  const std::string of_point = unit_of_point<PointMeasure>(elements, element);
  return of_point.empty() ? unit_of_point<space::PointMeasure>(elements, element) : of_point;
}

/// "bearing.fx" is a force, "bearing.mz" a moment.
std::string unit_of_component(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 >= name.size()) return "";
  return name[dot + 1] == 'f' ? "N" : name[dot + 1] == 'm' ? "N m" : "";
}

/// What a constraint of coordinates does on one of them.
std::string unit_of_coordinate_force(const CoordinateUnits& coordinates, const ElementArrayBase& elements,
                                     const Output& output) {
  if (const auto* held = element_of<Prescribed>(elements, output.element))
    return force_on(coordinates[held->coordinate]);
  const auto* const tied = element_of<Coupling>(elements, output.element);
  return tied ? force_on(coordinates[tied->coordinates[at(output.place)]]) : "";
}

Units output_units(const Model& model, const CoordinateUnits& coordinates) {
  Units units;
  for (const Output& output : model.output_list()) {
    const ElementArrayBase& elements = *model.arrays()[output.array].elements;
    const bool is_reaction = output.place != nothing;
    const auto count =
        is_reaction ? size_of(elements.wrench_kind(output.place)) : static_cast<int>(elements.measure_names().size());
    std::string unit = is_reaction ? unit_of_coordinate_force(coordinates, elements, output)
                                   : unit_of_measure(coordinates, elements, output.element);
    if (const auto* shown = is_reaction ? nullptr : element_of<CoordinateMeasure>(elements, output.element)) {
      unit = coordinates[shown->coordinate];
    }
    for (Index i = output.first; i < output.first + count; ++i) {
      const std::string name = model.output_name(i);
      units[name] = unit.empty() ? unit_of_component(name) : unit;
    }
  }
  return units;
}

/// Units that uses of inputs suggest: one that all agree on is taken.
class InputUses {
 public:
  void add(InputRef input, const std::string& unit) {
    if (input.input == nothing) return;
    const auto [place, is_new] = suggested_.emplace(input.input, unit);
    if (!is_new && place->second != unit) place->second.clear();
  }
  /// It is the force itself only if it is multiplied by one: otherwise nobody knows what it is.
  void add_force(InputRef input, double factor, const std::string& unit) {
    constexpr double rounding = 1e-12;  // of a direction
    add(input, std::abs(std::abs(factor) - 1) < rounding ? unit : "");
  }
  std::string unit_of(Index input) const {
    const auto found = suggested_.find(input);
    return found == suggested_.end() ? "" : found->second;
  }

 private:
  std::map<Index, std::string> suggested_;
};

Units input_units(const Model& model, const CoordinateUnits& coordinates) {
  InputUses uses;
  const auto force = [&](const auto& element) { uses.add_force(element.input, length(element.vector), "N"); };
  const auto torque = [&](const auto& element) { uses.add_force(element.input, length(element.vector), "N m"); };
  const auto push = [&](const auto& element) { uses.add_force(element.input, element.magnitude, "N"); };
  for_each<Prescribed>(model, [&](const Prescribed& e) { uses.add(e.input, coordinates[e.coordinate]); });
  for_each<ScalarForce>(
      model, [&](const ScalarForce& e) { uses.add_force(e.input, e.magnitude, force_on(coordinates[e.on])); });
  for_each<Torque>(model, [&](const Torque& e) {
    uses.add_force(e.input, e.magnitude, coordinates.is_turn(e.on) && coordinates.is_turn(e.against) ? "N m" : "");
  });
  for_each<Force>(model, force);
  for_each<space::Force>(model, force);
  for_each<FollowerForce>(model, force);
  for_each<space::FollowerForce>(model, force);
  for_each<space::Torque>(model, torque);
  for_each<space::FollowerTorque>(model, torque);
  for_each<Actuator>(model, push);
  for_each<space::Actuator>(model, push);
  for_each<space::Motor>(model, [&](const space::Motor& e) { uses.add_force(e.input, e.magnitude, "N m"); });
  Units units;
  for (Index i = 0; i < model.inputs(); ++i) {
    const std::string given = model.input_unit(i);
    units[model.input_name(i)] = given.empty() ? uses.unit_of(i) : given;
  }
  return units;
}

std::size_t apostrophes(const std::string& name) { return name.size() - name.find_last_not_of('\'') - 1; }

/// "phi'" is the rate of phi, "crank.phi/rocker" a motion of crank.phi.
std::string unit_in(const Units& units, const std::string& name) {
  const std::size_t order = apostrophes(name);
  std::string base = name.substr(0, name.size() - order);
  base = base.substr(0, base.find('/'));
  const auto found = units.find(base);
  return found == units.end() ? "" : differentiated(found->second, order);
}

}  // namespace

Plant with_units(Plant plant, const Model& model) {
  const CoordinateUnits by_place(model);
  const Units coordinates = by_name(model, by_place);
  const Units inputs = input_units(model, by_place), outputs = output_units(model, by_place);
  const auto fill = [](const std::vector<std::string>& names, std::vector<std::string>& units, const auto& unit) {
    units.clear();
    for (const std::string& name : names) units.push_back(unit(name));
  };
  fill(plant.state_names, plant.state_units, [&](const std::string& name) { return unit_in(coordinates, name); });
  fill(plant.input_names, plant.input_units, [&](const std::string& name) {
    const auto force = coordinates.find(name);
    return force != coordinates.end() && !inputs.contains(name) ? force_on(force->second) : unit_in(inputs, name);
  });
  fill(plant.output_names, plant.output_units, [&](const std::string& name) {
    const auto output = outputs.find(name);
    return output != outputs.end() ? output->second : unit_in(coordinates, name);
  });
  return plant;
}

}  // namespace stillpoint
