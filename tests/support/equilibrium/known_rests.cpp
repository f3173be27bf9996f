#include "support/equilibrium/known_rests.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "stillpoint/authoring/vec3.h"
#include "support/seeded.h"

namespace stillpoint {

namespace {

using std::numbers::pi;
using Point = Vec3<double>;

constexpr double g = 9.81;

class Lots : public Random {
 public:
  using Random::Random;

  Point vector(double reach, bool in_space) {
    return {between(-reach, reach), between(-reach, reach), in_space ? between(-reach, reach) : 0};
  }
  Point direction() {
    const Point v = vector(1, true);
    const double l = length(v);
    return l > 0.1 && l < 1 ? (1 / l) * v : direction();
  }
};

/// A model file as it grows; numbers are written so that they come back unchanged.
class Sheet {
 public:
  explicit Sheet(bool in_space) : in_space_(in_space) {
    text = fmt::format("stillpoint: 1\nname: m\n{}gravity: {}\nmechanism:\n", in_space ? "dimension: 3\n" : "",
                       in_space ? "0, 0, -9.81" : "0, -9.81");
  }

  std::string vector(const Point& p) const {
    return in_space_ ? fmt::format("{}, {}, {}", p.x, p.y, p.z) : fmt::format("{}, {}", p.x, p.y);
  }
  std::string place(const std::string& on, const Point& p) const { return fmt::format("{}({})", on, vector(p)); }
  void add(const std::string& keyword, const std::string& name, const std::string& fields) {
    text += fmt::format("  - {}: {}\n", keyword, name);
    std::size_t begin = 0;
    for (std::size_t end; (end = fields.find(';', begin)) != std::string::npos; begin = end + 1) {
      text += "    " + fields.substr(begin, end - begin) + "\n";
    }
    text += "    " + fields.substr(begin) + "\n";
  }
  void point(const std::string& name, const Point& at, double mass) {
    add("point", name, fmt::format("at: {};mass: {}", vector(at), mass));
  }
  void body(const std::string& name, const Point& at, double mass, double inertia) {
    const std::string moments = in_space_ ? fmt::format("{0}, {0}, {0}", inertia) : fmt::format("{}", inertia);
    add("body", name, fmt::format("at: {};mass: {};inertia: {}", vector(at), mass, moments));
  }
  void distance(const std::string& name, const std::string& a, const std::string& b, double length) {
    add("distance", name, fmt::format("between: {}, {};length: {}", a, b, length));
  }
  void spring(const std::string& name, const std::string& a, const std::string& b, double stiffness, double free) {
    add("spring", name, fmt::format("between: {}, {};stiffness: {};free_length: {}", a, b, stiffness, free));
  }

  std::string text;

