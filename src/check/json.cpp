// The report of a check as one JSON object.

#include <nlohmann/json.hpp>

#include "equilibrium/rest_json.h"
#include "formats/json_number.h"
#include "stillpoint/check.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

Json vector(const Vec3<double>& v, bool in_space) {
  Json list = Json::array({json_number(v.x), json_number(v.y)});
  if (in_space) list.push_back(json_number(v.z));
  return list;
}

Json inertia(const CheckReport& report) {
  Json list = Json::array();
  if (!report.in_space) list.push_back(json_number(report.inertia[2]));
  else
    for (const double entry : report.inertia) list.push_back(json_number(entry));
  return list;
}

Json part(const CheckReport::Part& part) {
  return {{"grounded", part.is.grounded},
          {"held_by_forces", part.is.held_by_forces},
          {"first", part.first},
          {"bodies", part.is.bodies},
          {"points", part.is.points},
          {"scalars", part.is.scalars},
          {"coordinates", part.is.coordinates},
          {"constraints", part.is.equations},
          {"freedom", part.is.count()}};
}

}  // namespace

std::string to_json(const CheckReport& report) {
  Json json;
  json["schema"] = "stillpoint.check/1";
  Json& model = json["model"];
  model["name"] = report.name;
  model["dimension"] = report.in_space ? 3 : 2;
  model["coordinates"] = report.coordinates;
  model["constraints"] = report.constraints;
  model["inputs"] = report.inputs;
  model["outputs"] = report.outputs;
  model["parameters"] = Json::object();
  for (const auto& [name, value] : report.parameters) model["parameters"][name] = value;
  if (report.survey && report.survey->assembled) add_configuration(model, *report.survey);
  json["bodies"] = report.bodies;
  json["points"] = report.points;
  json["scalars"] = report.scalars;
  json["nodes"] = report.nodes;
  json["left_out"] = report.left_out;
  json["elements"] = Json::object();
  for (const auto& [keyword, elements, equations] : report.elements) json["elements"][keyword] = elements;
  json["inputs"] = report.input_names;
  json["outputs"] = report.output_names;
  json["freedom"] = report.coordinates - report.constraints;
  json["parts"] = Json::array();
  for (const CheckReport::Part& each : report.parts) json["parts"].push_back(part(each));
  json["part_count"] = report.part_count;
  json["joints"] = report.joints;
  json["loops"] = report.loops;
  json["cut_joints"] = report.cut_joints;
  json["gravity"] = vector(report.gravity, report.in_space);
  json["angular_velocity"] = vector(report.angular_velocity, true);
  json["mass"] = json_number(report.mass);
  json["weight"] = json_number(report.weight);
  json["centre_of_mass"] = vector(report.centre, report.in_space);
  json["inertia"] = inertia(report);
  json["constraint_residual"] = {{"value", json_number(report.residual)}, {"worst", report.worst}};
  if (report.worst.empty()) json["constraint_residual"]["worst"] = nullptr;
  json["massless"] = report.massless;
  json["massless_count"] = report.massless_count;
  json["zero_length"] = report.zero_length;
  json["zero_length_count"] = report.zero_length_count;
  json["warnings"] = report.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stillpoint
