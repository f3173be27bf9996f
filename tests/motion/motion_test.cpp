// Motions against closed forms, and against what they must conserve.
#include "stillpoint/motion.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "motion/chart.h"
#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/error.h"
#include "stillpoint/read_model.h"
#include "support/motion/loops.h"
#include "support/sanitized.h"
#include "support/seeded.h"

using namespace stillpoint;
using Eigen::Vector2d, Eigen::Vector3d, Eigen::VectorXd;
using std::numbers::pi;

namespace {

constexpr double g = 9.81;

/// A point mass on a massless rod of length one; A01 of the IFToMM library starts at (−1, 0).
Model pendulum(const Vec2<double>& at) {
  ModelBuilder build("pendulum");
  build.gravity({0, -g, 0});
  const auto pivot = build.fixed("A", {0, 0});
  const auto bob = build.point("B", at, {.mass = 1});
  build.add("rod", Distance{.a = pivot, .b = bob, .length = 1});
  build.output("tip", PointMeasure{.at = bob});
  return build.model();
}

Model top(double mass, const Vec3<double>& centre, const Inertia& inertia, bool is_held) {
  ModelBuilder build("top");
  build.gravity({0, 0, is_held ? -g : 0});
  const auto body = build.space_body("top", {0, 0, 0}, {.mass = mass, .inertia = inertia, .centre = centre});
  const auto foot = build.space_marker("tip", body, {0.3, -0.2, 0.5});
  if (is_held) build.add("foot", space::Spherical{.a = space::ground, .b = foot});
  return build.model();
}

State spinning(const Model& model, const Vector3d& omega) {
  State start = model.initial_state();
  start.v = VectorXd::Zero(6);
  start.v.tail<3>() = omega;
  return start;
}

Eigen::Quaterniond quaternion_of(const Rotation<double>& R) { return {R.w, R.x, R.y, R.z}; }

}  // namespace

TEST_CASE("motion: a pendulum from the side is where elliptic functions put it after ten seconds") {
  const Model model = pendulum({-1, 0});
  const Vector2d exact(-0.2750874625761169, -0.9614192050991251);
  const Motion usual = integrate(model, consistent_state(model, model.initial_state()), {.times = {0, 10}});
  REQUIRE(usual.status == MotionStatus::done);
  CHECK((usual.end.q - exact).norm() < 1e-6);
  const Motion fine =
      integrate(model, consistent_state(model, model.initial_state()), {.times = {0, 10}, .tolerance = 1e-12});
  CHECK((fine.end.q - exact).norm() < 1e-9);
  CHECK(std::abs(fine.end.v.norm() - 4.343160692864683) < 1e-9);
  CHECK(fine.largest_imbalance < 1e-9);
  CHECK(fine.position_drift < 1e-14);
  CHECK(fine.rate_drift < 1e-12);
  REQUIRE(fine.outputs.cols() == 2);
  CHECK((fine.outputs.col(1) - exact).norm() < 1e-9);
}

TEST_CASE("motion: the loops of A02 pass the flat position and end where the closed form says") {
  struct Expected {
    Index N;
    Vector2d head;
  };
  for (const Expected& expected :
       {Expected{1, {0.478385057761, 0.8781501787912}}, Expected{2, {0.3284581115408, 0.9445185381786}},
        Expected{40, {0.1805122266867, 0.9835727405823}}}) {
    CAPTURE(expected.N);
    const Model model = loops::parallel(expected.N);
    const Motion motion = integrate(model, loops::pushed(model), {.times = {0, 10}});
    REQUIRE(motion.status == MotionStatus::done);
    CHECK((motion.end.q.head<2>() - expected.head).norm() < 1e-6);
    CHECK(motion.largest_imbalance < 1e-8 * motion.largest_energy);
    CHECK(motion.position_drift < 1e-12);
  }
}

