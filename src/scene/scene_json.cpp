#include "scene/scene_json.h"

#include <fmt/format.h>

#include <cmath>

#include "base/at.h"
#include "formats/gzip.h"
#include "formats/json_number.h"

namespace stillpoint {

namespace {

using Json = nlohmann::ordered_json;

/// Lengths with seven digits of the size: a picture needs four, and a file that is read by people no more.
class Rounded {
 public:
  explicit Rounded(double size) : unit_(std::pow(10.0, std::floor(std::log10(size)) - 7)) {}

  double operator()(double value) const {
    const double rounded = std::round(value / unit_) * unit_;
    // Multiples of a power of ten have digits that binary numbers do not: read the shortest decimal back.
    return std::isfinite(rounded) ? std::strtod(fmt::format("{:.10g}", rounded).c_str(), nullptr) + 0.0 : value;
  }

 private:
  double unit_;
};

double digits(double value, int count) { return std::strtod(fmt::format("{:.{}g}", value, count).c_str(), nullptr); }

Json rotation_json(const Rotation<double>& r) {
  return Json::array({json_number(digits(r.w, 12)), json_number(digits(r.x, 12)), json_number(digits(r.y, 12)),
                      json_number(digits(r.z, 12))});
}

bool is_identity(const Rotation<double>& r) { return r.x == 0 && r.y == 0 && r.z == 0; }
bool is_zero(const Vec3<double>& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

const char* word_of(SceneFrame::Kind kind) {
  constexpr const char* words[] = {"body", "point", "node", "scalar"};
  return words[static_cast<int>(kind)];
}
const char* word_of(SceneShape kind) {
  constexpr const char* words[] = {"capsule", "hull", "ellipsoid", "sphere", "box", "cylinder", "polyline", "mesh"};
  return words[static_cast<int>(kind)];
}
const char* word_of(SceneRole role) {
  constexpr const char* words[] = {"joint", "link",   "spring", "damper",  "actuator", "torsion",
                                   "force", "torque", "beam",   "measure", "other"};
  return words[static_cast<int>(role)];
}
const char* word_of(SceneHold hold) {
  constexpr const char* words[] = {"nothing", "point", "line", "plane", "distance"};
  return words[static_cast<int>(hold)];
}
const char* word_of(ModeMotion::Kind kind) {
  constexpr const char* words[] = {"oscillating", "real", "neutral", "tangent"};
  return words[static_cast<int>(kind)];
}

struct SceneWriter {
  const Scene& scene;
  Rounded length{scene.size};

  Json point(const Vec3<double>& p) const {
    return Json::array({json_number(length(p.x)), json_number(length(p.y)), json_number(length(p.z))});
  }
  static Json exact(const Vec3<double>& v) {
    return Json::array({json_number(digits(v.x, 12)), json_number(digits(v.y, 12)), json_number(digits(v.z, 12))});
  }

  Json frame(const SceneFrame& frame) const {
    Json json = {{"name", frame.name}, {"kind", word_of(frame.kind)}, {"position", point(frame.position)}};
    if (!is_identity(frame.rotation)) json["rotation"] = rotation_json(frame.rotation);
    if (frame.mass != 0) json["mass"] = json_number(frame.mass);
    if (!is_zero(frame.centre)) json["centre"] = point(frame.centre);
    if (is_zero(frame.half_axes)) return json;
    json["inertia"]["half"] = point(frame.half_axes);
    if (!is_identity(frame.principal_axes)) json["inertia"]["rotation"] = rotation_json(frame.principal_axes);
    return json;
  }

  Json primitive(const ScenePrimitive& shape) const {
    Json json = {{"kind", word_of(shape.kind)}, {"frame", shape.frame}};
    json["name"] = !shape.name.empty() ? shape.name : shape.frame < 0 ? "ground" : scene.frames[at(shape.frame)].name;
    if (!shape.color.empty()) json["color"] = shape.color;
    if (shape.is_from_file) json["from"] = "file";
    const auto points = [&] {
      Json list = Json::array();
      for (const Vec3<double>& p : shape.points) list.push_back(point(p));
      return list;
    };
    switch (shape.kind) {
      case SceneShape::capsule:
      case SceneShape::cylinder:
        json["a"] = point(shape.points[0]);
        json["b"] = point(shape.points[1]);
        break;
      case SceneShape::ellipsoid:
      case SceneShape::sphere:
      case SceneShape::box:
        json["centre"] = point(shape.points[0]);
        break;
      default:
        json["points"] = points();
    }
    if (shape.radius != 0) json["radius"] = json_number(length(shape.radius));
    if (!is_zero(shape.half)) json["half"] = point(shape.half);
    if (!is_identity(shape.rotation)) json["rotation"] = rotation_json(shape.rotation);
    if (!shape.faces.empty()) json["faces"] = shape.faces;
    return json;
  }

  Json element(const SceneElement& element) const {
    Json json = {{"kind", element.kind}, {"role", word_of(element.role)}, {"name", element.name}};
    json["places"] = Json::array();
    for (const ScenePlace& place : element.places)
      json["places"].push_back({{"frame", place.frame}, {"at", point(place.at)}});
    if (element.holds != SceneHold::none) json["holds"] = word_of(element.holds);
    if (element.axis) json["axis"] = exact(*element.axis);
    if (!element.tangents.empty()) {
      json["axes"] = Json::array();
      for (const Vec3<double>& tangent : element.tangents) json["axes"].push_back(point(tangent));
    }
    if (!element.lines.empty()) json["lines"] = element.lines;
    if (element.vector) json["vector"] = exact(*element.vector);
    if (element.reaction) json["reaction"] = exact(*element.reaction);
    if (element.follows) json["follows"] = true;
    for (const auto& [name, value] : element.numbers) json[name] = json_number(digits(value, 12));
    return json;
  }

  Json motion(const ModeMotion& motion) const {
    Json json = {{"mode", motion.mode},
                 {"s", Json::array({json_number(motion.s.real()), json_number(motion.s.imag())})},
                 {"kind", word_of(motion.kind)}};
    if (!motion.branch.empty()) json["branch"] = motion.branch;
    json["amplitude"] = json_number(motion.amplitude);
    json["degree"] = motion.degree;
    json["powers"] = motion.powers;
    json["error"] = json_number(digits(motion.error, 3));
    json["gap"] = json_number(digits(motion.gap, 3));
    json["residual"] = json_number(digits(motion.residual, 3));
    if (!motion.note.empty()) json["note"] = motion.note;
    std::vector<double> scale;
    for (const double each : motion.scale) scale.push_back(digits(each, 9));
    json["values"] = packed(motion.values, 1, scale);
    return json;
  }
};

}  // namespace

nlohmann::ordered_json scene_json(const Scene& scene) {
  const SceneWriter write{scene};
  Json json = {{"schema", "stillpoint.scene/1"}};
  json["model"]["name"] = scene.name;
  if (!scene.description.empty()) json["model"]["description"] = scene.description;
  json["dimension"] = scene.dimension;
  json["unit"] = "m";
  json["size"] = json_number(scene.size);
  json["box"] = Json::array({write.point(scene.box[0]), write.point(scene.box[1])});
  json["gravity"] = SceneWriter::exact(scene.gravity);
  if (scene.is_schematic) json["schematic"] = true;
  for (const char* const list : {"frames", "primitives", "elements", "motions", "omitted"}) json[list] = Json::array();
  for (const SceneFrame& frame : scene.frames) json["frames"].push_back(write.frame(frame));
  for (const ScenePrimitive& shape : scene.primitives) json["primitives"].push_back(write.primitive(shape));
  for (const SceneElement& element : scene.elements) json["elements"].push_back(write.element(element));
  for (const ModeMotion& motion : scene.motions) {
    if (motion.degree > 0) json["motions"].push_back(write.motion(motion));
    else json["omitted"].push_back({{"mode", motion.mode}, {"branch", motion.branch}, {"why", motion.why_not}});
  }
  return json;
}

std::string to_json(const Scene& scene) {
  return scene_json(scene).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace stillpoint
