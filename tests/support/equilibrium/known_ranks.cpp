#include "support/equilibrium/known_ranks.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

#include "stillpoint/authoring/vec3.h"
#include "support/dense_reference.h"
#include "support/seeded.h"

namespace stillpoint {

namespace {

using std::numbers::pi;
using Point = Vec3<double>;
using Turn = Rotation<double>;

// Struts that barely hold would be singular within the digits to which they are rounded.
constexpr double firm = 0.03;

struct Body {
  std::string name;
  Point at;
  Turn turn;
};

enum class Kind { revolute, spherical, universal, cylindrical, prismatic, weld };

struct Joint {
  Kind kind;
  std::size_t a, b;  // bodies
  Point at;
  Turn axes;
};

class Sketch {
 public:
  Sketch(std::uint64_t seed, const KnownRankOptions& options)
      : random_(seed), options_(options), in_space_(seed % 2 == 1) {
    bodies_.push_back({"ground", {}, {}});
  }

  KnownRank made() {
    for (int left = random_.whole(1, options_.bodies); left > 0; --left) grow();
    if (random_.maybe(0.5)) add_loop();
    const int wanted = random_.whole(0, options_.redundant);
    while (rows_ - rank_ < wanted) add_surplus();
    const std::string head =
        in_space_ ? "stillpoint: 1\nname: m\ndimension: 3\nmechanism:\n" : "stillpoint: 1\nname: m\nmechanism:\n";
    return {head + text_, rank_, rows_};
  }

 private:
  // --- Lots

  Point offset(double reach) {
    const Point v{random_.between(-reach, reach), random_.between(-reach, reach),
                  in_space_ ? random_.between(-reach, reach) : 0};
    return length(v) > 0.3 * reach ? v : offset(reach);
  }
  Turn any_turn() {
    if (!in_space_) return rotation_about({0, 0, random_.between(-pi, pi)});
    const Point v = offset(1);
    return rotation_about((random_.between(0.2, 3) / length(v)) * v);
  }
  std::size_t any_body() { return static_cast<std::size_t>(random_.whole(0, static_cast<int>(bodies_.size()) - 1)); }

  // --- Writing

  double rounded(double x) const {
    if (options_.digits == 0) return x;
    const double scale = std::pow(10.0, options_.digits);
    return std::round(x * scale) / scale;
  }
  double metres(double x) const { return rounded(x) * options_.unit; }
  std::string position(const Point& p) const {
    return in_space_ ? fmt::format("{}, {}, {}", metres(p.x), metres(p.y), metres(p.z))
                     : fmt::format("{}, {}", metres(p.x), metres(p.y));
  }
  std::string rotation(const Turn& turn) const {
    const Point v = rotation_vector(turn);
    return in_space_ ? fmt::format("{}, {}, {}", rounded(v.x), rounded(v.y), rounded(v.z))
                     : fmt::format("{}", rounded(v.z));
  }
  std::string place(std::size_t body, const Point& p) const {
    const Body& b = bodies_[body];
    return fmt::format("{}({})", b.name, position(turned_back(b.turn, p - b.at)));
  }
  std::string frame(std::size_t body, const Point& p, const Turn& axes) const {
    const Body& b = bodies_[body];
    return fmt::format("{}({}, {})", b.name, position(turned_back(b.turn, p - b.at)), rotation(inverse(b.turn) * axes));
  }
  void write(const char* keyword, int rows, int rank, const std::string& fields) {
    text_ += fmt::format("  - {}: c[{}]\n{}", keyword, count_++, fields);
    rows_ += rows;
    rank_ += rank;
  }
  std::size_t add_body(const Point& at) {
    bodies_.push_back({fmt::format("B[{}]", bodies_.size()), at, any_turn()});
    const Body& b = bodies_.back();
    text_ += fmt::format("  - body: {}\n    at: {}\n    {}: {}\n", b.name, position(at),
                         in_space_ ? "rotation" : "angle", rotation(b.turn));
    return bodies_.size() - 1;
  }

  // --- Constraints. `rank`: how many of the equations are new

