// Motions of modes keep the constraints: on all cases, from the stored data.

#include <doctest/doctest.h>

#include <cmath>
#include <ctime>
#include <random>

#include "scene/frames.h"
#include "scene/projection.h"
#include "stillpoint/assembly.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/linearize.h"
#include "stillpoint/report.h"
#include "stillpoint/scene.h"
#include "support/case_runs.h"

using namespace stillpoint;

namespace {

constexpr double drawn_within = 5e-4;      // of the picture: half a pixel of a thousand
constexpr double projected_within = 1e-9;  // of the constraints, relative to the size

struct Moved {
  Model model;
  Equilibrium rest;
  Scene scene;
  std::vector<ShapeToDraw> shapes;
};

/// The modes of a model, or those of the branches of its singular configuration.
Moved moved_modes(const Model& model, Index most = 6, const ModeMotionOptions& options = {}) {
  Equilibrium rest = find_equilibrium(model);
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  const AnalysisCase analysis{linearize(model, rest), model, rest};
  const ModesReport report = report_modes(analysis);
  std::vector<ShapeToDraw> shapes;
  if (report.branches.empty()) shapes = shapes_to_draw(report.result.spectrum.modes, most);
  for (const BranchReport& branch : report.branches) {
    const auto of_branch = shapes_to_draw(branch.spectrum.modes, most, branch.name);
    shapes.insert(shapes.end(), of_branch.begin(), of_branch.end());
  }
  Scene scene = scene_of(model, rest.state);
  scene.motions = mode_motions(scene, model, rest, shapes, options);
  return {model, std::move(rest), std::move(scene), std::move(shapes)};
}

std::vector<Model> models_of_all_cases() {
  std::vector<Model> models;
  for (const auto& folder : cases::case_folders())
    if (std::filesystem::exists(folder / "model.yaml")) models.push_back(read_model(folder.string()));
  return models;
}

bool is_line(const ModeMotion& motion) {
  return std::all_of(motion.powers.begin(), motion.powers.end(), [](auto p) { return p[1] == 0; });
}

/// Seeded amplitudes in the unit disc, or on its diameter.
std::vector<std::array<double, 2>> amplitudes(const ModeMotion& motion, int count) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<std::array<double, 2>> found;
  while (static_cast<int>(found.size()) < count) {
    const double a = any(engine), b = is_line(motion) ? 0 : any(engine);
    if (a * a + b * b <= 1) found.push_back({a, b});
  }
  return found;
}

/// The places that elements and shapes have on each frame.
std::vector<ScenePlace> drawn_places(const Scene& scene) {
  std::vector<ScenePlace> places;
  for (const SceneElement& element : scene.elements)
    for (const ScenePlace& place : element.places)
      if (place.frame >= 0) places.push_back(place);
  for (const ScenePrimitive& shape : scene.primitives)
    for (const Vec3<double>& point : shape.points) places.push_back({shape.frame, point});
  for (Index f = 0; f < static_cast<Index>(scene.frames.size()); ++f) places.push_back({f, {}});
  return places;
}

double largest_distance(const Scene& scene, const std::vector<ScenePose>& a, const std::vector<ScenePose>& b) {
  double largest = 0;
  for (const ScenePlace& place : drawn_places(scene))
    largest = std::max(largest, length(place_in(a, place) - place_in(b, place)));
  return largest / scene.size;
}

}  // namespace

TEST_CASE("motion of modes: on all cases what is drawn keeps the constraints, checked from the stored data") {
  int motions = 0, in_the_disc = 0, on_branches = 0;
  cases::for_each_run([&](const cases::CaseRun& run) {
    const Model model = read_model(run.folder.string(), run.parameters);
    const Moved moved = moved_modes(model, 4);
    const SceneFrames frames(model);
    ConstraintProjection projection(model, moved.rest, moved.scene.size);
    for (const ModeMotion& motion : moved.scene.motions) {
      INFO("mode ", motion.mode, " ", motion.branch, " ", motion.why_not);
      REQUIRE(motion.degree > 0);
      CHECK(motion.residual <= projected_within);
      ++motions;
      on_branches += motion.branch.empty() ? 0 : 1;
      in_the_disc += is_line(motion) ? 0 : 1;
      double farthest = 0, widest = 0, most_violated = 0;
      for (const auto& [a, b] : amplitudes(motion, 15)) {
        const auto exact = projection.project(a * motion.first_order.real() - b * motion.first_order.imag());
        REQUIRE(exact);
        most_violated = std::max(most_violated, exact->residual);
        const std::vector<ScenePose> drawn = poses_at(moved.scene, motion, a, b);
        farthest = std::max(farthest, largest_distance(moved.scene, drawn, frames.poses(exact->state).poses));
        widest = std::max(widest, largest_gap(moved.scene, drawn));
      }
      CHECK(most_violated <= projected_within);
      CHECK(farthest <= drawn_within);
      CHECK(widest <= drawn_within);
    }
  });
  // Enough of each kind that the claims above say something.
  CHECK(motions > 300);
  CHECK(in_the_disc > 10);
  CHECK(on_branches >= 2);
}

TEST_CASE("motion of modes: all joints and rods are closed at rest, on all cases") {
  for (const Model& model : models_of_all_cases()) {
    INFO(model.name());
    const Equilibrium rest = find_equilibrium(model);
    const Scene scene = scene_of(model, rest.state);
    // The precision with which an equilibrium satisfies its constraints.
    CHECK(largest_gap(scene, SceneFrames(model).poses(rest.state).poses) <= 1e-8);
  }
}

