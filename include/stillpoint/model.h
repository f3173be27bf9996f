// A mechanism: coordinates, elements, inputs and names. A ModelBuilder builds it; it is constant from then on.
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
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <vector>

#include "stillpoint/authoring/element_array.h"
#include "stillpoint/error.h"
#include "stillpoint/names.h"

namespace stillpoint {

/// Configuration and motion of a mechanism. An empty v or a means zero, an empty λ no constraint forces.
struct State {
  Eigen::VectorXd q;                             ///< coordinates; those of an orientation are zero
  std::vector<Rotation<double>> orientations{};  ///< rotations of the bodies in space, in the order of the bodies
  Eigen::VectorXd lambda;                        ///< multipliers of the constraints
  Eigen::VectorXd u;                             ///< inputs
  Eigen::VectorXd v, a;                          ///< rates and accelerations of the coordinates
};

/// The elements of one type, and the row of their first constraint equation.
struct ModelArray {
  std::shared_ptr<const ElementArrayBase> elements;
  Index first_row = 0;

  ElementRange all() const { return {0, elements->size()}; }
};

/// The quantity that an output of the model shows: the measure of an element, or the wrench that a constraint exerts at
/// one of its places.
struct Output {
  std::size_t array = 0;
  Index element = 0;
  int place = nothing;         ///< for a reaction its place; `nothing` for a measure
  Index axes = ground_marker;  ///< for a reaction the marker in whose axes it is expressed
  Index first = 0;             ///< index of its first component among all outputs
};

/// A number of an element of a model.
struct ElementNumber {
  std::size_t array = 0;
  Index element = 0;
  const Field* field = nullptr;  ///< of its type, a single number
  double value = 0;
};

/// All numbers of a field of an element of a model.
struct ElementField {
  std::size_t array = 0;
  Index element = 0;
  const Field* field = nullptr;  ///< of its type, numbers
  FieldValue value;
};

struct Patterns;

/// A model is cheap to copy: the copies share constant data.
class Model {
 public:
  const std::string& name() const { return parts_->name; }
  Index coordinates() const { return static_cast<Index>(parts_->q.size()); }
  Index constraints() const { return parts_->constraints; }
  Index inputs() const { return static_cast<Index>(parts_->u.size()); }
  Index outputs() const { return parts_->output_components; }
  const Vec3<double>& gravity() const { return parts_->gravity; }
  const Vec3<double>& angular_velocity() const { return parts_->angular_velocity; }  ///< of the ground (rad/s)
  /// The parameters that the model file was read with.
  const std::vector<std::pair<std::string, double>>& parameters() const { return numbers_->parameters; }

  /// The state of the guess: coordinates at their guess, inputs at their operating values, at rest, without
  /// multipliers.
  State initial_state() const;

  /// The free states of the elements that ask for preload, with their present values.
  std::vector<ElementNumber> preloaded() const;
  /// The free states of the elements with these names. Throws Error for a name that is unknown, or that of an element
  /// without a free state.
  std::vector<ElementNumber> free_states(const std::vector<std::string>& names) const;
  /// "spring[3].free_length"
  std::string name_of(const ElementNumber& number) const;
  /// A model in which these numbers have other values. Throws FieldError if one of them is not allowed.
  Model with(const std::vector<ElementNumber>& numbers) const;
  /// A model in which these fields have other numbers, with values of its parameters; all else is shared with this one.
  Model with(const std::vector<ElementField>& fields, std::vector<std::pair<std::string, double>> parameters) const;

  /// A model that also shows the force and moment which each constraint exerts at its usual place, in the axes of the
  /// ground: outputs "hinge.fx", "hinge.fy", ... after the others.
  Model with_reactions() const;

  /// Displaces a state by increments of all coordinates; increments of an orientation rotate the body about its own
  /// axes. Multipliers, inputs, rates and accelerations stay as they are.
  State displaced(State state, const Eigen::VectorXd& increments) const;

  const std::vector<Block>& blocks() const { return parts_->blocks; }
  const std::vector<Marker>& markers() const { return parts_->markers; }
  const std::vector<space::Marker>& space_markers() const { return parts_->space_markers; }
  const std::vector<ModelArray>& arrays() const { return numbers_->arrays; }
  const std::vector<Output>& output_list() const { return parts_->outputs; }

  std::string block_name(Index block) const;
  std::string coordinate_name(Index coordinate) const;  ///< "B[3].x", "crank.phi", "phi"
  std::string constraint_name(Index row) const;         ///< "hinge.x", "rod[7]"
  std::string element_name(std::size_t array, Index element) const;
  std::string input_name(Index input) const;
  /// The unit as the model states it; empty if it does not.
  std::string input_unit(Index input) const;
  std::string scalar_unit(Index coordinate) const;
  std::string output_name(Index component) const;  ///< "tip.x", "pull", "bearing.fx"

  /// The context in which element laws are evaluated; the state must outlive it. Throws std::invalid_argument if a size
  /// is wrong.
  Context context(const State& state) const;

