#include "support/equilibrium/linkages.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "stillpoint/authoring/vec3.h"
#include "support/seeded.h"

namespace stillpoint {

namespace {

using Point = Vec3<double>;

std::string head(const std::string& name, bool in_space) {
  return fmt::format("stillpoint: 1\nname: {}\n{}", name, in_space ? "dimension: 3\n" : "");
}

double parabola(int links, double i) {
  const double u = 2 * i / links - 1;
  return -0.34 * links * (1 - u * u);
}

/// A linkage as it grows. All bodies are parallel to the ground in the guess, so that a place on a body is given by
/// its vector from the body's origin.
class Sheet {
 public:
  Sheet(const std::string& name, bool in_space) : text(head(name, in_space) + "mechanism:\n"), in_space_(in_space) {}

  int body(const Point& at) {
    origins_.push_back(at);
    text += fmt::format("  - body: B[{}]\n    at: {}\n    mass: 1\n", bodies() - 1, vector(at));
    return bodies() - 1;
  }
  void hinge(int a, int b, const Point& at) {
    text += fmt::format("  - {}: joint[{}]\n    between: {}, {}\n", in_space_ ? "spherical" : "revolute", joints_++,
                        place(a, at), place(b, at));
  }
  void hinge_about(int a, int b, const Point& at, const Point& axis) {
    text += fmt::format("  - revolute: joint[{}]\n    between: {}, {}\n    at: {}\n    axis: {}\n", joints_++, name(a),
                        name(b), vector(at), vector(axis));
  }

  int bodies() const { return static_cast<int>(origins_.size()); }
  Point origin(int body) const { return body < 0 ? Point{} : origins_[static_cast<std::size_t>(body)]; }

  std::string text;

 private:
  static std::string name(int body) { return body < 0 ? "ground" : fmt::format("B[{}]", body); }
  std::string vector(const Point& p) const {
    return in_space_ ? fmt::format("{}, {}, {}", p.x, p.y, p.z) : fmt::format("{}, {}", p.x, p.y);
  }
  std::string place(int body, const Point& at) const {
    return fmt::format("{}({})", name(body), vector(at - origin(body)));
  }

  bool in_space_;
  std::vector<Point> origins_;
  int joints_ = 0;
};

class Draw : public Random {
 public:
  Draw(std::uint64_t seed, bool in_space) : Random(seed), in_space_(in_space) {}

  Point vector() {
    const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
    return {x, y, in_space_ ? z : 0};
  }
  /// Normally distributed, by the method of Box and Muller.
  double normal() {
    const double u = between(1e-12, 1), v = between(0, 2 * std::numbers::pi);
    return std::sqrt(-2 * std::log(u)) * std::cos(v);
  }

 private:
  bool in_space_;
};

// Two or three bars from a place on one of the last bodies to a place on another.
void add_loop(Sheet& sheet, Draw& draw, bool in_space) {
  const auto recent = [&] { return draw.whole(std::max(-1, sheet.bodies() - 4), sheet.bodies() - 1); };
  const int from = recent(), to = recent(), bars = draw.whole(2, 3);
  const Point start = sheet.origin(from) + draw.vector(), end = sheet.origin(to) + draw.vector();
  std::vector<Point> joints{start};
  for (int k = 1; k < bars; ++k) joints.push_back(joints.back() + draw.vector());
  joints.push_back(end);
  int before = from;
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    const int bar = sheet.body(0.5 * (joints[k] + joints[k + 1]));
    if (in_space && k == 0 && bars == 3) sheet.hinge_about(before, bar, joints[k], draw.vector());
    else sheet.hinge(before, bar, joints[k]);
    before = bar;
  }
  if (in_space) sheet.hinge_about(before, to, end, draw.vector());
  else sheet.hinge(before, to, end);
}

}  // namespace

