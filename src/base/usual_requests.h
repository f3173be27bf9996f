// What is asked for where the user does not say it: the command line and Python have the same.
#pragma once

namespace stillpoint::usual {

constexpr int verified_modes = 3;            ///< the lowest, of the truth test
constexpr int sensitive_modes = 3;           ///< the lowest, of which sensitivities are found
constexpr int drawn_modes = 10;              ///< the lowest, of a scene
constexpr int points_of_interval = 41;       ///< of a parameter, where only the ends are given
constexpr int refinements_of_peaks = 8;      ///< each halves the distance of the speeds at a peak
constexpr double motion_records = 200;       ///< a motion is written at so many times
constexpr double implicit_tolerance = 1e-6;  ///< of a step of the implicit methods of motion

// Words of options.
constexpr const char* rest = "stable";
constexpr const char* method = "mcs";
constexpr const char* basis = "partition";
constexpr const char* engine = "auto";
constexpr const char* motion_start = "guess";
constexpr const char* motion_method = "auto";
constexpr const char* stabilization = "projection";
constexpr const char* dynamic_form = "augmented";
constexpr const char* pseudoinverse = "svd";

}  // namespace stillpoint::usual
