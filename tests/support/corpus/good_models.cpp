#include "support/corpus/good_models.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "stillpoint/authoring/vec3.h"
#include "support/elements/element_harness.h"

namespace stillpoint {

namespace {

using Point = Vec3<double>;

constexpr double deg = std::numbers::pi / 180;

/// The ground or a body, as it stands in the guess. In the plane everything has z = 0 and turns about z.
struct Part {
  std::string name;
  Point at;
  Rotation<double> turn;
  double angle = 0;  ///< in the plane, in degrees
};

class Sketch {
 public:
  explicit Sketch(std::uint64_t seed) : random_(seed), name_(fmt::format("seed_{}", seed)), in_space_(seed % 2 == 1) {}

  std::string text() {
    parts_.push_back({"ground", {}, {}});
    const bool is_chain = maybe(0.4);
    for (int n = 1 + below(6); n > 0; --n) add_body(is_chain ? parts_.back() : any_part());
    for (int n = below(3); n > 0; --n) close_loop();
    if (maybe(0.4)) hang_chain();
    for (int n = 1 + below(4); n > 0; --n) add_force();
    if (maybe(0.5)) add_angle();
    if (maybe(0.3)) add_scalars();
    for (int n = below(4); n > 0; --n) add_output();
    if (maybe(0.3)) shuffle();  // what stands below may be used above

    std::string file = fmt::format("# A model made from a seed.\nstillpoint: 1\nname: {}\n", name_);
    if (in_space_) file += "dimension: 3\n";
    file += "parameters:\n" + parameters_;
    file += in_space_ ? "gravity: 0, 0, -9.81\n" : "gravity: 0, -9.81\n";
    file += "mechanism:\n";
    for (const std::string& entry : entries_) file += entry;
    return file;
  }

 private:
  // --- Drawing lots

  bool maybe(double chance) { return random_.between(0, 1) < chance; }
  int below(int end) { return static_cast<int>(random_.between(0, end)); }
  std::size_t index(std::size_t size) { return static_cast<std::size_t>(below(static_cast<int>(size))); }
  Part any_part() { return parts_[index(parts_.size())]; }
  Part any_body() { return parts_[1 + index(parts_.size() - 1)]; }
  Part any_but(const Part& one) {
    const Part other = any_part();
    return other.name == one.name ? any_but(one) : other;
  }
  Point any_direction() {
    const Point v{random_.between(-1, 1), random_.between(-1, 1), in_space_ ? random_.between(-1, 1) : 0};
    return length(v) > 0.3 ? (1 / length(v)) * v : any_direction();
  }
  /// A point 0.2 to 0.5 m away, in whole millimetres.
  Point near(const Point& p) {
    const Point q = p + random_.between(0.2, 0.5) * any_direction();
    return {rounded(q.x), rounded(q.y), rounded(q.z)};
  }
  double about(double low, double high) { return rounded(random_.between(low, high)); }
  static double rounded(double x) { return std::round(1000 * x) / 1000; }

  // --- Writing

  void add(const std::string& entry) { entries_.push_back(entry); }
  std::string next(const char* word) { return fmt::format("{}[{}]", word, ++count_); }
  static std::string three(const Point& v) { return fmt::format("{}, {}, {}", v.x, v.y, v.z); }
  std::string vector(const Point& v) const { return in_space_ ? three(v) : fmt::format("{}, {}", v.x, v.y); }

  static Point local(const Part& part, const Point& p) { return turned_back(part.turn, p - part.at); }

  /// A place on a part: given on the spot, as a marker, or as a marker on a marker.
  std::string place(const Part& part, const Point& p) {
    const Point r = local(part, p);
    if (maybe(0.7)) return fmt::format("{}({})", part.name, vector(r));
    const std::string name = next("M");
    if (maybe(0.7)) {
      add(fmt::format("  - marker: {}\n    on: {}\n    at: {}\n", name, part.name, vector(r)));
    } else {
      const std::string base = next("M");
      add(fmt::format("  - marker: {0}\n    on: {1}\n    at: {2}\n  - marker: {3}\n    on: {0}\n    at: {2}\n", base,
                      part.name, vector(0.5 * r), name));
    }
    return name;
  }

  std::string input(double value = 1) {
    const std::string name = next("u");
    add(fmt::format("  - input: {}\n    value: {}\n", name, value));
    return name;
  }

  void element(const char* keyword, const std::string& fields) {
    const std::string name = next(keyword);
    add(fmt::format("  - {}: {}\n{}", keyword, name, fields));
    if (std::string_view(keyword) == "spring" || std::string_view(keyword) == "actuator") forces_.push_back(name);
  }

  // --- Bodies and joints