  int rows_of(Kind kind) const {
    if (!in_space_) return kind == Kind::weld ? 3 : 2;
    switch (kind) {
      case Kind::spherical:
        return 3;
      case Kind::universal:
      case Kind::cylindrical:
        return 4;
      case Kind::weld:
        return 6;
      default:
        return 5;
    }
  }
  /// The axes of both frames may be turned about the hinge, each as it likes.
  void join(const Joint& joint, int rank) {
    const auto spun = [&](bool free) {
      return free ? joint.axes * rotation_about({0, 0, random_.between(-3, 3)}) : joint.axes;
    };
    const bool is_hinge = joint.kind == Kind::revolute || joint.kind == Kind::cylindrical;
    constexpr const char* keywords[] = {"revolute", "spherical", "universal", "cylindrical", "prismatic", "weld"};
    const bool is_place = joint.kind == Kind::spherical || (joint.kind == Kind::revolute && !in_space_);
    const std::string a = is_place ? place(joint.a, joint.at) : frame(joint.a, joint.at, spun(is_hinge));
    const std::string b = is_place ? place(joint.b, joint.at) : frame(joint.b, joint.at, spun(is_hinge));
    write(keywords[static_cast<int>(joint.kind)], rows_of(joint.kind), rank,
          fmt::format("    between: {}, {}\n", a, b));
  }
  void keep_distance(std::size_t a, const Point& p, std::size_t b, const Point& q, int rank) {
    write("distance", 1, rank,
          fmt::format("    between: {}, {}\n    length: {}\n", place(a, p), place(b, q), metres(length(q - p))));
  }

  // --- Parts without surplus

  void grow() {
    constexpr Kind in_plane[] = {Kind::revolute, Kind::revolute, Kind::prismatic, Kind::weld};
    constexpr Kind in_space[] = {Kind::revolute,  Kind::revolute,    Kind::spherical, Kind::spherical,
                                 Kind::universal, Kind::cylindrical, Kind::prismatic, Kind::weld};
    const Kind kind = in_space_ ? in_space[random_.whole(0, 7)] : in_plane[random_.whole(0, 3)];
    const std::size_t a = any_body();
    const Point at = bodies_[a].at + offset(1);
    const std::size_t b = add_body(at + offset(1));
    joints_.push_back({kind, a, b, at, any_turn()});
    join(joints_.back(), rows_of(kind));
  }

  // A four-bar on hinges with parallel axes: in space its last hinge adds two equations, however many it has.
  void add_loop() {
    const std::size_t base = any_body();
    const Turn axes = in_space_ ? any_turn() : Turn{};
    const Point centre = bodies_[base].at + offset(1);
    const auto corner = [&](int i) {
      const double angle = i * pi / 2 + random_.between(-0.4, 0.4), radius = random_.between(0.5, 1);
      return centre + turned(axes, Point{radius * std::cos(angle), radius * std::sin(angle), 0});
    };
    const auto aside = [&] { return in_space_ ? random_.between(-0.5, 0.5) * z_axis(axes) : Point{}; };
    std::size_t a = base;
    for (int i = 0; i < 3; ++i) {
      const Point at = corner(i) + aside();
      const std::size_t b = add_body(at + offset(0.5));
      join({Kind::revolute, a, b, at, axes}, rows_of(Kind::revolute));
      a = b;
    }
    constexpr Kind last[] = {Kind::revolute, Kind::cylindrical, Kind::spherical};
    join({in_space_ ? last[random_.whole(0, 2)] : Kind::revolute, a, base, corner(3) + aside(), axes}, 2);
  }

  // --- Parts with surplus

  void add_surplus() {
    switch (random_.whole(0, 5)) {
      case 0:
      case 1:
        return repeat_joint(joints_[static_cast<std::size_t>(random_.whole(0, static_cast<int>(joints_.size()) - 1))]);
      case 2:
        return add_bar();
      case 3:
        return in_space_ ? add_loop() : add_parallel_links();
      case 4:
        return add_platform();
      default:
        return add_truss();
    }
  }

  /// What is held already is held once more, elsewhere.
  void repeat_joint(const Joint& joint) {
    const Point along = random_.between(0.2, 1) * z_axis(joint.axes), elsewhere = joint.at + offset(1);
    const Point far = joint.at + offset(1);
    const auto again = [&](Kind kind, const Point& at) { join({kind, joint.a, joint.b, at, joint.axes}, 0); };
    const auto strut = [&](const Point& held) { keep_distance(joint.a, far, joint.b, held, 0); };
    switch (joint.kind) {
      case Kind::revolute:
        if (!in_space_) return random_.maybe(0.5) ? strut(joint.at) : again(Kind::revolute, joint.at);
        if (random_.maybe(0.25)) return strut(joint.at + along);
        if (random_.maybe(0.3)) return again(Kind::spherical, joint.at + along);
        return again(random_.maybe(0.5) ? Kind::revolute : Kind::cylindrical, joint.at + along);
      case Kind::spherical:
      case Kind::universal:
        return random_.maybe(0.5) ? strut(joint.at) : again(Kind::spherical, joint.at);
      case Kind::cylindrical:
        return again(Kind::cylindrical, joint.at + along);
      case Kind::prismatic:
        return again(Kind::prismatic, elsewhere);
      case Kind::weld:
        if (random_.maybe(0.3)) return strut(elsewhere);
        return again(random_.maybe(0.5) ? Kind::weld : Kind::revolute, elsewhere);
    }
  }