 private:
  bool in_space_;
};

std::string nth(const char* word, int i) { return fmt::format("{}[{}]", word, i); }

/// Writes down where a point or body is in the first known rest.
void know(KnownRest& known, const std::string& name, const Point& p, bool in_space) {
  if (known.rests.empty()) known.rests.emplace_back();
  known.rests[0].emplace_back(name + ".x", p.x);
  known.rests[0].emplace_back(name + ".y", p.y);
  if (in_space) known.rests[0].emplace_back(name + ".z", p.z);
}

// Every mass straight below the one before.
KnownRest chain_of_points(Lots& lots) {
  const bool in_space = lots.maybe(0.5), has_rods = lots.maybe(0.5);
  const int n = lots.whole(1, 8);
  Sheet sheet(in_space);
  KnownRest known{"chain of points", {}, 0, {}};
  for (int i = 0; i < n; ++i) {
    const double l = lots.between(0.2, 2);
    const std::string above = i == 0 ? "ground" : nth("P", i - 1), here = nth("P", i);
    known.extent += l;
    sheet.point(here, {known.extent, 0, 0}, lots.scaled(0.1, 5));
    if (has_rods) {
      const std::string from = i == 0 ? sheet.place("ground", {}) : above;
      sheet.add("rod", nth("rod", i),
                fmt::format("between: {}, {};length: {};mass: {}", from, here, l, lots.scaled(0.1, 5)));
    } else {
      sheet.distance(nth("rod", i), above, here, l);
    }
    know(known, here, in_space ? Point{0, 0, -known.extent} : Point{0, -known.extent, 0}, in_space);
  }
  known.text = sheet.text;
  return known;
}

/// Bodies hung on each other: each turns about its own joint, and its weight and all below it act on one vector w that
/// is fixed on it.
struct HungBody {
  double mass;
  Point in, out;  ///< its joints, from the centre of mass
  Point w{};      ///< first moment about `in`, with all below it
};

std::vector<HungBody> hung_bodies(Lots& lots, int n, bool in_space) {
  std::vector<HungBody> bodies;
  for (int i = 0; i < n; ++i) {
    bodies.push_back({lots.scaled(0.2, 5), lots.vector(0.5, in_space), lots.vector(0.5, in_space)});
  }
  double below = 0;
  for (int i = n - 1; i >= 0; --i) {
    HungBody& body = bodies[i];
    body.w = -body.mass * body.in + below * (body.out - body.in);
    below += body.mass;
  }
  return bodies;
}

double reach_of(const std::vector<HungBody>& bodies) {
  double reach = 0;
  for (const HungBody& body : bodies) reach += length(body.in) + length(body.out);
  return reach;
}

// Each body so that its w points down.
KnownRest chain_of_bodies(Lots& lots) {
  const std::vector<HungBody> bodies = hung_bodies(lots, lots.whole(1, 6), false);
  Sheet sheet(false);
  KnownRest known{"chain of bodies in the plane", {}, reach_of(bodies), {}};
  Point joint;
  std::string above = "ground", place = "ground";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const HungBody& body = bodies[i];
    const std::string name = nth("B", static_cast<int>(i));
    sheet.body(name, {}, body.mass, lots.between(0.01, 1));
    sheet.add("revolute", nth("hinge", static_cast<int>(i)),
              fmt::format("between: {}, {}", place, sheet.place(name, body.in)));
    place = sheet.place(name, body.out);
    const double angle = -pi / 2 - std::atan2(body.w.y, body.w.x);
    const auto placed = [&](const Point& v) {
      return Point{v.x * std::cos(angle) - v.y * std::sin(angle), v.x * std::sin(angle) + v.y * std::cos(angle), 0};
    };
    know(known, name, joint - placed(body.in), false);
    joint = joint + placed(body.out - body.in);
  }
  known.text = sheet.text;
  return known;
}

// The same on ball joints: heights are known, and every body may turn about its own vertical w.
KnownRest chain_on_balls(Lots& lots) {
  const std::vector<HungBody> bodies = hung_bodies(lots, lots.whole(1, 5), true);
  Sheet sheet(true);
  KnownRest known{"chain of bodies on ball joints", {}, reach_of(bodies), {}, static_cast<Index>(bodies.size())};
  double joint = 0;
  std::string place = "ground";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const HungBody& body = bodies[i];
    const std::string name = nth("B", static_cast<int>(i));
    sheet.body(name, {}, body.mass, lots.between(0.01, 1));
    sheet.add("spherical", nth("ball", static_cast<int>(i)),
              fmt::format("between: {}, {}", place, sheet.place(name, body.in)));
    place = sheet.place(name, body.out);
    const auto height = [&](const Point& v) { return -dot(v, body.w) / length(body.w); };
    if (i == 0) known.rests.emplace_back();
    known.rests[0].emplace_back(name + ".z", joint - height(body.in));
    joint += height(body.out - body.in);
  }
  known.text = sheet.text;
  return known;
}