  /// The sparsity patterns of the matrices, which models share that differ in numbers.
  Patterns& patterns() const { return *numbers_->patterns; }

 private:
  friend class ModelBuilder;

  /// In what models of one structure differ.
  struct Numbers {
    std::vector<std::pair<std::string, double>> parameters;
    std::vector<ModelArray> arrays;
    std::shared_ptr<Patterns> patterns;
  };

  struct Parts {
    std::string name;
    Vec3<double> gravity;
    Vec3<double> angular_velocity{};
    Index constraints = 0;
    std::vector<Block> blocks;
    std::vector<Marker> markers;
    std::vector<space::Marker> space_markers;
    std::vector<double> q, u;  // guess and operating values
    std::vector<Rotation<double>> orientations;
    std::vector<Output> outputs;
    Index output_components = 0;
    Names place_names, element_names[3], input_names, output_names;
    std::map<Index, std::string> input_units, scalar_units;  ///< by input, by coordinate; only units that are stated
  };

  Model(std::shared_ptr<const Parts> parts, std::shared_ptr<const Numbers> numbers)
      : parts_(std::move(parts)), numbers_(std::move(numbers)) {}

  std::shared_ptr<const Parts> parts_;
  std::shared_ptr<const Numbers> numbers_;
};

// ---------------------------------------------------------------------------------------------------------------------
// Building

/// A point or frame as the builder returns it; it converts to every handle that an element takes.
struct Place {
  Index marker = nothing;
  operator PositionOf() const { return {marker}; }  // NOLINT: that is its purpose
  operator FrameOf() const { return {marker}; }     // NOLINT
  operator AngleOf() const { return {marker}; }     // NOLINT
  operator NodeOf() const { return {marker}; }      // NOLINT
};

constexpr Place ground{ground_marker};

namespace space {

struct Place {
  Index marker = nothing;
  operator PositionOf() const { return {marker}; }     // NOLINT
  operator FrameOf() const { return {marker}; }        // NOLINT
  operator OrientationOf() const { return {marker}; }  // NOLINT
};

constexpr Place ground{ground_marker};

struct BodyOptions {
  Rotation<double> rotation{};   ///< guess of the rotation of its axes
  double mass = 0;               ///< kg
  Inertia inertia{};             ///< about the centre of mass, in the axes of the body (kg m²)
  Vec3<double> centre{0, 0, 0};  ///< centre of mass, in the axes of the body (m)
};

}  // namespace space

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
  double mass = 0;     ///< kg, or kg m² for an angle
  std::string unit{};  ///< unit of the coordinate for plants, such as "rad"
};

inline constexpr int usual_place =
    0;  ///< the default place of a reaction: the second place of a constraint, or the only one

class ModelBuilder {
 public:
  explicit ModelBuilder(std::string name = "model");

  void gravity(const Vec3<double>& g);
  /// Sets the constant angular velocity (rad/s) of the ground, and of everything described in it, about the origin: see
  /// elements/rotating_frame.h. In the plane the axis is the normal, z. Velocities, also those of outputs, are relative
  /// to the rotating frame.
  void angular_velocity(const Vec3<double>& spin);
  /// Records a parameter and its value; it has no other effect.
  void parameter(const std::string& name, double value) { numbers_.parameters.emplace_back(name, value); }

  // Positions given here are the guess from which an equilibrium is sought. Each function throws Error if the name is
  // taken or a number is not allowed. With an empty name the object has no name.
  Place fixed(const Name& name, const Vec2<double>& at, double angle = 0);
  Place point(const Name& name, const Vec2<double>& at, const PointOptions& options = {});
  Place body(const Name& name, const Vec2<double>& at, const BodyOptions& options = {});
  Place scalar(const Name& name, double value, const ScalarOptions& options = {});
  /// Adds a node of a flexible body whose floating frame is the given body; `at` is its undeformed position in that
  /// frame.
  Place node(const Name& name, Place frame, const Vec2<double>& at);
  /// Adds a frame on a body or on the ground, given in the axes of another frame there.
  Place marker(const Name& name, Place on, const Vec2<double>& at, double angle = 0);
  /// Adds an input; `unit` is its unit in plants.
  InputRef input(const Name& name, double value = 0, const std::string& unit = "");

  // The same functions in space.
  space::Place space_fixed(const Name& name, const Vec3<double>& at, const Rotation<double>& rotation = {});
  space::Place space_point(const Name& name, const Vec3<double>& at, const PointOptions& options = {});
  space::Place space_body(const Name& name, const Vec3<double>& at, const space::BodyOptions& options = {});
  space::Place space_marker(const Name& name, space::Place on, const Vec3<double>& at,
                            const Rotation<double>& rotation = {});
  /// Adds a frame on a body or on the ground whose pose is the given one when everything is at its guess.
  space::Place space_marker_posed(const Name& name, space::Place on, const space::Frame<double>& pose);
  /// The pose of a place when everything is at its guess.
  space::Frame<double> pose(space::Place place) const;