// Sixteen roundings that projections left open cost up to 1e-5 m, as did steps that were shortened onto the flat
// position.
TEST_CASE("motion: small tolerances are kept where loops of A02 pass the flat position, however many there are") {
  struct Row {
    Index N;
    Vector2d head;
    std::vector<double> tolerances;
    double allowed;
  };
  std::vector<Row> rows{{2, {0.3284581115408, 0.9445185381786}, {5e-12, 7e-12, 9e-12, 1e-11, 1.1e-11, 1.3e-11}, 1.5e-9},
                        {40, {0.1805122266867, 0.9835727405823}, {9e-12, 1.1e-11}, 1.5e-9},
                        {1000, {0.1728243651708, 0.9849526581533}, {1e-11}, 1e-8}};
  rows.resize(draws(3, 1));
  for (const Row& row : rows) {
    const Model model = loops::parallel(row.N);
    for (const double tolerance : row.tolerances) {
      for (const MotionMethod method : {MotionMethod::explicit_order_8, MotionMethod::taylor}) {
        CAPTURE(row.N);
        CAPTURE(tolerance);
        CAPTURE(name_of(method));
        const Motion motion =
            integrate(model, loops::pushed(model), {.method = method, .times = {0, 10}, .tolerance = tolerance});
        REQUIRE(motion.status == MotionStatus::done);
        CHECK((motion.end.q.head<2>() - row.head).norm() < row.allowed);
        CHECK(motion.singular.size() == 10);
      }
    }
  }
}

TEST_CASE("motion: given positions are kept, and the others follow") {
  const Model model = loops::parallel(3);
  State near = model.initial_state();
  near.q[4] = 2.3;  // B[2].x
  const State start = consistent_state(model, near, {.held_positions = {4}});
  CHECK(std::abs(start.q[4] - 2.3) < 1e-14);
  for (Index i = 0; i < 4; ++i) {
    CHECK(start.q[2 * i] == doctest::Approx(i + 0.3).epsilon(1e-12));
    CHECK(start.q[2 * i + 1] == doctest::Approx(std::sqrt(1 - 0.09)).epsilon(1e-12));
  }
}

TEST_CASE("motion: given rates are kept, and those that contradict each other are refused") {
  const Model model = loops::parallel(3);
  State start = model.initial_state();
  start.v = VectorXd::Zero(model.coordinates());
  start.v[4] = 1;
  const State all = consistent_state(model, start, {.held = {4}});
  for (Index i = 0; i < model.coordinates(); ++i) CHECK(all.v[i] == doctest::Approx(i % 2 == 0 ? 1 : 0));
  start.v[0] = -1;
  CHECK_THROWS_WITH_AS(consistent_state(model, start, {.held = {0, 4}}), doctest::Contains("given rates"), Error);
}

// A rate along the rod could be had at 1e16 rad/s, as the cosine of a right angle is not zero: the state that came back
// opened the rod, and the motion lost this part of its energy in the first step.
TEST_CASE("motion: a rate that only rounding would allow is refused") {
  const Model model = pendulum({std::cos(-pi / 2), std::sin(-pi / 2)});
  State start = model.initial_state();
  start.v = Vector2d(0, 1);
  CHECK_THROWS_WITH_AS(consistent_state(model, start, {.held = {1}}), doctest::Contains("given rates"), Error);
}

TEST_CASE("motion: a given rate reaches the end of a long chain") {
  // The least singular values of its constraints are near zero, although none is redundant.
  const Model model = loops::parallel(20'000);
  State start = model.initial_state();
  start.v = VectorXd::Zero(model.coordinates());
  start.v[0] = 1;
  const State all = consistent_state(model, start, {.held = {0}});
  for (Index i = 0; i < model.coordinates(); ++i) REQUIRE(std::abs(all.v[i] - (i % 2 == 0 ? 1 : 0)) < 1e-6);
}

TEST_CASE("motion: errors fall with the tolerance") {
  const Model model = loops::parallel(2);
  const State start = loops::pushed(model);
  const Vector2d exact(0.3284581115408, 0.9445185381786);
  double before = 1;
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const Motion motion = integrate(model, start, {.times = {0, 10}, .tolerance = tolerance});
    const double error = (motion.end.q.head<2>() - exact).norm();
    CAPTURE(tolerance);
    CAPTURE(error);
    CHECK(error < 1000 * tolerance);
    CHECK(error < before);
    before = error;
  }
}

