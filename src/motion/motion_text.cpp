// A motion as a table, as JSON, and in a few lines.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "formats/json_number.h"
#include "motion/end_of_motion.h"
#include "motion/json_entry.h"
#include "stillpoint/motion.h"
#include "stillpoint/operating_point.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::vector<double> output_over_time(const Motion& motion, Index output) {
  const Eigen::VectorXd row = motion.outputs.row(output).transpose();
  return {row.begin(), row.end()};
}

std::vector<double> coordinate_over_time(const Model& model, const Motion& motion, Index coordinate) {
  std::vector<double> values;
  for (const State& state : motion.states) values.push_back(coordinate_value(model, state, coordinate));
  return values;
}

std::string status_of(const Motion& motion) {
  switch (motion.status) {
    case MotionStatus::done:
      return "done";
    case MotionStatus::stopped:
      return "stopped";
    case MotionStatus::out_of_time:
      return "out of time";
    case MotionStatus::stuck:
      return "stuck";
  }
  return "";
}

std::string to_csv(const Model& model, const Motion& motion, const MotionSupplement& supplement) {
  std::string text = "time";
  for (Index i = 0; i < model.outputs(); ++i) text += "," + model.output_name(i);
  for (Index i = 0; i < supplement.linear.rows(); ++i) text += "," + model.output_name(i) + " linear";
  if (!motion.states.empty()) {
    for (Index i = 0; i < model.coordinates(); ++i) text += "," + model.coordinate_name(i);
  }
  text += ",kinetic energy,potential energy,work\n";
  for (std::size_t k = 0; k < motion.times.size(); ++k) {
    text += fmt::format("{:.17g}", motion.times[k]);
    for (Eigen::Index i = 0; i < motion.outputs.rows(); ++i)
      text += fmt::format(",{:.17g}", motion.outputs(i, static_cast<Eigen::Index>(k)));
    for (Eigen::Index i = 0; i < supplement.linear.rows(); ++i)
      text += fmt::format(",{:.17g}", supplement.linear(i, static_cast<Eigen::Index>(k)));
    if (!motion.states.empty()) {
      for (Index i = 0; i < model.coordinates(); ++i)
        text += fmt::format(",{:.17g}", coordinate_value(model, motion.states[k], i));
    }
    text += fmt::format(",{:.17g},{:.17g},{:.17g}\n", motion.kinetic[k], motion.potential[k], motion.work[k]);
  }
  return text;
}

namespace {

/// The largest value of each reaction, its time, and whether redundant constraints leave it open.
Json reactions_of(const Model& model, const Motion& motion) {
  std::vector<const SharedReactions*> shared_by(static_cast<std::size_t>(model.outputs()), nullptr);
  const std::vector<SharedReactions> shared = shared_reactions(model, motion.end);
  for (const SharedReactions& group : shared) {
    for (const Index output : group.outputs) shared_by[static_cast<std::size_t>(output)] = &group;
  }
  Json list = Json::object();
  for (const Output& output : model.output_list()) {
    if (output.place == nothing || motion.outputs.cols() == 0) continue;
    const int count = size_of(model.arrays()[output.array].elements->wrench_kind(output.place));
    for (Index i = output.first; i < output.first + count; ++i) {
      Eigen::Index when = 0;
      motion.outputs.row(i).cwiseAbs().maxCoeff(&when);
      Json entry = {{"largest", json_number(motion.outputs(i, when))},
                    {"time", json_number(motion.times[static_cast<std::size_t>(when)])},
                    {"determined", shared_by[static_cast<std::size_t>(i)] == nullptr}};
      if (const SharedReactions* const group = shared_by[static_cast<std::size_t>(i)]) {
        Json names = Json::array();
        for (const Index other : group->outputs) names.push_back(model.output_name(other));
        entry["shared_with"] = std::move(names);
        entry["unknowns"] = group->unknowns;
      }
      add_entry(list, model.output_name(i), std::move(entry));
    }
  }
  return list;
}

Json as_json(const Identified& found) {
  Json json = {{"decay", nullptr}, {"peaks", Json::array()}, {"note", nullptr}};
  if (found.decay)
    json["decay"] = {{"frequency_hz", json_number(found.decay->frequency)},
                     {"damping_ratio", json_number(found.decay->damping_ratio)},
                     {"extrema", found.decay->extrema},
                     {"scatter", json_number(found.decay->scatter)}};
  for (const SpectralPeak& peak : found.peaks)
    json["peaks"].push_back(
        {{"frequency_hz", json_number(peak.frequency)}, {"amplitude", json_number(peak.amplitude)}});
  if (!found.note.empty()) json["note"] = found.note;
  return json;
}

Json passages_of(const Motion& motion) {
  Json list = Json::array();
  for (const SingularPassage& passage : motion.singular) {
    list.push_back({{"time", json_number(passage.time)},
                    {"rank", passage.rank},
                    {"least_singular_value", json_number(passage.least_singular_value)},
                    {"reactions", passage.reactions_are_bounded ? "bounded" : "unbounded"},
                    {"branch", passage.is_confirmed ? "confirmed" : "uncertain"}});
  }
  return list;
}

}  // namespace