  /// Adds an element. Throws FieldError if one of its fields is not allowed, Error if its name is taken.
  template <class E>
  void add(const Name& name, const E& element);

  /// The object with this name. Throws Error, with the nearest known name, if there is none.
  Place place(const Name& name) const;
  space::Place space_place(const Name& name) const;
  CoordinateOf coordinate(const Name& name, std::string_view component = "") const;
  InputRef input_ref(const Name& name) const;
  ForceRef force_ref(const Name& name);
  ConstraintRef constraint_ref(const Name& name);

  // Each function for outputs throws Error if the name is taken, or if the quantity to be shown does not exist.

  /// Adds the measure of an element of elements/measures.h as an output.
  template <class Measure>
  void output(const Name& name, const Measure& measure);
  /// Adds the force in a named spring, damper, actuator or bushing as an output.
  void output_force(const Name& name, ForceRef element);
  /// Adds the force and moment that a named constraint exerts at its first or second place, about this place, in the
  /// axes of a frame.
  void output_reaction(const Name& name, ConstraintRef constraint, int place = usual_place, Place axes = ground);
  void output_reaction(const Name& name, ConstraintRef constraint, int place, space::Place axes);

  /// The number of owners of coordinates, markers and elements so far.
  std::int64_t size() const { return size_; }

  /// The place of the element that was added last: its array and its index there.
  std::pair<std::size_t, Index> last_element() const { return last_; }

  /// Finishes the model; the builder is empty afterwards.
  Model model();

 private:
  struct Entry {
    ElementArrayBase* elements;
    std::size_t index;
  };

  Names::Id place_called(const Name& name) const;
  std::string meant_instead(const Name& name, const Names& book) const;
  void name_place(const Name& name, Names::Id id);
  Index next_block(std::initializer_list<double> guess) const;
  void add_block(BlockKind kind, Index marker, std::initializer_list<double> guess);
  Place add_owner(const Name& name, BlockKind kind, std::initializer_list<double> guess);
  space::Place add_space_owner(const Name& name, BlockKind kind, std::initializer_list<double> guess);
  Place add_marker(const Name& name, const Marker& marker);
  space::Place add_marker(const Name& name, const space::Marker& marker);
  template <class E>
  Entry array_of();
  template <class E>
  void add_frame_inertia();
  void turn_rotors();
  void turn_the_frame();
  void validate(const ElementInfo& info, const void* element, const Name& name) const;
  void check_output_name(const Name& name) const;
  void add_output(const Name& name, const Output& output, int components);
  Index refer_to(std::size_t book, const Name& name);
  const Output& referred(Index reference) const;
  std::string describe(const Output& element) const;
  void add_reaction(const Name& name, ConstraintRef constraint, int place, Index axes, bool is_in_space);
  void check_reference(FieldKind kind, Index reference) const;
  void check_coordinate(Index coordinate) const;
  void check_one_frame(const FieldValue& nodes) const;
  std::string owner_of_place(Index marker, bool is_in_space) const;
  void give_name(const ElementInfo& info, unsigned laws, const Name& name, std::size_t array, Index element);

  Model::Parts parts_;
  Model::Numbers numbers_;
  std::vector<std::shared_ptr<ElementArrayBase>> arrays_;  // still growing; model() moves them to numbers_.arrays
  std::unordered_map<std::type_index, std::size_t> array_index_;
  std::vector<Output> referred_;  // the elements behind ForceRef and ConstraintRef
  std::int64_t size_ = 0;
  std::pair<std::size_t, Index> last_{0, nothing};
};

/// "spring 'diagonal[3]'", or "a spring" without a name.
std::string describe(std::string_view keyword, const Name& name);

template <class E>
ModelBuilder::Entry ModelBuilder::array_of() {
  const auto [found, is_new] = array_index_.try_emplace(typeid(E), arrays_.size());
  if (is_new) arrays_.push_back(new_element_array<E>());
  return {arrays_[found->second].get(), found->second};
}

template <class E>
void ModelBuilder::add(const Name& name, const E& element) {
  validate(E::info(), &element, name);
  if constexpr (requires { element.problem(); }) {
    if (const char* problem = element.problem())
      throw Error(stillpoint::describe(E::info().keyword, name) + " " + problem);
  }
  const Entry entry = array_of<E>();
  give_name(E::info(), E::laws, name, entry.index, entry.elements->size());
  entry.elements->append(&element);
  last_ = {entry.index, entry.elements->size() - 1};
  ++size_;
}

template <class Measure>
void ModelBuilder::output(const Name& name, const Measure& measure) {
  check_output_name(name);
  add({}, measure);
  const Entry entry = array_of<Measure>();
  add_output(name, {entry.index, entry.elements->size() - 1}, static_cast<int>(entry.elements->measure_names().size()));
}

}  // namespace stillpoint