TEST_CASE("motion: it ends where an output crosses a value") {
  const Model model = pendulum({-1, 0});
  const State start = consistent_state(model, model.initial_state());
  // A quarter of the period of A01.
  const Motion motion = integrate(model, start, {.times = {0, 10}, .crossings = {{0, 0.0}}});
  CHECK(motion.status == MotionStatus::stopped);
  CHECK(motion.end_time == doctest::Approx(2.367841947576237 / 4).epsilon(1e-8));
  CHECK(std::abs(motion.end.q[0]) < 1e-9);
  CHECK(motion.position_drift < 1e-14);
  const Motion never = integrate(model, start, {.times = {0, 1}, .crossings = {{1, 0.5}}});
  CHECK(never.status == MotionStatus::done);
  CHECK_THROWS_AS(integrate(model, start, {.times = {0, 1}, .crossings = {{2, 0.0}}}), Error);
}

TEST_CASE("motion: the multipliers are the tension in a rod") {
  const Model model = pendulum({0, -1});
  State start = model.initial_state();
  start.v = Vector2d(2, 0);
  const Accelerations now = accelerations(model, consistent_state(model, start));
  CHECK(now.a.x() == doctest::Approx(0).epsilon(1e-12));
  CHECK(now.a.y() == doctest::Approx(4));  // v²/l
  State there = model.initial_state();
  there.lambda = now.lambda;
  MotionAssembly assembly(model);
  const SparseMatrix& J = assembly.at(there).J;
  CHECK((J.transpose() * now.lambda)[1] == doctest::Approx(-(g + 4)));
}

TEST_CASE("motion: a torque-free body keeps its energy and its angular momentum, and tumbles in time") {
  const Model model = top(1, {0, 0, 0}, {.xx = 1, .yy = 2, .zz = 3}, false);
  const State start = spinning(model, {1e-3, 5, 1e-3});
  const Vector3d I(1, 2, 3), L = I.cwiseProduct(start.v.tail<3>());
  const Motion motion =
      integrate(model, start, {.times = times_until(20, 5), .tolerance = 1e-12, .keeps_states = true});
  REQUIRE(motion.status == MotionStatus::done);
  for (const State& state : motion.states) {
    const Vector3d now = quaternion_of(state.orientations[0]) * I.cwiseProduct(state.v.tail<3>());
    CHECK((now - L).norm() < 1e-8);
    CHECK(0.5 * I.cwiseProduct(state.v.tail<3>()).dot(state.v.tail<3>()) ==
          doctest::Approx(0.5 * L.cwiseQuotient(I).dot(L)).epsilon(1e-10));
  }
}

TEST_CASE(
    "motion: a heavy top that spins upright on its axis sleeps, and one that leans precesses at the steady rate") {
  // Steady precession of a symmetric top at θ from the vertical: A cosθ Ω² sinθ − C ω₃ Ω sinθ + m g l sinθ = 0.
  const double m = 2, l = 0.3, A = 0.5, C = 0.1, theta = 0.4, Omega = 1.7;
  const double about_centre = A - m * l * l;
  const double spin = (A * std::cos(theta) * Omega * Omega + m * g * l) / (C * Omega);
  const Model model = [&] {
    ModelBuilder build("top");
    build.gravity({0, 0, -g});
    const Rotation<double> lean{std::cos(theta / 2), 0, std::sin(theta / 2), 0};
    const auto body = build.space_body("top", {0, 0, 0},
                                       {.rotation = lean,
                                        .mass = m,
                                        .inertia = {.xx = about_centre, .yy = about_centre, .zz = C},
                                        .centre = {0, 0, l}});
    build.add("foot", space::Spherical{.a = space::ground, .b = body});
    return build.model();
  }();
  // ω = Ω e_z + (spin − Ω cosθ) e_3, in the axes of the body e_z = (−sinθ, 0, cosθ).
  State start = spinning(model, {-Omega * std::sin(theta), 0, spin});
  start = consistent_state(model, start);
  const Motion motion = integrate(model, start, {.times = {0, 3}, .tolerance = 1e-11});
  REQUIRE(motion.status == MotionStatus::done);
  const Vector3d axis = quaternion_of(motion.end.orientations[0]) * Vector3d(0, 0, 1);
  CHECK(axis.z() == doctest::Approx(std::cos(theta)).epsilon(1e-9));
  CHECK(axis.x() == doctest::Approx(std::sin(theta) * std::cos(3 * Omega)).epsilon(1e-7));
  CHECK(axis.y() == doctest::Approx(std::sin(theta) * std::sin(3 * Omega)).epsilon(1e-7));
  CHECK(motion.largest_imbalance < 1e-8);
}