// The same on hinges with parallel axes that lean: across the axis w points where the weight does, and along it a body
// may be either way round.
KnownRest chain_on_hinges(Lots& lots) {
  const std::vector<HungBody> bodies = hung_bodies(lots, lots.whole(1, 5), true);
  Point axis = lots.direction();
  while (std::abs(axis.z) > 0.9) axis = lots.direction();
  const auto across = [&](const Point& v) { return v - dot(v, axis) * axis; };
  const auto unit = [](const Point& v) { return (1 / length(v)) * v; };
  Sheet sheet(true);
  KnownRest known{"chain of bodies on leaning hinges", {}, reach_of(bodies), {}};
  Point guess;
  std::string above = "ground";
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const HungBody& body = bodies[i];
    const std::string name = nth("B", static_cast<int>(i));
    sheet.body(name, guess - body.in, body.mass, lots.between(0.01, 1));
    sheet.add("revolute", nth("hinge", static_cast<int>(i)),
              fmt::format("between: {}, {};at: {};axis: {}", above, name, sheet.vector(guess), sheet.vector(axis)));
    above = name;
    guess = guess + body.out - body.in;
  }
  const Point down = unit(across({0, 0, -1}));
  for (unsigned turned_over = 0; turned_over < 1U << bodies.size(); ++turned_over) {
    KnownRest one;
    Point joint;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const HungBody& body = bodies[i];
      const double way = (turned_over >> i) & 1 ? -1 : 1;
      const Point e = unit(across(body.w)), f = cross(axis, e);
      const auto placed = [&](const Point& v) {
        return way * dot(v, axis) * axis + dot(v, e) * down + way * dot(v, f) * cross(axis, down);
      };
      know(one, nth("B", static_cast<int>(i)), joint - placed(body.in), true);
      joint = joint + placed(body.out - body.in);
    }
    known.rests.push_back(one.rests[0]);
  }
  known.text = sheet.text;
  return known;
}

// Rods on universal joints hang straight down.
KnownRest chain_on_universals(Lots& lots) {
  const int n = lots.whole(1, 4);
  Sheet sheet(true);
  KnownRest known{"chain of rods on universal joints", {}, 0, {}};
  for (int i = 0; i < n; ++i) {
    const double l = lots.between(0.2, 1), turn = lots.between(-pi, pi);
    const std::string name = nth("B", i);
    sheet.add("body", name,
              fmt::format("at: 0, 0, {};mass: {};inertia: {}, {}, 0.01", -known.extent - l / 2, lots.scaled(0.2, 5),
                          l * l / 12, l * l / 12));
    sheet.add("universal", nth("joint", i),
              fmt::format("between: {}, {};at: 0, 0, {};axis: {}, {}, 0;second_axis: {}, {}, 0",
                          i == 0 ? "ground" : nth("B", i - 1), name, -known.extent, std::cos(turn), std::sin(turn),
                          -std::sin(turn), std::cos(turn)));
    know(known, name, {0, 0, -known.extent - l / 2}, true);
    known.extent += l;
  }
  known.text = sheet.text;
  return known;
}

