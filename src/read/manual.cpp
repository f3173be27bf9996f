// The reference of model files and their JSON Schema, generated from the tables of the reader.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "read/controller_layout.h"
#include "read/expression.h"
#include "read/layout.h"
#include "stillpoint/read_model.h"

namespace stillpoint {

namespace {

const char* what_goes_in(FieldKind kind) {
  switch (kind) {
    case FieldKind::numbers:
      return "number";
    case FieldKind::position:
    case FieldKind::space_position:
      return "position";
    case FieldKind::frame:
    case FieldKind::space_frame:
      return "frame";
    case FieldKind::space_orientation:
      return "orientation";
    case FieldKind::angle:
      return "angle";
    case FieldKind::node:
      return "node";
    case FieldKind::coordinate:
      return "coordinate";
    case FieldKind::input:
      return "input";
    case FieldKind::force:
      return "force";
    case FieldKind::constraint:
      return "constraint";
    case FieldKind::folder:
      return "path";
    case FieldKind::text:
      return "text";
    case FieldKind::flag:
      return "true or false";
  }
  return "";
}

const char* what_is_allowed(Allowed allowed) {
  switch (allowed) {
    case Allowed::any:
      return "";
    case Allowed::positive:
      return "> 0";
    case Allowed::non_negative:
      return "≥ 0";
    case Allowed::not_all_zero:
      return "not zero";
  }
  return "";
}

std::string counted(const Field& field) {
  const std::string what = what_goes_in(field.kind);
  if (field.most == 1) return what;
  return fmt::format("{} {}s", allowed_counts(field), what);
}

std::string key_table(std::span<const Key> keys) {
  std::string text = "| key | | meaning |\n|---|---|---|\n";
  for (const Key& key : keys)
    text += fmt::format("| `{}` | {} | {} |\n", key.key, key.required ? "required" : "", key.help);
  return text + "\n";
}

std::string_view fallback_of(const Field& field) {
  if (!field.required()) return field.fallback;
  return field.is_free_state ? "(required, or preload: true)" : "(required)";
}

std::string entry_section(const ElementInfo& info) {
  std::string text = fmt::format("### `{}`\n\n{}\n\n", info.keyword, info.help);
  if (!info.law.empty()) text += fmt::format("    {}\n\n", info.law);
  text += "| field | takes | unit | allowed | if left out | meaning |\n|---|---|---|---|---|---|\n";
  for (const Field& field : info.fields) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.key, counted(field), field.unit,
                        what_is_allowed(field.allowed), fallback_of(field), field.help);
  }
  return text + "\n";
}

constexpr const char* introduction = R"(# Model files

A model is a YAML file (JSON is a subset), by custom `model.yaml` in a folder of its own. This page is generated from
the tables of the reader: `stillpoint schema --manual`.

```yaml
stillpoint: 1
name: chain
parameters:
  N: {value: 3, integer: true, min: 1, help: links}
  l: 1
gravity: 0, -9.81

mechanism:
  - fixed: P[0]
    at: 0, 0
  - for: i in 1..N
    do:
      - point: P[i]
        at: i*l, 0
        mass: 1
      - distance: link[i]
        between: P[i-1], P[i]
        length: l
```

All quantities are SI, angles in radians (write `30*deg`). Anything after `#` is a comment.

)";

constexpr const char* rules = R"(
## Numbers

Wherever a number goes, an expression over the parameters and loop variables may stand: `2*l*cos(phi)`. Operators
`+ - * / ^`, comparisons `< <= == != >= >`, `&& ||` and `a ? b : c` (to be quoted, as YAML takes `:` for itself); the
constants `pi` and `deg`; the functions

    {functions}

Powers go before signs and from right to left: `-2^2` is -4, `2^3^2` is 512. A comparison is 1 or 0; a condition holds
if it is not 0. `log` is the natural logarithm, as `ln`; `min max sum avg` take any number of arguments; `rint` rounds to
whole numbers, halves upwards.

Several numbers are written `1, 2` or as a list `[1, 2]`. A number whose value is infinite or undefined is an error.

## Names and references

A name is a word (letters, digits, `_`), with up to four indices in brackets if it is one of many: `B[i]`, `mass[i,j]`.
An index is an expression whose value is a whole number. Points, bodies, scalars and markers share one name space;
constraints, forces, masses and inputs have one each. Elements need no name; points, bodies, scalars, markers and inputs
do.

