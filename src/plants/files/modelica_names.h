// The names of a plant as Modelica identifiers.
//
// Source: Modelica Language Specification 3.6, §2.3 (identifiers, keywords).
#pragma once

#include <set>
#include <string>
#include <vector>

namespace stillpoint {

/// Returns the name unchanged if it is an identifier, and quoted otherwise: 'pole.phi'. Characters that even a quoted
/// identifier cannot contain become underscores.
std::string modelica_name(const std::string& name);

/// Returns a different identifier for each name, none of them in `taken`, and adds them to `taken`.
std::vector<std::string> modelica_names(const std::vector<std::string>& names, std::set<std::string>& taken);

/// Returns the unit in Modelica's notation: "N.m" for "N m", "m/s2" for "m/s²". Returns an empty text if there is none.
std::string modelica_unit(const std::string& unit);

}  // namespace stillpoint
