// Attachment of elements to a mechanism in space: the handles of places.h in three dimensions.
//
//   handle          law of position gets   law of motion gets                    force of the law
//   PositionOf      Vec3<T>                MovingPoint<T>  p, v, a               Vec3<T>
//   FrameOf         Frame<T>  p, R         MovingFrame<T>  also R, ω, α          Wrench<T>
//   OrientationOf   Rotation<T>            MovingOrientation<T>  R, ω, α         Vec3<T> (a torque)
//
// All vectors are given in the axes of the ground. The orientation of a body is not a coordinate but part of the state.
// Its three coordinates are the increment θ relative to that orientation, about the axes of the body (rx, ry, rz):
//
//   R(θ) = R₀ exp([θ]×),   ω = R T(θ) θ̇,   T(θ) = I − ½[θ]× + ⅙[θ]×² − …                                        (1.5)
//
// In every state θ = 0, so that series to second order give first and second derivatives exactly. All laws use the same
// retraction: potentials and constraints are differentiated through R(θ); forces and torques are mapped as covectors,
// T(θ)ᵀR(θ)ᵀτ, before they are differentiated.
#pragma once

#include "stillpoint/authoring/places.h"

namespace stillpoint::space {

struct Marker {
  Index block = on_ground;
  Vec3<double> position;      ///< in the axes of the block (m)
  Rotation<double> rotation;  ///< rotation relative to the axes of the block
};

// ---------------------------------------------------------------------------------------------------------------------
// Handles

struct PositionOf {
  Index marker = nothing;
};
struct FrameOf {
  Index marker = nothing;
};
struct OrientationOf {
  Index marker = nothing;
};

constexpr std::uint64_t possible_coordinates(PositionOf) { return 0b1001001; }
constexpr std::uint64_t possible_coordinates(FrameOf) { return 0b1000001; }
constexpr std::uint64_t possible_coordinates(OrientationOf) { return 0b1001; }

inline const Vec3<double>& gravity_at(const Context& context, PositionOf) { return context.gravity; }
inline const Vec3<double>& gravity_at(const Context& context, FrameOf) { return context.gravity; }

inline bool at_origin(const Marker& marker) {
  return marker.position.x == 0 && marker.position.y == 0 && marker.position.z == 0;
}

/// The marker of a handle and its block; the block is null on the ground.
struct Site {
  const Marker& marker;
  const Block* block;
};
inline Site site(const Context& context, Index marker) {
  const Marker& m = context.space_markers[marker];
  return {m, m.block == on_ground ? nullptr : &context.blocks[m.block]};
}

inline Dependence dependence(const Context& context, PositionOf place) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {};
  const Index x = block->first;
  if (block->kind == BlockKind::space_point) return {3, {x, x + 1, x + 2}, 1};
  if (at_origin(marker)) return {3, {x, x + 1, x + 2}, 2};
  return {6, {x, x + 1, x + 2, x + 3, x + 4, x + 5}, 3};
}

inline Dependence dependence(const Context& context, FrameOf place) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {};
  const Index x = block->first;
  return {6, {x, x + 1, x + 2, x + 3, x + 4, x + 5}, at_origin(marker) ? 1 : 2};
}

inline Dependence dependence(const Context& context, OrientationOf place) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {};
  const Index rx = block->first + 3;
  return {3, {rx, rx + 1, rx + 2}, 1};
}

inline Index block_of(const Context& context, PositionOf place) { return context.space_markers[place.marker].block; }
inline Index block_of(const Context& context, FrameOf place) { return context.space_markers[place.marker].block; }
inline Index block_of(const Context& context, OrientationOf place) { return context.space_markers[place.marker].block; }

// ---------------------------------------------------------------------------------------------------------------------
// Arguments of laws

template <class T>
struct Frame {
  Vec3<T> p;
  Rotation<T> R;
};

template <class T>
struct MovingPoint {
  Vec3<T> p, v, a;
};

template <class T>
struct MovingOrientation {
  Rotation<T> R;
  Vec3<T> omega, alpha;  ///< angular velocity and acceleration
};

template <class T>
struct MovingFrame {
  Vec3<T> p, v, a;
  Rotation<T> R;
  Vec3<T> omega, alpha;
};

template <class T>
struct Wrench {
  Vec3<T> force, torque;  ///< the torque is about the place
};

// ---------------------------------------------------------------------------------------------------------------------
// Kinematics

template <class T>
Vec3<T> constant(const Vec3<double>& v) {
  return {T(v.x), T(v.y), T(v.z)};
}
template <class T>
Rotation<T> constant(const Rotation<double>& r) {
  return {T(r.w), T(r.x), T(r.y), T(r.z)};
}

