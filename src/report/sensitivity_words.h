// What the tables of sensitivities share: the change that they are about, and its words.
#pragma once

#include <string>

#include "stillpoint/system_rates.h"

namespace stillpoint {

constexpr int sensitivity_name_width = 18, sensitivity_value_width = 18, sensitivity_change_width = 16;
constexpr double rounding_of_rates = 1e-12;  // of relative changes

/// The change of the parameter that a table is about: 1 % of its value, or one unit where that is zero.
double change_of(const Variation& parameter);
/// "25 N/m".
std::string value_text(const Variation& parameter);
/// "+0.1242", "-1.20e-05", or "0".
std::string signed_number(double value);
/// The columns that say which parameter a row is about.
std::string row_beginning(const Variation& parameter);
std::string heading_of_rows();
/// Whether the row of a stands before that of b: the larger effect first; parameters that are zero have no percents
/// and stand last.
bool stands_before(const Variation& a, double effect_of_a, const Variation& b, double effect_of_b);
/// What is said of parameters without a row: those beyond `most_rows`, and those `without` influence.
std::string lines_below(std::size_t ranked, std::size_t most_rows, std::size_t without);

}  // namespace stillpoint
