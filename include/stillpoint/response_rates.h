// Derivatives of frequency responses and DC gains with respect to parameters, theory (15.8):
//
//   dH/dp = h'ᵀ ξ + H_u' + ηᵀ (b' − Z' ξ),     Z ξ = b,   ηᵀ Z = hᵀ,   Z = [s²M + sC + K, Jᵀ; J, 0],   s = iω
//
// b = (F, G) and h = (H_q + s H_v + s² H_a, H_λ), with the total derivatives of all matrices: the equilibrium and its
// multipliers move with the parameter. ξ and η are solved for once, and serve all parameters.
//
//   const ResponseDifferentiator gains(system, {{.input = "motor", .output = "shaft", .omega = 20}});
//   const std::vector<ResponseRate> rates = gains.rates(parameter, rest, system_rates(parameter, rest));
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "stillpoint/linear_system.h"
#include "stillpoint/system_rates.h"

namespace stillpoint {

/// One number of a frequency response. As in with_channels() the name of a coordinate stands for a force on it, or for
/// its motion.
struct ResponseRequest {
  std::string input, output;
  double omega = 0;  ///< rad/s; 0: the DC gain
};

struct ResponseRate {
  std::complex<double> rate;  ///< dH/dp
  /// Estimate of its error at the given equilibrium: of the derivatives of the matrices, and of rounding.
  double error = 0;
};

/// d/dp of 20 log₁₀|H| (dB) and of the phase of H (degrees); NaN where H is zero.
double decibel_rate(std::complex<double> response, std::complex<double> rate);
double phase_rate(std::complex<double> response, std::complex<double> rate);

/// The rates of some numbers of a response with respect to any number of parameters; what these share is computed once.
class ResponseDifferentiator {
 public:
  /// `system` is the linearization of the model at its equilibrium. Throws Error for an unknown name, a frequency that
  /// is negative or not finite, a reaction that is not determined, and where the response has a pole.
  ResponseDifferentiator(const LinearSystem& system, const std::vector<ResponseRequest>& requests);
  ~ResponseDifferentiator();

  /// H for each request.
  std::vector<std::complex<double>> values() const;
  /// dH/dp for each request; `of_system` are the rates of the system with respect to this parameter. Throws Error where
  /// an input or output has no derivative.
  std::vector<ResponseRate> rates(const Variation& variation, const Equilibrium& rest,
                                  const SystemRates& of_system) const;

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

/// Which parameters matter, and how much.
struct ResponseSensitivity {
  std::vector<ResponseRequest> requests;
  std::vector<std::complex<double>> values;  ///< H for each request
  struct OfParameter {
    Variation parameter;
    std::vector<ResponseRate> rates;  ///< for each request
    std::string refused;              ///< why there are none; empty if there are
  };
  std::vector<OfParameter> parameters;
};

/// A parameter without rates says why. Throws Error as ResponseDifferentiator does.
ResponseSensitivity find_response_sensitivity(const LinearSystem& system, const Equilibrium& rest,
                                              const std::vector<ResponseRequest>& requests,
                                              const std::vector<Variation>& parameters,
                                              const std::function<void(const std::string&)>& progress = {});

/// A table for each request, with so many of the parameters that matter most.
std::string to_text(const ResponseSensitivity& sensitivity, std::size_t most_rows = 10);
/// One JSON object, schema stillpoint.response_sensitivity/1.
std::string to_json(const ResponseSensitivity& sensitivity, const std::string& model);

}  // namespace stillpoint
