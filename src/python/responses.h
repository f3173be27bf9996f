// Responses over the frequency.
#pragma once

#include <pybind11/complex.h>

#include <optional>
#include <string>

#include "python/arrays.h"
#include "stillpoint/frequency_response.h"

namespace stillpoint::python {

struct ResponseHandle {
  FrequencyResponse response;
  std::string name;
  std::string what = "frequency response";  ///< in the title of a plot
};

/// Where a response is wanted: at frequencies, or in a range (rad/s) as the command line chooses them.
struct FrequencyRequest {
  std::optional<Eigen::VectorXd> omega{};
  std::optional<double> from{}, to{};
  std::optional<Index> points{};

  bool is_empty() const { return !omega && !from && !to && !points; }
};
/// Options: omega, from, to, points. Throws Error if omega and others are given.
FrequencyRequest frequency_request(const pybind11::dict& asked);

/// The frequencies (rad/s); what is not given is found from the lowest modes.
Eigen::VectorXd frequencies(const LinearSystem& system, const FrequencyRequest& request);

/// Outputs × inputs × frequencies, the order of python-control.
pybind11::array_t<std::complex<double>> stacked(const std::vector<Eigen::MatrixXcd>& each, Eigen::Index rows,
                                                Eigen::Index columns);

void bind_responses(pybind11::module_& module);

}  // namespace stillpoint::python
