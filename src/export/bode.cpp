#include "export/bode.h"

#include <cmath>
#include <numbers>

#include "base/at.h"

namespace stillpoint {

namespace {

std::vector<double> unwrapped(const std::vector<std::complex<double>>& values) {
  std::vector<double> degrees;
  double before = 0;
  for (const std::complex<double> value : values) {
    const double angle = std::arg(value) * 180 / std::numbers::pi;
    degrees.push_back(angle - 360 * std::round((angle - before) / 360));
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
