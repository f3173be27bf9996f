// What a mechanism looks like, and how it moves in its modes: the document stillpoint.scene/1 (docs/scene.md).
//
//   const Model model = read_model("cases/four_bar");
//   const Equilibrium rest = find_equilibrium(model);
//   Scene scene = scene_of(model, rest.state);
//   scene.motions = mode_motions(scene, model, rest, modes);
//   write(to_json(scene));
//
// Everything is drawn by what the model says anyway: joints, rods, springs and forces at the places where they act, and
// bodies by what hangs on them. Lengths are in m, vectors in the axes of the ground unless a frame is named, and a
// model in the plane has z = 0.
//
// Motions keep the constraints. For the amplitudes a, b of a mode with the shape x and a size A the projection
//
//   q(a, b) = q₀ ⊕ (d + W⁻¹J₀ᵀμ),   d = A (a Re x − b Im x),   Φ(q(a, b)) = 0
//
// is a smooth function that agrees with the mode to first order; it is found at some points of the unit disc, and
// polynomials in a and b are fitted to the displacements of all frames, of the least degree with which no place is
// drawn further than `tolerance` from where it was projected.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stillpoint/equilibrium.h"
#include "stillpoint/modes.h"

namespace stillpoint {

/// What moves: a body, a point, or a node of a flexible body. The ground has the number −1 (`on_ground`).
struct SceneFrame {
  enum class Kind {
    body,
    point,  ///< does not turn
    node,   ///< of a floating frame; its pose is absolute, as that of every frame
    scalar  ///< a coordinate in a schematic
  };
  Kind kind = Kind::body;
  std::string name;
  Vec3<double> position;      ///< at rest
  Rotation<double> rotation;  ///< at rest
  double mass = 0;            ///< of all masses that are fixed to the frame (kg)
  Vec3<double> centre;        ///< of these, in the frame
  /// Half axes of the homogeneous ellipsoid of this mass and inertia, and its axes in the frame; zero without inertia.
  Vec3<double> half_axes;
  Rotation<double> principal_axes;
};

/// A place on a frame or on the ground, in its axes.
struct ScenePlace {
  Index frame = on_ground;
  Vec3<double> at;
};

enum class SceneShape { capsule, hull, ellipsoid, sphere, box, cylinder, polyline, mesh };

struct ScenePrimitive {
  SceneShape kind = SceneShape::capsule;
  Index frame = on_ground;
  std::vector<Vec3<double>> points;  ///< both ends of a capsule or cylinder, the centre, the corners; in the frame
  double radius = 0;
  Vec3<double> half;                        ///< half axes or half edges
  Rotation<double> rotation;                ///< of these
  std::vector<std::array<Index, 3>> faces;  ///< of a hull in space or a mesh: outward by the right-hand rule
  std::string name{}, color{};              ///< "#rrggbb"; empty: as other bodies
  bool is_from_file = false;                ///< the model file draws it; else it is made from joints and masses
};

enum class SceneRole { joint, link, spring, damper, actuator, torsion, force, torque, beam, measure, other };

/// What a joint holds together, so that a viewer can measure how far it is open.
enum class SceneHold {
  none,
  point,    ///< the first two places coincide
  line,     ///< the second place is on the axis through the first
  plane,    ///< the second place is in the plane through the first, normal to the axis
  distance  ///< the two places have the distance `length`
};

/// A joint, rod, spring, force, ... of the model.
struct SceneElement {
  std::string kind;  ///< the word of the model file
  std::string name;
  SceneRole role = SceneRole::other;
  SceneHold holds = SceneHold::none;
  std::vector<ScenePlace> places;
  std::optional<Vec3<double>> axis;       ///< in the axes of the frame of the first place
  std::vector<Vec3<double>> tangents;     ///< of a beam at each of its places, of its length, in the frames there
  std::vector<std::array<int, 2>> lines;  ///< of a flexible body: pairs of its places that are coupled
  std::optional<Vec3<double>> vector;     ///< of a force or torque, with its input at the operating value
  std::optional<Vec3<double>> reaction;   ///< of a joint at rest: the force on its second place (N)
  bool follows = false;                   ///< the vector turns with the frame of its place
  std::vector<std::pair<std::string, double>> numbers;  ///< "length", "stiffness", ...
};

/// The motion of all frames in one mode, as polynomials in its two amplitudes.
struct ModeMotion {
  enum class Kind { oscillating, real, neutral, tangent };

