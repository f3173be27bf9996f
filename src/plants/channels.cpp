// The choice of inputs and outputs of a system by name.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/at.h"
#include "plants/units.h"
#include "stillpoint/error.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

namespace {

// Number of names that are compared with an unknown one.
constexpr Index nearest_among = 10'000;

using Places = std::map<std::string, Index>;

Places places_of(const NameOf& name, Index count) {
  Places places;
  for (Index i = 0; i < count; ++i) places.emplace(name(i), i);
  return places;
}

/// A channel of the system, or a coordinate in its place.
struct Chosen {
  Index channel = -1, coordinate = -1;
};

std::vector<std::string> nearest_names(const Places& channels, const Places& coordinates) {
  std::vector<std::string> names;
  for (const Places* const places : {&channels, &coordinates}) {
    for (const auto& [name, place] : *places) {
      if (static_cast<Index>(names.size()) < nearest_among) names.push_back(name);
    }
  }
  return names;
}

std::vector<Chosen> find(const std::vector<std::string>& names, const Places& channels, const Places& coordinates,
                         const char* kind) {
  std::vector<Chosen> chosen;
  for (const std::string& name : names) {
    const auto channel = channels.find(name), coordinate = coordinates.find(name);
    if (channel != channels.end()) {
      chosen.push_back({.channel = channel->second});
    } else if (coordinate != coordinates.end()) {
      chosen.push_back({.coordinate = coordinate->second});
    } else {
      throw Error(fmt::format("there is no {} or coordinate '{}'{}", kind, name,
                              did_you_mean(name, nearest_names(channels, coordinates))));
    }
    if (std::count(names.begin(), names.end(), name) > 1) {
      throw Error(fmt::format("the {} '{}' is named twice", kind, name));
    }
  }
  return chosen;
}

/// Returns the columns of A for the chosen channels. A coordinate has its unit vector if the rows are coordinates, and
/// a zero column otherwise.
SparseMatrix columns_of(const SparseMatrix& A, const std::vector<Chosen>& chosen, bool rows_are_coordinates) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Index column = static_cast<Index>(k);
    if (chosen[k].channel < 0) {
      if (rows_are_coordinates) entries.emplace_back(chosen[k].coordinate, column, 1.0);
      continue;
    }
    for (SparseMatrix::InnerIterator entry(A, chosen[k].channel); entry; ++entry) {
      entries.emplace_back(static_cast<Index>(entry.row()), column, entry.value());
    }
  }
  SparseMatrix result(A.rows(), static_cast<Index>(chosen.size()));
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

SparseMatrix rows_of(const SparseMatrix& A, const std::vector<Chosen>& chosen, bool columns_are_coordinates) {
  return columns_of(A.transpose(), chosen, columns_are_coordinates).transpose();
}

Eigen::VectorXd values_of(const Eigen::VectorXd& channels, const Eigen::VectorXd& otherwise,
                          const std::vector<Chosen>& chosen) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(chosen.size()));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto [channel, coordinate] = chosen[k];
    double& value = values[static_cast<Eigen::Index>(k)];
    if (channel >= 0 && channels.size() > 0) value = channels[channel];
    if (channel < 0 && otherwise.size() > 0) value = otherwise[coordinate];
  }
  return values;
}

NameOf name_by(std::vector<std::string> names) {
  return [names = std::move(names)](Index i) { return names[at(i)]; };
}

/// The units of chosen channels; `of_coordinate` makes that of a coordinate which is chosen in the place of one.
NameOf unit_by(const std::vector<Chosen>& chosen, const NameOf& channel, const NameOf& coordinate,
               std::string (*of_coordinate)(const std::string&)) {
  std::vector<std::string> units;
  for (const Chosen& one : chosen) {
    if (one.channel >= 0) units.push_back(channel ? channel(one.channel) : "");
    else units.push_back(coordinate ? of_coordinate(coordinate(one.coordinate)) : "");
  }
  return name_by(std::move(units));
}

std::string same_unit(const std::string& unit) { return unit; }

}  // namespace

LinearSystem with_channels(const LinearSystem& system, const std::vector<std::string>& inputs,
                           const std::vector<std::string>& outputs) {
  LinearSystem part = system;
  if (inputs.empty() && outputs.empty()) return part;
  const Places coordinates = places_of(system.coordinate_name, system.coordinates());
  if (!inputs.empty()) {
    const auto chosen = find(inputs, places_of(system.input_name, system.inputs()), coordinates, "input");
    part.F = columns_of(system.F, chosen, true);
    part.G = columns_of(system.G, chosen, false);
    part.Hu = columns_of(system.Hu, chosen, false);
    part.u = values_of(system.u, {}, chosen);
    part.input_name = name_by(inputs);
    part.input_unit = unit_by(chosen, system.input_unit, system.coordinate_unit, force_unit);
  }
  if (!outputs.empty()) {
    const auto chosen = find(outputs, places_of(system.output_name, system.outputs()), coordinates, "output");
    part.Hq = rows_of(system.Hq, chosen, true);
    part.Hv = rows_of(system.Hv, chosen, false);
    part.Ha = rows_of(system.Ha, chosen, false);
    part.Hl = rows_of(system.Hl, chosen, false);
    part.Hu = rows_of(part.Hu, chosen, false);
    part.y = values_of(system.y, system.q, chosen);
    part.output_name = name_by(outputs);
    part.output_unit = unit_by(chosen, system.output_unit, system.coordinate_unit, same_unit);
  }
  return part;
}

}  // namespace stillpoint
