// Parallel loops, whose motion has a closed form and passes singular configurations.
#pragma once

#include <cmath>

#include "stillpoint/elements/all.h"
#include "stillpoint/motion.h"

namespace stillpoint::loops {

constexpr double g = 9.81;

/// N loops of equal uniform rods at an angle from the horizontal; upright it is A02 of the IFToMM library. `origin` is
/// the x-coordinate of the first foot.
inline Model parallel(Index N, double angle = std::acos(0.0), double origin = 0) {
  ModelBuilder build("loops");
  build.gravity({0, -g, 0});
  Place before{};
  for (Index i = 0; i <= N; ++i) {
    const double x = origin + static_cast<double>(i);
    const Vec2<double> at{x + std::cos(angle), std::sin(angle)};
    const auto number = static_cast<std::int64_t>(i);
    const auto foot = build.fixed(Name("A", {number}), {x, 0});
    const auto head = build.point(Name("B", {number}), at);
    build.add(Name("crank", {number}), Rod{.a = foot, .b = head, .length = 1, .mass = 1});
    if (i > 0) build.add(Name("coupler", {number}), Rod{.a = before, .b = head, .length = 1, .mass = 1});
    before = head;
  }
  return build.model();
}

/// The same with bodies and hinges, whose reactions are those of the ground and of the heads.
inline Model of_bodies(Index N, double angle = std::acos(0.0)) {
  ModelBuilder build("loops");
  build.gravity({0, -g, 0});
  Place before{};
  for (Index i = 0; i <= N; ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const auto x = static_cast<double>(i);
    const auto crank = build.body(Name("crank", {number}), {x, 0},
                                  {.angle = angle, .mass = 1, .inertia = 1.0 / 12, .centre = {0.5, 0}});
    build.add(Name("foot", {number}), Revolute{.a = build.fixed(Name("A", {number}), {x, 0}), .b = crank});
    const auto head = build.marker(Name("B", {number}), crank, {1, 0});
    if (i > 0) {
      const auto coupler = build.body(Name("coupler", {number}), {x - 1 + std::cos(angle), std::sin(angle)},
                                      {.mass = 1, .inertia = 1.0 / 12, .centre = {0.5, 0}});
      build.add(Name("left", {number}), Revolute{.a = before, .b = coupler});
      build.add(Name("right", {number}),
                Revolute{.a = head, .b = build.marker(Name("end", {number}), coupler, {1, 0})});
    }
    before = head;
  }
  return build.model();
}

/// The loops move as one: all heads at the same rate of the angle, clockwise.
inline State pushed(const Model& model, double rate = 1, double origin = 0) {
  State start = model.initial_state();
  start.v = Eigen::VectorXd::Zero(model.coordinates());
  for (Index i = 0; i < model.coordinates(); i += 2) {
    const double foot = origin + static_cast<double>(i / 2);
    start.v[i] = rate * start.q[i + 1];
    start.v[i + 1] = -rate * (start.q[i] - foot);
  }
  return consistent_state(model, start);
}

/// Where a motion leads that was stopped, as far as the same equations go without a watch, for some time: just behind a
/// singular configuration rates have only begun to part.
inline State led_on(const Model& model, const Motion& stopped, MotionOptions options, double time = 0.3) {
  options.start_time = stopped.end_time;
  options.times = {stopped.end_time + time};
  options.watches_singular = false;
  return integrate(model, stopped.end, options).end;
}

/// The acceleration of the angle of N loops at an angle: all cranks turn, all couplers translate.
inline double angular_acceleration(Index N, double angle) {
  const double N_ = static_cast<double>(N), first = (N_ + 1) / 2 + N_, second = (N_ + 1) / 3 + N_;
  return -g * first / second * std::cos(angle);
}

}  // namespace stillpoint::loops