What a field takes:

| takes | what may stand there |
|---|---|
| number | a number or an expression |
| position | a point, a body, node or marker (its origin), or a place given on the spot: `crank(l/2, 0)` in the axes of the body `crank`, `ground(1, 0)` |
| frame | a body, a node, a marker, `ground`, or a place given on the spot, with its angle if it has one: `crank(l/2, 0, 90*deg)` |
| orientation | the same; only its axes matter |
| angle | a body (its angle), a marker on it, a scalar, or `ground` |
| node | a node of a flexible body |
| coordinate | `phi` for a scalar, `P.x` and `P.y` for a point, `crank.x`, `crank.y` and `crank.phi` for a body, `N.ux`, `N.uy` and `N.theta` for a node |
| input | the name of an input |
| force, constraint | the name of an element: what an output shows |
| path | a folder or file, from the folder of the model file if it does not begin with `/` |
| text | a word or a few, taken as they stand |

Several references are written `A, B`, or as a list. In YAML's `[…]` and `{{…}}` notation a name with an index must be
quoted, because there brackets and commas have a meaning of their own: `between: ["B[i-1]", "B[i]"]`; on a line of its own
it needs no quotes: `between: B[i-1], B[i]`.

Objects may be used above their definition, except that a marker on another marker stands below it, and a node below its
body.

## Shapes

Pictures show a mechanism by its joints, rods, springs and masses. Where a part has a shape of its own, `draw` says so; it
has no mass and no other effect. A shape sits at a place, and is given in the axes there:

```yaml
  - draw: cover
    on: crank(l/2, 0)
    box: l, 0.05
    color: '#4477aa'
  - draw: housing
    on: ground
    mesh: parts/housing.stl    # in mm
    scale: 0.001
```

STL files (text or binary) and OBJ files are read when something is drawn, and by `check`; a longer polyline than one
entry takes is made of several.

## Rotating frames

A rotor, a governor or a blade is at rest in a frame that rotates with it. `angular_velocity` in the head makes the ground
such a frame: it rotates at a constant speed about the origin, in the plane about the normal (one number), in space about
any axis (`0, 0, Omega`). The model is described relative to this frame; the centrifugal and the Coriolis force act on
points, bodies, rods and beams, exactly. Outputs are motions relative to the frame; dampers to the ground act on these.
Gravity must be constant in the frame, so it is allowed along the axis only. The inertia of a scalar acts along its
coordinate and does not depend on the frame.

Where the potential has no minimum, gyroscopic forces may stabilise an equilibrium; `--rest nearest` stays there.

## Repetition

)";

constexpr const char* space_rules = R"(## Mechanisms in space

With `dimension: 3` in the head the mechanism is in space, and the entries are those of the last chapter; they have the
names of the plane where their meaning is the same. Vectors have three numbers.

```yaml
stillpoint: 1
dimension: 3
gravity: 0, 0, -9.81

mechanism:
  - body: door                 # its axes: x to the side, z up, as those of the ground
    at: 0, 0, 0
    mass: 30
    inertia: 10, 2.5, 12.5     # Ixx, Iyy, Izz about the centre of mass
    centre: 0.5, 0, 1
  - revolute: hinges
    between: ground, door
    at: 0, 0, 1                # a point of the axis, and its direction, at the guess
    axis: 0.05, 0, 1
```

- **Orientation.** `rotation: rx, ry, rz` is axis times angle (`0, 0, 90*deg` rotates about z). Alternatively `z_axis` gives
  the direction of the z axis and `x_axis`, if given, that of the x axis as nearly as `z_axis` allows. Axes may have any
  length.
- **The axis of a joint** is the z axis of its two frames. By default a joint connects these frames. With `at`, `axis` or
  `through` it has frames of its own on the two bodies, which are placed accordingly at the guess; `through: P, Q` is the
  line through two places.
- **Places on the spot** have three numbers, or six with a rotation: `door(1, 0, 2)`, `door(0, 0, 1, 0, 90*deg, 0)`.
- **Coordinates.** A body has three coordinates with values (`door.x`, `door.y`, `door.z`). Its orientation has none: small
  rotations about its own axes are called `door.rx`, `door.ry`, `door.rz` in results. Where a coupling, a spring over
  several turns (`scalar_spring`) or prescribed motion needs the angle of a hinge, make it a scalar with the entry `angle`; `travel` does the same
  for a distance along an axis.