std::string to_json(const Model& model, const Motion& motion, const MotionSupplement& supplement) {
  Json json;
  json["schema"] = motion_schema;
  json["model"] = {{"name", model.name()}, {"coordinates", model.coordinates()}, {"constraints", model.constraints()}};
  json["method"] = {{"name", name_of(motion.method)},
                    {"order", motion.order},
                    {"form", name_of(motion.form)},
                    {"stabilize", motion.form == DynamicForm::baumgarte ? "baumgarte"
                                  : motion.is_projected                 ? "projection"
                                                                        : "none"}};
  json["status"] = status_of(motion);
  json["message"] = motion.message.empty() ? Json(nullptr) : Json(motion.message);
  json["times"] = json_numbers(motion.times);
  json["outputs"] = Json::object();
  for (Index i = 0; i < model.outputs(); ++i)
    add_entry(json["outputs"], model.output_name(i), json_numbers(output_over_time(motion, i)));
  if (!motion.states.empty()) {
    Json& coordinates = json["coordinates"] = Json::object();
    for (Index i = 0; i < model.coordinates(); ++i)
      add_entry(coordinates, model.coordinate_name(i), json_numbers(coordinate_over_time(model, motion, i)));
  }
  for (Index i = 0; i < supplement.linear.rows(); ++i) {
    const Eigen::VectorXd row = supplement.linear.row(i).transpose();
    json["linear"][model.output_name(i)] = json_numbers({row.begin(), row.end()});
  }
  for (const auto& [name, found] : supplement.identified) json["identified"][name] = as_json(found);
  json["end"] = end_as_json(model, motion);
  if (const Json reactions = reactions_of(model, motion); !reactions.empty()) json["reactions"] = reactions;
  json["singular"] = passages_of(motion);
  json["energy"] = {{"kinetic", json_numbers(motion.kinetic)},
                    {"potential", json_numbers(motion.potential)},
                    {"work", json_numbers(motion.work)},
                    {"largest", json_number(motion.largest_energy)},
                    {"largest_imbalance", json_number(motion.largest_imbalance)}};
  json["drift"] = {{"position", json_number(motion.position_drift)}, {"rate", json_number(motion.rate_drift)}};
  json["steps"] = {{"accepted", motion.accepted},
                   {"rejected", motion.rejected},
                   {"evaluations", motion.evaluations},
                   {"factorisations", motion.factorisations}};
  if (motion.method == MotionMethod::minimal) json["steps"]["reselections"] = motion.reselections;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string name_of(DynamicForm form) {
  constexpr const char* names[] = {"augmented",      "kkt",       "range-space", "null-space", "tree",
                                   "udwadia-kalaba", "baumgarte", "penalty"};
  return names[static_cast<std::size_t>(form)];
}

std::string name_of(MotionMethod method) {
  switch (method) {
    case MotionMethod::explicit_order_8:
      return "explicit";
    case MotionMethod::minimal:
      return "minimal";
    case MotionMethod::taylor:
      return "taylor";
    case MotionMethod::sdirk:
      return "sdirk";
    case MotionMethod::implicit:
      break;
  }
  return "implicit";
}

std::vector<std::string> summary_of(const Motion& motion) {
  std::vector<std::string> lines;
  const std::string begin = motion.start_time != 0 ? fmt::format("from {:.6g} to ", motion.start_time) : "";
  lines.push_back(fmt::format("{}{:.6g} s in {} steps of order {} ({} more were rejected), {} evaluations", begin,
                              motion.end_time, motion.accepted, motion.order, motion.rejected, motion.evaluations));
  lines.push_back(
      fmt::format("the energy account closes to {:.2g} J of {:.3g} J; constraints are open by {:.1g} at most",
                  motion.largest_imbalance, motion.largest_energy, motion.position_drift));
  // At rest there is nothing but rounding of the potential energy.
  constexpr double closes = 1e-3, rounding = 1e-12;
  const double level = motion.potential.empty() ? 0 : std::abs(motion.potential.front());
  const bool damps = motion.method == MotionMethod::implicit || motion.method == MotionMethod::sdirk;
  if (motion.largest_imbalance > closes * motion.largest_energy + rounding * level)
    lines.emplace_back(
        damps
            ? "this method takes energy from fast vibrations: a smaller tolerance leaves more of it"
            : "energy was gained or lost by rounding, so that the motion is not right: coordinates may be far from the "
              "origin, or the tolerance too large");
  if (motion.method == MotionMethod::minimal)
    lines.push_back(fmt::format("independent coordinates were selected anew {} times", motion.reselections));
  if (!motion.singular.empty()) {
    const SingularPassage& first = motion.singular.front();
    const bool bounded = std::all_of(motion.singular.begin(), motion.singular.end(),
                                     [](const SingularPassage& passage) { return passage.reactions_are_bounded; });
    lines.push_back(
        fmt::format("{} singular configurations were passed, the first at {:.6g} s; constraint forces {} there",
                    motion.singular.size(), first.time, bounded ? "stay bounded" : "are unbounded"));
  }
  if (motion.status != MotionStatus::done)
    lines.push_back(fmt::format("the motion ended at {:.6g} s: {}", motion.end_time,
                                motion.message.empty() ? status_of(motion) : motion.message));
  return lines;
}

}  // namespace stillpoint
