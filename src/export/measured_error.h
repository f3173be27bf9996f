// How far a plant is from the system that it was made from, as measured over a range of frequencies.
#pragma once

#include <string>

#include "stillpoint/frequency_response.h"
#include "stillpoint/make_plant.h"

namespace stillpoint {

/// Over the range of the poles; fewer where each takes some tenths of a second, of the system or of a plant with so
/// many states.
Eigen::VectorXd measuring_frequencies(const LinearSystem& system, const std::vector<Plant::Pole>& poles,
                                      Eigen::Index states);

ResponseError measured_error(const LinearSystem& system, const PlantOptions& options, const Plant& plant,
                             const Eigen::VectorXd& omega);

/// "its frequency response is off by up to 1.2e-03 of the largest, at 3 rad/s (measured at 120 frequencies from ...)"
std::string to_words(const ResponseError& error, const Eigen::VectorXd& omega);

/// A note if rounding of its matrices alone moves the response of an exact plant by more than what readers check.
void tell_rounding(const LinearSystem& system, const PlantOptions& options, Plant& plant);

}  // namespace stillpoint
