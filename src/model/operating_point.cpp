#include "stillpoint/operating_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "base/at.h"

namespace stillpoint {

namespace {

constexpr Index nearest_among = 10'000;  // number of names that are compared with an unknown one

double component(const Vec3<double>& v, Index i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

bool is_turn_in_space(const Block& block, Index coordinate) {
  return block.kind == BlockKind::space_body && coordinate - block.first >= 3;
}

[[noreturn]] void refuse(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (Index i = 0; i < model.inputs(); ++i) known.push_back(model.input_name(i));
  for (Index i = 0; i < std::min(model.coordinates(), nearest_among); ++i) known.push_back(model.coordinate_name(i));
  throw Error(fmt::format("there is no coordinate or input '{}'{}", name, did_you_mean(name, known)));
}

}  // namespace

double coordinate_value(const Model& model, const State& state, Index coordinate) {
  const Block& block = model.blocks()[at(owner_of(model.blocks(), coordinate))];
  if (!is_turn_in_space(block, coordinate)) return state.q[coordinate];
  const Vec3<double> turn = rotation_vector(state.orientations[at(block.orientation)]);
  return component(turn, coordinate - block.first - 3);
}

OperatingPoint operating_point(const Model& model, const Settings& settings) {
  return operating_point(model, settings, model.initial_state());
}

OperatingPoint operating_point(const Model& model, const Settings& settings, const State& about) {
  OperatingPoint point{about, {}};
  std::unordered_map<std::string, double> open(settings.begin(), settings.end());
  for (const auto& [name, value] : settings) {
    if (!std::isfinite(value)) throw Error(fmt::format("'{}' cannot be {}: this must be a finite number", name, value));
  }
  for (Index i = 0; i < model.inputs() && !open.empty(); ++i) {
    const auto found = open.find(model.input_name(i));
    if (found == open.end()) continue;
    point.state.u[i] = found->second;
    open.erase(found);
  }
  std::map<Index, Vec3<double>> turns;  // of bodies in space, by their orientation
  for (Index i = 0; i < model.coordinates() && !open.empty(); ++i) {
    const auto found = open.find(model.coordinate_name(i));
    if (found == open.end()) continue;
    const Block& block = model.blocks()[at(owner_of(model.blocks(), i))];
    if (is_turn_in_space(block, i)) {
      const Rotation<double>& now = point.state.orientations[at(block.orientation)];
      Vec3<double>& turn = turns.try_emplace(block.orientation, rotation_vector(now)).first->second;
      const Index k = i - block.first - 3;
      (k == 0 ? turn.x : k == 1 ? turn.y : turn.z) = found->second;
    } else {
      point.state.q[i] = found->second;
    }
    point.coordinates.push_back(i);
    open.erase(found);
  }
  for (const auto& [orientation, turn] : turns) {
    point.state.orientations[at(orientation)] = rotation_about(turn);
  }
  for (const auto& [name, value] : settings) {
    if (open.contains(name)) refuse(model, name);
  }
  return point;
}

}  // namespace stillpoint
