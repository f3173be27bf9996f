// Plants made by hand, of which all is known.
#pragma once

#include "stillpoint/plant.h"

namespace stillpoint {

inline constexpr PlantForm all_plant_forms[] = {PlantForm::state_space, PlantForm::modal, PlantForm::descriptor,
                                                PlantForm::second_order};

/// Two unit masses between walls, three springs of 100 N/m, damped by 0.1 N s/m each; a force on the first, measured
/// are the place of the second and the acceleration of the first. All forms are the same system; `modal` has
/// coordinates (z₁ + z₂)/√2, (z₁ − z₂)/√2 and their rates.
Plant two_masses(PlantForm form);

/// s = −0.05 ± i √(100 − 0.0025), −0.05 ± i √(300 − 0.0025)
std::vector<std::complex<double>> two_masses_poles();

/// Numbers and names that files like to get wrong: 1/3, −0, the smallest and the largest double; characters of one to
/// four bytes, brackets, quotes, a backslash. No system that anybody has.
Plant awkward_plant(PlantForm form);

}  // namespace stillpoint
