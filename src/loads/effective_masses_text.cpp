// Effective masses as a table in percent, and as JSON.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "base/at.h"
#include "formats/json_number.h"
#include "stillpoint/effective_masses.h"

namespace stillpoint {

namespace {

using Eigen::VectorXd;
using MassesJson = nlohmann::ordered_json;

// The table has the modes that carry so much in some direction, in percent, and no more rows than this; a last line
// says what it leaves out.
constexpr double listed_from = 0.1;
constexpr std::size_t most_rows = 40;

constexpr int first_column = 22, column = 12;

double percent_of(double part, double total) { return total > 0 ? 100 * part / total : 0; }

VectorXd percent_of(const VectorXd& part, const VectorXd& total) {
  VectorXd percent(part.size());
  for (Eigen::Index d = 0; d < part.size(); ++d) percent[d] = percent_of(part[d], total[d]);
  return percent;
}

std::string line_of(const std::string& title, const VectorXd& percent) {
  std::string line = fmt::format("  {:<{}}", title, first_column);
  for (const double value : percent) {
    const double shown = std::abs(value) < 0.005 ? 0 : value;  // no −0.00
    line += fmt::format("{:>{}.2f}", shown, column);
  }
  return line + "\n";
}

std::string name_of_mode(std::size_t number, const std::complex<double>& s) {
  const double hertz = s.imag() / (2 * std::numbers::pi);
  const std::string value = s == 0.0        ? std::string("free")
                            : s.imag() == 0 ? fmt::format("unstable, {:.5g}/s", s.real())
                                            : fmt::format("{:.6g} Hz", hertz);
  return fmt::format("{:>4}  {:>14}", number, value);
}

std::string head(const EffectiveMasses& masses) {
  std::string names = fmt::format("  {:<{}}", "effective mass, %", first_column);
  std::string totals = fmt::format("  {:<{}}", "of, kg or kg m²", first_column);
  for (Eigen::Index d = 0; d < masses.total().size(); ++d) {
    names += fmt::format("{:>{}}", masses.base.names[at(d)], column);
    totals += fmt::format("{:>{}}", fmt::format("{:.5g}", masses.total()[d]), column);
  }
  return names + "\n" + totals + "\n";
}

}  // namespace

std::string to_text(const EffectiveMasses& masses) {
  const Vec3<double>& about = masses.base.about;
  std::string text =
      fmt::format("base motion: what each undamped mode takes along; rotations about ({:g}, {:g}, {:g})\n\n", about.x,
                  about.y, about.z);
  text += head(masses);
  std::size_t shown = 0;
  VectorXd left_out = VectorXd::Zero(masses.total().size());
  for (std::size_t k = 0; k < masses.modes.size(); ++k) {
    const VectorXd percent = percent_of(masses.modes[k].mass, masses.total());
    if (shown < most_rows && percent.maxCoeff() >= listed_from) {
      text += line_of(name_of_mode(k + 1, masses.modes[k].s), percent);
      ++shown;
    } else {
      left_out += percent;
    }
  }
  const std::size_t others = masses.modes.size() - shown;
  if (others > 0) text += line_of(fmt::format("{} other{}", others, others == 1 ? "" : "s"), left_out);
  const std::size_t count = masses.modes.size();
  text += line_of(fmt::format("{} mode{}", count, count == 1 ? "" : "s"), percent_of(masses.sum, masses.total()));
  if (!masses.all_modes) text += line_of("modes not asked for", percent_of(masses.moving - masses.sum, masses.total()));
  text += line_of("held by the ground", percent_of(masses.held(), masses.total()));
  return text;
}

std::string to_json(const EffectiveMasses& masses) {
  const Vec3<double>& about = masses.base.about;
  MassesJson json{{"directions", masses.base.names},       {"units", masses.base.units},
                  {"about", {about.x, about.y, about.z}},  {"total", json_numbers(masses.total())},
                  {"moving", json_numbers(masses.moving)}, {"held", json_numbers(masses.held())},
                  {"sum", json_numbers(masses.sum)},       {"all_modes", masses.all_modes},
                  {"certified", masses.certified},         {"modes", MassesJson::array()}};
  VectorXd cumulative = VectorXd::Zero(masses.total().size());
  for (const EffectiveMasses::OfMode& mode : masses.modes) {
    cumulative += mode.mass;
    json["modes"].push_back({{"s", {json_number(mode.s.real()), json_number(mode.s.imag())}},
                             {"frequency_hz", json_number(mode.s.imag() / (2 * std::numbers::pi))},
                             {"modal_mass", json_number(mode.modal_mass)},
                             {"participation", json_numbers(mode.participation)},
                             {"effective_mass", json_numbers(mode.mass)},
                             {"cumulative", json_numbers(cumulative)}});
  }
  json["warnings"] = masses.warnings;
  return json.dump(2) + "\n";
}

}  // namespace stillpoint
