#include "stillpoint/model.h"

#include <algorithm>
#include <stdexcept>

#include "model/name_books.h"

namespace stillpoint {

State Model::initial_state() const {
  State state;
  state.q = Eigen::Map<const Eigen::VectorXd>(parts_->q.data(), coordinates());
  state.orientations = parts_->orientations;
  state.u = Eigen::Map<const Eigen::VectorXd>(parts_->u.data(), inputs());
  return state;
}

State Model::displaced(State state, const Eigen::VectorXd& increments) const {
  state.q += increments;
  if (parts_->orientations.empty()) return state;
  for (const Block& block : blocks()) {
    if (block.kind != BlockKind::space_body) continue;
    auto turn = state.q.segment<3>(block.first + 3);
    Rotation<double>& R = state.orientations[static_cast<std::size_t>(block.orientation)];
    R = normalized(R * rotation_about({turn[0], turn[1], turn[2]}));
    turn.setZero();
  }
  return state;
}

namespace {

// The state holds the orientation of a body; the coordinates of the orientation are increments, which must be zero.
bool increments_are_zero(const std::vector<Block>& blocks, const Eigen::VectorXd& q) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return block.kind != BlockKind::space_body || q.segment<3>(block.first + 3).isZero(0);
  });
}

}  // namespace

Context Model::context(const State& state) const {
  const auto require = [](bool good, const char* what) {
    if (!good) throw std::invalid_argument(std::string("the state's ") + what + " is not of the model's size");
  };
  const Index n = coordinates();
  require(state.q.size() == n, "q");
  require(state.orientations.size() == parts_->orientations.size(), "list of orientations");
  if (!state.orientations.empty() && !increments_are_zero(blocks(), state.q)) {
    throw std::invalid_argument(
        "the state's q has increments of an orientation; displace states with Model::displaced");
  }
  require(state.u.size() == inputs(), "u");
  require(state.v.size() == 0 || state.v.size() == n, "v");
  require(state.a.size() == 0 || state.a.size() == n, "a");
  require(state.lambda.size() == 0 || state.lambda.size() == constraints(), "lambda");
  return {parts_->blocks.data(),
          static_cast<Index>(parts_->blocks.size()),
          parts_->markers.data(),
          parts_->space_markers.data(),
          state.q.data(),
          state.orientations.data(),
          state.v.size() > 0 ? state.v.data() : nullptr,
          state.a.size() > 0 ? state.a.data() : nullptr,
          state.u.data(),
          parts_->gravity};
}

std::string Model::block_name(Index block) const {
  const Block& owner = blocks()[static_cast<std::size_t>(block)];
  return parts_->place_names.name_of(place_id(owner.marker, in_space(owner.kind)))
      .value_or("#" + std::to_string(block));
}

std::string Model::coordinate_name(Index coordinate) const {
  const Index block = owner_of(blocks(), coordinate);
  const Block& owner = blocks()[static_cast<std::size_t>(block)];
  const std::string component = component_of(owner.kind, coordinate - owner.first);
  return block_name(block) + (component.empty() ? "" : "." + component);
}

std::string Model::element_name(std::size_t array, Index element) const {
  const ElementArrayBase& elements = *arrays()[array].elements;
  const auto name = parts_->element_names[name_book(elements.laws())].name_of(element_id(array, element));
  if (name) return *name;
  // Several types of elements may have one keyword: inertia forces in a rotating frame.
  Index number = element;
  for (std::size_t k = 0; k < array; ++k) {
    if (arrays()[k].elements->info().keyword == elements.info().keyword) number += arrays()[k].elements->size();
  }
  return std::string(elements.info().keyword) + "#" + std::to_string(number);
}

std::string Model::constraint_name(Index row) const {
  for (std::size_t k = 0; k < arrays().size(); ++k) {
    const ElementArrayBase& elements = *arrays()[k].elements;
    const Index offset = row - arrays()[k].first_row;
    if (offset < 0 || offset >= elements.size() * elements.rows()) continue;
    return element_name(k, offset / elements.rows()) + elements.row_name(offset % elements.rows());
  }
  throw std::invalid_argument("no constraint has this row");
}

std::string Model::input_name(Index input) const {
  return parts_->input_names.name_of(input).value_or("#" + std::to_string(input));
}

std::string Model::input_unit(Index input) const {
  const auto found = parts_->input_units.find(input);
  return found == parts_->input_units.end() ? "" : found->second;
}

std::string Model::scalar_unit(Index coordinate) const {
  const auto found = parts_->scalar_units.find(coordinate);
  return found == parts_->scalar_units.end() ? "" : found->second;
}

std::string Model::output_name(Index component) const {
  const auto after = std::upper_bound(output_list().begin(), output_list().end(), component,
                                      [](Index c, const Output& output) { return c < output.first; });
  const Output& output = *(after - 1);
  const ElementArrayBase& elements = *arrays()[output.array].elements;
  const int k = component - output.first;
  const char* const suffix = output.place == nothing ? elements.measure_names()[static_cast<std::size_t>(k)]
                                                     : component_of(elements.wrench_kind(output.place), k);
  // Reactions that were added to the model's own outputs are called by their constraints.
  const auto name = parts_->output_names.name_of(after - 1 - output_list().begin());
  return name.value_or(element_name(output.array, output.element)) + suffix;
}

Model Model::with_reactions() const {
  auto parts = std::make_shared<Parts>(*parts_);
  for (std::size_t k = 0; k < arrays().size(); ++k) {
    const ElementArrayBase& elements = *arrays()[k].elements;
    if (elements.rows() == 0) continue;
    const int place = std::min(2, elements.places()) - 1;
    const int components = size_of(elements.wrench_kind(place));
    for (Index element = 0; element < elements.size(); ++element) {
      if (parts->output_components > std::numeric_limits<Index>::max() - components)
        throw Error("a model has at most 2^31 outputs");
      parts->outputs.push_back({k, element, place, ground_marker, parts->output_components});
      parts->output_components += components;
    }
  }
  return Model(std::move(parts), numbers_);
}

}  // namespace stillpoint
