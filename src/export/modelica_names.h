// Names of a plant as names of Modelica.
//
// Source: Modelica Language Specification 3.6, §2.3: names, keywords.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace stillpoint {

/// As it stands where that is a name, else quoted: 'pole.phi'. What even that cannot have becomes an underscore.
std::string modelica_name(const std::string& name);

/// Different ones for all names, and from those that are taken; these are taken then, too.
std::vector<std::string> modelica_names(const std::vector<std::string>& names, std::set<std::string>& taken);

/// "N m" is "N.m" there, "m/s²" is "m/s2". Empty if it cannot be spelled.
std::string modelica_unit(const std::string& unit);

}  // namespace stillpoint
