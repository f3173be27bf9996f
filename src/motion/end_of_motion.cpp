#include "motion/end_of_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/at.h"
#include "formats/json_number.h"
#include "formats/read_json.h"
#include "motion/json_entry.h"
#include "stillpoint/error.h"

namespace stillpoint {

namespace {

using EndJson = nlohmann::ordered_json;

/// The coordinates of a block that are positions: all but those of an orientation, which are zero in every state.
Index positions_of(const Block& block) { return block.kind == BlockKind::space_body ? 3 : coordinates_of(block.kind); }

std::vector<Index> positions_of(const Model& model) {
  std::vector<Index> all;
  for (const Block& block : model.blocks()) {
    for (Index k = 0; k < positions_of(block); ++k) all.push_back(block.first + k);
  }
  return all;
}

std::vector<Index> up_to(Index count) {
  std::vector<Index> all;
  for (Index i = 0; i < count; ++i) all.push_back(i);
  return all;
}

EndJson by_name(const std::vector<Index>& which, const Eigen::VectorXd& x,
                const std::function<std::string(Index)>& name) {
  EndJson json = EndJson::object();
  for (const Index i : which) add_entry(json, name(i), json_number(x[i]));
  return json;
}

/// Reads the object "end" of a file. Errors name the file, the key and the coordinate.
class EndReader {
 public:
  EndReader(const Model& model, const std::string& path) : model_(model), path_(path), json_(read_json(path)) {}

  MotionEnd read() const;

 private:
  using NameOfIndex = std::function<std::string(Index)>;

  [[noreturn]] void refuse(const std::string& message) const { throw Error({path_, 0, 0}, message); }
  const EndJson& part(const EndJson& of, const std::string& key, const std::string& where) const;
  void require_this_model() const;
  double number(const EndJson& json, const std::string& where) const;
  void each_of(const EndJson& end, const std::string& key, const std::string& what, const std::vector<Index>& which,
               const NameOfIndex& name,
               const std::function<void(Index, const EndJson&, const std::string&)>& take) const;
  void numbers(const EndJson& end, const std::string& key, const std::string& what, const std::vector<Index>& which,
               const NameOfIndex& name, Eigen::VectorXd& x) const;
  void orientations(const EndJson& end, State& state) const;

