// Zeros as JSON, schema stillpoint.zeros/1.
#include "formats/json_number.h"
#include "report/channel_words.h"
#include "report/json_parts.h"
#include "stillpoint/zeros.h"

namespace stillpoint {

namespace {

Json vector_json(const Eigen::VectorXcd& vector, const NameOf& name) {
  Json json = Json::object();
  for (Eigen::Index i = 0; i < vector.size(); ++i) json[name(static_cast<Index>(i))] = complex_json(vector[i]);
  return json;
}

Json zero_json(const Zero& zero, const LinearSystem& system) {
  return {{"s", complex_json(zero.s)},
          {"multiplicity", zero.multiplicity},
          {"rank_drop", zero.rank_drop},
          {"error", json_number(zero.error)},
          {"residual", json_number(zero.residual)},
          {"transmission", zero.transmission},
          {"input_decoupling", zero.input_decoupling},
          {"output_decoupling", zero.output_decoupling},
          {"input_direction", vector_json(zero.inputs, system.input_name)}};
}

Json list_json(const std::vector<Zero>& zeros) {
  Json list = Json::array();
  for (const Zero& zero : zeros)
    list.push_back({{"s", complex_json(zero.s)},
                    {"multiplicity", zero.multiplicity},
                    {"error", json_number(zero.error)},
                    {"residual", json_number(zero.residual)}});
  return list;
}

}  // namespace

std::string to_json(const Zeros& zeros, const LinearSystem& system) {
  Json json{{"schema", "stillpoint.zeros/1"},
            {"model", {{"name", system.name}}},
            {"inputs", names_of_channels(system.inputs(), system.input_name)},
            {"outputs", names_of_channels(system.outputs(), system.output_name)},
            {"solver", zeros.solver},
            {"count", zeros.count()},
            {"region", zeros.region},
            {"normal_rank", zeros.normal_rank}};
  json["zeros"] = Json::array();
  for (const Zero& zero : zeros.invariant) json["zeros"].push_back(zero_json(zero, system));
  json["input_decoupling"] = list_json(zeros.unmoved);
  json["output_decoupling"] = list_json(zeros.unshown);
  json["decoupling_complete"] = zeros.knows_decoupling;
  json["ranks"] = {{"decisions", Json::array()}, {"smallest_gap", json_number(zeros.smallest_gap)}};
  for (const RankOfStep& step : zeros.steps)
    json["ranks"]["decisions"].push_back({{"rows", step.rows},
                                          {"columns", step.columns},
                                          {"rank", step.rank},
                                          {"smallest_kept", json_number(step.smallest_kept)},
                                          {"largest_dropped", json_number(step.largest_dropped)}});
  json["certified"] = zeros.certified;
  json["reasons"] = zeros.reasons;
  json["warnings"] = zeros.warnings;
  return dumped(json);
}

}  // namespace stillpoint
