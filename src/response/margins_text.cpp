// Loops as CSV, as JSON with the schema stillpoint.loops/1, and their figures as tables.
#include <fmt/format.h>

#include <numbers>

#include "base/at.h"
#include "formats/json_number.h"
#include "response/bode.h"
#include "response/columns.h"
#include "stillpoint/margins.h"

namespace stillpoint {

namespace {

using LoopJson = nlohmann::ordered_json;

double in_unit(double omega, bool hertz) { return hertz ? omega / (2 * std::numbers::pi) : omega; }

double in_decibels(double factor) { return 20 * std::log10(factor); }

LoopJson margins_json(const LoopFigures& figures) {
  LoopJson json;
  json["phase_margins"] = LoopJson::array();
  for (const PhaseMargin& margin : figures.phase_margins)
    json["phase_margins"].push_back(
        {{"omega_rad_s", margin.omega}, {"degrees", margin.degrees}, {"delay_s", json_number(margin.delay)}});
  json["gain_margins"] = LoopJson::array();
  for (const GainMargin& margin : figures.gain_margins)
    json["gain_margins"].push_back({{"omega_rad_s", margin.omega},
                                    {"factor", json_number(margin.factor)},
                                    {"decibels", json_number(in_decibels(margin.factor))}});
  json["least_distance"] = {{"value", json_number(figures.least_distance)},
                            {"omega_rad_s", json_number(figures.least_distance_omega)}};
  return json;
}

LoopJson nyquist_json(const LoopFigures& figures) {
  LoopJson json{{"open_unstable", figures.open_unstable}};
  json["clockwise_turns"] = figures.is_counted ? LoopJson(figures.clockwise_turns) : LoopJson(nullptr);
  json["closed_unstable"] = figures.is_counted ? LoopJson(figures.closed_unstable) : LoopJson(nullptr);
  json["why_not_counted"] = figures.why_not_counted;
  json["poles_on_axis"] = LoopJson::array();
  for (const AxisPole& pole : figures.axis_poles)
    json["poles_on_axis"].push_back({{"omega_rad_s", pole.omega}, {"order", pole.order}});
  return json;
}

LoopJson pair_json(const LoopFigures& figures, const BodeCurve& curve) {
  LoopJson json{{"input", figures.input}, {"output", figures.output}};
  json["margins"] = margins_json(figures);
  json["nyquist"] = nyquist_json(figures);
  json["static_gain"] = json_number(figures.static_gain);
  json["bandwidth_rad_s"] = json_number(figures.bandwidth);
  json["peak"] = {{"value", json_number(figures.peak)}, {"omega_rad_s", json_number(figures.peak_omega)}};
  json["response"] = LoopJson::array();
  for (const std::complex<double> value : curve.value)
    json["response"].push_back({json_number(value.real()), json_number(value.imag())});
  json["magnitude_db"] = json_numbers(curve.decibels);
  json["phase_deg"] = json_numbers(curve.degrees);
  return json;
}

std::string name_of(const LoopFigures& figures) { return figures.output + " by " + figures.input; }

std::string loop_state(const LoopFigures& figures) {
  if (!figures.is_counted) return "not counted: " + figures.why_not_counted;
  return figures.closed_unstable == 0 ? "no unstable pole" : fmt::format("{} unstable", figures.closed_unstable);
}

std::string crossings_table(const LoopAnalysis& loops, bool hertz) {
  std::vector<std::vector<std::string>> rows{
      {"loop", hertz ? "Hz" : "rad/s", "gain margin", "dB", "phase margin", "delay margin s"}};
  for (const LoopFigures& figures : loops.channels) {
    for (const GainMargin& margin : figures.gain_margins)
      rows.push_back({name_of(figures), number_or_dash(in_unit(margin.omega, hertz)), number_or_dash(margin.factor),
                      number_or_dash(in_decibels(margin.factor)), "", ""});
    for (const PhaseMargin& margin : figures.phase_margins)
      rows.push_back({name_of(figures), number_or_dash(in_unit(margin.omega, hertz)), "", "",
                      number_or_dash(margin.degrees) + "°", number_or_dash(margin.delay)});
  }
  return rows.size() > 1 ? aligned_table(rows) : "  no curve has a magnitude of 1, or passes the negative real axis\n";
}

std::string loops_table(const LoopAnalysis& loops, bool hertz) {
  std::vector<std::vector<std::string>> rows{
      {"loop", "distance to -1", hertz ? "at Hz" : "at rad/s", "poles, open", "turns", "closed loop"}};
  for (const LoopFigures& figures : loops.channels)
    rows.push_back({name_of(figures), number_or_dash(figures.least_distance),
                    number_or_dash(in_unit(figures.least_distance_omega, hertz)),
                    fmt::format("{} unstable", figures.open_unstable),
                    figures.is_counted ? fmt::format("{}", figures.clockwise_turns) : "-", loop_state(figures)});
  return aligned_table(rows);
}

std::string responses_table(const LoopAnalysis& loops, bool hertz) {
  const std::string unit = hertz ? "Hz" : "rad/s";
  std::vector<std::vector<std::string>> rows{
      {"response", "gain at 0", "bandwidth " + unit, "peak", "peak dB", "at " + unit}};
  for (const LoopFigures& figures : loops.channels)
    rows.push_back({name_of(figures), number_or_dash(figures.static_gain),
                    number_or_dash(in_unit(figures.bandwidth, hertz)),
                    std::isinf(figures.peak) ? "infinite" : number_or_dash(figures.peak),
                    number_or_dash(in_decibels(figures.peak)), number_or_dash(in_unit(figures.peak_omega, hertz))});
  return aligned_table(rows);
}

}  // namespace

std::string to_csv(const LoopAnalysis& loops) { return to_csv(loops.response); }

std::string to_json(const LoopAnalysis& loops, const std::string& model) {
  LoopJson json{{"schema", "stillpoint.loops/1"}, {"model", {{"name", model}}}};
  json["omega_rad_s"] = std::vector<double>(loops.response.omega.begin(), loops.response.omega.end());
  json["pairs"] = LoopJson::array();
  const std::vector<BodeCurve> curves = bode_curves(loops.response);
  for (std::size_t k = 0; k < curves.size(); ++k) json["pairs"].push_back(pair_json(loops.channels[k], curves[k]));
  json["warnings"] = loops.warnings;
  return json.dump(2) + "\n";
}

std::string to_text(const LoopAnalysis& loops, const std::string& model, bool as_loops, bool hertz) {
  if (!as_loops) return model + "\n" + responses_table(loops, hertz);
  return model + "\n" + loops_table(loops, hertz) + "\n" + crossings_table(loops, hertz);
}

}  // namespace stillpoint