  const Model& model_;
  const std::string path_;
  const EndJson json_;
};

const EndJson& EndReader::part(const EndJson& of, const std::string& key, const std::string& where) const {
  if (!of.is_object()) refuse(fmt::format("{} must be an object, {{...}}", where));
  const auto found = of.find(key);
  if (found == of.end())
    refuse(fmt::format(
        "{} has no '{}': this is not the JSON of a motion, as 'stillpoint motion MODEL --until T -o FILE.json' "
        "writes it",
        where, key));
  return *found;
}

void EndReader::require_this_model() const {
  const EndJson& version = part(json_, "schema", "the file");
  if (version != motion_schema)
    refuse(fmt::format("schema is {}; a motion starts at the end of a motion, '{}'", version.dump(), motion_schema));
  const EndJson& name = part(part(json_, "model", "the file"), "name", "model");
  if (name != model_.name())
    refuse(fmt::format("this is a motion of the model {}, not of '{}'", name.dump(), model_.name()));
}

double EndReader::number(const EndJson& json, const std::string& where) const {
  if (!json.is_number() || !std::isfinite(json.get<double>()))
    refuse(fmt::format("{} is {}; it must be a finite number", where,
                       json.is_structured() ? json.type_name() : json.dump()));
  return json.get<double>();
}

/// Calls `take` for each of the things of a model, all of which must be there, and nothing else.
void EndReader::each_of(const EndJson& end, const std::string& key, const std::string& what,
                        const std::vector<Index>& which, const NameOfIndex& name,
                        const std::function<void(Index, const EndJson&, const std::string&)>& take) const {
  const std::string where = "end." + key;
  const EndJson& list = part(end, key, "end");
  if (!list.is_object()) refuse(fmt::format("{} must be an object, {{...}}", where));
  std::unordered_map<std::string, Index> missing;
  std::vector<std::string> known;
  for (const Index i : which) {
    missing.emplace(name(i), i);
    known.push_back(name(i));
  }
  for (const auto& item : list.items()) {
    const auto found = missing.find(item.key());
    if (found == missing.end())
      refuse(fmt::format("{} holds '{}', which is no {} of this model{}", where, item.key(), what,
                         did_you_mean(item.key(), known)));
    take(found->second, item.value(), fmt::format("{}.{}", where, item.key()));
    missing.erase(found);
  }
  for (const std::string& one : known) {
    if (missing.contains(one)) refuse(fmt::format("{} lacks the {} '{}' of this model", where, what, one));
  }
}

void EndReader::numbers(const EndJson& end, const std::string& key, const std::string& what,
                        const std::vector<Index>& which, const NameOfIndex& name, Eigen::VectorXd& x) const {
  each_of(end, key, what, which, name,
          [&](Index i, const EndJson& value, const std::string& where) { x[i] = number(value, where); });
}

void EndReader::orientations(const EndJson& end, State& state) const {
  constexpr double unit = 1e-6;  // what a quaternion that was written with fewer digits may be off
  std::vector<Index> bodies;
  for (Index b = 0; b < static_cast<Index>(model_.blocks().size()); ++b) {
    if (model_.blocks()[at(b)].kind == BlockKind::space_body) bodies.push_back(b);
  }
  each_of(
      end, "orientations", "body", bodies, [&](Index b) { return model_.block_name(b); },
      [&](Index b, const EndJson& value, const std::string& where) {
        if (!value.is_array() || value.size() != 4) refuse(fmt::format("{} must be a quaternion, [w, x, y, z]", where));
        Eigen::Vector4d r;
        for (std::size_t k = 0; k < 4; ++k)
          r[static_cast<Eigen::Index>(k)] = number(value[k], fmt::format("{}[{}]", where, k + 1));
        if (!(std::abs(r.norm() - 1) <= unit))
          refuse(fmt::format("{} has the length {:.6g}; a quaternion of an orientation has the length 1", where,
                             r.norm()));
        state.orientations[at(model_.blocks()[at(b)].orientation)] = {r[0], r[1], r[2], r[3]};
      });
}

MotionEnd EndReader::read() const {
  require_this_model();
  const EndJson& end = part(json_, "end", "the file");
  MotionEnd reached{number(part(end, "time", "end"), "end.time"), model_.initial_state()};
  if (reached.time < 0) refuse(fmt::format("end.time is {:g} s; it must not be negative", reached.time));
  State& state = reached.state;
  state.v = Eigen::VectorXd::Zero(model_.coordinates());
  const auto coordinate_name = [&](Index i) { return model_.coordinate_name(i); };
  numbers(end, "positions", "coordinate", positions_of(model_), coordinate_name, state.q);
  orientations(end, state);
  numbers(end, "rates", "coordinate", up_to(model_.coordinates()), coordinate_name, state.v);
  numbers(
      end, "inputs", "input", up_to(model_.inputs()), [&](Index i) { return model_.input_name(i); }, state.u);
  return reached;
}

}  // namespace

nlohmann::ordered_json end_as_json(const Model& model, const Motion& motion) {
  const State& state = motion.end;
  EndJson json = {{"time", json_number(motion.end_time)}};
  const auto coordinate_name = [&](Index i) { return model.coordinate_name(i); };
  json["positions"] = by_name(positions_of(model), state.q, coordinate_name);
  json["orientations"] = EndJson::object();
  for (Index b = 0; b < static_cast<Index>(model.blocks().size()); ++b) {
    const Block& block = model.blocks()[at(b)];
    if (block.kind != BlockKind::space_body) continue;
    const Rotation<double>& r = state.orientations[at(block.orientation)];
    add_entry(json["orientations"], model.block_name(b),
              EndJson{json_number(r.w), json_number(r.x), json_number(r.y), json_number(r.z)});
  }
  json["rates"] = by_name(up_to(model.coordinates()), state.v, coordinate_name);
  json["inputs"] = by_name(up_to(model.inputs()), state.u, [&](Index i) { return model.input_name(i); });
  return json;
}

MotionEnd read_end_of_motion(const Model& model, const std::string& path) { return EndReader(model, path).read(); }

}  // namespace stillpoint
