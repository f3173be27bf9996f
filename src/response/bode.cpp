#include "response/bode.h"

#include <cmath>
#include <numbers>

#include "base/at.h"

namespace stillpoint {

namespace {

/// Returns whether the sign changes at a zero of the response and not at a pole. Without damping the phase jumps by
/// ±180° at either; with little damping it falls at a pole and rises at a zero, where the response is smaller than
/// around it.
bool is_at_zero(const std::vector<std::complex<double>>& values, std::size_t k) {
  if (k < 2 || k + 1 >= values.size()) return false;
  return std::abs(values[k - 1]) + std::abs(values[k]) < std::abs(values[k - 2]) + std::abs(values[k + 1]);
}

std::vector<double> unwrapped(const std::vector<std::complex<double>>& values) {
  constexpr double half_turn = 180, rounding = 1e-6;  // degrees
  std::vector<double> degrees;
  double before = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double angle = std::arg(values[k]) * half_turn / std::numbers::pi;
    double step = std::remainder(angle - before, 2 * half_turn);
    if (std::abs(std::abs(step) - half_turn) < rounding) step = is_at_zero(values, k) ? half_turn : -half_turn;
    degrees.push_back(before + step);
    if (!std::isnan(angle)) before = degrees.back();
  }
  return degrees;
}

}  // namespace

std::vector<BodeCurve> bode_curves(const FrequencyResponse& response) {
  std::vector<BodeCurve> curves;
  for (std::size_t i = 0; i < response.output_names.size(); ++i) {
    for (std::size_t j = 0; j < response.input_names.size(); ++j) {
      BodeCurve curve{response.input_names[j], response.output_names[i], {}, {}, {}};
      for (const Eigen::MatrixXcd& H : response.response) {
        curve.value.push_back(H(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
        curve.decibels.push_back(20 * std::log10(std::abs(curve.value.back())));
      }
      curve.degrees = unwrapped(curve.value);
      curves.push_back(std::move(curve));
    }
  }
  return curves;
}

}  // namespace stillpoint
