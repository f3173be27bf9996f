// An explanation as one JSON object, schema "stillpoint.explain/1".

#include "equilibrium/words.h"
#include "formats/json_number.h"
#include "report/json_parts.h"
#include "report/mode_table.h"
#include "stillpoint/explanation.h"

namespace stillpoint {

namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json rank_json(const RankDecision& rank) {
  return {{"value", rank.value},
          {"outcome", word_of(rank.outcome)},
          {"gap", json_number(rank.gap)},
          {"smallest_kept", json_number(rank.smallest_kept)},
          {"largest_dropped", json_number(rank.largest_dropped)}};
}

Json verdict_json(const VerdictExplanation& found) {
  Json json;
  add_verdict(json, found.verdict);
  json["branch"] = text_or_null(found.branch);
  json["decided_by"] = {{"quantity", found.quantity},
                        {"value", json_number(found.value)},
                        {"error", json_number(found.error)},
                        {"unit", text_or_null(found.unit)},
                        {"criterion", found.criterion}};
  json["negative_stiffness"] = found.negative_stiffness < 0 ? Json(nullptr) : Json(found.negative_stiffness);
  json["zero_stiffness"] = found.zero_stiffness < 0 ? Json(nullptr) : Json(found.zero_stiffness);
  json["dof"] = found.dof;
  json["damping"] = text_or_null(found.found_with_damping);
  return json;
}

Json choice_json(const ReleaseChoice& choice) {
  Json json;
  json["joints"] = Json::array();
  for (const JointRelease& release : choice.joints)
    json["joints"].push_back({{"joint", release.joint},
                              {"type", text_or_null(release.keyword)},
                              {"becomes", text_or_null(release.becomes)},
                              {"removed", release.is_removed},
                              {"released", release.released}});
  json["equations"] = choice.equations;
  json["constraints"] = choice.constraints;
  json["rank"] = choice.rank;
  json["dof"] = choice.dof;
  json["redundant"] = choice.redundant;
  json["gap"] = json_number(choice.gap);
  return json;
}

Json group_json(const RedundantGroup& group) {
  Json json;
  json["redundant"] = group.redundant;
  json["constraints"] = group.constraints;
  json["constraint_count"] = group.constraint_count;
  json["joints"] = group.joints;
  json["joint_count"] = group.joint_count;
  json["loops"] = Json::array();
  for (const ClosedLoop& loop : group.loops)
    json["loops"].push_back({{"closed_by", loop.closed_by}, {"joints", loop.joints}});
  json["choices"] = Json::array();
  for (const ReleaseChoice& choice : group.choices) json["choices"].push_back(choice_json(choice));
  return json;
}

Json redundancy_json(const RedundancyExplanation& found) {
  Json json = {{"redundant", found.redundant},      {"constraints", found.constraints}, {"dof", found.dof},
               {"rank", rank_json(found.decision)}, {"group_count", found.group_count}, {"groups", Json::array()}};
  for (const RedundantGroup& group : found.groups) json["groups"].push_back(group_json(group));
  json["all_together"] = found.all ? choice_json(*found.all) : Json(nullptr);
  json["left_out"] = found.left_out;
  return json;
}

Json singular_json(const SingularityExplanation& found) {
  Json json = {{"configuration", word_of(found.kind)},
               {"dof", found.dof},
               {"rank", rank_json(found.decision)},
               {"constraints_that_depend", found.constraints_that_depend},
               {"branches", Json::array()}};
  for (const BranchFacts& branch : found.branches)
    json["branches"].push_back({{"name", branch.name},
                                {"dof", branch.dimension},
                                {"confirmed", branch.confirmed},
                                {"rank", branch.rank > 0 ? Json(branch.rank) : Json(nullptr)},
                                {"unstable_directions", branch.unstable_directions},
                                {"neutral_directions", branch.neutral_directions}});
  return json;
}

Json decisions_json(const DecisionExplanation& found) {
  Json json = {{"count", found.undecided}, {"numbers", Json::array()}};
  for (const DecidingNumber& one : found.numbers)
    json["numbers"].push_back({{"what", one.what},
                               {"value", json_number(one.value)},
                               {"comparison", one.comparison},
                               {"bar", json_number(one.bar)},
                               {"unit", text_or_null(one.unit)},
                               {"decided", one.decided},
                               {"would_decide", one.would_decide}});
  return json;
}

Json spurious_json(const SpuriousExplanation& found) {
  return {{"method", key_of(found.method)},
          {"message", text_or_null(found.why_not)},
          {"order", found.order},
          {"true", found.true_count},
          {"spurious", found.spurious},
          {"finite_spurious", found.finite_spurious},
          {"independent_constraints", found.independent_constraints},
          {"eigenvalue", found.number > 0 ? Json(found.number) : Json(nullptr)},
          {"s", found.number > 0 && !found.is_infinite ? complex_json(found.s) : Json(nullptr)},
          {"infinite", found.is_infinite},
          {"constraint_violation", json_number(found.violation)},
          {"least_violation_of_spurious", json_number(found.least_violation)},
          {"largest_violation_of_true", json_number(found.true_violation)},
          {"alpha", json_number(found.alpha)},
          {"xi", json_number(found.xi)},
          {"omega", json_number(found.omega)},
          {"moved_by_twice_alpha", json_number(found.moved_by_alpha)},
          {"moved_by_twice_omega", json_number(found.moved_by_omega)},
          {"true_moved_by_twice_alpha", json_number(found.true_moved_by_alpha)},
          {"true_moved_by_twice_omega", json_number(found.true_moved_by_omega)}};
}

Json method_json(const MethodExplanation& found) {
  Json json = {{"suits", text_or_null(found.suits)},
               {"advice", found.advice},
               {"engine", text_or_null(found.engine)},
               {"engine_why", text_or_null(found.engine_why)},
               {"methods", Json::object()}};
  for (const MethodFacts& facts : found.methods)
    json["methods"][key_of(facts.method)] = {{"computed", facts.computed},
                                             {"message", text_or_null(facts.why_not)},
                                             {"order", facts.order},
                                             {"true", facts.found},
                                             {"spurious", facts.spurious},
                                             {"largest_error", json_number(facts.largest_error)},
                                             {"factor_entries", json_number(facts.factor_entries)},
                                             {"fill", json_number(facts.fill)},
                                             {"seconds", json_number(facts.seconds)},
                                             {"seconds_are_estimated", facts.seconds_are_estimated}};
  return json;
}

Json shares_in_json(const std::vector<EnergyShares::Share>& shares) {
  Json json = Json::object();
  for (const EnergyShares::Share& each : shares) json[each.name] = json_number(each.share);
  return json;
}

Json parameter_json(const ModeExplanation& found) {
  if (found.parameter.empty()) return nullptr;
  return {{"name", found.parameter},
          {"value", json_number(found.parameter_value)},
          {"unit", text_or_null(found.parameter_unit)},
          {"relative_change", json_number(found.relative_change)},
          {"frequency_change_hz", json_number(found.frequency_change)},
          {"compared", found.parameters_compared},
          {"not_compared_as_zero", found.parameters_at_zero}};
}

Json explained_mode_json(const ModeExplanation& found) {
  return {{"mode", found.number},
          {"of", found.count},
          {"s", complex_json(found.mode.s)},
          {"error", json_number(found.mode.error)},
          {"frequency_hz", json_number(frequency(found.mode))},
          {"damping_ratio", json_number(damping_ratio(found.mode) + 0.0)},
          {"class", word_of(found.mode.kind)},
          {"constraint_violation", json_number(found.mode.violation)},
          {"description", found.description},
          {"kinetic_energy", shares_in_json(found.kinetic)},
          {"potential_energy", shares_in_json(found.potential)},
          {"parameter", parameter_json(found)},
          {"left_out", found.left_out}};
}

Json words_json(const Explanation& explanation) {
  Json list = Json::array();
  for (const ExplanationBlock& block : in_words(explanation))
    list.push_back(
        {{"topic", key_of(block.topic)}, {"title", block.title}, {"sentences", block.sentences}, {"more", block.more}});
  return list;
}

}  // namespace