  Index mode = 0;          ///< number in the table of modes, from 1; 0 for a tangent
  std::complex<double> s;  ///< of the mode, Im s ≥ 0 (1/s)
  Kind kind = Kind::oscillating;
  std::string branch{};                      ///< of a singular configuration
  double amplitude = 0;                      ///< of the place that moves most, at a = 1, to first order (m)
  int degree = 0;                            ///< of the polynomials; 0 if there is no motion: `why_not`
  std::vector<std::array<int, 2>> powers{};  ///< of a and b for each term
  /// Displacements: for each term and component all frames, in units of `scale[term × components + component]`.
  std::vector<std::int16_t> values{};
  std::vector<double> scale{};
  /// Increments of the coordinates to first order: a Re − b Im of these.
  Eigen::VectorXcd first_order{};
  double error = 0;     ///< largest distance between drawn and projected places at check points, relative to the size
  double gap = 0;       ///< largest opening of a joint or change of length of a rod there, relative to the size
  double residual = 0;  ///< the largest constraint residual of the projected positions, relative to the size
  std::string note{};   ///< why the amplitude is smaller than was asked for
  std::string why_not{};
};

struct Scene {
  std::string name, description{};
  int dimension = 2;
  double size = 1;  ///< diagonal of the box around all places at rest (m)
  std::array<Vec3<double>, 2> box{};
  Vec3<double> gravity;
  bool is_schematic = false;  ///< the model has scalar coordinates only, which are drawn in a row
  std::vector<SceneFrame> frames;
  std::vector<ScenePrimitive> primitives;
  std::vector<SceneElement> elements;
  std::vector<ModeMotion> motions{};

  /// Components of the displacement of a frame: dx, dy, turn, or dx, dy, dz and the rotation vector in its axes.
  int components() const { return dimension == 2 ? 3 : 6; }
};

/// The skeleton of a model at a state.
Scene scene_of(const Model& model, const State& rest);

/// Where a frame is at the amplitudes a and b of a motion of the scene.
struct ScenePose {
  Vec3<double> position;
  Rotation<double> rotation;
};
std::vector<ScenePose> poses_at(const Scene& scene, const ModeMotion& motion, double a, double b);

/// The largest opening of a joint, or change of length of a rod, in a pose of all frames, relative to the size.
double largest_gap(const Scene& scene, const std::vector<ScenePose>& poses);

struct ModeMotionOptions {
  double amplitude = 0.1;  ///< of the place that moves most, relative to the size
  double turn = 0.6;       ///< of the frame that turns most, at most (rad)
  /// Of drawn places at the check points, relative to the size; between these it stays below half a pixel of a
  /// thousand, 5e-4.
  double tolerance = 3e-4;
  int highest_degree = 7;
  int most_halvings = 10;  ///< of the amplitude
};

/// A mode, or a direction in which a branch leaves a singular configuration, that is to be drawn.
struct ShapeToDraw {
  Index mode = 0;
  std::complex<double> s;
  Eigen::VectorXcd shape;  ///< increments of the coordinates
  ModeMotion::Kind kind = ModeMotion::Kind::oscillating;
  std::string branch{};
};

/// Those of a list of modes that can be drawn, at most `most`: of each conjugate pair one, without infinite and
/// spurious eigenvalues.
std::vector<ShapeToDraw> shapes_to_draw(const std::vector<Mode>& modes, Index most, const std::string& branch = "");

/// The motion in each shape. Where none was found, degree is 0 and `why_not` says why.
std::vector<ModeMotion> mode_motions(const Scene& scene, const Model& model, const Equilibrium& rest,
                                     const std::vector<ShapeToDraw>& shapes, const ModeMotionOptions& options = {});

/// Text for a terminal: what there is to draw, and how well each motion keeps the constraints.
std::string to_text(const Scene& scene);
/// One JSON object, schema "stillpoint.scene/1".
std::string to_json(const Scene& scene);

/// A glTF 2.0 file with embedded buffers: the shapes at rest and, unless it is null, one motion as an animation of
/// `seconds`, repeated without a jump.
std::string to_gltf(const Scene& scene, const ModeMotion* motion = nullptr, double seconds = 2);

}  // namespace stillpoint
