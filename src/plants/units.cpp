#include "plants/units.h"

#include <map>

namespace stillpoint {

namespace {

using Units = std::map<std::string, std::string>;  ///< by name

/// Returns the unit of a time derivative: "rad", "rad/s", "rad/s²".
std::string differentiated(const std::string& unit, std::size_t order) {
  if (unit.empty() || order == 0) return unit;
  return unit + (order == 1 ? "/s" : "/s²");
}

Units by_name(Index count, const NameOf& name, const NameOf& unit) {
  Units units;
  for (Index i = 0; unit && i < count; ++i) units[name(i)] = unit(i);
  return units;
}

std::size_t apostrophes(const std::string& name) { return name.size() - name.find_last_not_of('\'') - 1; }

/// Returns the unit of a name: "phi'" is the rate of phi, and "crank.phi/rocker" a motion of crank.phi.
std::string unit_in(const Units& units, const std::string& name) {
  const std::size_t order = apostrophes(name);
  std::string base = name.substr(0, name.size() - order);
  base = base.substr(0, base.find('/'));
  const auto found = units.find(base);
  return found == units.end() ? "" : differentiated(found->second, order);
}

}  // namespace

std::string force_unit(const std::string& coordinate_unit) {
  return coordinate_unit == "m" ? "N" : coordinate_unit == "rad" ? "N m" : "";
}

Plant with_units(Plant plant, const LinearSystem& system) {
  const Units coordinates = by_name(system.coordinates(), system.coordinate_name, system.coordinate_unit);
  const Units inputs = by_name(system.inputs(), system.input_name, system.input_unit);
  const Units outputs = by_name(system.outputs(), system.output_name, system.output_unit);
  const auto fill = [](const std::vector<std::string>& names, std::vector<std::string>& units, const auto& unit) {
    units.clear();
    for (const std::string& name : names) units.push_back(unit(name));
  };
  fill(plant.state_names, plant.state_units, [&](const std::string& name) { return unit_in(coordinates, name); });
  fill(plant.input_names, plant.input_units, [&](const std::string& name) {
    const auto force = coordinates.find(name);
    return force != coordinates.end() && !inputs.contains(name) ? force_unit(force->second) : unit_in(inputs, name);
  });
  fill(plant.output_names, plant.output_units, [&](const std::string& name) {
    const auto output = outputs.find(name);
    return output != outputs.end() ? output->second : unit_in(coordinates, name);
  });
  return plant;
}

}  // namespace stillpoint