std::string to_json(const Explanation& explanation) {
  Json json;
  json["schema"] = "stillpoint.explain/1";
  json["model"] = {{"name", explanation.model},
                   {"coordinates", explanation.coordinates},
                   {"constraints", explanation.constraints},
                   {"rank", explanation.rank},
                   {"dof", explanation.dof}};
  if (explanation.refusal)
    json["refusal"] = {{"what", explanation.refusal->what},
                       {"message", explanation.refusal->message},
                       {"residual", json_number(explanation.refusal->residual)},
                       {"worst", text_or_null(explanation.refusal->worst)}};
  if (explanation.verdict) json["verdict"] = verdict_json(*explanation.verdict);
  if (explanation.undecided) json["undecided"] = decisions_json(*explanation.undecided);
  if (explanation.singular) json["singular"] = singular_json(*explanation.singular);
  if (explanation.redundancy) json["redundancy"] = redundancy_json(*explanation.redundancy);
  if (explanation.warnings) json["warnings"] = *explanation.warnings;
  if (!explanation.spurious.empty()) {
    json["spurious"] = Json::array();
    for (const SpuriousExplanation& each : explanation.spurious) json["spurious"].push_back(spurious_json(each));
  }
  if (explanation.mode) json["mode"] = explained_mode_json(*explanation.mode);
  if (explanation.method) json["method"] = method_json(*explanation.method);
  json["words"] = words_json(explanation);
  return dumped(json);
}

}  // namespace stillpoint
