// The steps of a check, in their order. Each step adds its findings to the report.
#pragma once

#include "check/subject.h"

namespace stillpoint::checks {

// inventory.cpp
void take_inventory(const CheckedModel& checked, CheckReport& report);
void describe_topology(const CheckedModel& checked, CheckReport& report);

// mass.cpp
void sum_mass(const CheckedModel& checked, CheckReport& report);
/// Finds the coordinates without inertia; the result has a flag for each coordinate.
std::vector<char> find_massless(const CheckedModel& checked, CheckReport& report);

// guess.cpp: residuals and forces at the guess
void find_worst_constraint(const CheckedModel& checked, CheckReport& report);
void find_zero_lengths(const CheckedModel& checked, CheckReport& report);

// frames.cpp: flexible bodies
void warn_of_loose_frames(const CheckedModel& checked, CheckReport& report);

// ranks.cpp
void judge_constraints(const CheckedModel& checked, CheckReport& report);

// structure.cpp: connections between the bodies
void warn_of_loose_parts(const CheckedModel& checked, CheckReport& report);
void warn_of_joints_with_itself(const CheckedModel& checked, CheckReport& report);
void warn_of_idle_inputs(const CheckedModel& checked, CheckReport& report);

// twins.cpp
void warn_of_twins(const CheckedModel& checked, CheckReport& report);

// undetermined.cpp
void warn_of_what_nothing_determines(const CheckedModel& checked, const std::vector<char>& massless,
                                     CheckReport& report);

// values.cpp: single numbers that are unusual
void warn_of_masses(const CheckedModel& checked, CheckReport& report);
void warn_of_negative_stiffness(const CheckedModel& checked, CheckReport& report);
void warn_of_degrees(const CheckedModel& checked, CheckReport& report);

// inertias.cpp
void warn_of_inertias(const CheckedModel& checked, CheckReport& report);

// stiffnesses.cpp: stiffness compared with weight, with other stiffness, and with the mass of a beam
void warn_of_stiffness(const CheckedModel& checked, CheckReport& report);
void warn_of_beams(const CheckedModel& checked, CheckReport& report);

// drawings.cpp
void warn_of_drawings(const CheckedModel& checked, CheckReport& report);

// scales.cpp: numbers out of proportion
void warn_of_scales(const CheckedModel& checked, CheckReport& report);

}  // namespace stillpoint::checks
