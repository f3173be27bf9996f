// Beams in space: the beam of the plane in every plane, and torsion.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "stillpoint/elements/all.h"
#include "stillpoint/elements/space/beam.h"
#include "support/elements/vibrations.h"

using namespace stillpoint;

namespace {

using std::numbers::pi;

/// Twenty elements of a slender rod of length one.
struct Section {
  double EA = 1e4, GJ = 0.8, EI_y = 2, EI_z = 1, GA_y = 0, GA_z = 0, rhoA = 1;
  Vec3<double> rhoI{0.01, 0, 0};
  Rayleigh damping{};
};

std::vector<space::Place> lay(ModelBuilder& build, int elements, const Section& section,
                              const Rotation<double>& turn = {}) {
  std::vector<space::Place> nodes;
  const double h = 1.0 / elements;
  for (int i = 0; i <= elements; ++i) {
    nodes.push_back(build.space_body(Name("node", {i}), turned(turn, Vec3<double>{i * h, 0, 0}), {.rotation = turn}));
    if (i == 0) continue;
    build.add({}, space::Beam{.a = nodes[nodes.size() - 2],
                              .b = nodes.back(),
                              .length = h,
                              .axial_stiffness = section.EA,
                              .torsion_stiffness = section.GJ,
                              .bending_y = section.EI_y,
                              .bending_z = section.EI_z,
                              .shear_y = section.GA_y,
                              .shear_z = section.GA_z,
                              .mass_per_length = section.rhoA,
                              .rotary_inertia = section.rhoI,
                              .damping = section.damping});
  }
  return nodes;
}

/// The same in the plane, bent there as it is about y in space.
std::vector<Place> lay_flat(ModelBuilder& build, int elements, const Section& section) {
  std::vector<Place> nodes;
  for (int i = 0; i <= elements; ++i) {
    nodes.push_back(build.body(Name("node", {i}), {static_cast<double>(i) / elements, 0}));
    if (i == 0) continue;
    build.add({}, Beam{.a = nodes[nodes.size() - 2],
                       .b = nodes.back(),
                       .length = 1.0 / elements,
                       .axial_stiffness = section.EA,
                       .bending_stiffness = section.EI_y,
                       .shear_stiffness = section.GA_z,
                       .mass_per_length = section.rhoA,
                       .rotary_inertia = section.rhoI.y,
                       .damping = section.damping});
  }
  return nodes;
}

Model cantilever(int elements, const Section& section, const Rotation<double>& turn = {}) {
  ModelBuilder build;
  const auto nodes = lay(build, elements, section, turn);
  build.add("clamp", space::Weld{.a = build.space_fixed("wall", {0, 0, 0}, turn), .b = nodes.front()});
  return build.model();
}

double nearest(const std::vector<double>& values, double to) {
  double best = values.front();
  for (const double x : values) {
    if (std::abs(x - to) < std::abs(best - to)) best = x;
  }
  return best;
}

}  // namespace

TEST_CASE("spatial beam: bending about y and z, tension and torsion by themselves, each as its theory says") {
  const Section section;
  const auto found = frequencies(cantilever(20, section));
  for (const double beta : {1.875104068711961, 4.694091132974175}) {
    CHECK(nearest(found, beta * beta * std::sqrt(section.EI_y)) ==
          doctest::Approx(beta * beta * std::sqrt(section.EI_y)).epsilon(4e-6));
    CHECK(nearest(found, beta * beta) == doctest::Approx(beta * beta).epsilon(4e-6));
  }
  const double axial = pi / 2 * std::sqrt(section.EA), torsion = pi / 2 * std::sqrt(section.GJ / section.rhoI.x);
  CHECK(nearest(found, axial) == doctest::Approx(axial).epsilon(3e-4));
  CHECK(nearest(found, torsion) == doctest::Approx(torsion).epsilon(3e-4));
  // Linear shapes: errors of torsion fall with the square.
  const double coarse = nearest(frequencies(cantilever(5, section)), torsion) / torsion - 1;
  const double fine = nearest(frequencies(cantilever(10, section)), torsion) / torsion - 1;
  CHECK(coarse / fine == doctest::Approx(4).epsilon(0.02));
}

