#include "stillpoint/model.h"

#include <algorithm>
#include <stdexcept>

#include "model/name_books.h"

namespace stillpoint {

State Model::initial_state() const {
  State state;
  state.q = Eigen::Map<const Eigen::VectorXd>(parts_->q.data(), coordinates());
  state.u = Eigen::Map<const Eigen::VectorXd>(parts_->u.data(), inputs());
  return state;
}

Context Model::context(const State& state) const {
  const auto require = [](bool good, const char* what) {
    if (!good) throw std::invalid_argument(std::string("the state's ") + what + " is not of the model's size");
  };
  const Index n = coordinates();
  require(state.q.size() == n, "q");
  require(state.u.size() == inputs(), "u");
  require(state.v.size() == 0 || state.v.size() == n, "v");
  require(state.a.size() == 0 || state.a.size() == n, "a");
  require(state.lambda.size() == 0 || state.lambda.size() == constraints(), "lambda");
  return {parts_->blocks.data(),
          parts_->markers.data(),
          state.q.data(),
          state.v.size() > 0 ? state.v.data() : nullptr,
          state.a.size() > 0 ? state.a.data() : nullptr,
          state.u.data(),
          parts_->gravity};
}

std::string Model::block_name(Index block) const {
  const Index marker = blocks()[static_cast<std::size_t>(block)].marker;
  return parts_->place_names.name_of(marker).value_or("#" + std::to_string(block));
}

std::string Model::coordinate_name(Index coordinate) const {
  const auto after = std::upper_bound(blocks().begin(), blocks().end(), coordinate,
                                      [](Index c, const Block& block) { return c < block.first; });
  const auto block = static_cast<Index>(after - blocks().begin()) - 1;
  const Block& owner = blocks()[static_cast<std::size_t>(block)];
  const std::string component = component_of(owner.kind, coordinate - owner.first);
  return block_name(block) + (component.empty() ? "" : "." + component);
}

std::string Model::element_name(std::size_t array, Index element) const {
  const ElementArrayBase& elements = *arrays()[array].elements;
  const auto name = parts_->element_names[name_book(elements.laws())].name_of(element_id(array, element));
  return name.value_or(std::string(elements.info().keyword) + "#" + std::to_string(element));
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

}  // namespace stillpoint
