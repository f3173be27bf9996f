#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "stillpoint/check.h"

namespace stillpoint {

namespace {

std::string plural(Index count, const char* word) { return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s"); }

std::string coordinates_line(const CheckReport& report) {
  std::vector<std::string> owners;
  if (report.bodies) owners.push_back(fmt::format("{} {}", report.bodies, report.bodies == 1 ? "body" : "bodies"));
  if (report.points) owners.push_back(plural(report.points, "point"));
  if (report.scalars) owners.push_back(plural(report.scalars, "scalar"));
  return fmt::format("{:<9} {}", report.coordinates, fmt::join(owners, ", "));
}

// Those elements that have equations, or those that have none.
std::string elements_line(const CheckReport& report, bool with_equations) {
  std::vector<std::string> parts;
  for (const auto& [keyword, elements, equations] : report.elements) {
    if ((equations > 0) == with_equations) parts.push_back(fmt::format("{} {}", elements, keyword));
  }
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

std::string massless_line(const CheckReport& report) {
  constexpr std::size_t shown = 8;
  if (report.massless.empty()) return "none";
  const std::size_t count = std::min(shown, report.massless.size());
  std::string line = fmt::format(
      "{}", fmt::join(report.massless.begin(), report.massless.begin() + static_cast<std::ptrdiff_t>(count), ", "));
  const auto rest = static_cast<std::size_t>(report.massless_count) - count;
  return rest == 0 ? line : fmt::format("{} and {} more", line, rest);
}

nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::string to_text(const CheckReport& report) {
  std::string text = report.name + "\n";
  const auto line = [&](const char* title, const std::string& content) {
    text += fmt::format("  {:<14}{}\n", title, content);
  };
  if (!report.parameters.empty()) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : report.parameters) parts.push_back(fmt::format("{} = {:.6g}", name, value));
    line("parameters", fmt::format("{}", fmt::join(parts, ", ")));
  }
  line("coordinates", coordinates_line(report));
  line("constraints", fmt::format("{:<9} {}", report.constraints, elements_line(report, true)));
  line("freedom", fmt::format("{:<9} = {} − {}, if no constraint is redundant", report.coordinates - report.constraints,
                              report.coordinates, report.constraints));
  line("other parts", elements_line(report, false));
  line("inputs", std::to_string(report.inputs));
  if (report.mass > 0) {
    line("mass", fmt::format("{:.6g} kg, centred at ({:.6g}, {:.6g}) m, inertia {:.6g} kg m² about there", report.mass,
                             report.centre.x, report.centre.y, report.inertia));
  } else {
    line("mass", "none");
  }
  line("gravity",
       fmt::format("({:.6g}, {:.6g}) m/s²", report.gravity.x + 0.0, report.gravity.y + 0.0));  // + 0.0: no "-0"
  line("no inertia", massless_line(report));
  if (!report.worst.empty()) {
    const std::string where = report.residual == 0 ? "" : fmt::format(", largest at '{}'", report.worst);
    line("residual", fmt::format("{:.3g} at the guess{}", report.residual, where));
  }
  for (const std::string& warning : report.warnings) line("warning", warning);
  return text;
}

std::string to_json(const CheckReport& report) {
  nlohmann::ordered_json json;
  json["schema"] = "stillpoint.check/1";
  nlohmann::ordered_json& model = json["model"];
  model["name"] = report.name;
  model["coordinates"] = report.coordinates;
  model["constraints"] = report.constraints;
  model["inputs"] = report.inputs;
  model["parameters"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : report.parameters) model["parameters"][name] = value;
  json["bodies"] = report.bodies;
  json["points"] = report.points;
  json["scalars"] = report.scalars;
  json["elements"] = nlohmann::ordered_json::object();
  for (const auto& [keyword, elements, equations] : report.elements) json["elements"][keyword] = elements;
  json["gravity"] = {report.gravity.x, report.gravity.y};
  json["mass"] = number(report.mass);
  json["centre_of_mass"] = {number(report.centre.x), number(report.centre.y)};
  json["inertia"] = nlohmann::ordered_json::array({number(report.inertia)});
  json["constraint_residual"] = {{"value", number(report.residual)}, {"worst", report.worst}};
  if (report.worst.empty()) json["constraint_residual"]["worst"] = nullptr;
  json["massless"] = report.massless;
  json["massless_count"] = report.massless_count;
  json["warnings"] = report.warnings;
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace stillpoint