// Between two nails of the same height, further apart than a link is long: the horizontal pull is the same in all
// links, the vertical one grows from mass to mass, and the links follow the pull. In space this is the only stable
// form.
KnownRest chain_between_nails(Lots& lots) {
  const bool in_space = lots.maybe(0.7);
  const int n = lots.whole(3, 9);
  const double l = lots.between(0.2, 1), span = lots.between(1.2, 0.95 * n) * l, mass = lots.scaled(0.1, 5);
  const auto slope = [&](int link, double pull) { return std::atan((link - 0.5 * (n - 1)) / pull); };
  double low = 1e-9, high = 1e9;  // the horizontal pull, in weights of one mass
  for (int k = 0; k < 200; ++k) {
    const double pull = std::sqrt(low * high);
    double reached = 0;
    for (int i = 0; i < n; ++i) reached += l * std::cos(slope(i, pull));
    (reached < span ? low : high) = pull;
  }
  Sheet sheet(in_space);
  KnownRest known{in_space ? "chain between nails in space" : "chain between nails in the plane", {}, n * l, {}};
  Point p;
  const Point end{span, 0, 0};
  sheet.add("fixed", "nail", "at: " + sheet.vector(end));
  for (int i = 0; i < n; ++i) {
    const double angle = slope(i, low);
    p = p + (in_space ? Point{l * std::cos(angle), 0, l * std::sin(angle)}
                      : Point{l * std::cos(angle), l * std::sin(angle), 0});
    const bool last = i + 1 == n;
    if (!last) sheet.point(nth("P", i), {(i + 1) * span / n, 0, 0}, mass);
    if (!last && in_space) know(known, nth("P", i), p, in_space);
    sheet.distance(nth("link", i), i == 0 ? "ground" : nth("P", i - 1), last ? "nail" : nth("P", i), l);
  }
  known.text = sheet.text;
  return known;
}

// A net of springs without free length: forces are linear in the positions.
KnownRest net(Lots& lots) {
  const bool in_space = lots.maybe(0.5);
  const int rows = lots.whole(1, 4), columns = lots.whole(1, 4), size = rows * columns;
  Sheet sheet(in_space);
  KnownRest known{"net of springs without free length", {}, 0, {}};
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(size, size), b = Eigen::MatrixXd::Zero(size, 3);
  for (int i = 0; i < size; ++i) {
    const double mass = lots.scaled(0.1, 5);
    sheet.point(nth("P", i), lots.vector(2, in_space), mass);
    b(i, in_space ? 2 : 1) = -g * mass;
  }
  int count = 0;
  const auto tie = [&](int i, int j) {
    const double k = lots.scaled(10, 1000);
    K(i, i) += k;
    if (j >= 0) {
      K(j, j) += k;
      K(i, j) -= k;
      K(j, i) -= k;
      sheet.spring(nth("s", count++), nth("P", i), nth("P", j), k, 0);
    } else {
      const Point p = lots.vector(3, in_space);
      b.row(i) += k * Eigen::RowVector3d(p.x, p.y, p.z);
      sheet.spring(nth("s", count++), nth("P", i), sheet.place("ground", p), k, 0);
    }
  };
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const int i = r * columns + c;
      if (c + 1 < columns) tie(i, i + 1);
      if (r + 1 < rows) tie(i, i + columns);
      if (i == 0 || lots.maybe(0.3)) tie(i, -1);
    }
  }
  const Eigen::MatrixXd x = K.ldlt().solve(b);
  for (int i = 0; i < size; ++i) know(known, nth("P", i), {x(i, 0), x(i, 1), x(i, 2)}, in_space);
  known.extent = 3 + x.cwiseAbs().maxCoeff();
  known.text = sheet.text;
  return known;
}

// Bodies below each other in rubber that is equally stiff along all axes: they sink and do not turn.
KnownRest bodies_on_bushings(Lots& lots) {
  const int n = lots.whole(1, 4);
  std::vector<double> masses, stiffnesses;
  double below = 0;
  for (int i = 0; i < n; ++i) {
    masses.push_back(lots.scaled(0.2, 5));
    stiffnesses.push_back(lots.scaled(100, 5000));
    below += masses.back();
  }
  Sheet sheet(true);
  KnownRest known{"bodies on bushings", {}, 1, {}};
  double height = 0;
  for (int i = 0; i < n; ++i) {
    const std::string name = nth("B", i);
    sheet.body(name, {}, masses[i], lots.between(0.01, 1));
    sheet.add("bushing", nth("rubber", i),
              fmt::format("between: {}, {};stiffness: {}, {}, {}, {}, {}, {}", i == 0 ? "ground" : nth("B", i - 1),
                          name, stiffnesses[i], stiffnesses[i], stiffnesses[i], lots.scaled(5, 100),
                          lots.scaled(5, 100), lots.scaled(5, 100)));
    height -= g * below / stiffnesses[i];
    below -= masses[i];
    know(known, name, {0, 0, height}, true);
  }
  known.text = sheet.text;
  return known;
}