/// Calls get(i, direction) for the three coordinates from i on, which are the variables d, d + 1, d + 2 of an element.
template <class T, class Get>
Vec3<T> three(Index i, int first_direction, const Get& get) {
  const int d = first_direction < 0 ? -3 : first_direction;
  return {get(i, d), get(i + 1, d + 1), get(i + 2, d + 2)};
}

/// Return three coordinates of the model from i on as variables, their rates, and their second time derivatives.
template <class T>
Vec3<T> three_coordinates(const Context& context, Index i, int first_direction) {
  return three<T>(i, first_direction, [&](Index k, int d) { return coordinate<T>(context, k, d); });
}
template <class T>
Vec3<T> three_rates(const Context& context, Index i, int first_direction) {
  return three<T>(i, first_direction, [&](Index k, int d) { return rate<T>(context, k, d); });
}
template <class T>
Vec3<T> three_accelerations(const Context& context, Index i, int first_direction) {
  return three<T>(i, first_direction, [&](Index k, int d) { return acceleration<T>(context, k, d); });
}

/// Returns the increment θ of an orientation, whose coordinates are those from i on, as variables: zero here.
template <class T>
Vec3<T> increments([[maybe_unused]] const Context& context, [[maybe_unused]] Index i, int first_direction) {
  if constexpr (requires { T::order; }) {
    if (first_direction < 0) return {};
    return {T(0, context.v[i]), T(0, context.v[i + 1]), T(0, context.v[i + 2])};
  } else {
    return three<T>(0, first_direction, [](Index, int d) { return seed<T>(0, d); });
  }
}

/// The orientation of a body, to which an increment is added: a constant, or one that follows the motion.
template <class T>
using Orientation = std::conditional_t<FollowsMotion<T>, Rotation<T>, const Rotation<double>&>;
template <class T>
Orientation<T> orientation_of(const Context& context, const Block& block) {
  if constexpr (FollowsMotion<T>) return context.expansion->orientation(block.orientation);
  else return context.orientations[block.orientation];
}

/// Matches scalar types that can be constructed from known derivatives.
template <class T>
concept MadeOfDerivatives = requires {
  T::quadratic(0.0, {}, {}, 0);
};

/// The increment θ of the orientation of a body, with the given seeds, and the maps that depend on it.
template <class T>
struct Increment {
  Orientation<T> R0;
  Vec3<T> theta;
  int first;  ///< direction in which θ varies; negative: θ is a constant zero, and terms with it are skipped

  Increment(const Context& context, const Block& block, const Seeds& seeds)
      : R0(orientation_of<T>(context, block)),
        theta(increments<T>(context, block.first + 3, seeds.q)),
        first(seeds.q) {}

  bool varies() const { return first >= 0; }

  /// Returns R(θ) r for r in the axes of the body.
  template <class S>
  Vec3<T> turn(const Vec3<S>& r) const {
    if constexpr (FollowsMotion<T>) {
      return varies() ? turned(R0, r + cross(theta, r)) : turned(R0, r);
    } else {
      if constexpr (!std::is_same_v<S, T>) {
        if (!varies()) return constant<T>(turned(R0, r));
        if constexpr (MadeOfDerivatives<T>) return turned_constant(r);
      } else {
        if (!varies()) return turned(R0, r);
      }
      const Vec3<T> once = cross(theta, r), twice = cross(theta, once);
      if constexpr (to_third_order) return turned(R0, r + once + 0.5 * twice + (1.0 / 6) * cross(theta, twice));
      return turned(R0, r + once + 0.5 * twice);
    }
  }

  /// Returns R(θ) followed by the rotation of a marker, with the quaternion (1 − |θ|²/8, θ/2 − |θ|²θ/48) to as many
  /// orders as are needed.
  Rotation<T> rotation(const Rotation<double>& of_marker) const {
    if constexpr (FollowsMotion<T>) {
      if (!varies()) return R0 * of_marker;
      return R0 * (Rotation<T>{T(1), 0.5 * theta.x, 0.5 * theta.y, 0.5 * theta.z} * of_marker);
    } else if constexpr (MadeOfDerivatives<T>) {
      return rotation_by_derivatives(of_marker);
    } else {
      if (!varies()) return constant<T>(R0 * of_marker);
      const T square = dot(theta, theta);
      const Vec3<T> half = half_sine(square);
      const Rotation<T> inner{1.0 - 0.125 * square, half.x, half.y, half.z};
      return R0 * (inner * of_marker);
    }
  }

  /// Returns ω in the axes of the body.
  Vec3<T> omega(const Vec3<T>& rate) const {
    if (!varies()) return rate;
    const Vec3<T> once = cross(theta, rate);
    return rate - 0.5 * once + (1.0 / 6) * cross(theta, once);
  }