TEST_CASE("motion: the energy account closes with springs, dampers, follower forces and prescribed motions") {
  ModelBuilder build("driven");
  build.gravity({0, -g, 0});
  const auto drive = build.input("drive");
  const auto crank = build.scalar("crank", 0.3);
  const auto body = build.body("link", {0, 0}, {.angle = 0.3, .mass = 1, .inertia = 0.2, .centre = {0.5, 0}});
  build.add("pivot", Revolute{.a = ground, .b = body});
  build.add("servo", Prescribed{.coordinate = build.coordinate("crank"), .input = drive});
  const auto end = build.marker("end", body, {1, 0});
  build.add("angle", Angle{.angle = crank, .from = body, .to = end});
  const auto bob = build.point("bob", {1.5, -0.5}, {.mass = 0.7});
  build.add("spring", Spring{.a = end, .b = bob, .stiffness = 30, .free_length = 0.6});
  build.add("damper", Damper{.a = end, .b = bob, .damping = 0.8});
  const Model model = build.model();
  const InputMotion inputs = [](double t) {
    const auto one = [](double x) { return VectorXd(VectorXd::Constant(1, x)); };
    return InputSample{one(0.3 + 0.5 * std::sin(2 * t)), one(std::cos(2 * t)), one(-2 * std::sin(2 * t))};
  };
  const State start = consistent_state(model, model.initial_state(), {.inputs = inputs});
  CHECK(start.v[0] == doctest::Approx(1));
  const Motion motion = integrate(model, start, {.times = times_until(5, 0.5), .tolerance = 1e-10, .inputs = inputs});
  REQUIRE(motion.status == MotionStatus::done);
  CHECK(motion.end.q[0] == doctest::Approx(0.3 + 0.5 * std::sin(10.0)));
  CHECK(motion.largest_energy > 1);
  CHECK(std::abs(motion.work.back()) > 0.1);
  CHECK(motion.largest_imbalance < 1e-7 * motion.largest_energy);
}

TEST_CASE("motion: the curvature of the constraints is the derivative of their rates along the motion") {
  const Model model = top(1, {0.1, 0.2, 0.3}, {.xx = 1, .yy = 1, .zz = 1}, true);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    State state = model.displaced(model.initial_state(), random.vector(6, -0.5, 0.5));
    state.v = random.vector(6, -2, 2);
    const VectorXd found = constraint_curvature(model, state);
    constexpr double h = 1e-4;
    const auto residual_at = [&](double t) {
      State there = state;
      there.v.resize(0);
      return constraint_residual(model, model.displaced(there, t * state.v));
    };
    const VectorXd expected = (residual_at(h) - 2 * residual_at(0) + residual_at(-h)) / (h * h);
    CHECK((found - expected).lpNorm<Eigen::Infinity>() < 1e-5);
    CHECK(found.norm() > 0);
  }
}

TEST_CASE("motion: the parts that accelerations need are those of the whole assembly") {
  const Model model = loops::parallel(3);
  State state = model.initial_state();
  state.lambda = VectorXd::Zero(model.constraints());
  MotionAssembly lean(model);
  Assembly whole(model);
  const auto& [M, J, G] = lean.at(state);
  const Matrices& all = whole.at(state);
  CHECK(Eigen::MatrixXd(M) == Eigen::MatrixXd(all.M));
  CHECK(Eigen::MatrixXd(J) == Eigen::MatrixXd(all.J));
  CHECK(G.cols() == 0);
}

