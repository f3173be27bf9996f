// Frequency responses as CSV and as JSON, schema stillpoint.response/1.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/at.h"
#include "formats/json_number.h"
#include "response/bode.h"
#include "response/columns.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

constexpr double hertz = 1 / (2 * std::numbers::pi);

Json json_of(const BodeCurve& curve) {
  Json pair{{"input", curve.input}, {"output", curve.output}, {"response", Json::array()}};
  for (const std::complex<double> value : curve.value) {
    pair["response"].push_back({json_number(value.real()), json_number(value.imag())});
  }
  pair["magnitude_db"] = json_numbers(curve.decibels);
  pair["phase_deg"] = json_numbers(curve.degrees);
  return pair;
}

}  // namespace

std::string to_csv(const FrequencyResponse& response) {
  const std::vector<BodeCurve> curves = bode_curves(response);
  std::string text = "frequency_hz,omega_rad_s";
  for (const BodeCurve& curve : curves) {
    const std::string pair = curve.output + "/" + curve.input;
    for (const char* const part : {"re", "im", "magnitude_db", "phase_deg"}) {
      text += "," + csv_field(fmt::format("{} {}", pair, part));
    }
  }
  text += "\n";
  for (std::size_t k = 0; k < response.response.size(); ++k) {
    const double omega = response.omega[static_cast<Eigen::Index>(k)];
    text += csv_field(omega * hertz) + "," + csv_field(omega);
    for (const BodeCurve& curve : curves) {
      for (const double value : {curve.value[k].real(), curve.value[k].imag(), curve.decibels[k], curve.degrees[k]}) {
        text += "," + csv_field(value);
      }
    }
    text += "\n";
  }
  return text;
}

std::string to_json(const FrequencyResponse& response, const std::string& model) {
  Json json{{"schema", "stillpoint.response/1"}, {"model", {{"name", model}}}};
  const Eigen::VectorXd& omega = response.omega;
  const Eigen::VectorXd frequency = omega * hertz;
  json["frequency_hz"] = json_numbers({frequency.begin(), frequency.end()});
  json["omega_rad_s"] = json_numbers({omega.begin(), omega.end()});
  json["pairs"] = Json::array();
  for (const BodeCurve& curve : bode_curves(response)) json["pairs"].push_back(json_of(curve));
  json["backward_error"] = json_numbers({response.backward_error.begin(), response.backward_error.end()});
  json["warnings"] = response.warnings;
  return json.dump(2) + "\n";
}

}  // namespace stillpoint