// Carriages on rails through the origin, tied to each other and to nails by springs without free length.
KnownRest carriages(Lots& lots) {
  const int n = lots.whole(1, 5);
  Sheet sheet(false);
  KnownRest known{"carriages on rails", {}, 0, {}};
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd b(n);
  std::vector<Point> rails;
  for (int i = 0; i < n; ++i) {
    const double angle = lots.between(-pi, pi), mass = lots.scaled(0.2, 5), k = lots.scaled(10, 1000);
    const Point nail = lots.vector(2, false);
    rails.push_back({std::cos(angle), std::sin(angle), 0});
    const std::string name = nth("B", i);
    sheet.add("body", name, fmt::format("at: 0, 0;angle: {};mass: {};inertia: 0.1", angle, mass));
    sheet.add("prismatic", nth("rail", i), fmt::format("between: ground(0, 0, {}), {}", angle, name));
    sheet.spring(nth("holder", i), sheet.place("ground", nail), name, k, 0);
    K(i, i) += k;
    b[i] = k * dot(nail, rails[i]) - mass * g * rails[i].y;
    if (i == 0) continue;
    const double between = lots.scaled(10, 1000);
    sheet.spring(nth("tie", i), nth("B", i - 1), name, between, 0);
    K(i, i) += between;
    K(i - 1, i - 1) += between;
    K(i, i - 1) -= between * dot(rails[i], rails[i - 1]);
    K(i - 1, i) = K(i, i - 1);
  }
  const Eigen::VectorXd s = K.ldlt().solve(b);
  for (int i = 0; i < n; ++i) know(known, nth("B", i), s[i] * rails[i], false);
  known.extent = 2 + s.cwiseAbs().maxCoeff();
  known.text = sheet.text;
  return known;
}

/// A bar from p to q in the guess, with its coordinates in the middle.
void bar(Sheet& sheet, const std::string& name, const Point& p, const Point& q, double mass) {
  const Point d = q - p;
  sheet.add("body", name,
            fmt::format("at: {};angle: {};mass: {};inertia: {}", sheet.vector(0.5 * (p + q)), std::atan2(d.y, d.x),
                        mass, mass * dot(d, d) / 12));
}

// Its four hinges anywhere: cranks that turn and cranks that do not.
KnownRest four_bar(Lots& lots) {
  Point p[4];
  const auto shortest = [&] {
    double l = 10;
    for (int i = 0; i < 4; ++i) l = std::min(l, length(p[(i + 1) % 4] - p[i]));
    return l;
  };
  do {
    for (Point& point : p) point = lots.vector(1, false);
  } while (shortest() < 0.2);
  Sheet sheet(false);
  std::string above = sheet.place("ground", p[0]);
  for (int i = 1; i < 4; ++i) {
    const double half = length(p[i] - p[i - 1]) / 2;
    bar(sheet, nth("bar", i), p[i - 1], p[i], lots.scaled(0.2, 5));
    sheet.add("revolute", nth("hinge", i),
              fmt::format("between: {}, {}", above, sheet.place(nth("bar", i), {-half, 0, 0})));
    above = sheet.place(nth("bar", i), {half, 0, 0});
  }
  sheet.add("revolute", nth("hinge", 4), fmt::format("between: {}, {}", above, sheet.place("ground", p[3])));
  if (lots.maybe(0.5)) {
    sheet.spring("diagonal", sheet.place("ground", p[0]), nth("bar", 3), lots.scaled(1, 100), lots.between(0.2, 2));
  }
  return {"four-bar", sheet.text, 1, {}};
}