std::string sagging_chain(int links) {
  std::string text = head("chain", false) + "gravity: 0, -9.81\nmechanism:\n";
  for (int i = 0; i < links; ++i) {
    text += fmt::format(
        "  - body: L[{0}]\n    at: {1}, {2}\n    angle: {3}\n    mass: 1\n    centre: 0.5, 0\n"
        "  - revolute: pin[{0}]\n    between: {4}, L[{0}]\n",
        i, 0.85 * i, parabola(links, i), std::atan(1.6 * (2 * (i + 0.5) / links - 1)),
        i == 0 ? "ground" : fmt::format("L[{}](1, 0)", i - 1));
  }
  return text + fmt::format("  - revolute: last\n    between: L[{}](1, 0), ground({}, 0)\n", links - 1, 0.85 * links);
}

std::string sagging_chain_of_points(int links) {
  std::string text = head("chain", false) + "gravity: 0, -9.81\nmechanism:\n";
  const auto name = [&](int i) {
    return i == 0 ? "ground" : i == links ? fmt::format("ground({}, 0)", 0.85 * links) : fmt::format("P[{}]", i);
  };
  for (int i = 1; i < links; ++i) {
    text += fmt::format("  - point: P[{}]\n    at: {}, {}\n    mass: 1\n", i, 0.85 * i, parabola(links, i));
  }
  for (int i = 0; i < links; ++i) {
    text += fmt::format("  - distance: link[{}]\n    between: {}, {}\n    length: 1\n", i, name(i), name(i + 1));
  }
  return text;
}

std::string scissor_lift(int stages, bool in_space, double angle, double pitch) {
  std::string text = head("lift", in_space) + "mechanism:\n";
  const auto vector = [&](double along, double up) {
    return in_space ? fmt::format("{}, 0, {}", along, up) : fmt::format("{}, {}", along, up);
  };
  const auto turn = [&](double by) {
    return in_space ? fmt::format("rotation: 0, {}, 0", -by) : fmt::format("angle: {}", by);
  };
  // In space the axis of a hinge is the z axis of its frames, which is turned to y.
  const auto place = [&](const std::string& body, double along) {
    return in_space ? fmt::format("{}({}, 0, 0, -90*deg, 0, 0)", body, along) : fmt::format("{}({}, 0)", body, along);
  };
  int hinges = 0;
  const auto hinge = [&](const std::string& a, const std::string& b) {
    text += fmt::format("  - revolute: hinge[{}]\n    between: {}, {}\n", hinges++, a, b);
  };
  for (int k = 0; k < stages; ++k) {
    for (const char* bar : {"rising", "falling"}) {
      const double by = bar[0] == 'r' ? angle : std::numbers::pi - angle;
      text += fmt::format("  - body: {}[{}]\n    at: {}\n    {}\n    mass: 1\n", bar, k,
                          vector(0.5 * std::cos(angle), pitch * (k + 0.5)), turn(by));
    }
    const std::string rising = fmt::format("rising[{}]", k), falling = fmt::format("falling[{}]", k);
    hinge(place(rising, 0), place(falling, 0));
    if (k == 0) {
      hinge(place("ground", 0), place(rising, -0.5));
      text += in_space ? "  - point_on_plane: foot\n    plane: ground\n    point: falling[0](-0.5, 0, 0)\n"
                       : "  - slider: foot\n    slot: ground\n    pin: falling[0](-0.5, 0)\n";
    } else {
      hinge(place(fmt::format("rising[{}]", k - 1), 0.5), place(falling, -0.5));
      hinge(place(fmt::format("falling[{}]", k - 1), 0.5), place(rising, -0.5));
    }
  }
  return text;
}

std::string deep_linkage(std::uint64_t seed, int loops, bool in_space) {
  Draw draw(seed, in_space);
  Sheet sheet("deep", in_space);
  for (int k = 0; k < loops; ++k) add_loop(sheet, draw, in_space);
  return sheet.text;
}

State guess_off_by(const Model& model, double size, double length, std::uint64_t seed) {
  Draw draw(seed, true);
  Eigen::VectorXd error(model.coordinates());
  for (const Block& block : model.blocks()) {
    const Index lengths = in_space(block.kind) ? 3 : 2;
    for (Index i = 0; i < coordinates_of(block.kind); ++i) {
      error[block.first + i] = size * (i < lengths ? length : 1) * draw.normal();
    }
  }
  return model.displaced(model.initial_state(), error);
}

}  // namespace stillpoint