TEST_CASE("spatial beam: however it is turned, it vibrates the same") {
  const Section section{.GA_y = 300, .GA_z = 200, .rhoI = {0.01, 2e-3, 1e-3}};
  const auto here = frequencies(cantilever(6, section));
  const auto there = frequencies(cantilever(6, section, rotation_about({0.7, -1.3, 2.1})));
  REQUIRE(here.size() == there.size());
  for (std::size_t k = 0; k < here.size(); ++k) CHECK(there[k] == doctest::Approx(here[k]).epsilon(1e-9));
}

TEST_CASE("spatial beam: a free one has six motions without a frequency") {
  ModelBuilder build;
  lay(build, 8, {});
  CHECK(spectrum_of(build.model()).at_zero == 12);
}

// Bent far by its weight and a load on its end, in a plane that is not one of the axes'.
TEST_CASE("spatial beam: in a plane it is the beam of the plane, at rest and in its vibrations") {
  const int elements = 8;
  const Section section{.EI_y = 0.02, .EI_z = 0.03, .GA_z = 5, .rhoI = {0.01, 4e-4, 3e-4}, .damping = {0.1, 2e-3}};
  // The plane: x of the beam and z across it, which turns about −y.
  const Rotation<double> turn = rotation_about({0.4, 0.9, -0.3});
  const Vec3<double> weight = 0.1 * x_axis(turn) - 0.2 * z_axis(turn);

  ModelBuilder in_space;
  in_space.gravity(weight);
  const auto nodes = lay(in_space, elements, section, turn);
  in_space.add("clamp", space::Weld{.a = in_space.space_fixed("wall", {0, 0, 0}, turn), .b = nodes.front()});
  in_space.add("load", space::Force{.at = nodes.back(), .vector = -0.02 * z_axis(turn)});

  ModelBuilder in_plane;
  in_plane.gravity({0.1, -0.2, 0});
  const auto flat = lay_flat(in_plane, elements, section);
  in_plane.add("clamp", Weld{.a = ground, .b = flat.front()});
  in_plane.add("load", Force{.at = flat.back(), .vector = {0, -0.02}});

  const Model space_model = in_space.model(), plane_model = in_plane.model();
  const Equilibrium a = find_equilibrium(space_model);
  const Equilibrium b = find_equilibrium(plane_model);
  REQUIRE(a.status == EquilibriumStatus::at_rest);
  REQUIRE(b.status == EquilibriumStatus::at_rest);
  CHECK(std::abs(b.state.q.tail<1>()[0]) > 0.3);
  for (int i = 0; i <= elements; ++i) {
    const Eigen::Vector3d p = a.state.q.segment<3>(6 * i);
    const Vec3<double> own = turned_back(turn, Vec3<double>{p[0], p[1], p[2]});
    CHECK(own.x == doctest::Approx(b.state.q[3 * i]).epsilon(1e-8));
    CHECK(own.y == doctest::Approx(0).epsilon(1e-8));
    CHECK(own.z == doctest::Approx(b.state.q[3 * i + 1]).epsilon(1e-8));
  }
}

