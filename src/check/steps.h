// The steps of a check, in their order. Each adds to the report.
#pragma once

#include "check/subject.h"

namespace stillpoint::checks {

// inventory.cpp
void take_inventory(const CheckSubject& subject, CheckReport& report);
void describe_topology(const CheckSubject& subject, CheckReport& report);

// mass.cpp
void sum_mass(const CheckSubject& subject, CheckReport& report);
/// Which coordinates have no inertia: a flag for each.
std::vector<char> find_massless(const CheckSubject& subject, CheckReport& report);

// guess.cpp: what the guess says and cannot say
void find_worst_constraint(const CheckSubject& subject, CheckReport& report);
void find_zero_lengths(const CheckSubject& subject, CheckReport& report);

// frames.cpp: flexible bodies
void warn_of_loose_frames(const CheckSubject& subject, CheckReport& report);

// ranks.cpp
void judge_constraints(const CheckSubject& subject, CheckReport& report);

// structure.cpp: what is joined to what
void warn_of_loose_parts(const CheckSubject& subject, CheckReport& report);
void warn_of_joints_with_itself(const CheckSubject& subject, CheckReport& report);
void warn_of_idle_inputs(const CheckSubject& subject, CheckReport& report);

// twins.cpp
void warn_of_twins(const CheckSubject& subject, CheckReport& report);

// undetermined.cpp
void warn_of_what_nothing_determines(const CheckSubject& subject, const std::vector<char>& massless,
                                     CheckReport& report);

// values.cpp: numbers that stand out by themselves
void warn_of_masses(const CheckSubject& subject, CheckReport& report);
void warn_of_negative_stiffness(const CheckSubject& subject, CheckReport& report);
void warn_of_degrees(const CheckSubject& subject, CheckReport& report);

// inertias.cpp
void warn_of_inertias(const CheckSubject& subject, CheckReport& report);

// scales.cpp: numbers that do not go together
void warn_of_scales(const CheckSubject& subject, CheckReport& report);

}  // namespace stillpoint::checks