  /// Returns α, the time derivative of ω, in the axes of the body.
  Vec3<T> alpha(const Vec3<T>& rate, const Vec3<T>& acceleration) const {
    if (!varies()) return acceleration;
    return acceleration - 0.5 * cross(theta, acceleration) + (1.0 / 6) * cross(rate, cross(theta, rate));
  }

  /// Returns T(θ)ᵀR(θ)ᵀ τ for a torque τ in the axes of the ground, to first order; one more derivative is taken later.
  Vec3<T> pull_back(const Vec3<T>& torque) const {
    const Vec3<T> own = turned_back(R0, torque);
    return varies() ? own - 0.5 * cross(theta, own) : own;
  }

 private:
  // Derivatives of higher order than the second are those of a series. θ is zero here.
  static constexpr bool to_third_order = requires { T::order; };

  // Returns (sin(|θ|/2) / |θ|) θ.
  Vec3<T> half_sine([[maybe_unused]] const T& square) const {
    if constexpr (to_third_order) return (0.5 - (1.0 / 48) * square) * theta;
    else return 0.5 * theta;
  }

  Rotation<T> rotation_by_derivatives(const Rotation<double>& of_marker) const requires MadeOfDerivatives<T> {
    const Rotation<double> A = R0 * of_marker;
    if (!varies()) return constant<T>(A);
    const Rotation<double> B[] = {R0 * (Rotation<double>{0, 0.5, 0, 0} * of_marker),
                                  R0 * (Rotation<double>{0, 0, 0.5, 0} * of_marker),
                                  R0 * (Rotation<double>{0, 0, 0, 0.5} * of_marker)};
    const auto component = [&](double Rotation<double>::*c) {
      const double bend = -0.25 * A.*c;
      return T::quadratic(A.*c, {B[0].*c, B[1].*c, B[2].*c}, {bend, 0, bend, 0, 0, bend}, first);
    };
    return {component(&Rotation<double>::w), component(&Rotation<double>::x), component(&Rotation<double>::y),
            component(&Rotation<double>::z)};
  }

  // Returns R₀ (r + θ × r + ½ θ × (θ × r)) by its derivatives, with ½ θ × (θ × r) = ½ (θ (θ·r) − r |θ|²).
  Vec3<T> turned_constant(const Vec3<double>& r) const requires MadeOfDerivatives<T> {
    const Vec3<double> e[] = {x_axis(R0), y_axis(R0), z_axis(R0)};
    const double by[] = {r.x, r.y, r.z};
    const Vec3<double> at = r.x * e[0] + r.y * e[1] + r.z * e[2];
    const Vec3<double> slope[] = {r.y * e[2] - r.z * e[1], r.z * e[0] - r.x * e[2], r.x * e[1] - r.y * e[0]};
    std::array<Vec3<double>, 6> curvature;
    for (std::size_t i = 0, k = 0; i < 3; ++i) {
      for (std::size_t j = 0; j <= i; ++j, ++k) {
        curvature[k] = 0.5 * (by[j] * e[i] + by[i] * e[j]);
        if (i == j) curvature[k] = curvature[k] - at;
      }
    }
    const auto component = [&](double Vec3<double>::*c) {
      return T::quadratic(
          at.*c, {slope[0].*c, slope[1].*c, slope[2].*c},
          {curvature[0].*c, curvature[1].*c, curvature[2].*c, curvature[3].*c, curvature[4].*c, curvature[5].*c},
          first);
    };
    return {component(&Vec3<double>::x), component(&Vec3<double>::y), component(&Vec3<double>::z)};
  }
};

template <class T>
Vec3<T> lift(const Context& context, PositionOf place, const Seeds& seeds) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return constant<T>(marker.position);
  const Vec3<T> origin = three_coordinates<T>(context, block->first, seeds.q);
  if (block->kind == BlockKind::space_point || at_origin(marker)) return origin;
  return origin + Increment<T>(context, *block, seeds.after(3)).turn(marker.position);
}

template <class T>
Frame<T> lift(const Context& context, FrameOf place, const Seeds& seeds) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {constant<T>(marker.position), constant<T>(marker.rotation)};
  const Vec3<T> origin = three_coordinates<T>(context, block->first, seeds.q);
  const Increment<T> increment(context, *block, seeds.after(3));
  const Rotation<T> R = increment.rotation(marker.rotation);
  if (at_origin(marker)) return {origin, R};
  return {origin + increment.turn(marker.position), R};
}

template <class T>
Rotation<T> lift(const Context& context, OrientationOf place, const Seeds& seeds) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return constant<T>(marker.rotation);
  return Increment<T>(context, *block, seeds).rotation(marker.rotation);
}

// ---------------------------------------------------------------------------------------------------------------------
// Kinematics of motion

/// The rotational motion of a body; the seeds are those of its increment θ.
template <class T>
struct Turning {
  Increment<T> increment;
  Vec3<T> rate;          ///< θ̇
  Vec3<T> omega, alpha;  ///< in the axes of the body

