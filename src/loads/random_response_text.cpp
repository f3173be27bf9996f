// Random responses as a table, CSV and JSON, schema stillpoint.random/1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/at.h"
#include "formats/json_number.h"
#include "response/columns.h"
#include "stillpoint/random_response.h"

namespace stillpoint {

namespace {

using RandomJson = nlohmann::ordered_json;

double psd_of(const RandomResponse& response, std::size_t frequency, std::size_t output) {
  const auto i = static_cast<Eigen::Index>(output);
  return response.psd[frequency](i, i).real();
}

RandomJson json_of_output(const RandomResponse& response, std::size_t i) {
  const auto row = static_cast<Eigen::Index>(i);
  std::vector<double> psd;
  for (std::size_t k = 0; k < response.psd.size(); ++k) psd.push_back(psd_of(response, k, i));
  return {{"name", response.output_names[i]},
          {"unit", response.output_units[i]},
          {"rms", json_number(std::sqrt(response.variance[row]))},
          {"variance", json_number(response.variance[row])},
          {"variance_error", json_number(response.error[row])},
          {"crossing_rate_hz", json_number(response.crossing_rate[row])},
          {"psd", json_numbers(psd)}};
}

RandomJson cross_spectra(const RandomResponse& response) {
  RandomJson all = RandomJson::array();
  const std::size_t outputs = response.output_names.size();
  for (std::size_t i = 0; i < outputs; ++i) {
    for (std::size_t j = i + 1; j < outputs; ++j) {
      RandomJson values = RandomJson::array();
      for (const Eigen::MatrixXcd& S : response.psd) {
        const std::complex<double> value = S(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        values.push_back({json_number(value.real()), json_number(value.imag())});
      }
      all.push_back({{"first", response.output_names[i]}, {"second", response.output_names[j]}, {"psd", values}});
    }
  }
  return all;
}

}  // namespace

std::string to_text(const RandomResponse& response, const std::string& model) {
  std::size_t width = 6;
  for (const std::string& name : response.output_names) width = std::max(width, name.size());
  const std::string band = std::isfinite(response.to) ? fmt::format("{:g} to {:g} Hz", response.from, response.to)
                                                      : std::string("all frequencies");
  const std::string work = response.evaluations > 0 ? fmt::format(", {} frequencies", response.evaluations) : "";
  std::string text = fmt::format("{}: random response to {}\n  band          {}\n  method        {}{}\n\n", model,
                                 fmt::join(response.input_names, ", "), band, response.method, work);
  text += fmt::format("  {:<{}}{:>14}{:>12}{:>14}  {}\n", "output", width, "RMS", "error", "crossings Hz", "unit");
  for (std::size_t i = 0; i < response.output_names.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const double rms = std::sqrt(response.variance[row]);
    const double error = rms > 0 ? response.error[row] / (2 * rms) : response.error[row];  // δσ = δσ² / 2σ
    text += fmt::format("  {:<{}}{:>14}{:>12}{:>14}  {}\n", response.output_names[i], width,
                        number_or_dash(rms, "{:.6g}"), std::isfinite(error) ? fmt::format("{:.1e}", error) : "-",
                        number_or_dash(response.crossing_rate[row], "{:.6g}"), response.output_units[i]);
  }
  return text;
}

std::string to_csv(const RandomResponse& response) {
  std::string text = "frequency_hz";
  for (const std::string& name : response.output_names) text += "," + csv_field(name + " psd per Hz");
  text += "\n";
  for (std::size_t k = 0; k < response.psd.size(); ++k) {
    text += csv_field(response.frequency[static_cast<Eigen::Index>(k)]);
    for (std::size_t i = 0; i < response.output_names.size(); ++i) text += "," + csv_field(psd_of(response, k, i));
    text += "\n";
  }
  return text;
}

std::string to_json(const RandomResponse& response, const std::string& model) {
  RandomJson json{{"schema", "stillpoint.random/1"},
                  {"model", {{"name", model}}},
                  {"inputs", response.input_names},
                  {"band_hz", {json_number(response.from), json_number(response.to)}},
                  {"method", response.method},
                  {"evaluations", response.evaluations},
                  {"converged", response.converged},
                  {"density", "one-sided, per Hz"},
                  {"frequency_hz", json_numbers({response.frequency.begin(), response.frequency.end()})},
                  {"outputs", RandomJson::array()}};
  for (std::size_t i = 0; i < response.output_names.size(); ++i) json["outputs"].push_back(json_of_output(response, i));
  json["cross"] = cross_spectra(response);
  json["warnings"] = response.warnings;
  return json.dump(2) + "\n";
}

}  // namespace stillpoint
