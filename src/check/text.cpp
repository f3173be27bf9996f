// The report of a check as text for a terminal: a line for each topic.

#include <fmt/format.h>

#include <algorithm>

#include "base/name_list.h"
#include "stillpoint/check.h"

namespace stillpoint {

namespace {

std::string plural(Index count, const char* word) { return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s"); }

/// A number, followed by its composition.
std::string counted(Index count, const std::string& what) {
  return what.empty() ? std::to_string(count) : fmt::format("{:<9} {}", count, what);
}

std::string owners(const CheckReport& report) {
  std::vector<std::string> words;
  if (report.bodies) words.push_back(fmt::format("{} {}", report.bodies, report.bodies == 1 ? "body" : "bodies"));
  if (report.points) words.push_back(plural(report.points, "point"));
  if (report.scalars) words.push_back(plural(report.scalars, "scalar"));
  if (report.nodes) words.push_back(plural(report.nodes, "node"));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string parts(const CheckReport& report) {
  const Index loose = report.part_count - report.grounded_parts - report.held_parts;
  if (report.grounded_parts == report.part_count) return report.part_count > 0 ? "on the ground" : "";
  std::vector<std::string> words;
  if (report.grounded_parts) words.push_back(fmt::format("{} on the ground", report.grounded_parts));
  if (report.held_parts) words.push_back(fmt::format("{} held by springs", report.held_parts));
  if (loose) words.push_back(fmt::format("{} loose", loose));
  return fmt::format("{}", fmt::join(words, ", "));
}

// The elements with constraint equations, or those without.
std::string elements_line(const CheckReport& report, bool with_equations) {
  std::vector<std::string> words;
  for (const auto& [keyword, elements, equations] : report.elements) {
    if ((equations > 0) == with_equations) words.push_back(fmt::format("{} {}", elements, keyword));
  }
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

// The Grübler count.
std::string configuration_line(const CheckReport& report) {
  const Index count = report.coordinates - report.constraints;
  return fmt::format("{:<9} = {} − {}{}", count, report.coordinates, report.constraints,
                     count >= 0
                         ? ", if no constraint is redundant"
                         : fmt::format("; at least {} redundant",
                                       -count == 1 ? "1 constraint is" : fmt::format("{} constraints are", -count)));
}

// The degrees of freedom by the rank of the constraints; empty at a regular configuration.
std::vector<std::string> survey_lines(const CheckReport& report) {
  std::vector<std::string> lines;
  if (!report.survey || !report.survey->assembled || report.survey->kind == ConfigurationType::regular) return lines;
  const ConstraintSurvey& survey = *report.survey;
  lines.push_back(fmt::format("{:<9} = {} − {}, the rank{}", survey.dof, report.coordinates, survey.rank.value,
                              survey.kind == ConfigurationType::singular   ? "; the configuration is singular"
                              : survey.kind == ConfigurationType::isolated ? "; singular and isolated: nothing can move"
                              : survey.kind == ConfigurationType::undecided ? ", which is not certain"
                                                                            : ""));
  constexpr std::size_t most = 10;
  const std::size_t shown = std::min(most, survey.dependent_sets.size());
  for (std::size_t k = 0; k < shown; ++k) {
    lines.push_back(fmt::format("one equation is redundant of: {}", fmt::join(survey.dependent_sets[k], ", ")));
  }
  if (survey.dependent_sets.size() > shown) {
    lines.push_back(fmt::format("and {} more are redundant", survey.dependent_sets.size() - shown));
  }
  for (const Branch& branch : survey.branches) lines.push_back("branch: " + branch.name);
  return lines;
}

// Adding 0.0 avoids "-0".
std::string vector(const Vec3<double>& v, bool in_space) {
  if (!in_space) return fmt::format("({:.6g}, {:.6g})", v.x + 0.0, v.y + 0.0);
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x + 0.0, v.y + 0.0, v.z + 0.0);
}

std::string mass_line(const CheckReport& report) {
  if (!(report.mass > 0)) return "none";
  const std::string line =
      fmt::format("{:.6g} kg, centred at {} m", report.mass, vector(report.centre, report.in_space));
  if (report.in_space) return line;
  return fmt::format("{}, inertia {:.6g} kg m² about there", line, report.inertia[2]);
}

std::string inertia_line(const CheckReport& report) {
  const auto& I = report.inertia;
  return fmt::format("{:.6g}, {:.6g}, {:.6g} kg m² (xx, yy, zz), {:.6g}, {:.6g}, {:.6g} (xy, xz, yz) about there", I[0],
                     I[1], I[2], I[3] + 0.0, I[4] + 0.0, I[5] + 0.0);
}

std::string gravity_line(const CheckReport& report) {
  if (length(report.gravity) == 0) return report.mass > 0 ? "none; masses have no weight" : "none";
  const std::string line = vector(report.gravity, report.in_space) + " m/s²";
  return report.mass > 0 ? fmt::format("{}, weight {:.6g} N", line, report.weight) : line;
}

}  // namespace

std::string to_text(const CheckReport& report) {
  std::string text = report.name + "\n";
  const auto line = [&](const char* title, const std::string& content) {
    text += fmt::format("  {:<14}{}\n", title, content);
  };
  if (!report.parameters.empty()) {
    std::vector<std::string> words;
    for (const auto& [name, value] : report.parameters) words.push_back(fmt::format("{} = {:.6g}", name, value));
    line("parameters", fmt::format("{}", fmt::join(words, ", ")));
  }
  line("coordinates", counted(report.coordinates, owners(report)));
  line("constraints", counted(report.constraints, elements_line(report, true)));
  line("dof", configuration_line(report));
  for (const std::string& words : survey_lines(report)) line("", words);
  line("parts", counted(report.part_count, parts(report)));
  line("loops",
       counted(report.loops, report.loops == 0 ? "" : "closed by " + name_list(report.cut_joints, report.loops)));
  line("forces, mass", elements_line(report, false));
  for (std::size_t k = 0; k < report.left_out.size(); ++k) line(k == 0 ? "left out" : "", report.left_out[k]);
  line("inputs", counted(report.inputs, name_list(report.input_names, report.inputs)));
  line("outputs", counted(report.outputs, name_list(report.output_names, report.outputs)));
  line("mass", mass_line(report));
  if (report.in_space && report.mass > 0) line("inertia", inertia_line(report));
  line("gravity", gravity_line(report));
  if (length(report.angular_velocity) > 0)
    line("rotates", fmt::format("with {} rad/s", vector(report.angular_velocity, true)));
  line("no inertia", report.massless.empty() ? "none" : name_list(report.massless, report.massless_count));
  if (!report.worst.empty()) {
    const std::string where = report.residual == 0 ? "" : fmt::format(", largest at '{}'", report.worst);
    line("residual", fmt::format("{:.3g} at the guess{}", report.residual, where));
  }
  for (const std::string& warning : report.warnings) line("warning", warning);
  return text;
}

}  // namespace stillpoint