// Sections of the beam of the plane rotate by t_a θ_a + t_b θ_b relative to the chord. In space their axes are such
// sums, which is the same to the third power of these angles.
TEST_CASE("spatial beam: with equal shear numbers its vibrations in a plane are those of the beam of the plane") {
  const int elements = 6;
  const auto compare = [&](double rotary, double weight, double allowed) {
    CAPTURE(rotary);
    CAPTURE(weight);
    const Section section{
        .EI_y = 0.02, .EI_z = 0.02, .GA_y = 5, .GA_z = 5, .rhoI = {1e-3, rotary, rotary}, .damping = {0.1, 2e-3}};
    ModelBuilder in_space;
    in_space.gravity({0.1, 0, -weight});
    const auto nodes = lay(in_space, elements, section);
    in_space.add("clamp", space::Weld{.a = space::ground, .b = nodes.front()});
    ModelBuilder in_plane;
    in_plane.gravity({0.1, -weight, 0});
    const auto flat = lay_flat(in_plane, elements, section);
    in_plane.add("clamp", Weld{.a = ground, .b = flat.front()});
    const auto roots_of = [](const Model& model) {
      const LinearSystem system = at_rest(model, EquilibriumRequest::stable);
      std::vector<std::complex<double>> all;
      for (const Mode& mode : solve_modes(system, minimal_form(system)).modes) all.push_back(mode.s);
      return all;
    };
    const auto space_roots = roots_of(in_space.model()), plane_roots = roots_of(in_plane.model());
    REQUIRE(space_roots.size() == 2 * plane_roots.size());
    for (const std::complex<double> s : plane_roots) {
      double distance = std::abs(s);
      for (const std::complex<double> t : space_roots) distance = std::min(distance, std::abs(s - t));
      CHECK(distance < allowed * std::max(1.0, std::abs(s)));
    }
  };
  compare(4e-4, 0, 1e-7);
  compare(0, 0.2, 1e-7);
  compare(4e-4, 0.2, 2e-4);
  compare(4e-4, 0.1, 5e-5);
}

TEST_CASE("spatial beam: Rayleigh's damping is α M + β K where nothing strains it") {
  const Section section{.GA_y = 300, .GA_z = 200, .rhoI = {0.01, 2e-3, 1e-3}, .damping = {0.3, 2e-3}};
  const LinearSystem system = at_rest(cantilever(4, section, rotation_about({0.7, -1.3, 2.1})));
  const SparseMatrix rest = system.C - 0.3 * system.M - 2e-3 * system.K;
  CHECK(system.C.coeffs().abs().maxCoeff() > 1);
  CHECK(rest.coeffs().abs().maxCoeff() < 1e-11 * system.C.coeffs().abs().maxCoeff());
}

// Derivatives in all coordinates take 3000 operations for the strains, and four blended sections 2500 for the inertia.
TEST_CASE("spatial beam: a power series of its motion takes few operations") {
  constexpr Index terms = 8;
  const Model model = cantilever(1, {.GA_y = 5, .GA_z = 5, .rhoI = {8e-4, 4e-4, 4e-4}});
  const State& state = model.initial_state();
  const auto room = [](Index series) { return std::vector<double>(SeriesPlaces::room(series, terms)); };
  std::vector<double> q = room(model.coordinates()), v = q, a = q, orientations = room(8), lambda = room(6);
  for (Index i = 0; i < model.coordinates(); ++i)
    q[static_cast<std::size_t>(SeriesPlaces::first(i, terms))] = state.q[i];
  for (Index i = 0; i < 2; ++i) orientations[static_cast<std::size_t>(SeriesPlaces::first(4 * i, terms))] = 1;
  const Expansion expansion{terms, q.data(), v.data(), a.data(), orientations.data()};
  Context context = model.context(state);
  context.expansion = &expansion;
  Eigen::VectorXd applied = Eigen::VectorXd::Zero(model.coordinates()), opposing = applied,
                  residual = Eigen::VectorXd::Zero(model.constraints());
  int met = 0;
  for (const ModelArray& array : model.arrays()) {
    if (!array.elements->has_strains()) continue;
    ++met;
    SeriesTapes tapes;
    array.elements->add_series(context, array.all(),
                               {.power = 0,
                                .applied = applied.data(),
                                .opposing = opposing.data(),
                                .residual = residual.data(),
                                .lambda = lambda.data(),
                                .first_row = array.first_row},
                               tapes);
    CHECK(tapes.potential.operations() < 800);
    CHECK(tapes.inertia.operations() < 2000);
    CHECK(tapes.potential.operations() > 0);
    CHECK(tapes.inertia.operations() > 0);
  }
  CHECK(met == 1);
}