TEST_CASE("motion: rates in a chart bring the orientation back") {
  const Model model = top(1, {0, 0, 0}, {.xx = 1, .yy = 2, .zz = 3}, false);
  const Chart chart(model);
  for (const double size : {1e-4, 0.3, 1.5}) {
    const VectorXd increment = size * (VectorXd(6) << 0, 0, 0, 0.6, -0.5, 0.62).finished();
    const VectorXd v = (VectorXd(6) << 1, 2, 3, 0.4, 1.1, -0.7).finished();
    const VectorXd rates = chart.rates(increment, v);
    constexpr double h = 1e-6;
    const auto at = [&](double t) {
      return quaternion_of(model.displaced(model.initial_state(), increment + t * rates).orientations[0]);
    };
    const Eigen::Quaterniond turn = at(-h).conjugate() * at(h);
    const Vector3d omega = 2 * turn.vec() / (2 * h);
    CHECK((omega - v.tail<3>()).norm() < 1e-8);
    CHECK(rates.head<3>() == v.head<3>());
  }
}

TEST_CASE("motion: inputs follow their tables with continuous second derivatives, and stay at the ends") {
  InputTable table{.input = 1};
  for (int k = 0; k <= 40; ++k) {
    table.times.push_back(0.1 * k);
    table.values.push_back(std::sin(0.1 * k * pi / 2));
  }
  const InputMotion inputs = follow_tables(Vector2d(7, 0), {table});
  for (const double time : {0.55, 1.234, 3.0}) {
    const InputSample now = inputs(time);
    CHECK(now.u[0] == 7);
    CHECK(now.rate[0] == 0);
    CHECK(now.u[1] == doctest::Approx(std::sin(time * pi / 2)).epsilon(1e-4));
    CHECK(now.rate[1] == doctest::Approx(pi / 2 * std::cos(time * pi / 2)).epsilon(1e-3));
    constexpr double h = 1e-5;
    CHECK((inputs(time + h).u[1] - inputs(time - h).u[1]) / (2 * h) == doctest::Approx(now.rate[1]).epsilon(1e-7));
    CHECK((inputs(time + h).rate[1] - inputs(time - h).rate[1]) / (2 * h) ==
          doctest::Approx(now.acceleration[1]).epsilon(1e-5));
  }
  CHECK(inputs(0.1).u[1] == doctest::Approx(table.values[1]));
  CHECK(inputs(-1).u[1] == 0);
  CHECK(inputs(9).rate[1] == 0);
  table.times[5] = table.times[4];
  CHECK_THROWS_AS(follow_tables(Vector2d(7, 0), {table}), Error);
}

TEST_CASE("motion: what cannot be done is refused with names") {
  const Model model = pendulum({0, -1});
  const State start = model.initial_state();
  CHECK_THROWS_AS(integrate(model, start, {.times = {}}), Error);
  CHECK_THROWS_AS(integrate(model, start, {.times = {0, 1}, .tolerance = 0}), Error);
  CHECK_THROWS_AS(integrate(model, start, {.times = {1, 1}}), Error);
  CHECK_THROWS_AS(times_until(-1, 0.1), Error);
  State far = start;
  far.q = Vector2d(0, 0);
  CHECK_THROWS_WITH_AS(consistent_state(model, far), doctest::Contains("'rod'"), Error);
}

TEST_CASE("motion: it ends where it is told to, and at once when the time is over") {
  const Model model = pendulum({-1, 0});
  const State start = consistent_state(model, model.initial_state());
  const Motion stopped =
      integrate(model, start, {.times = {0, 10}, .stops = [](const MotionRecord& now) { return now.state.q[0] > 0; }});
  CHECK(stopped.status == MotionStatus::stopped);
  CHECK(stopped.end.q[0] > 0);
  CHECK(stopped.end_time < 1.2);
  CHECK(stopped.times.back() == stopped.end_time);
  const Motion late = integrate(model, start, {.times = {0, 10}, .deadline = Deadline(Deadline::Clock::now())});
  CHECK(late.status == MotionStatus::out_of_time);
}

TEST_CASE("motion: a chain of 10 000 universal joints, whose factors would fill up in parts") {
  const Model model = read_model(STILLPOINT_SOURCE_DIR "/cases/universal_chain", {{"N", draws(10'000, 200)}});
  const State start = consistent_state(model, model.initial_state());
  const Motion motion = integrate(model, start, {.times = {0, 1e-3}, .tolerance = 1e-3});
  CHECK(motion.status == MotionStatus::done);
  CHECK(motion.end.v.lpNorm<Eigen::Infinity>() < 1e-6);  // it hangs at rest
}
