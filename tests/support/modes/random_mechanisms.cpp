#include "support/modes/random_mechanisms.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <vector>

#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "support/seeded.h"

namespace stillpoint::testing {

namespace {

using std::numbers::pi;
using Spot3 = Vec3<double>;
using Turn = Rotation<double>;

constexpr int most_dof = 30, most_redundant = 10;
constexpr std::size_t many_parts = 8;  // no loops are added to so many: what takes time are coordinates
// What holds only just is not what is tested here: volumes spanned by unit vectors along rods, and their distances.
constexpr double firm = 0.25, apart = 0.3;

class Lots : public Random {
 public:
  using Random::Random;

  template <class T>
  const T& one_of(const std::vector<T>& things) {
    return things[static_cast<std::size_t>(whole(0, static_cast<int>(things.size()) - 1))];
  }
};

/// Everything is drawn in metres, kilograms and seconds, and stated in these.
struct Units {
  double length = 1, mass = 1, time = 1;

  double force() const { return mass * length / (time * time); }
  double torque() const { return force() * length; }
};

Units some_units(Lots& lots) {
  Units units;
  units.length = lots.one_of(std::vector<double>{1, 1, 1e3, 1e-3});
  units.mass = lots.one_of(std::vector<double>{1, 1, 1e3, 1e-3});
  units.time = lots.one_of(std::vector<double>{1, 1, 1, 1e3});
  return units;
}

struct InPlane {
  using Place = stillpoint::Place;
  using Position = PositionOf;
  static constexpr int dimensions = 2;

  static Vec2<double> vector(const Spot3& p) { return {p.x, p.y}; }
  static Place point(ModelBuilder& build, const std::string& name, const Spot3& at, double mass) {
    return build.point(name, vector(at), {.mass = mass});
  }
  static Place marker(ModelBuilder& build, Place on, const Spot3& at, const Turn& turn) {
    return build.marker({}, on, vector(at), rotation_vector(turn).z);
  }
};

struct InSpace {
  using Place = space::Place;
  using Position = space::PositionOf;
  static constexpr int dimensions = 3;

