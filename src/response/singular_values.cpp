// Singular values of the matrix of responses over the frequency: the largest and the smallest gain of all directions.
#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/at.h"
#include "formats/json_number.h"
#include "formats/panels.h"
#include "response/columns.h"
#include "stillpoint/error.h"
#include "stillpoint/margins.h"

namespace stillpoint {

namespace {

using SingularJson = nlohmann::ordered_json;

constexpr double deepest_shown = 240;  // below the largest (dB): what is lower is rounding of zero

}  // namespace

SingularValueCurves singular_values_of(const FrequencyResponse& response) {
  SingularValueCurves curves;
  curves.omega = response.omega;
  const auto count = std::min(std::ssize(response.output_names), std::ssize(response.input_names));
  curves.values = Eigen::MatrixXd::Constant(response.omega.size(), count, std::nan(""));
  for (Eigen::Index k = 0; k < response.omega.size(); ++k) {
    const Eigen::MatrixXcd& H = response.response[at(k)];
    if (H.allFinite()) curves.values.row(k) = Eigen::JacobiSVD<Eigen::MatrixXcd>(H).singularValues().transpose();
  }
  return curves;
}

std::string to_csv(const SingularValueCurves& curves) {
  std::string text = "frequency_hz,omega_rad_s";
  for (Eigen::Index i = 0; i < curves.values.cols(); ++i) text += fmt::format(",sigma_{}", i + 1);
  text += "\n";
  for (Eigen::Index k = 0; k < curves.omega.size(); ++k) {
    text += csv_field(curves.omega[k] / (2 * std::numbers::pi)) + "," + csv_field(curves.omega[k]);
    for (Eigen::Index i = 0; i < curves.values.cols(); ++i) text += "," + csv_field(curves.values(k, i));
    text += "\n";
  }
  return text;
}

std::string to_json(const SingularValueCurves& curves, const FrequencyResponse& response, const std::string& model) {
  SingularJson json{{"schema", "stillpoint.singular_values/1"},
                    {"model", {{"name", model}}},
                    {"inputs", response.input_names},
                    {"outputs", response.output_names}};
  json["omega_rad_s"] = std::vector<double>(curves.omega.begin(), curves.omega.end());
  json["singular_values"] = SingularJson::array();
  for (Eigen::Index k = 0; k < curves.omega.size(); ++k) {
    SingularJson row = SingularJson::array();
    for (Eigen::Index i = 0; i < curves.values.cols(); ++i) row.push_back(json_number(curves.values(k, i)));
    json["singular_values"].push_back(std::move(row));
  }
  json["warnings"] = response.warnings;
  return json.dump(2) + "\n";
}

std::string to_svg(const SingularValueCurves& curves, const std::string& title, bool hertz) {
  const plot::PanelGrid grid = plot::panel_grid(1, 1, false, 1);
  std::vector<double> frequency;
  for (const double omega : curves.omega)
    frequency.push_back(omega > 0 ? std::log10(hertz ? omega / (2 * std::numbers::pi) : omega) : std::nan(""));
  std::vector<std::vector<double>> decibels;
  plot::Range range, frequencies;
  frequencies.take(frequency);
  for (Eigen::Index i = 0; i < curves.values.cols(); ++i) {
    std::vector<double>& values = decibels.emplace_back();
    for (const double sigma : curves.values.col(i)) values.push_back(20 * std::log10(sigma));
    range.take(values);
  }
  if (!(frequencies.least < frequencies.most)) throw Error("a plot needs at least two frequencies above zero");
  range.least = std::max(range.least, range.most - deepest_shown);
  plot::Panel panel(grid, 0, 0, frequencies, plot::with_margin(range, 0.05));
  panel.title("from all inputs to all outputs", "the largest and the smallest gain, and those between");
  panel.log_scales(hertz ? "frequency (Hz)" : "angular frequency (rad/s)", "singular values (dB)");
  for (std::size_t i = 0; i < decibels.size(); ++i)
    panel.curve(frequency, decibels[i], plot::colours[i % plot::colours.size()]);
  Svg page;
  page.text(24, 26, plot::title_size, title);
  panel.add_to(page);
  return page.finish(grid.page_width(), grid.page_height(), title);
}

}  // namespace stillpoint