KnownRest slider_crank(Lots& lots) {
  const double r = lots.between(0.1, 0.5), offset = lots.between(-0.2, 0.2);
  const double L = (r + std::abs(offset)) * lots.between(1.1, 3), angle = lots.between(-pi, pi);
  const Point pin{r * std::cos(angle), r * std::sin(angle), 0};
  const Point end{pin.x + std::sqrt(L * L - (pin.y - offset) * (pin.y - offset)), offset, 0};
  Sheet sheet(false);
  bar(sheet, "crank", {}, pin, lots.scaled(0.2, 5));
  bar(sheet, "rod", pin, end, lots.scaled(0.2, 5));
  sheet.body("slider", end, lots.scaled(0.2, 5), 0.1);
  sheet.add("revolute", "main", "between: ground, " + sheet.place("crank", {-r / 2, 0, 0}));
  sheet.add("revolute", "crank_pin",
            fmt::format("between: {}, {}", sheet.place("crank", {r / 2, 0, 0}), sheet.place("rod", {-L / 2, 0, 0})));
  sheet.add("revolute", "slider_pin", fmt::format("between: {}, slider", sheet.place("rod", {L / 2, 0, 0})));
  sheet.add("prismatic", "rail", fmt::format("between: {}, slider", sheet.place("ground", {0, offset, 0})));
  sheet.spring("holder", sheet.place("ground", {-0.1, 0.1, 0}), "slider", lots.scaled(1, 1000), lots.between(0, 1));
  return {"slider-crank", sheet.text, r + L, {}};
}

// Masses on springs with a free length: they may buckle through into many positions.
KnownRest truss(Lots& lots) {
  const bool in_space = lots.maybe(0.5);
  const int n = lots.whole(1, 6);
  Sheet sheet(in_space);
  for (int i = 0; i < n; ++i) sheet.point(nth("P", i), lots.vector(1, in_space), lots.scaled(0.1, 5));
  int count = 0;
  for (int i = 0; i < n; ++i) {
    for (int k = in_space ? 3 : 2; k > 0; --k) {
      const std::string other =
          i > 0 && lots.maybe(0.5) ? nth("P", lots.whole(0, i - 1)) : sheet.place("ground", lots.vector(1.5, in_space));
      sheet.spring(nth("s", count++), nth("P", i), other, lots.scaled(100, 2000), lots.between(0.2, 2));
    }
  }
  return {"masses on springs with a free length", sheet.text, 1.5, {}};
}

using Family = KnownRest (*)(Lots&);
constexpr Family families[] = {chain_of_points,
                               chain_of_bodies,
                               chain_on_balls,
                               chain_on_hinges,
                               chain_on_universals,
                               chain_between_nails,
                               net,
                               bodies_on_bushings,
                               carriages,
                               four_bar,
                               slider_crank,
                               truss};

}  // namespace

std::uint64_t families_of_known_rests() { return std::size(families); }

KnownRest known_rest(std::uint64_t seed) {
  Lots lots(seed);
  return families[seed % std::size(families)](lots);
}

State random_start(const Model& model, double extent, std::uint64_t seed) {
  Lots lots(seed);
  Eigen::VectorXd step(model.coordinates());
  for (const Block& block : model.blocks()) {
    const bool is_space = in_space(block.kind);
    const Index lengths = block.kind == BlockKind::scalar ? 0 : is_space ? 3 : 2;
    for (Index i = 0; i < coordinates_of(block.kind); ++i) {
      step[block.first + i] = i < lengths ? lots.between(-extent, extent) : lots.between(-pi, pi);
    }
    if (block.kind != BlockKind::space_body) continue;
    const Point turn = lots.between(0, pi) * lots.direction();
    step.segment<3>(block.first + 3) = Eigen::Vector3d(turn.x, turn.y, turn.z);
  }
  return model.displaced(model.initial_state(), step);
}

}  // namespace stillpoint