  /// A bar that is joined to a part; its size and mass are parameters.
  void add_body(const Part& parent) {
    const int k = static_cast<int>(parts_.size());
    const Point joint = near(parent.at);
    Part body{fmt::format("bar[{}]", k), joint, {}};
    std::string turn;
    if (in_space_) {
      const Point by{below(120) - 60.0, below(120) - 60.0, below(120) - 60.0};
      body.turn = rotation_about(deg * by);
      turn = fmt::format("rotation: {}*deg, {}*deg, {}*deg", by.x, by.y, by.z);
      if (maybe(0.3)) {
        const Point z = any_direction(), x = across(z);
        body.turn = rotation_with(z, x);
        turn = fmt::format("z_axis: {}\n    x_axis: {}", three(z), three(2 * x));
      }
    } else {
      body.angle = below(300) - 150;
      body.turn = rotation_about({0, 0, deg * body.angle});
      turn = fmt::format("angle: {}*deg", body.angle);
    }
    parameters_ += fmt::format("  l{0}: {1}  # m\n  m{0}: {2}  # kg\n", k, about(0.3, 0.8), about(0.5, 5));
    const char* const inertia = in_space_ ? "m{0}*l{0}^2/40, m{0}*l{0}^2/12, m{0}*l{0}^2/10" : "m{0}*l{0}^2/12";
    add(fmt::format("  - body: {}\n    at: {}\n    {}\n    mass: m{}\n    inertia: {}\n    centre: l{}/2, 0{}\n",
                    body.name, vector(joint), turn, k, fmt::format(fmt::runtime(inertia), k), k,
                    in_space_ ? ", 0" : ""));
    in_space_ ? join_in_space(parent, body) : join_in_plane(parent, body);
    parts_.push_back(body);
  }

  void join_in_plane(const Part& parent, const Part& body) {
    const Point r = local(parent, body.at);
    const double along = below(180);
    const auto frame = [&](const Part& part, const Point& p) {
      return fmt::format("{}({}, {}, {}*deg)", part.name, p.x, p.y, along - part.angle);
    };
    const std::string frames = fmt::format("    between: {}, {}\n", frame(parent, r), frame(body, {}));
    switch (below(6)) {
      case 0:
        return element("prismatic", frames);
      case 1:
        return element("weld", frames);
      case 2:
        return element("slider", fmt::format("    slot: {}\n    pin: {}\n", frame(parent, r), body.name));
      default:
        return element("revolute", fmt::format("    between: {}, {}\n", place(parent, body.at), body.name));
    }
  }

  void join_in_space(const Part& parent, const Part& body) {
    const std::string bodies = fmt::format("    between: {}, {}\n", parent.name, body.name);
    const Point axis = any_direction(), side = across(axis);
    const auto two_axes = [&](const Point& second) {
      return fmt::format("    axis: {}\n    second_axis: {}\n", three(axis), three(second));
    };
    constexpr const char* with_axis[] = {"revolute", "cylindrical", "prismatic", "planar"};
    switch (below(8)) {
      case 0:
        return element("spherical", fmt::format("    between: {}, {}\n", place(parent, body.at), body.name));
      case 1:
        return element("universal", bodies + two_axes(3 * side));
      case 2:
        return element("constant_velocity", bodies + two_axes(axis + 0.5 * side));
      case 3:
        return element("weld", bodies + fmt::format("    at: {}\n", three(body.at)));
      default:
        return element(with_axis[below(4)], bodies + line(body.at, axis));
    }
  }

  /// An axis as a joint in space takes it: its direction, a point and its direction, or two points.
  std::string line(const Point& p, const Point& axis) {
    if (maybe(0.3)) return fmt::format("    axis: {}\n", three(axis));
    if (maybe(0.5)) return fmt::format("    at: {}\n    axis: {}\n", three(p), three(axis));
    return fmt::format("    through: ground({}), ground({})\n", three(p), three(p + 0.7 * axis));
  }

  /// A unit vector square to another.
  Point across(const Point& axis) {
    const Point v = cross(axis, any_direction());
    return length(v) > 0.2 ? (1 / length(v)) * v : across(axis);
  }

  // --- Loops, chains, forces

  void close_loop() {
    const Part a = any_body(), b = any_but(a);
    const Point p = near(a.at), q = near(b.at);
    const double between = length(q - p);
    if (between > 0.1 && maybe(0.6)) {
      const bool is_rod = maybe(0.5);
      element(is_rod ? "rod" : "distance", fmt::format("    between: {}, {}\n    length: {}\n{}", place(a, p),
                                                       place(b, q), between, is_rod ? "    mass: 0.75\n" : ""));
    } else if (in_space_ && maybe(0.5)) {
      element("revolute", fmt::format("    between: {}, {}\n{}", a.name, b.name, line(p, any_direction())));
    } else {
      element(in_space_ ? "spherical" : "revolute", fmt::format("    between: {}, {}\n", place(a, p), place(b, p)));
    }
  }

