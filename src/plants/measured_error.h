// The error of a plant relative to the system that it is made from, measured over a range of frequencies.
#pragma once

#include <string>

#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

/// Returns frequencies (rad/s) over the range of the poles. They are fewer for a large system and for a plant with many
/// states, where each response takes some tenths of a second.
Eigen::VectorXd measuring_frequencies(const LinearSystem& system, const std::vector<Plant::Pole>& poles,
                                      Eigen::Index states);

/// Compares the frequency responses of the plant and of the system.
ResponseError measured_error(const LinearSystem& system, const PlantOptions& options, const Plant& plant,
                             const Eigen::VectorXd& omega);

/// Says "its frequency response is off by up to 1.2e-03 of the largest, at 3 rad/s (measured at 120 frequencies from
/// ...)"
std::string to_words(const ResponseError& error, const Eigen::VectorXd& omega);

/// Adds a note to an exact plant if the rounding of its matrices changes the response by more than what readers accept.
void tell_rounding(const LinearSystem& system, const PlantOptions& options, Plant& plant);

}  // namespace stillpoint