  // Between two points of one body: their distance is known already.
  void add_bar() {
    const std::size_t base = any_body();
    const Point p = bodies_[base].at + offset(1), q = p + offset(1);
    const std::size_t bar = add_body(p + offset(0.5));
    const Kind kind = in_space_ ? Kind::spherical : Kind::revolute;
    join({kind, base, bar, p, {}}, rows_of(kind));
    join({kind, base, bar, q, {}}, rows_of(kind) - 1);
  }

  // A body carried by equal links in parallel, in the plane: two leave one motion, and all others allow it. (In space
  // the body may also turn about the links. Three do not hinder it, a fourth does, but for the first moment.)
  void add_parallel_links() {
    const std::size_t base = any_body();
    const Point link = offset(1.5), start = bodies_[base].at + offset(1);
    const std::size_t coupler = add_body(start + link + offset(0.5));
    const Point e = (1 / length(link)) * link, side = cross(e, Point{0, 0, 1});
    const int links = 2 + random_.whole(1, 2);
    for (int i = 0; i < links; ++i) {
      const Point across = i < 2 ? (i - 0.5) * side : offset(1);
      const Point p = start + across + random_.between(-0.5, 0.5) * e;
      keep_distance(base, p, coupler, p + link, i < 2 ? 1 : 0);
    }
  }

  /// How firmly rows hold what they hold: their `held`-th singular value, relative to the first.
  static double firmness(const Eigen::MatrixXd& rows, int held) {
    const Eigen::VectorXd values = dense::singular_values(rows);
    return values[held - 1] / values[0];
  }

  // A body on struts that lead anywhere: three hold it in the plane, six in space.
  void add_platform() {
    const std::size_t base = any_body();
    const Point centre = bodies_[base].at + offset(2);
    const int dofs = in_space_ ? 6 : 3, struts = random_.whole(dofs - 1, dofs + 3);
    std::vector<Point> feet, heads;
    const auto is_firm = [&] {
      Eigen::MatrixXd lines(dofs, 6);
      for (int i = 0; i < dofs; ++i) {
        const Point d = heads[i] - feet[i], e = (1 / length(d)) * d, m = cross(heads[i] - centre, e);
        lines.row(i) << e.x, e.y, e.z, m.x, m.y, m.z;
      }
      return firmness(lines, dofs) > firm;
    };
    do {
      feet.clear();
      heads.clear();
      for (int i = 0; i < dofs + 3; ++i) {
        feet.push_back(bodies_[base].at + offset(1.5));
        heads.push_back(centre + offset(1.5));
      }
    } while (!is_firm());
    const std::size_t platform = add_body(centre);
    for (int i = 0; i < struts; ++i) keep_distance(base, feet[i], platform, heads[i], i < dofs ? 1 : 0);
  }

  // All distances between a few points, which may move as one body.
  void add_truss() {
    const int dimensions = in_space_ ? 3 : 2, size = random_.whole(dimensions + 1, dimensions + 3);
    const int held = dimensions * size - (in_space_ ? 6 : 3);
    const Point centre = offset(3);
    std::vector<Point> points;
    const auto is_firm = [&] {
      Eigen::MatrixXd lines = Eigen::MatrixXd::Zero(size * (size - 1) / 2, 3 * size);
      for (int i = 0, row = 0; i < size; ++i) {
        for (int j = 0; j < i; ++j, ++row) {
          const Point d = points[i] - points[j], e = (1 / length(d)) * d;
          lines.row(row).segment<3>(3 * i) << e.x, e.y, e.z;
          lines.row(row).segment<3>(3 * j) << -e.x, -e.y, -e.z;
        }
      }
      return firmness(lines, held) > firm;
    };
    do {
      points.clear();
      for (int i = 0; i < size; ++i) points.push_back(centre + offset(1.5));
    } while (!is_firm());

    std::vector<std::string> names;
    for (const Point& p : points) {
      names.push_back(fmt::format("P[{}]", count_++));
      text_ += fmt::format("  - point: {}\n    at: {}\n", names.back(), position(p));
    }
    for (int i = 0, row = 0; i < size; ++i) {
      for (int j = 0; j < i; ++j, ++row) {
        write("distance", 1, row < held ? 1 : 0,
              fmt::format("    between: {}, {}\n    length: {}\n", names[j], names[i],
                          metres(length(points[i] - points[j]))));
      }
    }
  }

  Random random_;
  KnownRankOptions options_;
  bool in_space_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::string text_;
  int count_ = 0;
  Index rank_ = 0, rows_ = 0;
};

}  // namespace

KnownRank known_rank(std::uint64_t seed, const KnownRankOptions& options) { return Sketch(seed, options).made(); }

}  // namespace stillpoint