  /// A chain of points that a repetition makes, hanging from a part.
  void hang_chain() {
    const Part part = any_part();
    const Point hook = near(part.at);
    parameters_ += fmt::format("  N: {{value: {}, integer: true, min: 1, help: links}}\n  link: {}\n", 1 + below(8),
                               about(0.1, 0.3));
    add(fmt::format("  - marker: P[0]\n    on: {}\n    at: {}\n", part.name, vector(local(part, hook))));
    const std::string at = in_space_ ? fmt::format("{}, {}, {} - i*link", hook.x, hook.y, hook.z)
                                     : fmt::format("{}, {} - i*link", hook.x, hook.y);
    add(
        fmt::format("  - for: i in 1..N\n    do:\n      - point: P[i]\n        at: {}\n        mass: 0.5\n"
                    "      - distance: link[i]\n        between: P[i-1], P[i]\n        length: link\n",
                    at));
  }

  void add_force() {
    const Part a = any_body(), b = any_but(a);
    const Point p = near(a.at), q = near(b.at);
    const std::string frames = fmt::format("    between: {}, {}\n", b.name, a.name);
    const std::string vector_text = vector(10 * any_direction());
    const double apart = length(q - p);
    const int kind = below(6);
    if (kind == 0) return element("torsion_spring", frames + "    stiffness: 20\n    damping: 0.1\n");
    if (kind == 1) return element("torsion_damper", frames + "    damping: 0.2\n");
    if (kind == 2) {
      return element("force",
                     fmt::format("    at: {}\n    vector: {}\n    input: {}\n", place(a, p), vector_text, input()));
    }
    if (kind == 3) return element("follower_force", fmt::format("    at: {}\n    vector: {}\n", a.name, vector_text));
    if (in_space_ && kind == 4) return element("bushing", frames + "    stiffness: 900, 900, 900, 30, 30, 40\n");
    if (apart < 0.2) return;
    const std::string ends = fmt::format("    between: {}, {}\n", place(a, p), place(b, q));
    if (maybe(0.3)) return element("actuator", ends + fmt::format("    magnitude: 5\n    input: {}\n", input()));
    element("spring", ends + fmt::format("    stiffness: 200\n    free_length: {}\n    damping: 3\n", 0.9 * apart));
  }

  // --- Scalars and outputs

  /// An angle of a body against the ground, geared to a scalar.
  void add_angle() {
    const Part body = any_body();
    double value = 0;
    std::string law;
    if (in_space_) {
      law = fmt::format("    between: ground, {}\n    axis: {}\n", body.name, three(any_direction()));
    } else {
      const Point from = near(body.at), d = 0.4 * any_direction();
      value = std::atan2(d.y, d.x);
      law = fmt::format("    between: {}, {}\n", place(body, from), place(body, from + d));
    }
    const double wheel = about(-1, 1);
    add(fmt::format("  - scalar: phi\n    value: {}\n  - angle: phi\n    of: phi\n{}", value, law));
    add(fmt::format("  - scalar: wheel\n    value: {}\n    mass: 0.5\n", wheel));
    add(fmt::format("  - coupling: gear\n    coordinates: phi, wheel\n    factors: 1, -2\n    value: {}\n",
                    value - 2 * wheel));
  }

  /// Two inertias with a prescribed motion before them.
  void add_scalars() {
    const double base = about(-0.1, 0.1);
    const std::string drive = input(base);
    add(fmt::format("  - scalar: base\n    value: {0}\n  - scalar: stage\n    value: {0}\n    mass: 2\n", base));
    add(fmt::format("  - prescribed: shaker\n    coordinate: base\n    input: {}\n", drive));
    add("  - coupling: link\n    coordinates: [base, stage]\n    factors: [1, -1]\n");
  }

  void add_output() {
    const Part a = any_body(), b = any_but(a);
    const std::string spot = fmt::format("{}({})", a.name, vector({0.25, 0.1, 0}));
    std::string what;
    switch (below(8)) {
      case 0:
        what = fmt::format("position: {}\n    axes: {}", spot, b.name);
        break;
      case 1:
        what = "velocity: " + spot;
        break;
      case 2:
        what = "acceleration: " + a.name;
        break;
      case 3:
        what = fmt::format("angle: {}, {}", b.name, a.name);
        break;
      case 4:
        what = "rate: " + a.name;
        break;
      case 5:
        what = fmt::format("coordinate: {}.x", a.name);
        break;
      case 6:
        what = fmt::format("distance: {}({}), {}", b.name, vector({1.5, 1, 0}), spot);
        break;
      default:
        if (forces_.empty()) return;
        what = "force: " + forces_[index(forces_.size())];
    }
    add(fmt::format("  - output: {}\n    {}\n", next("y"), what));
  }

  void shuffle() {
    for (std::size_t i = entries_.size(); i > 1; --i) std::swap(entries_[i - 1], entries_[index(i)]);
  }

  Random random_;
  std::string name_;
  bool in_space_;
  std::vector<Part> parts_;  // the ground is the first
  std::vector<std::string> entries_, forces_;
  std::string parameters_;
  int count_ = 0;
};

}  // namespace

std::string good_model(std::uint64_t seed) { return Sketch(seed).text(); }

}  // namespace stillpoint