- **Scalars, couplings, inputs and prescribed motion** are the same in the plane and in space.

)";

}  // namespace

namespace {

std::string controllers_section() {
  std::string text =
      "## Controllers\n\nControllers close loops from outputs to inputs on the linear level, about the operating "
      "point: "
      "e = r − y are the\nerrors, and what a controller does adds to the inputs. The verbs `modes`, `compare`, "
      "`linearize`, `sparsity`, `response`\nand `export` work on the closed loop. Each adds the inputs "
      "`NAME.reference` and the outputs `NAME.u` (with an index if\nthere are several), and states `NAME.x[1]`, ... "
      "behind the coordinates. An entry is a mapping whose first key says what\nit is, with its name: `- pid: "
      "balance`. Numbers may be expressions of parameters. [controllers.md](controllers.md) is the\nguide.\n\nAll "
      "entries have\n\n" +
      key_table(common_controller_keys);
  for (const ControllerKind& kind : controller_kinds)
    text += fmt::format("### {}\n\n{}\n\n{}", kind.keyword, kind.help, key_table(kind.keys));
  return text;
}

}  // namespace

std::string model_manual() {
  std::string text = introduction;
  text += "## The file\n\n" + key_table(file_keys);
  text += "A parameter is a number, or a mapping of\n\n" + key_table(parameter_keys);
  text += fmt::format(fmt::runtime(std::string(rules).substr(1)), fmt::arg("functions", expression_functions));
  text += key_table(loop_keys);
  text += "A repetition from 1 to 0 makes nothing; repetitions may be nested.\n\n";
  text += space_rules;
  text += "## Entries in the plane\n\n";
  text += "An entry is a mapping whose first key says what it is, with its name: `- spring: diagonal[i]`.\n\n";
  for (const EntryType& type : entry_types(Dimension::plane)) text += entry_section(*type.info);
  text += "## Entries in space\n\n";
  for (const EntryType& type : entry_types(Dimension::space)) text += entry_section(*type.info);
  text += controllers_section();
  text.pop_back();
  return text;
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

using Json = nlohmann::ordered_json;

Json one_value() { return {{"type", {"number", "string"}}}; }

Json values_schema(std::size_t least, std::size_t most) {
  if (most == 1) return one_value();
  Json list{{"type", "array"}, {"items", one_value()}, {"minItems", least}, {"maxItems", most}};
  return {{"oneOf", {Json{{"type", "string"}}, list}}};
}

Json list_of(const char* definition) {
  return {{"type", "array"}, {"items", {{"$ref", std::string("#/$defs/") + definition}}}};
}

Json entry_schema(const EntryType& type) {
  const ElementInfo& info = *type.info;
  const std::string keyword(info.keyword);
  Json schema{{"type", "object"}, {"description", info.help}, {"additionalProperties", false}};
  schema["required"] = Json::array({keyword});
  schema["properties"][keyword] = {{"type", "string"}, {"description", "its name"}};
  if (type.stage == EntryType::Stage::elements) schema["properties"][keyword]["type"] = {"string", "null"};
  for (const Field& field : info.fields) {
    const std::string key(field.key);
    Json value = field.kind == FieldKind::flag ? Json{{"type", "boolean"}} : values_schema(field.least, field.most);
    value["description"] = std::string(field.help) + (field.unit.empty() ? "" : " (" + std::string(field.unit) + ")");
    schema["properties"][key] = value;
    if (field.required() && !field.is_free_state) schema["required"].push_back(key);
  }
  const Field* const free_state = info.free_state();
  if (free_state && free_state->required())
    schema["anyOf"] = {{{"required", {std::string(free_state->key)}}}, {{"required", {"preload"}}}};
  return schema;
}

/// The alternatives in a list of entries: those of one dimension, or a repetition.
Json choices_schema(Dimension dimension, const Json& loop, const char* itself) {
  Json choices = Json::array();
  for (const EntryType& type : entry_types(dimension)) choices.push_back(entry_schema(type));
  Json repetition = loop;
  repetition["properties"]["do"].update(list_of(itself));
  choices.push_back(repetition);
  return {{"oneOf", choices}};
}

Json keys_schema(std::span<const Key> keys) {
  Json schema{{"type", "object"}, {"additionalProperties", false}, {"required", Json::array()}};
  for (const Key& key : keys) {
    schema["properties"][std::string(key.key)] = {{"description", key.help}};
    if (key.required) schema["required"].push_back(key.key);
  }
  return schema;
}

/// A controller: one of the kinds, with the common keys and its own. Values are texts, numbers and lists of them.
Json controllers_schema() {
  Json choices = Json::array();
  for (const ControllerKind& kind : controller_kinds) {
    Json one = keys_schema(common_controller_keys);
    one["description"] = kind.help;
    one["properties"][std::string(kind.keyword)] = {{"type", "string"}, {"description", "its name"}};
    one["required"].push_back(kind.keyword);
    one["properties"].update(keys_schema(kind.keys)["properties"]);
    for (const Key& key : kind.keys) {
      if (key.required) one["required"].push_back(key.key);
    }
    choices.push_back(one);
  }
  return {{"oneOf", choices}};
}

}  // namespace

