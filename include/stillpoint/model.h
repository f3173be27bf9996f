// A mechanism: coordinates, elements, inputs and names. Built by a ModelBuilder, and constant from then on.
//
//   ModelBuilder build("pendulum");
//   const auto pivot = build.fixed("A", {0, 0});
//   const auto bob = build.point("B", {0, -1}, {.mass = 1});
//   build.add("rod", Distance{.a = pivot, .b = bob, .length = 1});
//   const Model model = build.model();
//
// Units are SI; angles are in radians. Names are as in model files: "crank", "B[3]".
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "stillpoint/element_array.h"
#include "stillpoint/error.h"
#include "stillpoint/names.h"

namespace stillpoint {

/// Where a mechanism is and how it moves. Empty v and a: at rest. Empty λ: no constraint forces.
struct State {
  Eigen::VectorXd q;       ///< coordinates
  Eigen::VectorXd lambda;  ///< multipliers of the constraints
  Eigen::VectorXd u;       ///< inputs
  Eigen::VectorXd v, a;    ///< rates and accelerations of the coordinates
};

/// The elements of one type, and where their constraint equations start.
struct ModelArray {
  std::shared_ptr<const ElementArrayBase> elements;
  Index first_row = 0;
};

/// Cheap to copy: copies share what they are made of, which never changes.
class Model {
 public:
  const std::string& name() const { return parts_->name; }
  Index coordinates() const { return static_cast<Index>(parts_->q.size()); }
  Index constraints() const { return parts_->constraints; }
  Index inputs() const { return static_cast<Index>(parts_->u.size()); }
  const Vec2<double>& gravity() const { return parts_->gravity; }
  /// The parameters that its file was read with.
  const std::vector<std::pair<std::string, double>>& parameters() const { return parts_->parameters; }

  /// The coordinates at their guess, the inputs at their operating values, at rest, without multipliers.
  State initial_state() const;

  const std::vector<Block>& blocks() const { return parts_->blocks; }
  const std::vector<Marker>& markers() const { return parts_->markers; }
  const std::vector<ModelArray>& arrays() const { return parts_->arrays; }

  std::string block_name(Index block) const;
  std::string coordinate_name(Index coordinate) const;  ///< "B[3].x", "crank.phi", "phi"
  std::string constraint_name(Index row) const;         ///< "hinge.x", "rod[7]"
  std::string element_name(std::size_t array, Index element) const;
  std::string input_name(Index input) const;

  /// What laws are evaluated with; the state must outlive it. Throws std::invalid_argument if a size is wrong.
  Context context(const State& state) const;

 private:
  friend class ModelBuilder;

  struct Parts {
    std::string name;
    std::vector<std::pair<std::string, double>> parameters;
    Vec2<double> gravity;
    Index constraints = 0;
    std::vector<Block> blocks;
    std::vector<Marker> markers;
    std::vector<double> q, u;  // guess and operating values
    std::vector<ModelArray> arrays;
    Names place_names, element_names[3], input_names;
  };

  explicit Model(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

  std::shared_ptr<const Parts> parts_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Building

/// A point or frame as the builder returns it; goes wherever an element wants a handle.
struct Place {
  Index marker = nothing;
  operator PositionOf() const { return {marker}; }  // NOLINT: that is its purpose
  operator FrameOf() const { return {marker}; }     // NOLINT
  operator AngleOf() const { return {marker}; }     // NOLINT
};

constexpr Place ground{ground_marker};

struct PointOptions {
  double mass = 0;  ///< kg
};

struct BodyOptions {
  double angle = 0;           ///< φ, the guess (rad)
  double mass = 0;            ///< kg
  double inertia = 0;         ///< about the centre of mass (kg m²)
  Vec2<double> centre{0, 0};  ///< centre of mass, in the axes of the body (m)
};

struct ScalarOptions {
  double mass = 0;  ///< kg, or kg m² for an angle
};

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "model");

  void gravity(const Vec2<double>& g);
  /// Keeps note of a parameter and its value; it has no other effect.
  void parameter(const std::string& name, double value) { parts_.parameters.emplace_back(name, value); }

  // Positions given here are the guess from which an equilibrium is sought. Each throws Error if the name is taken or a
  // number is not allowed. An empty name leaves the thing without a name.
  Place fixed(const Name& name, const Vec2<double>& at, double angle = 0);
  Place point(const Name& name, const Vec2<double>& at, const PointOptions& options = {});
  Place body(const Name& name, const Vec2<double>& at, const BodyOptions& options = {});
  Place scalar(const Name& name, double value, const ScalarOptions& options = {});
  /// A frame on a body or on the ground, given in the axes of another frame there.
  Place marker(const Name& name, Place on, const Vec2<double>& at, double angle = 0);
  InputRef input(const Name& name, double value = 0);

  /// Adds an element. Throws FieldError if one of its fields is not allowed, Error if its name is taken.
  template <class E>
  void add(const Name& name, const E& element);

  /// What a name stands for. Throws Error, with the nearest known name, if there is no such thing.
  Place place(const Name& name) const;
  CoordinateOf coordinate(const Name& name, std::string_view component = "") const;
  InputRef input_ref(const Name& name) const;

  /// How many things there are so far: coordinates' owners, markers and elements.
  std::int64_t size() const { return size_; }

  /// The finished model; the builder is empty afterwards.
  Model model();

 private:
  struct Entry {
    ElementArrayBase* elements;
    std::size_t index;
  };

  Place add_block(const Name& name, BlockKind kind, std::initializer_list<double> guess);
  Place add_marker(const Name& name, const Marker& marker);
  template <class E>
  Entry array_of();
  void validate(const ElementInfo& info, const void* element, const Name& name) const;
  void check_reference(FieldKind kind, Index reference) const;
  void give_name(const ElementInfo& info, unsigned laws, const Name& name, std::size_t array, Index element);

  Model::Parts parts_;
  std::vector<std::shared_ptr<ElementArrayBase>> arrays_;  // still growing; parts_.arrays gets them in the end
  std::unordered_map<std::type_index, std::size_t> array_index_;
  std::int64_t size_ = 0;
};

/// "spring 'diagonal[3]'", or "a spring" without a name.
std::string describe(std::string_view keyword, const Name& name);

template <class E>
ModelBuilder::Entry ModelBuilder::array_of() {
  const auto [found, is_new] = array_index_.try_emplace(typeid(E), arrays_.size());
  if (is_new) arrays_.push_back(std::make_shared<ElementArray<E>>());
  return {arrays_[found->second].get(), found->second};
}

template <class E>
void ModelBuilder::add(const Name& name, const E& element) {
  validate(E::info(), &element, name);
  if constexpr (requires { element.problem(); }) {
    if (const char* problem = element.problem()) throw Error(describe(E::info().keyword, name) + " " + problem);
  }
  const Entry entry = array_of<E>();
  auto& array = static_cast<ElementArray<E>&>(*entry.elements);
  give_name(E::info(), E::laws, name, entry.index, array.size());
  array.push_back(element);
  ++size_;
}

}  // namespace stillpoint