  static Spot3 vector(const Spot3& p) { return p; }
  static Place point(ModelBuilder& build, const std::string& name, const Spot3& at, double mass) {
    return build.space_point(name, at, {.mass = mass});
  }
  static Place marker(ModelBuilder& build, Place on, const Spot3& at, const Turn& turn) {
    return build.space_marker({}, on, at, turn);
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// What grows in the plane as in space: points, rods, springs, dampers

template <class World>
class Sketch {
 public:
  virtual ~Sketch() = default;

  RandomMechanism grown() {
    seed_ground();
    const int target = 1 + static_cast<int>((most_dof - 1) * std::pow(lots_.between(0, 1), 8));
    const int wanted = lots_.maybe(0.5) ? 0 : lots_.whole(1, most_redundant);
    copies_ = target >= 4 && lots_.maybe(0.08) ? 2 : 1;
    is_damped_ = lots_.maybe(0.6);
    has_massless_ = lots_.maybe(0.3);
    has_thrusts_ = lots_.maybe(0.15);
    const auto same = static_cast<std::uint64_t>(lots_.between(0, 1e9));
    const int before = dof_, surplus_each = wanted / copies_, each = std::max(1, (target - before) / copies_);
    for (int copy = 0; copy < copies_; ++copy) {
      if (copies_ > 1) lots_ = Lots(same);  // digit for digit the same
      forget_all_but_ground();
      const int dof = dof_ + each, surplus = surplus_ + surplus_each;
      while (dof_ < dof) {
        if (owners_.size() < many_parts && lots_.maybe(0.35)) close_loop();
        add_configuration(dof - dof_);
      }
      if (owners_.size() < many_parts && lots_.maybe(0.5)) close_loop();
      for (int tries = 0; tries < 30 && surplus_ < surplus; ++tries) add_surplus(surplus - surplus_);
      for (int left = lots_.whole(0, 2); left > 0; --left) add_between(&Sketch::add_spring);
      for (int left = is_damped_ ? lots_.whole(1, 3) : 0; left > 0; --left) add_between(&Sketch::add_damper);
    }
    return balanced();
  }

 protected:
  using Place = typename World::Place;
  using Position = typename World::Position;
  static constexpr int dimensions = World::dimensions;
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  struct Carrier {
    Place place;
    Spot3 at;
    Turn turn;
  };
  /// What others may hang on: whatever moves it has mass.
  struct Spot {
    Place place;
    Spot3 at;
    std::size_t carrier = nobody;
  };
  struct Rod {
    Spot a, b;
  };
  struct Owner {
    BlockKind kind;
    std::string name;
    Place place;
    Turn turn{};
  };

  explicit Sketch(std::uint64_t seed) : lots_(seed), build_("random"), units_(some_units(lots_)) {
    stiffness_ = lots_.scaled(20, 2000);
    damping_ = lots_.scaled(0.02, 5);
    has_multipliers_ = lots_.maybe(0.7);
  }

  virtual void seed_ground() = 0;
  virtual void add_configuration(int most) = 0;
  virtual void close_loop() = 0;
  virtual void add_surplus(int most) = 0;
  /// A dead load on each coordinate of its own, with an input.
  virtual void add_loads(const Owner& owner) = 0;

  // --- Lots

  Spot3 vector(double reach) {
    const double x = lots_.between(-reach, reach), y = lots_.between(-reach, reach);
    const double z = dimensions == 3 ? lots_.between(-reach, reach) : 0;
    return {x, y, z};
  }
  Spot3 offset() {
    Spot3 v = vector(1);
    while (length(v) < 2 * apart) v = vector(1);
    return v;
  }
  Spot3 direction() {
    const Spot3 v = offset();
    return (1 / length(v)) * v;
  }
  Turn any_turn() {
    if (dimensions == 2) return rotation_about({0, 0, lots_.between(-pi, pi)});
    const Spot3 axis = direction();
    return rotation_about(lots_.between(0.2, 3) * axis);
  }
  double some_mass() { return lots_.scaled(0.2, 5); }
  double some_stiffness() { return stiffness_ * lots_.scaled(0.2, 5); }
  double some_damping() { return damping_ * lots_.scaled(0.3, 3); }
  double stiffness_in_units(double k) const { return k * units_.force() / units_.length; }
  double damping_in_units(double c) const { return stiffness_in_units(c) * units_.time; }

  // --- Parts

  std::string next_name(const char* word) { return fmt::format("{}[{}]", word, ++count_); }
  void note_step(const std::string& step) { steps_ += steps_.empty() ? step : ", " + step; }

  Place point(const Spot3& at, double mass) {
    const std::string name = next_name("P");
    const Place place = World::point(build_, name, units_.length * at, units_.mass * mass);
    owners_.push_back({dimensions == 3 ? BlockKind::space_point : BlockKind::point, name, place});
    return owners_.back().place;
  }
  /// A frame on a carrier, where it is now.
  Place marker(std::size_t carrier, const Spot3& at, const Turn& axes = {}) {
    const Carrier& on = carriers_[carrier];
    return World::marker(build_, on.place, units_.length * turned_back(on.turn, at - on.at), inverse(on.turn) * axes);
  }
  Spot spot_on(std::size_t carrier, const Spot3& at) { return {marker(carrier, at), at, carrier}; }

  /// Anywhere, or on the ground near a place.
  Spot some_spot(const Spot3& p = {}) {
    if (spots_.empty() || lots_.maybe(0.4)) return spot_on(0, p + vector(2));
    return lots_.one_of(spots_);
  }
  Spot spot_apart_from(const Spot3& p) {
    Spot spot = some_spot(p);
    while (length(spot.at - p) < apart) spot = some_spot(p);
    return spot;
  }

  /// The volume of a few unit vectors.
  static double spread(const std::vector<Spot3>& e) {
    if (e.size() < 2) return 1;
    const Spot3 across = cross(e[0], e[1]);
    return e.size() == 2 ? length(across) : std::abs(dot(across, e[2]));
  }
  /// Places to hold a point from, in directions that have nothing to do with each other.
  std::vector<Spot> feet_for(const Spot3& p, int count) {
    std::vector<Spot> feet;
    std::vector<Spot3> directions;
    while (static_cast<int>(feet.size()) < count) {
      const Spot foot = spot_apart_from(p);
      directions.push_back((1 / length(foot.at - p)) * (foot.at - p));
      if (spread(directions) > firm) feet.push_back(foot);
      else directions.pop_back();
    }
    return feet;
  }

  template <class Joint>
  void join(const Joint& joint, int rows, int rank) {
    build_.add(next_name("c"), joint);
    rank_ += rank;
    surplus_ += rows - rank;
  }
  void add_rod(const Spot& a, const Spot& b, int rank = 1) {
    join(BasicDistance<Position>{a.place, b.place, units_.length * length(b.at - a.at)}, 1, rank);
    rods_.push_back({a, b});
  }
  void add_spring(const Spot& a, const Spot& b) {
    const double l = length(b.at - a.at), k = some_stiffness(), share = lots_.between(0.7, 1.2);
    if (l < apart) return;
    build_.add({}, BasicSpring<Position>{a.place, b.place, stiffness_in_units(k),
                                         lots_.maybe(0.2) ? 0 : units_.length * share * l});
  }
  void add_damper(const Spot& a, const Spot& b) {
    const double c = some_damping();
    if (length(b.at - a.at) < apart) return;
    build_.add({}, BasicDamper<Position>{a.place, b.place, damping_in_units(c)});
  }
  void add_between(void (Sketch::*add)(const Spot&, const Spot&)) {
    const Spot a = some_spot(), b = some_spot();
    (this->*add)(a, b);
  }
  /// By a spring from the ground.
  void hold(const Spot& spot) { add_spring(spot_on(0, spot.at + 2 * offset()), spot); }

  // --- Steps

  // A mass on one rod or more; on as many as there are dimensions it closes a loop and needs no mass.
  void hang_point(int rods) {
    note_step(fmt::format("point on {} rods", rods));
    const Spot3 at = some_spot().at + offset();
    const std::vector<Spot> feet = feet_for(at, rods);
    const bool is_heavy = rods < dimensions || lots_.maybe(0.5);
    const double mass = some_mass();
    const Spot here{point(at, is_heavy ? mass : 0), at};
    for (const Spot& foot : feet) add_rod(foot, here);
    if (rods < dimensions) hold(here);
    spots_.push_back(here);
    dof_ += dimensions - rods;
  }

  // The rods of [González 2017]: the mass is in the rod.
  void hang_heavy_rod() {
    note_step("heavy rod");
    const Spot top = some_spot();
    const Spot3 at = top.at + offset();
    const Spot here{point(at, 0), at};
    const double mass = some_mass();
    join(BasicRod<Position>{top.place, here.place, units_.length * length(at - top.at), units_.mass * mass}, 1, 1);
    hold(here);
    spots_.push_back(here);
    dof_ += dimensions - 1;
  }

  void float_point() {
    note_step("point on springs");
    const Spot3 at = some_spot().at + offset();
    const std::vector<Spot> feet = feet_for(at, dimensions);
    const Spot here{point(at, some_mass()), at};
    for (const Spot& foot : feet) add_spring(foot, here);
    spots_.push_back(here);
    dof_ += dimensions;
  }

  // One finite eigenvalue for each damper, none for the other directions.
  void float_massless_point() {
    const int dampers = is_damped_ ? lots_.whole(0, dimensions) : 0;
    note_step(fmt::format("massless point with {} dampers", dampers));
    const Spot3 at = some_spot().at + offset();
    const std::vector<Spot> feet = feet_for(at, dimensions), pistons = feet_for(at, dampers);
    const Spot here{point(at, 0), at};
    for (const Spot& foot : feet) add_spring(foot, here);
    for (const Spot& foot : pistons) add_damper(foot, here);
    dof_ += dimensions;
    massless_ += dimensions;
    damped_massless_ += dampers;
  }

  void repeat_rod() {
    if (rods_.empty()) return;
    note_step("rod again");
    const Rod rod = lots_.one_of(rods_);
    add_rod(rod.a, rod.b, 0);
  }

  // All feet on one body: one rod too many.
  void hold_point_too_often() {
    note_step("point on too many rods");
    const auto carrier = static_cast<std::size_t>(lots_.whole(0, static_cast<int>(carriers_.size()) - 1));
    const Spot3 at = carriers_[carrier].at + offset();
    std::vector<Spot3> directions, ends;
    while (static_cast<int>(ends.size()) < dimensions) {
      const Spot3 e = direction();
      directions.push_back(e);
      if (spread(directions) > firm) ends.push_back(at + lots_.between(0.5, 2) * e);
      else directions.pop_back();
    }
    const double reach = lots_.between(0.5, 2);
    const Spot3 one_more = at + reach * direction();
    const Spot here{point(at, some_mass()), at};
    for (const Spot3& end : ends) add_rod(spot_on(carrier, end), here);
    add_rod(spot_on(carrier, one_more), here, 0);
    spots_.push_back(here);
  }

  Lots lots_;
  ModelBuilder build_;
  Units units_;
  double stiffness_ = 1, damping_ = 1;
  bool is_damped_ = false, has_massless_ = false, has_thrusts_ = false, has_multipliers_ = false;
  int copies_ = 1;
  std::vector<Carrier> carriers_;  // the first one is the ground, or what carries everything
  std::vector<Spot> spots_;
  std::vector<Rod> rods_;
  std::vector<Owner> owners_;  // of coordinates
  int count_ = 0;
  int dof_ = 0, rank_ = 0, surplus_ = 0, massless_ = 0, damped_massless_ = 0, zeros_ = 0;
  std::string steps_;

 private:
  void forget_all_but_ground() {
    carriers_.resize(1);
    spots_.clear();
    rods_.clear();
    forget_joints();
  }
  virtual void forget_joints() = 0;

  // Multipliers as large as weights, whatever a constraint is measured in.
  Eigen::VectorXd some_multipliers(const Model& model, const SparseMatrix& J) {
    Eigen::VectorXd reach = Eigen::VectorXd::Ones(model.coordinates());
    for (const Block& block : model.blocks()) {
      if (block.kind != BlockKind::scalar) reach.segment(block.first, dimensions).setConstant(units_.length);
    }
    Eigen::VectorXd lambda = Eigen::VectorXd::Zero(model.constraints());
    if (!has_multipliers_ || copies_ > 1) return lambda;
    const Eigen::MatrixXd rows = Eigen::MatrixXd(J).cwiseAbs() * reach.asDiagonal();
    for (Index i = 0; i < lambda.size(); ++i) {
      const double force = lots_.between(-20, 20);
      lambda[i] = force * units_.torque() / rows.row(i).maxCoeff();
    }
    return lambda;
  }

  // Loads are inputs, one for each coordinate, so that they can be told when everything stands.
  RandomMechanism balanced() {
    for (const Owner& owner : owners_) add_loads(owner);
    Model model = build_.model();
    State state = model.initial_state();
    Assembly assembly(model);
    const SparseMatrix J = assembly.at(state).J;
    state.lambda = some_multipliers(model, J);
    const Eigen::VectorXd force = applied_forces(model, state) - J.transpose() * state.lambda;
    state.u = -force.cwiseQuotient(Eigen::VectorXd(SparseMatrix(assembly.at(state).F).diagonal()));
    RandomMechanism made{std::move(model), std::move(state), steps_, dof_, surplus_, 0, zeros_};
    made.eigenvalues = 2 * (dof_ - massless_) + damped_massless_;
    return made;
  }
};

// ---------------------------------------------------------------------------------------------------------------------
// In the plane

class PlaneSketch final : public Sketch<InPlane> {
 public:
  explicit PlaneSketch(std::uint64_t seed) : Sketch(seed) {}

 private:
  enum class Kind { hinge, rail, weld };
  struct Joint {
    Kind kind;
    std::size_t a, b;  // carriers
    Spot3 at;
    Turn axes;
  };
  struct Dial {
    Place place;
    double angle;
  };

  // --- The ground, or a sledge that carries everything and that nothing brings back

  void seed_ground() override {
    const double slope = lots_.between(-pi, pi);
    build_.gravity((units_.length / (units_.time * units_.time)) * Spot3{0, lots_.maybe(0.8) ? -9.81 : 0, 0});
    carriers_.push_back({ground, {}, {}});
    if (!lots_.maybe(0.12)) return;
    const bool is_dragged = lots_.maybe(0.3);
    note_step(is_dragged ? "dragged sledge" : "sledge");
    const Turn rail = rotation_about({0, 0, slope});
    const Spot3 at = vector(1);
    add_body(at, some_mass(), 0);
    joints_.clear();
    connect({Kind::rail, 0, 1, carriers_[1].at, rail}, 2);
    if (is_dragged) {
      const Spot3 far = carriers_[1].at + 5 * x_axis(rail);
      add_damper(spot_on(0, far), spot_on(1, carriers_[1].at));
    }
    dof_ = 1;
    zeros_ = is_dragged ? 1 : 2;
    carriers_.erase(carriers_.begin());
  }
  void forget_joints() override {
    joints_.clear();
    dials_.clear();
  }

  // --- Bodies

  std::size_t add_body(const Spot3& at, double mass, double inertia) {
    const std::string name = next_name("B");
    const double angle = lots_.between(-pi, pi);
    const Spot3 centre = lots_.maybe(0.5) ? Spot3{} : vector(0.3);
    const double lengths = units_.length * units_.length;
    const Place place = build_.body(name, InPlane::vector(units_.length * at),
                                    {.angle = angle,
                                     .mass = units_.mass * mass,
                                     .inertia = units_.mass * lengths * inertia,
                                     .centre = InPlane::vector(units_.length * centre)});
    owners_.push_back({BlockKind::body, name, place});
    carriers_.push_back({place, at, rotation_about({0, 0, angle})});
    dials_.push_back({place, angle});
    return carriers_.size() - 1;
  }
  std::size_t heavy_body(const Spot3& at) {
    const double mass = some_mass(), inertia = mass * lots_.scaled(0.02, 0.5);
    return add_body(at, mass, inertia);
  }
  void offer_places_on(std::size_t carrier) {
    for (int left = lots_.whole(1, 2); left > 0; --left) {
      spots_.push_back(spot_on(carrier, carriers_[carrier].at + vector(1)));
    }
  }
  std::size_t any_carrier() { return static_cast<std::size_t>(lots_.whole(0, static_cast<int>(carriers_.size()) - 1)); }

  void connect(const Joint& joint, int rank) {
    const Turn axes = joint.kind == Kind::hinge ? Turn{} : joint.axes;
    const Place a = marker(joint.a, joint.at, axes), b = marker(joint.b, joint.at, axes);
    if (joint.kind == Kind::hinge) join(Revolute{a, b}, 2, rank);
    if (joint.kind == Kind::rail) join(Prismatic{a, b}, 2, rank);
    if (joint.kind == Kind::weld) join(Weld{a, b}, 3, rank);
    if (rank > 0) joints_.push_back(joint);
  }
  void hold_turn(Place a, double angle_a, Place b, double angle_b) {
    const double k = some_stiffness() * 0.3, preload = lots_.between(-0.4, 0.4);
    const double c = is_damped_ && lots_.maybe(0.4) ? some_damping() : 0;
    build_.add(
        {}, TorsionSpring{a, b, k * units_.torque(), angle_b - angle_a + preload, c * units_.torque() * units_.time});
  }

  // --- Steps that add freedom

  void add_configuration(int most) override {
    const int kind = lots_.whole(0, has_massless_ ? 12 : 9);
    if (kind <= 1) return hang_point(1);
    if (kind == 2) return hang_heavy_rod();
    if (kind <= 5) return hang_body();
    if (kind == 6) return slide_body();
    if (kind == 7) return add_cranks();
    if (kind == 8) return add_flywheel();
    if (kind >= 11) return add_massless_scalar();
    if (most < 2) return;
    if (kind == 10) return float_massless_point();
    if (lots_.maybe(0.5)) return float_point();
    pin_body_in_slot();
  }

  void hang_body() {
    note_step("body on a hinge");
    const std::size_t a = any_carrier();
    const Spot3 at = carriers_[a].at + vector(1);
    const std::size_t b = heavy_body(at + offset());
    connect({Kind::hinge, a, b, at, {}}, 2);
    if (lots_.maybe(0.6)) hold_turn(carriers_[a].place, angle_of(a), carriers_[b].place, angle_of(b));
    offer_places_on(b);
    hold(spots_.back());
    dof_ += 1;
    if (has_thrusts_ && lots_.maybe(0.5)) add_thrust(b);
  }
  double angle_of(std::size_t carrier) const { return rotation_vector(carriers_[carrier].turn).z; }

  void add_thrust(std::size_t carrier) {
    note_step("thrust");
    const Spot3 force = units_.force() * vector(10);
    build_.add({}, FollowerForce{marker(carrier, carriers_[carrier].at + vector(1)), InPlane::vector(force)});
  }

  void slide_body() {
    note_step("body on a rail");
    const std::size_t a = any_carrier();
    const Spot3 at = carriers_[a].at + vector(1);
    const Turn rail = any_turn();
    const std::size_t b = heavy_body(at + vector(0.5));
    connect({Kind::rail, a, b, at, rail}, 2);
    const Spot hook = spot_on(b, carriers_[b].at);
    add_spring(hook, spot_on(a, hook.at + lots_.between(0.5, 2) * x_axis(rail)));
    offer_places_on(b);
    dof_ += 1;
  }

  void pin_body_in_slot() {
    note_step("body pinned in a slot");
    const std::size_t a = any_carrier();
    const Spot3 at = carriers_[a].at + vector(1);
    const Turn slot = any_turn();
    const std::size_t b = heavy_body(at + vector(0.5));
    join(Slider{marker(a, at - 0.4 * x_axis(slot), slot), marker(b, at)}, 1, 1);
    const Spot pin = spot_on(b, at);
    add_spring(pin, spot_on(a, at + lots_.between(0.5, 2) * x_axis(slot)));
    hold_turn(carriers_[a].place, angle_of(a), carriers_[b].place, angle_of(b));
    offer_places_on(b);
    dof_ += 2;
  }

  // A body on equal parallel cranks: two of them leave one motion, and all others allow it.
  void add_cranks() {
    const int cranks = most_redundant - surplus_ > 2 && lots_.maybe(0.6) ? lots_.whole(3, 4) : 2;
    note_step(fmt::format("body on {} parallel cranks", cranks));
    const std::size_t a = any_carrier();
    const double reach = lots_.between(0.6, 1.5);
    const Spot3 crank = reach * direction(), side = cross((1 / length(crank)) * crank, Spot3{0, 0, 1});
    const Spot3 foot = carriers_[a].at + vector(1);
    const std::size_t b = heavy_body(foot + crank + vector(0.5));
    for (int i = 0; i < cranks; ++i) {
      const Spot3 p = foot + (i < 2 ? (i - 0.5) * side : vector(1));
      add_rod(spot_on(a, p), spot_on(b, p + crank), i < 2 ? 1 : 0);
    }
    offer_places_on(b);
    hold(spots_.back());
    dof_ += 1;
  }

  // --- Angles

  Dial any_dial() { return dials_.empty() ? Dial{ground, 0} : lots_.one_of(dials_); }
  Dial add_scalar(double angle, double mass) {
    const std::string name = next_name("S");
    const double inertia = units_.mass * units_.length * units_.length * mass;
    const Place place = build_.scalar(name, angle, {.mass = inertia});
    owners_.push_back({BlockKind::scalar, name, place});
    return {place, angle};
  }

  void add_flywheel() {
    note_step("flywheel");
    const Dial on = any_dial();
    const double angle = lots_.between(-2, 2), inertia = some_mass() * 0.2;
    const Dial wheel = add_scalar(angle, inertia);
    hold_turn(on.place, on.angle, wheel.place, wheel.angle);
    dials_.push_back(wheel);
    dof_ += 1;
  }

  // Between a torsion spring and perhaps a damper.
  void add_massless_scalar() {
    const bool has_damper = is_damped_ && lots_.maybe(0.6);
    note_step(has_damper ? "massless angle with a damper" : "massless angle");
    const Dial a = any_dial(), b = any_dial();
    const double angle = lots_.between(-2, 2), k = some_stiffness() * 0.3, preload = lots_.between(-0.4, 0.4);
    const Dial between = add_scalar(angle, 0);
    build_.add({}, TorsionSpring{a.place, between.place, k * units_.torque(), angle - a.angle + preload});
    if (has_damper)
      build_.add({}, TorsionDamper{b.place, between.place, some_damping() * units_.torque() * units_.time});
    dof_ += 1;
    massless_ += 1;
    damped_massless_ += has_damper ? 1 : 0;
  }

  // The direction of a line between two places, with a spring on it.
  void measure_angle() {
    note_step("angle of a line");
    const Spot from = some_spot(), to = spot_apart_from(from.at);
    const double angle = std::atan2(to.at.y - from.at.y, to.at.x - from.at.x);
    const Dial dial = add_scalar(angle, 0);
    join(Angle{dial.place, from.place, to.place}, 1, 1);
    const Dial on = any_dial();
    hold_turn(on.place, on.angle, dial.place, dial.angle);
    dials_.push_back(dial);
  }

  void add_gear() {
    const Dial on = any_dial();
    if (owners_.empty() || on.place.marker == ground_marker) return;
    note_step("gear");
    const double ratio = lots_.between(0.3, 3), inertia = lots_.maybe(0.7) ? some_mass() * 0.1 : 0;
    const Dial wheel = add_scalar(ratio * on.angle, inertia);
    join(Coupling{.coordinates = {coordinate_of(wheel.place), coordinate_of(on.place)}, .factors = with_two(1, -ratio)},
         1, 1);
    dials_.push_back(wheel);
  }
  CoordinateOf coordinate_of(Place dial) const {
    for (const Owner& owner : owners_) {
      if (owner.place.marker != dial.marker) continue;
      return owner.kind == BlockKind::scalar ? build_.coordinate(owner.name) : build_.coordinate(owner.name, "phi");
    }
    return {};
  }
  static NumberList with_two(double a, double b) {
    NumberList list = Coupling{}.factors;
    list[0] = a;
    list[1] = b;
    return list;
  }

  // --- Steps that close loops and add no freedom

  void close_loop() override {
    switch (lots_.whole(0, 6)) {
      case 0:
      case 1:
        return hang_point(2);
      case 2:
        return hold_body_by_struts();
      case 3:
        return add_two_bodies();
      case 4:
        return hinge_into_slot();
      case 5:
        return lots_.maybe(0.5) ? measure_angle() : add_gear();
      default:
        return weld_body();
    }
  }

  void weld_body() {
    note_step("welded body");
    const std::size_t a = any_carrier();
    const Spot3 at = carriers_[a].at + vector(1);
    const std::size_t b = heavy_body(at + vector(0.5));
    connect({Kind::weld, a, b, at, any_turn()}, 3);
    offer_places_on(b);
  }

  void hold_body_by_struts() {
    note_step("body on three struts");
    const Spot3 at = some_spot().at + offset();
    std::vector<Spot> feet(3);
    std::vector<Spot3> heads(3);
    double volume = 0;
    while (volume < firm) {
      Eigen::Matrix3d lines;
      for (std::size_t i = 0; i < 3; ++i) {
        heads[i] = at + vector(0.7);
        feet[i] = spot_apart_from(heads[i]);
        const Spot3 e = (1 / length(heads[i] - feet[i].at)) * (heads[i] - feet[i].at);
        lines.row(static_cast<Index>(i)) << e.x, e.y, cross(heads[i] - at, e).z;
      }
      volume = std::abs(lines.determinant());
    }
    const std::size_t b = heavy_body(at);
    for (std::size_t i = 0; i < 3; ++i) add_rod(feet[i], spot_on(b, heads[i]));
    offer_places_on(b);
  }

  // Hinged to what is there and to each other.
  void add_two_bodies() {
    note_step("two bodies on three hinges");
    const std::size_t a = any_carrier(), c = any_carrier();
    Spot3 first = carriers_[a].at + vector(1), second = carriers_[c].at + vector(1), knee = first + offset();
    const auto bend = [&] {
      const Spot3 u = knee - first, v = knee - second;
      return length(u) < apart || length(v) < apart ? 0 : length(cross(u, v)) / (length(u) * length(v));
    };
    while (bend() < firm) {
      first = carriers_[a].at + vector(1);
      second = carriers_[c].at + vector(1);
      knee = first + offset();
    }
    const std::size_t b = heavy_body(first + vector(0.5)), d = heavy_body(second + vector(0.5));
    connect({Kind::hinge, a, b, first, {}}, 2);
    connect({Kind::hinge, c, d, second, {}}, 2);
    connect({Kind::hinge, b, d, knee, {}}, 2);
    offer_places_on(b);
    offer_places_on(d);
  }

  // The connecting rod of a slider-crank.
  void hinge_into_slot() {
    note_step("body on a hinge and in a slot");
    const std::size_t a = any_carrier(), c = any_carrier();
    const Spot3 first = carriers_[a].at + vector(1), rod = offset();
    Turn slot = any_turn();
    while (std::abs(dot(x_axis(slot), rod)) < firm * length(rod)) slot = any_turn();
    const std::size_t b = heavy_body(first + 0.5 * rod);
    connect({Kind::hinge, a, b, first, {}}, 2);
    const Spot3 pin = first + rod;
    join(Slider{marker(c, pin - 0.3 * x_axis(slot), slot), marker(b, pin)}, 1, 1);
    offer_places_on(b);
  }

  // --- Steps that repeat what is held already

  void add_surplus(int most) override {
    const int kind = lots_.whole(0, 3);
    if (kind == 0) return repeat_rod();
    if (kind == 1) return hold_point_too_often();
    if (!joints_.empty()) repeat_joint(lots_.one_of(joints_), most);
  }

  void repeat_joint(const Joint& joint, int most) {
    const Spot3 elsewhere = joint.at + offset();
    if (joint.kind != Kind::rail && lots_.maybe(0.5)) {
      note_step("strut beside a joint");
      return add_rod(spot_on(joint.a, elsewhere), spot_on(joint.b, joint.at), 0);
    }
    if (most < (joint.kind == Kind::weld ? 3 : 2)) return;
    note_step("joint again");
    connect({joint.kind, joint.a, joint.b, joint.kind == Kind::hinge ? joint.at : elsewhere, joint.axes}, 0);
  }

  // --- Loads

  void add_loads(const Owner& owner) override {
    const auto input = [&] { return build_.input(next_name("u")); };
    if (owner.kind == BlockKind::scalar) {
      build_.add({}, ScalarForce{.on = build_.coordinate(owner.name), .magnitude = units_.torque(), .input = input()});
      return;
    }
    build_.add({}, Force{owner.place, {units_.force(), 0}, input()});
    build_.add({}, Force{owner.place, {0, units_.force()}, input()});
    if (owner.kind == BlockKind::body) {
      build_.add({}, Torque{.on = owner.place, .magnitude = units_.torque(), .input = input()});
    }
  }

  std::vector<Joint> joints_;
  std::vector<Dial> dials_;
};

// ---------------------------------------------------------------------------------------------------------------------
// In space

class SpaceSketch final : public Sketch<InSpace> {
 public:
  explicit SpaceSketch(std::uint64_t seed) : Sketch(seed) {}

 private:
  enum class Kind { hinge, rail, cylinder, cross, ball, weld };
  struct Joint {
    Kind kind;
    std::size_t a, b;  // carriers
    Spot3 at;
    Turn axes;
  };

  void seed_ground() override {
    build_.gravity((units_.length / (units_.time * units_.time)) * Spot3{0, 0, lots_.maybe(0.8) ? -9.81 : 0});
    carriers_.push_back({space::ground, {}, {}});
    if (!lots_.maybe(0.12)) return;
    const bool is_dragged = lots_.maybe(0.3);
    note_step(is_dragged ? "dragged sledge" : "sledge");
    const Turn rail = any_turn();
    add_body(vector(1));
    connect({Kind::rail, 0, 1, carriers_[1].at, rail}, 5);
    if (is_dragged) add_damper(spot_on(0, carriers_[1].at + 5 * z_axis(rail)), spot_on(1, carriers_[1].at));
    dof_ = 1;
    zeros_ = is_dragged ? 1 : 2;
    carriers_.erase(carriers_.begin());
  }
  void forget_joints() override { joints_.clear(); }

  // --- Bodies

  std::size_t add_body(const Spot3& at) {
    const std::string name = next_name("B");
    const Turn turn = any_turn();
    const Spot3 centre = lots_.maybe(0.5) ? Spot3{} : vector(0.3);
    const double mass = units_.mass * some_mass(),
                 size = mass * units_.length * units_.length * lots_.scaled(0.02, 0.5);
    const double flat = lots_.between(0.1, 0.9);  // two moments are together no less than the third
    space::BodyOptions options;
    options.rotation = turn;
    options.mass = mass;
    options.inertia.xx = size;
    options.inertia.yy = size * (1 - 0.5 * flat);
    options.inertia.zz = size * (0.5 + 0.5 * flat);
    options.centre = units_.length * centre;
    const Place place = build_.space_body(name, units_.length * at, options);
    owners_.push_back({BlockKind::space_body, name, place, turn});
    carriers_.push_back({place, at, turn});
    return carriers_.size() - 1;
  }
  void offer_places_on(std::size_t carrier) {
    for (int left = lots_.whole(1, 2); left > 0; --left) {
      spots_.push_back(spot_on(carrier, carriers_[carrier].at + vector(1)));
    }
  }
  std::size_t any_carrier() { return static_cast<std::size_t>(lots_.whole(0, static_cast<int>(carriers_.size()) - 1)); }

  static int rows_of(Kind kind) {
    constexpr int rows[] = {5, 5, 4, 4, 3, 6};
    return rows[static_cast<int>(kind)];
  }
  void connect(const Joint& joint, int rank) {
    const Place a = marker(joint.a, joint.at, joint.axes), b = marker(joint.b, joint.at, joint.axes);
    const int rows = rows_of(joint.kind);
    if (joint.kind == Kind::hinge) join(space::Revolute{a, b}, rows, rank);
    if (joint.kind == Kind::rail) join(space::Prismatic{a, b}, rows, rank);
    if (joint.kind == Kind::cylinder) join(space::Cylindrical{a, b}, rows, rank);
    if (joint.kind == Kind::cross) join(space::Universal{a, b}, rows, rank);
    if (joint.kind == Kind::ball) join(space::Spherical{a, b}, rows, rank);
    if (joint.kind == Kind::weld) join(space::Weld{a, b}, rows, rank);
    if (rank == rows) joints_.push_back(joint);
  }

  /// Rubber in the joint: what the joint leaves free is held.
  void add_bushing(const Joint& joint) {
    space::Bushing bushing{marker(joint.a, joint.at, joint.axes), marker(joint.b, joint.at, joint.axes)};
    bushing.stiffness = {};
    const bool is_damped = is_damped_ && lots_.maybe(0.5);
    for (std::size_t i = 0; i < 6; ++i) {
      const double k = some_stiffness() * (i < 3 ? 1 : 0.3), c = some_damping();
      bushing.stiffness[7 * i] = i < 3 ? stiffness_in_units(k) : k * units_.torque();
      if (is_damped) bushing.damping[7 * i] = i < 3 ? damping_in_units(c) : c * units_.torque() * units_.time;
    }
    build_.add({}, bushing);
  }

  // --- Steps that add freedom

  void add_configuration(int most) override {
    const int kind = lots_.whole(0, has_massless_ ? 10 : 8);
    if (kind <= 1) return hang_point(2);
    if (kind <= 4) return join_body(lots_.maybe(0.6) ? Kind::hinge : Kind::rail);
    if (kind == 5 && surplus_ + 3 <= most_redundant && lots_.maybe(0.6)) return add_plane_loop();
    if (most < 2) return;
    if (kind == 5) return hang_point(1);
    if (kind == 6) return join_body(lots_.maybe(0.5) ? Kind::cylinder : Kind::cross);
    if (kind == 7 && lots_.maybe(0.5)) return hang_heavy_rod();
    if (most < 3) return;
    if (kind == 7) return float_point();
    if (kind == 8) return join_body(Kind::ball);
    float_massless_point();
  }

  void join_body(Kind kind) {
    constexpr const char* words[] = {"hinge", "rail", "cylinder", "cross", "ball", "weld"};
    note_step(fmt::format("body on a {}", words[static_cast<int>(kind)]));
    const std::size_t a = any_carrier();
    const Spot3 at = carriers_[a].at + vector(1);
    const std::size_t b = add_body(at + offset());
    const Joint joint{kind, a, b, at, any_turn()};
    connect(joint, rows_of(kind));
    if (kind != Kind::weld) add_bushing(joint);
    offer_places_on(b);
    if (lots_.maybe(0.5)) hold(spots_.back());
    dof_ += 6 - rows_of(kind);
    if (has_thrusts_ && lots_.maybe(0.5)) add_thrust(b);
  }

  void add_thrust(std::size_t carrier) {
    note_step("thrust");
    const Spot3 force = units_.force() * vector(10);
    build_.add({}, space::FollowerForce{marker(carrier, carriers_[carrier].at + vector(1)), force});
  }

  // A four-bar on hinges with parallel axes: the last one adds two equations, and has five.
  void add_plane_loop() {
    note_step("plane loop of four hinges");
    const std::size_t base = any_carrier();
    const Turn axes = any_turn();
    const Spot3 centre = carriers_[base].at + vector(1);
    std::size_t a = base;
    for (int i = 0; i < 4; ++i) {
      const double angle = i * pi / 2 + lots_.between(-0.4, 0.4), radius = lots_.between(0.5, 1);
      const double aside = lots_.between(-0.5, 0.5);
      const Spot3 corner{radius * std::cos(angle), radius * std::sin(angle), aside};
      const Spot3 at = centre + turned(axes, corner);
      const std::size_t b = i < 3 ? add_body(at + vector(0.5)) : base;
      connect({Kind::hinge, a, b, at, axes}, i < 3 ? 5 : 2);
      if (i < 3) offer_places_on(b);
      a = b;
    }
    hold(spots_.back());
    dof_ += 1;
  }

  // --- Steps that close loops and add no freedom

  void close_loop() override {
    const int kind = lots_.whole(0, 4);
    if (kind <= 2) return hang_point(3);
    if (kind == 3) return hold_body_by_struts();
    join_body(Kind::weld);
  }

  void hold_body_by_struts() {
    note_step("body on six struts");
    const Spot3 at = some_spot().at + offset();
    std::vector<Spot> feet(6);
    std::vector<Spot3> heads(6);
    double volume = 0;
    while (volume < 0.01) {  // of 1000 draws the median is 0.02
      Eigen::Matrix<double, 6, 6> lines;
      for (std::size_t i = 0; i < 6; ++i) {
        heads[i] = at + vector(1);
        feet[i] = spot_apart_from(heads[i]);
        const Spot3 e = (1 / length(heads[i] - feet[i].at)) * (heads[i] - feet[i].at), m = cross(heads[i] - at, e);
        lines.row(static_cast<Index>(i)) << e.x, e.y, e.z, m.x, m.y, m.z;
      }
      volume = std::abs(lines.determinant());
    }
    const std::size_t b = add_body(at);
    for (std::size_t i = 0; i < 6; ++i) add_rod(feet[i], spot_on(b, heads[i]));
    offer_places_on(b);
  }

  // --- Steps that repeat what is held already

  void add_surplus(int most) override {
    const int kind = lots_.whole(0, 2);
    if (kind == 0) return repeat_rod();
    if (kind == 1) return hold_point_too_often();
    if (!joints_.empty()) repeat_joint(lots_.one_of(joints_), most);
  }

  void repeat_joint(const Joint& joint, int most) {
    const Spot3 along = lots_.between(0.2, 1) * z_axis(joint.axes), elsewhere = joint.at + offset();
    const bool has_axis = joint.kind == Kind::hinge || joint.kind == Kind::cylinder;
    if (joint.kind != Kind::rail && joint.kind != Kind::cylinder && lots_.maybe(0.5)) {
      note_step("strut beside a joint");
      return add_rod(spot_on(joint.a, elsewhere), spot_on(joint.b, joint.at), 0);
    }
    if (most < rows_of(joint.kind)) return;
    note_step("joint again");
    const bool is_anywhere = joint.kind == Kind::rail || joint.kind == Kind::weld;
    const Spot3 at = is_anywhere ? elsewhere : has_axis ? joint.at + along : joint.at;
    connect({joint.kind, joint.a, joint.b, at, joint.axes}, 0);
  }

  // --- Loads: on a body forces at its origin, and couples of dead forces about each of its axes

  void add_loads(const Owner& owner) override {
    const Spot3 axes[] = {x_axis(owner.turn), y_axis(owner.turn), z_axis(owner.turn)};
    const Spot3 unit[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Spot3& e : unit) {
      build_.add({}, space::Force{owner.place, units_.force() * e, build_.input(next_name("u"))});
    }
    if (owner.kind != BlockKind::space_body) return;
    for (std::size_t i = 0; i < 3; ++i) {
      const InputRef input = build_.input(next_name("u"));
      const Spot3 lever = units_.length * unit[(i + 1) % 3], force = units_.force() * axes[(i + 2) % 3];
      build_.add({}, space::Force{build_.space_marker({}, owner.place, lever), force, input});
      build_.add({}, space::Force{owner.place, -1.0 * force, input});
    }
  }

  std::vector<Joint> joints_;
};

}  // namespace

RandomMechanism random_mechanism(std::uint64_t seed) {
  return seed % 3 == 2 ? SpaceSketch(seed).grown() : PlaneSketch(seed).grown();
}

}  // namespace stillpoint::testing