  Turning(const Context& context, const Block& block, const Seeds& seeds)
      : increment(context, block, seeds),
        rate(three_rates<T>(context, block.first + 3, seeds.v)),
        omega(increment.omega(rate)),
        alpha(increment.alpha(rate, three_accelerations<T>(context, block.first + 3, seeds.a))) {}

  /// Maps the motion of the origin of the body to that of the point r on it:
  /// p = o + R r,  v = ȯ + R (ω × r),  a = ö + R (α × r + ω × (ω × r))
  void carry(const Vec3<double>& r, MovingPoint<T>& point) const {
    const Vec3<T> speed = cross(omega, r);
    point.p += increment.turn(r);
    point.v += increment.turn(speed);
    point.a += increment.turn(cross(alpha, r) + cross(omega, speed));
  }

  MovingOrientation<T> orientation(const Rotation<double>& of_marker) const {
    return {increment.rotation(of_marker), increment.turn(omega), increment.turn(alpha)};
  }
};

template <class T>
MovingPoint<T> moving_origin(const Context& context, const Block& block, const Seeds& seeds) {
  return {three_coordinates<T>(context, block.first, seeds.q), three_rates<T>(context, block.first, seeds.v),
          three_accelerations<T>(context, block.first, seeds.a)};
}

template <class T>
MovingPoint<T> lift_motion(const Context& context, PositionOf place, const Seeds& seeds) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {constant<T>(marker.position), {}, {}};
  MovingPoint<T> point = moving_origin<T>(context, *block, seeds);
  if (block->kind == BlockKind::space_point || at_origin(marker)) return point;
  Turning<T>(context, *block, seeds.after(3)).carry(marker.position, point);
  return point;
}

template <class T>
MovingOrientation<T> lift_motion(const Context& context, OrientationOf place, const Seeds& seeds) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {constant<T>(marker.rotation), {}, {}};
  return Turning<T>(context, *block, seeds).orientation(marker.rotation);
}

template <class T>
MovingFrame<T> lift_motion(const Context& context, FrameOf place, const Seeds& seeds) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {constant<T>(marker.position), {}, {}, constant<T>(marker.rotation), {}, {}};
  MovingPoint<T> point = moving_origin<T>(context, *block, seeds);
  const Turning<T> body(context, *block, seeds.after(3));
  if (!at_origin(marker)) body.carry(marker.position, point);
  const MovingOrientation<T> turning = body.orientation(marker.rotation);
  return {point.p, point.v, point.a, turning.R, turning.omega, turning.alpha};
}

// ---------------------------------------------------------------------------------------------------------------------
// Generalised forces

template <class T>
std::array<T, 3> pull_back(const Context& context, OrientationOf place, const Seeds& seeds, const Vec3<T>& torque) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {};
  const Vec3<T> own = Increment<T>(context, *block, seeds).pull_back(torque);
  return {own.x, own.y, own.z};
}

template <class T>
std::array<T, 6> pull_back(const Context& context, FrameOf place, const Seeds& seeds, const Wrench<T>& wrench) {
  const auto [marker, block] = site(context, place.marker);
  if (!block) return {};
  const Vec3<T>& f = wrench.force;
  const Increment<T> increment(context, *block, seeds.after(3));
  const Vec3<T> moment = at_origin(marker) ? wrench.torque : wrench.torque + cross(increment.turn(marker.position), f);
  const Vec3<T> own = increment.pull_back(moment);
  return {f.x, f.y, f.z, own.x, own.y, own.z};
}

template <class T>
std::array<T, 6> pull_back(const Context& context, PositionOf place, const Seeds& seeds, const Vec3<T>& force) {
  const auto [marker, block] = site(context, place.marker);
  if (!block || block->kind == BlockKind::space_point || at_origin(marker)) {
    return {force.x, force.y, force.z, T(0), T(0), T(0)};
  }
  return pull_back<T>(context, FrameOf{place.marker}, seeds, Wrench<T>{force, {}});
}

// ---------------------------------------------------------------------------------------------------------------------
// Variations of the arguments of a law beyond those of the coordinates: the place is displaced by δp and rotated by δθ,
// in the axes of the ground. The derivative of a constraint with respect to them gives the wrench that it exerts.

constexpr WrenchKind wrench_kind(PositionOf) { return WrenchKind::force; }
constexpr WrenchKind wrench_kind(OrientationOf) { return WrenchKind::torque; }
constexpr WrenchKind wrench_kind(FrameOf) { return WrenchKind::wrench; }

template <class T>
Frame<T> varied(const Frame<T>& frame, int d) {
  return {varied(frame.p, d), varied(frame.R, d + 3)};
}

}  // namespace stillpoint::space