TEST_CASE("motion of modes: the bob of a pendulum stays on its circle") {
  ModelBuilder build("pendulum");
  build.gravity({0, -9.81, 0});
  const auto bob = build.point("B", {0, -2}, {.mass = 1});
  build.add("rod", Distance{.a = ground, .b = bob, .length = 2});
  const Moved moved = moved_modes(build.model(), 6, {.amplitude = 0.4});
  REQUIRE(moved.scene.motions.size() == 1);
  const ModeMotion& motion = moved.scene.motions[0];
  CHECK(motion.amplitude == doctest::Approx(0.8).epsilon(1e-6));
  for (const double a : {-1.0, -0.6, 0.2, 0.8, 1.0}) {
    const Vec3<double> at = poses_at(moved.scene, motion, a, 0)[0].position;
    CHECK(std::abs(std::abs(at.x) - std::abs(0.8 * a)) <= drawn_within * 2);
    CHECK(std::abs(at.y + std::sqrt(4 - at.x * at.x)) <= drawn_within * 2);
    // First order alone would leave it at the height of rest.
    CHECK(std::abs(at.y + 2) > 0.1 * a * a);
  }
}

TEST_CASE("motion of modes: the degree is the least that is near enough") {
  const Model model = read_model((cases::root() / "cases/n_pendulum").string());
  const Moved moved = moved_modes(model);
  int tried = 0;
  for (std::size_t k = 0; k < moved.shapes.size(); ++k) {
    const ModeMotion& motion = moved.scene.motions[k];
    if (motion.degree < 2 || !motion.note.empty()) continue;
    ModeMotionOptions lower;
    lower.highest_degree = motion.degree - 1;
    const ModeMotion tighter = mode_motions(moved.scene, model, moved.rest, {moved.shapes[k]}, lower)[0];
    CHECK(tighter.amplitude < motion.amplitude);
    ++tried;
  }
  CHECK(tried >= 2);
}

TEST_CASE("motion of modes: a mechanism that is turned as a whole moves the same way") {
  const auto chain_along = [](double angle) {
    const auto along = [&](double r) { return Vec2<double>{r * std::sin(angle), -r * std::cos(angle)}; };
    ModelBuilder build("chain");
    build.gravity({9.81 * std::sin(angle), -9.81 * std::cos(angle), 0});
    const auto upper = build.body("upper", along(0.5), {.angle = angle, .mass = 1, .inertia = 0.08});
    const auto lower = build.body("lower", along(1.5), {.angle = angle, .mass = 2, .inertia = 0.17});
    build.add("top", Revolute{ground, build.marker("top_of_upper", upper, {0, 0.5})});
    build.add("knee",
              Revolute{build.marker("end_of_upper", upper, {0, -0.5}), build.marker("end_of_lower", lower, {0, 0.5})});
    return build.model();
  };
  const Moved straight = moved_modes(chain_along(0)), turned_chain = moved_modes(chain_along(0.7));
  REQUIRE(straight.scene.motions.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    const ModeMotion &one = straight.scene.motions[k], &other = turned_chain.scene.motions[k];
    CHECK(other.amplitude == doctest::Approx(one.amplitude).epsilon(1e-6));
    // The sign of a mode is free.
    const auto first = poses_at(straight.scene, one, 1, 0);
    double nearest = 1e300;
    for (const double side : {-1.0, 1.0}) {
      const auto second = poses_at(turned_chain.scene, other, side, 0);
      double distance = 0;
      for (std::size_t f = 0; f < 2; ++f) {
        const Vec3<double> back = turned_back(rotation_about({0, 0, 0.7}), second[f].position);
        distance = std::max(distance, length(back - first[f].position));
      }
      nearest = std::min(nearest, distance);
    }
    CHECK(nearest <= 2 * drawn_within * straight.scene.size);
  }
}

TEST_CASE("motion of modes: an amplitude that a mechanism cannot reach is halved, and the motion says so") {
  const Model model = read_model((cases::root() / "cases/pendulum").string());
  const Moved moved = moved_modes(model, 1, {.amplitude = 1.5, .turn = 10});
  CHECK(moved.scene.motions[0].degree > 0);
  CHECK(moved.scene.motions[0].note.find("halved") != std::string::npos);
  CHECK(moved.scene.motions[0].amplitude < moved.scene.size);
}

TEST_CASE("motion of modes: a mode without a shape has no motion, and says why") {
  const Model model = read_model((cases::root() / "cases/pendulum").string());
  const Equilibrium rest = find_equilibrium(model);
  const Scene scene = scene_of(model, rest.state);
  const ModeMotion none = mode_motions(scene, model, rest, {{1, {0, 1}, {}}})[0];
  CHECK(none.degree == 0);
  CHECK(none.why_not == "the mode has no shape");
}

TEST_CASE("motion of modes: ten modes of a linkage of 1 000 loops take less than 5 s") {
  const Model model = read_model((cases::root() / "cases/four_bar").string(), {{"N", 1000}});
  Equilibrium rest = find_equilibrium(model);
  const LinearSystem system = linearize(model, rest);
  // The linkage has one degree of freedom, so that its one mode is moved ten times.
  AnalysisOptions options;
  options.modes.which = Lowest{1};
  const FoundModes found = find_modes(system, Method::mcs, options);
  std::vector<ShapeToDraw> shapes = shapes_to_draw(found.spectrum.modes, 1);
  REQUIRE(shapes.size() == 1);
  shapes.resize(10, shapes[0]);
  const Scene scene = scene_of(model, rest.state);
  const std::clock_t start = std::clock();
  const std::vector<ModeMotion> motions = mode_motions(scene, model, rest, shapes);
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 5);
  CHECK(motions[9].degree > 0);
}