std::string model_schema() {
  Json loop = keys_schema(loop_keys);
  loop["properties"]["for"]["type"] = "string";

  Json parameter = keys_schema(parameter_keys);
  for (const char* key : {"value", "min", "max"}) parameter["properties"][key].update(one_value());
  parameter["properties"]["integer"]["type"] = "boolean";
  for (const char* key : {"unit", "help"}) parameter["properties"][key]["type"] = "string";

  Json schema = keys_schema(file_keys);
  schema["properties"]["stillpoint"]["const"] = 1;
  for (const char* key : {"name", "description"}) schema["properties"][key]["type"] = "string";
  schema["properties"]["parameters"]["type"] = "object";
  schema["properties"]["parameters"]["additionalProperties"] = {{"oneOf", {one_value(), parameter}}};
  schema["properties"]["dimension"]["enum"] = {2, 3};

  schema["properties"]["controllers"] = {{"description", schema["properties"]["controllers"]["description"]},
                                         {"type", "array"},
                                         {"items", controllers_schema()}};

  const auto world = [](std::size_t size, const char* entries) -> Json {
    const std::size_t turns = size == 3 ? 3 : 1;
    return {{"properties",
             {{"gravity", values_schema(size, size)},
              {"angular_velocity", values_schema(turns, turns)},
              {"mechanism", list_of(entries)}}}};
  };
  schema["if"] = {{"properties", {{"dimension", {{"const", 3}}}}}, {"required", Json::array({"dimension"})}};
  schema["then"] = world(3, "space_entry");
  schema["else"] = world(2, "entry");
  schema["$defs"]["entry"] = choices_schema(Dimension::plane, loop, "entry");
  schema["$defs"]["space_entry"] = choices_schema(Dimension::space, loop, "space_entry");

  Json head{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "stillpoint model file, version 1"}};
  head.update(schema);
  return head.dump(2) + "\n";
}

std::string starter_model() {
  return R"(# A pendulum on a carriage that a spring holds. All quantities are SI, angles in radians.
# Try:  stillpoint check .      and change things; docs/model-files.md lists all that can stand here.
stillpoint: 1
name: pendulum_on_a_carriage

# Numbers with a name. The command line replaces them:  stillpoint check . --set l=2
parameters:
  l: 1           # length of the pendulum (m)
  m: 0.5         # its mass (kg)
  k: 100         # stiffness that holds the carriage (N/m)

gravity: 0, -9.81

mechanism:
  # What an outside world or a controller sets.
  - input: push

  # A carriage on a rail along x: a rigid body with the coordinates carriage.x, carriage.y and carriage.phi.
  - body: carriage
    at: 0, 0                 # a guess of where it rests
    mass: 2
    inertia: 0.1
  - prismatic: rail
    between: ground, carriage

  # The pendulum: a uniform bar whose origin is the hinge and whose x axis runs along the bar.
  - body: bar
    at: 0, 0
    angle: -90*deg
    mass: m
    inertia: m*l^2/12
    centre: l/2, 0
  - revolute: hinge
    between: carriage, bar

  # Forces: a spring with a damper, friction in the hinge, and the push.
  - spring: holder
    between: ground(-1, 0), carriage
    stiffness: k
    free_length: 1
    damping: 0.8
  - torsion_damper: friction
    between: carriage, bar
    damping: 0.01
  - force: pushed
    at: carriage
    vector: 1, 0
    input: push
)";
}

}  // namespace stillpoint
