// The groups into which --help sorts the options of a verb.
#pragma once

#include <array>

namespace stillpoint::cli::group {

inline constexpr const char* model = "Model";
inline constexpr const char* operating_point = "Operating point";
inline constexpr const char* equilibria = "Several equilibria and trim";
inline constexpr const char* time = "Time";
inline constexpr const char* which_modes = "Which modes";
inline constexpr const char* channels = "Inputs and outputs";
inline constexpr const char* frequencies = "Frequencies";
inline constexpr const char* loads = "Loads";
inline constexpr const char* method = "Method";
inline constexpr const char* engine = "Engine";
inline constexpr const char* reduction = "Model reduction";
inline constexpr const char* checks = "Checks";
inline constexpr const char* output = "Output";
inline constexpr const char* general = "General";

/// The order in which --help prints the groups.
inline constexpr std::array in_order{model,     operating_point, equilibria,  time,   which_modes,
                                     channels,  loads,           frequencies, method, engine,
                                     reduction, checks,          output,      general};

}  // namespace stillpoint::cli::group
