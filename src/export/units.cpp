// Units of states, inputs and outputs, where a model tells them: a scalar coordinate may be anything.
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
  if (kind == BlockKind::scalar) return "";
  const Index lengths = in_space(kind) ? 3 : 2;
  return component < lengths ? "m" : "rad";
}

Units coordinate_units(const Model& model) {
  Units units;
  for (const Block& block : model.blocks()) {
    for (Index i = 0; i < coordinates_of(block.kind); ++i) {
      units[model.coordinate_name(block.first + i)] = unit_of(block.kind, i);
    }
  }
  return units;
}

template <class E>
const E* element_of(const ElementArrayBase& elements, Index element) {
  const auto* const array = dynamic_cast<const ElementArray<E>*>(&elements);
  return array ? &array->elements()[at(element)] : nullptr;
}

template <class Measure>
std::string unit_of_point(const ElementArrayBase& elements, Index element) {
  const Measure* const measure = element_of<Measure>(elements, element);
  if (!measure) return "";
  return differentiated("m", measure->what == PointMotion::position   ? 0
                             : measure->what == PointMotion::velocity ? 1
                                                                      : 2);
}

/// An angle, if it is one: a scalar may be a displacement.
bool is_turn(const Model& model, AngleOf angle) {
  const Index block = angle.marker == ground_marker ? on_ground : model.markers()[at(angle.marker)].block;
  return block == on_ground || model.blocks()[at(block)].kind != BlockKind::scalar;
}

template <class... E>
bool is_any_of(const ElementArrayBase& elements, Index element) {
  return (element_of<E>(elements, element) || ...);
}

template <class E>
bool is_torque(const Model& model, const ElementArrayBase& elements, Index element) {
  const E* const found = element_of<E>(elements, element);
  return found && is_turn(model, found->a) && is_turn(model, found->b);
}

std::string unit_of_measure(const Model& model, const ElementArrayBase& elements, Index element) {
  if (is_any_of<Spring, Damper, space::Spring, space::Damper, Actuator, space::Actuator>(elements, element)) return "N";
  if (is_torque<TorsionSpring>(model, elements, element) || is_torque<TorsionDamper>(model, elements, element) ||
      is_any_of<space::TorsionSpring, space::TorsionDamper>(elements, element))
    return "N m";
  if (is_any_of<DistanceMeasure, space::DistanceMeasure>(elements, element)) return "m";
  if (const auto* angle = element_of<AngleMeasure>(elements, element))
    return is_turn(model, angle->of) && is_turn(model, angle->against) ? "rad" : "";
  if (const auto* rate = element_of<RateMeasure>(elements, element)) return is_turn(model, rate->of) ? "rad/s" : "";
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

Units output_units(const Model& model, const Units& coordinates) {
  Units units;
  for (const Output& output : model.output_list()) {
    const ElementArrayBase& elements = *model.arrays()[output.array].elements;
    const bool is_reaction = output.place != nothing;
    const auto count =
        is_reaction ? size_of(elements.wrench_kind(output.place)) : static_cast<int>(elements.measure_names().size());
    std::string unit = is_reaction ? "" : unit_of_measure(model, elements, output.element);
    if (const auto* shown = is_reaction ? nullptr : element_of<CoordinateMeasure>(elements, output.element)) {
      unit = coordinates.at(model.coordinate_name(shown->coordinate.coordinate));
    }
    for (Index i = output.first; i < output.first + count; ++i) {
      const std::string name = model.output_name(i);
      units[name] = unit.empty() ? unit_of_component(name) : unit;
    }
  }
  return units;
}

/// Inputs that prescribe a coordinate have its unit.
Units input_units(const Model& model, const Units& coordinates) {
  Units units;
  for (const ModelArray& array : model.arrays()) {
    const auto* const found = dynamic_cast<const ElementArray<Prescribed>*>(array.elements.get());
    if (!found) continue;
    for (const Prescribed& element : found->elements()) {
      units[model.input_name(element.input.input)] =
          coordinates.at(model.coordinate_name(element.coordinate.coordinate));
    }
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
  const Units coordinates = coordinate_units(model);
  const Units inputs = input_units(model, coordinates), outputs = output_units(model, coordinates);
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
