#include "linearize/units.h"

#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "base/at.h"

namespace stillpoint {

namespace {

std::string unit_of(BlockKind kind, Index component) {
  const Index lengths = in_space(kind) ? 3 : 2;
  return component < lengths ? "m" : "rad";
}

/// What the elements of a model say: of coordinates first, because units of inputs follow from these.
class ModelUnitBook final : public UnitBook {
 public:
  explicit ModelUnitBook(const Model& model) : model_(model), coordinates_(at(model.coordinates())) {
    for (const Block& block : model.blocks()) {
      for (Index i = 0; i < coordinates_of(block.kind); ++i) {
        const Index k = block.first + i;
        coordinates_[at(k)] = block.kind == BlockKind::scalar ? model.scalar_unit(k) : unit_of(block.kind, i);
      }
    }
    ask_elements();
    takes_inputs_ = true;
    ask_elements();
  }

  const std::vector<std::string>& coordinates() const { return coordinates_; }
  std::string input_unit(Index input) const {
    const std::string given = model_.input_unit(input);
    if (!given.empty()) return given;
    const auto found = inputs_.find(input);
    return found == inputs_.end() ? "" : found->second;
  }

  std::string of(CoordinateOf coordinate) const override { return coordinates_[at(coordinate.coordinate)]; }
  bool is_angle(AngleOf angle) const override {
    const Index scalar = scalar_of(angle);
    return scalar == nothing || coordinates_[at(scalar)] == "rad";
  }

  void coordinate(CoordinateOf coordinate, const std::string& unit) override { set(coordinate.coordinate, unit); }
  void coordinate(AngleOf angle, const std::string& unit) override { set(scalar_of(angle), unit); }
  void input(InputRef input, const std::string& unit) override {
    if (!takes_inputs_ || input.input == nothing) return;
    const auto [place, is_new] = inputs_.emplace(input.input, unit);
    if (!is_new && place->second != unit) place->second.clear();
  }
  void input(InputRef input, double factor, const std::string& unit) override {
    constexpr double rounding = 1e-12;  // of the length of a direction
    this->input(input, std::abs(std::abs(factor) - 1) < rounding ? unit : "");
  }

 private:
  void ask_elements() {
    for (const ModelArray& array : model_.arrays()) array.elements->state_units(*this);
  }
  /// The coordinate of a scalar; `nothing` for what is an angle anyway.
  Index scalar_of(AngleOf angle) const {
    const Index block = angle.marker == ground_marker ? on_ground : model_.markers()[at(angle.marker)].block;
    if (block == on_ground) return nothing;
    const Block& owner = model_.blocks()[at(block)];
    return owner.kind == BlockKind::scalar ? owner.first : nothing;
  }
  void set(Index coordinate, const std::string& unit) {
    if (!takes_inputs_ && coordinate != nothing && coordinates_[at(coordinate)].empty())
      coordinates_[at(coordinate)] = unit;
  }

  const Model& model_;
  std::vector<std::string> coordinates_;
  std::map<Index, std::string> inputs_;
  bool takes_inputs_ = false;
};

/// "bearing.fx" is a force, "bearing.mz" a moment.
std::string unit_of_component(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 >= name.size()) return "";
  return name[dot + 1] == 'f' ? "N" : name[dot + 1] == 'm' ? "N m" : "";
}

std::vector<std::string> output_units(const Model& model, const UnitBook& book) {
  std::vector<std::string> units(at(model.outputs()));
  for (const Output& output : model.output_list()) {
    const ElementArrayBase& elements = *model.arrays()[output.array].elements;
    const bool is_reaction = output.place != nothing;
    const auto count =
        is_reaction ? size_of(elements.wrench_kind(output.place)) : static_cast<int>(elements.measure_names().size());
    const std::string unit = is_reaction ? elements.reaction_unit(book, output.element, output.place)
                                         : elements.measure_unit(book, output.element);
    for (Index i = output.first; i < output.first + count; ++i)
      units[at(i)] = unit.empty() ? unit_of_component(model.output_name(i)) : unit;
  }
  return units;
}

}  // namespace

ModelUnits units_of(const Model& model) {
  const ModelUnitBook book(model);
  ModelUnits units{book.coordinates(), {}, output_units(model, book)};
  for (Index i = 0; i < model.inputs(); ++i) units.inputs.push_back(book.input_unit(i));
  return units;
}

void add_units(const Model& model, LinearSystem& system) {
  const auto units = std::make_shared<std::optional<ModelUnits>>();
  const auto found = [model, units]() -> const ModelUnits& {
    if (!*units) *units = units_of(model);
    return **units;
  };
  system.coordinate_unit = [found](Index i) { return found().coordinates[at(i)]; };
  system.input_unit = [found](Index i) { return found().inputs[at(i)]; };
  system.output_unit = [found](Index i) { return found().outputs[at(i)]; };
}

}  // namespace stillpoint
