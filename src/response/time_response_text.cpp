// Answers in time as CSV, as JSON with the schema stillpoint.time_response/1, and their figures as a table.
#include "formats/json_number.h"
#include "response/columns.h"
#include "stillpoint/time_response.h"

namespace stillpoint {

namespace {

using TimeJson = nlohmann::ordered_json;

TimeJson figures_json(const TimeFigures& figures) {
  return {{"initial", json_number(figures.initial)},
          {"final", json_number(figures.final_value)},
          {"peak", json_number(figures.peak)},
          {"peak_time", json_number(figures.peak_time)},
          {"rise_time", json_number(figures.rise_time)},
          {"settling_time", json_number(figures.settling_time)},
          {"overshoot", json_number(figures.overshoot)},
          {"undershoot", json_number(figures.undershoot)},
          {"searched_until", json_number(figures.searched)}};
}

TimeJson channel_json(const TimeChannel& channel) {
  return {{"input", channel.input},
          {"output", channel.output},
          {"input_unit", channel.input_unit},
          {"output_unit", channel.output_unit},
          {"behaviour", key_of(channel.behaviour)},
          {"leading_pole", {json_number(channel.leading_pole.real()), json_number(channel.leading_pole.imag())}},
          {"impulses_at_zero", json_numbers(channel.impulses)},
          {"figures", figures_json(channel.figures)},
          {"value", json_numbers(channel.value)}};
}

std::string percent_or_dash(double value) { return std::isfinite(value) ? fmt::format("{:.3g} %", 100 * value) : "-"; }

}  // namespace

std::string to_csv(const TimeResponse& response) {
  std::string text = "time_s";
  for (const TimeChannel& channel : response.channels) text += "," + csv_field(channel.output + "/" + channel.input);
  text += "\n";
  for (Eigen::Index k = 0; k < response.times.size(); ++k) {
    text += csv_field(response.times[k]);
    for (const TimeChannel& channel : response.channels) text += "," + csv_field(channel.value[k]);
    text += "\n";
  }
  return text;
}

std::string to_json(const TimeResponse& response, const std::string& model) {
  TimeJson json{{"schema", "stillpoint.time_response/1"},
                {"model", {{"name", model}}},
                {"to", response.input == TimeInput::step ? "step" : "impulse"},
                {"time_s", json_numbers(response.times)},
                {"channels", TimeJson::array()}};
  for (const TimeChannel& channel : response.channels) json["channels"].push_back(channel_json(channel));
  json["error"] = json_number(response.error);
  json["warnings"] = response.warnings;
  return json.dump(2) + "\n";
}

std::string to_text(const TimeResponse& response, const std::string& model) {
  const bool is_step = response.input == TimeInput::step;
  std::vector<std::vector<std::string>> rows{{is_step ? "step" : "impulse", "behaviour", "at 0+", "final"}};
  if (is_step) rows[0].insert(rows[0].end(), {"rise s", "settling s", "overshoot", "undershoot"});
  rows[0].insert(rows[0].end(), {"peak", "at s"});
  for (const TimeChannel& channel : response.channels) {
    const TimeFigures& figures = channel.figures;
    std::vector<std::string> row{channel.output + " by " + channel.input, key_of(channel.behaviour),
                                 number_or_dash(figures.initial), number_or_dash(figures.final_value)};
    if (is_step)
      row.insert(row.end(), {number_or_dash(figures.rise_time), number_or_dash(figures.settling_time),
                             percent_or_dash(figures.overshoot), percent_or_dash(figures.undershoot)});
    row.insert(row.end(), {number_or_dash(figures.peak), number_or_dash(figures.peak_time)});
    rows.push_back(std::move(row));
  }
  return model + "\n" + aligned_table(rows);
}

}  // namespace stillpoint
