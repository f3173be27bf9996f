#include "read/draw_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "stillpoint/elements/drawing.h"
#include "stillpoint/triangle_mesh.h"

namespace stillpoint {

namespace {

/// Numbers of which there may be several: sides of a box, or coordinates of points.
template <std::size_t from, std::size_t to, std::size_t by>
struct DrawnNumbers {
  std::vector<double> values;
};

}  // namespace

namespace detail {

template <std::size_t from, std::size_t to, std::size_t by>
struct Slot<DrawnNumbers<from, to, by>> {
  static constexpr FieldKind kind = FieldKind::numbers;
  static constexpr std::size_t least = from, most = to, step = by;
  static void store(DrawnNumbers<from, to, by>& numbers, const FieldValue& value, std::size_t&) {
    numbers.values.assign(value.numbers.begin(), value.numbers.begin() + static_cast<std::ptrdiff_t>(value.count));
  }
  static void load(const DrawnNumbers<from, to, by>& numbers, FieldValue& value) {
    for (const double x : numbers.values) value.numbers[value.count++] = x;
  }
};

}  // namespace detail

namespace {

struct PlaneOfDrawing {
  static constexpr std::size_t dimension = 2;
  using Position = PositionOf;
  using Element = Drawn;
};
struct SpaceOfDrawing {
  static constexpr std::size_t dimension = 3;
  using Position = space::PositionOf;
  using Element = space::Drawn;
};

Vec3<double> vector_at(const std::vector<double>& numbers, std::size_t first, std::size_t dimension) {
  return {numbers[first], numbers[first + 1], dimension == 3 ? numbers[first + 2] : 0};
}

void require_positive(std::string_view key, double value, std::string_view what) {
  if (value > 0) return;
  throw FieldError(std::string(key), fmt::format("{} is {:.6g}; {} must be positive", key, value, what));
}

bool is_color(const std::string& text) {
  constexpr std::size_t size_of_color = 7;
  return text.size() == size_of_color && text[0] == '#' &&
         std::all_of(text.begin() + 1, text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// A shape has exactly one of the six keys; the others say more about it.
template <class World>
struct DrawEntry {
  static constexpr std::size_t dimension = World::dimension;
  using Vector = DrawnNumbers<dimension, dimension, 1>;
  using Sides = DrawnNumbers<dimension, 3, 1>;
  using Points = DrawnNumbers<2 * dimension, FieldValue::capacity, dimension>;

  typename World::Position on;
  Sides box;
  double sphere = unset, cylinder = unset, capsule = unset, radius = unset, scale = unset;
  Vector from, to;
  Points polyline;
  std::string mesh;
  Text color;

  static const ElementInfo& info() {
    static const ElementInfo info{
        "draw",
        "A shape that pictures show, without any effect on the mechanism: exactly one of box, sphere, cylinder, "
        "capsule, polyline and mesh.",
        "",
        {field<&DrawEntry::on>("on", "", "the body, point or place that carries it, in whose axes it is given"),
         field<&DrawEntry::box>("box", "m",
                                dimension == 3 ? "its sides along x, y, z; its centre is the place"
                                               : "its sides along x, y, and its thickness if it matters; its centre "
                                                 "is the place")
             .optional(other_shape),
         field<&DrawEntry::sphere>("sphere", "m", "its radius; its centre is the place").optional(other_shape),
         field<&DrawEntry::cylinder>("cylinder", "m", "its radius; its ends are at from and to").optional(other_shape),
         field<&DrawEntry::capsule>("capsule", "m", "a cylinder with round ends: its radius").optional(other_shape),
         field<&DrawEntry::from>("from", "m", "beside cylinder or capsule: one end of its axis").optional("the place"),
         field<&DrawEntry::to>("to", "m", "beside cylinder or capsule: the other end").optional("see cylinder"),
         field<&DrawEntry::polyline>("polyline", "m", "coordinates of its points, one after the other")
             .optional(other_shape),
         field<&DrawEntry::radius>("radius", "m", "beside polyline: half of its width").optional("a thin line"),
         field<&DrawEntry::mesh>("mesh", "", "an STL or OBJ file; from the folder of the model file")
             .optional(other_shape),
         field<&DrawEntry::scale>("scale", "", "beside mesh: the unit of the file in m, 0.001 for mm").optional("1"),
         field<&DrawEntry::color>("color", "", "its colour in quotes: '#rrggbb'").optional("that of other bodies")}};
    return info;
  }

  // An entry is filled anew in each round of a repetition, but only by the keys that the file has.
  void add(ModelBuilder& builder, const Name& name) const {
    builder.add({}, typename World::Element{on, name.empty() ? "" : to_string(name), geometry(name)});
  }

 private:
  static constexpr std::string_view other_shape = "another shape";

  static bool is_number(double value) { return value == value; }

  DrawnGeometry geometry(const Name& name) const {
    require_one_shape(name);
    DrawnGeometry shape;
    shape.color = drawn_color();
    if (!box.values.empty()) take_box(shape);
    if (is_number(sphere)) take_sphere(shape);
    if (is_number(cylinder)) take_round(shape, DrawnShape::cylinder, cylinder);
    if (is_number(capsule)) take_round(shape, DrawnShape::capsule, capsule);
    if (!polyline.values.empty()) take_polyline(shape);
    if (!mesh.empty()) take_mesh(shape);
    return shape;
  }

  void require_one_shape(const Name& name) const {
    const std::array given{!box.values.empty(), is_number(sphere),        is_number(cylinder),
                           is_number(capsule),  !polyline.values.empty(), !mesh.empty()};
    const auto count = std::count(given.begin(), given.end(), true);
    if (count != 1)
      throw Error(
          fmt::format("{} has {} shapes; it must have exactly one: box, sphere, cylinder, capsule, polyline or "
                      "mesh",
                      describe("draw", name), count));
    const bool is_round = is_number(cylinder) || is_number(capsule);
    refuse_beside("from", !from.values.empty() && !is_round, "cylinder or capsule");
    refuse_beside("to", !to.values.empty() && !is_round, "cylinder or capsule");
    refuse_beside("radius", is_number(radius) && polyline.values.empty(), "polyline");
    refuse_beside("scale", is_number(scale) && mesh.empty(), "mesh");
  }

  static void refuse_beside(const char* key, bool is_wrong, const char* shapes) {
    if (is_wrong) throw FieldError(key, fmt::format("{} needs {} beside it", key, shapes));
  }

  std::string drawn_color() const {
    if (!color.value.empty() && !is_color(color.value))
      throw FieldError(
          "color",
          fmt::format("color is '{}'; it must be like '#4477aa', six hexadecimal digits, in quotes", color.value));
    return color.value;
  }

  void take_box(DrawnGeometry& shape) const {
    shape.shape = DrawnShape::box;
    for (const double side : box.values) require_positive("box", side, "a side");
    shape.sides = vector_at(box.values, 0, box.values.size());
  }

  void take_sphere(DrawnGeometry& shape) const {
    require_positive("sphere", sphere, "the radius");
    shape.shape = DrawnShape::sphere;
    shape.radius = sphere;
  }

  void take_round(DrawnGeometry& shape, DrawnShape kind, double its_radius) const {
    require_positive(key_of(kind), its_radius, "the radius");
    if (to.values.empty()) throw FieldError(key_of(kind), fmt::format("{} needs to beside it", key_of(kind)));
    shape.shape = kind;
    shape.radius = its_radius;
    shape.to = vector_at(to.values, 0, dimension);
    if (!from.values.empty()) shape.from = vector_at(from.values, 0, dimension);
    const Vec3<double> axis = shape.to - shape.from;
    if (dot(axis, axis) == 0) throw FieldError("to", "to is where from is; the axis must have a length");
  }

  void take_polyline(DrawnGeometry& shape) const {
    shape.shape = DrawnShape::polyline;
    for (std::size_t k = 0; k < polyline.values.size(); k += dimension)
      shape.points.push_back(vector_at(polyline.values, k, dimension));
    if (!is_number(radius)) return;
    require_positive("radius", radius, "the radius");
    shape.radius = radius;
  }

  void take_mesh(DrawnGeometry& shape) const {
    if (!has_mesh_ending(mesh))
      throw FieldError("mesh", fmt::format("mesh is '{}'; it must end in .stl or .obj", mesh));
    std::error_code failed;
    if (!std::filesystem::is_regular_file(mesh, failed))
      throw FieldError("mesh", fmt::format("mesh: there is no file '{}'", mesh));
    shape.shape = DrawnShape::mesh;
    shape.file = mesh;
    if (!is_number(scale)) return;
    require_positive("scale", scale, "the scale");
    shape.scale = scale;
  }
};

}  // namespace

EntryType plane_draw_type() { return entry_type<DrawEntry<PlaneOfDrawing>>(EntryType::Stage::elements); }
EntryType space_draw_type() { return entry_type<DrawEntry<SpaceOfDrawing>>(EntryType::Stage::elements); }

}  // namespace stillpoint
