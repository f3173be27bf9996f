// Beams in floating frames against Table 3 of [González 2017], a derivation by hand, and themselves elsewhere.
#include "stillpoint/elements/plane/floating_beam.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "stillpoint/check.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/read_model.h"
#include "support/elements/vibrations.h"

using namespace stillpoint;

namespace {

using std::numbers::pi;

const std::string pendulum = STILLPOINT_SOURCE_DIR "/cases/flexible_double_pendulum";

/// A clamped rod: its frame is welded to the ground, and where and how it lies in the frame is open.
struct Lay {
  int elements = 6;
  Vec2<double> frame_at{};
  double frame_angle = 0;
  Vec2<double> from{};
  double angle = 0;
  double rhoI = 0;
  Rayleigh damping{};
};

Model cantilever(const Lay& lay) {
  ModelBuilder build;
  const Place frame = build.body("frame", lay.frame_at, {.angle = lay.frame_angle});
  std::vector<Place> nodes;
  for (int i = 0; i <= lay.elements; ++i) {
    const double x = static_cast<double>(i) / lay.elements;
    nodes.push_back(build.node(Name("node", {i}), frame, lay.from + x * direction(lay.angle)));
    if (i == 0) continue;
    build.add({}, FloatingBeam{.nodes = {nodes[nodes.size() - 2].marker, nodes.back().marker},
                               .axial_stiffness = 1e6,
                               .bending_stiffness = 1,
                               .mass_per_length = 1,
                               .rotary_inertia = lay.rhoI,
                               .damping = lay.damping});
  }
  build.add("clamp", Clamp{.node = nodes.front()});
  build.add("wall", Weld{.a = build.fixed("wall", lay.frame_at, lay.frame_angle), .b = frame});
  return build.model();
}

double largest(const SparseMatrix& A) { return A.nonZeros() > 0 ? A.coeffs().abs().maxCoeff() : 0; }

}  // namespace

// Table 3 of [González 2017].
TEST_CASE("floating beam: the flexible double pendulum of González 2017, by all three methods to every printed digit") {
  const double printed[] = {1.3357, 3.5244, 9.4175, 22.4054};
  const LinearSystem system = at_rest(read_model(pendulum, {{"n_p", 50}}));
  CHECK(system.coordinates() == 6 * 50 + 12);
  CHECK(system.constraints() == 10);
  const MinimalForm minimal = minimal_form(system);
  const TrueCount count = count_true(system, minimal);
  const Spectrum by_mcs = solve_modes(system, minimal);
  CHECK(by_mcs.solver == "dense generalized symmetric");  // rounding of M and K must not hide that they are symmetric
  const auto mcs = upper_roots(by_mcs);
  const auto rcs = upper_roots(solve_modes(system, descriptor_form(system), count));
  const auto ucs =
      upper_roots(solve_modes(system, penalty_form(system, {.alpha = Eigen::VectorXd::Constant(1, 1e7)}), count));
  for (std::size_t k = 0; k < 4; ++k) {
    for (const auto* const found : {&mcs, &rcs}) {
      CHECK((*found)[k].real() == doctest::Approx(0).epsilon(1e-9));
      CHECK((*found)[k].imag() == doctest::Approx(printed[k]).epsilon(6e-5 / printed[k]));
    }
    CHECK(std::abs(ucs[k] - mcs[k]) < 2e-4);
  }
}

TEST_CASE("floating beam: a cantilever vibrates as Euler and Bernoulli say, and errors fall with the fourth power") {
  const double exact[] = {3.516015268500, 22.034491564686, 61.697214402098};  // β²; cos β cosh β = −1
  const auto coarse = frequencies(cantilever({.elements = 6})), fine = frequencies(cantilever({.elements = 12}));
  for (std::size_t k = 0; k < 3; ++k) {
    const double before = coarse[k] / exact[k] - 1, now = fine[k] / exact[k] - 1;
    CHECK(now > 0);
    CHECK(now < 2e-4);
    CHECK(before / now > 14);
    CHECK(before / now < 17);
  }
}

TEST_CASE("floating beam: wherever the frame is and however the beam lies in it, it vibrates the same") {
  const auto here = frequencies(cantilever({.rhoI = 1e-3}));
  const Lay there{.frame_at = {3, -2}, .frame_angle = 2.5, .from = {0.3, 1.1}, .angle = -0.8, .rhoI = 1e-3};
  const auto found = frequencies(cantilever(there));
  REQUIRE(found.size() == here.size());
  for (std::size_t k = 0; k < here.size(); ++k) CHECK(found[k] == doctest::Approx(here[k]).epsilon(1e-9));
}

// Along the beam the shapes differ: linear here, and there as those across it.
TEST_CASE("floating beam: bends as the same elements between bodies, while nothing pulls") {
  ModelBuilder build;
  std::vector<Place> nodes;
  for (int i = 0; i <= 6; ++i) {
    nodes.push_back(build.body(Name("node", {i}), {i / 6.0, 0}));
    if (i == 0) continue;
    build.add({}, Beam{.a = nodes[nodes.size() - 2],
                       .b = nodes.back(),
                       .length = 1 / 6.0,
                       .axial_stiffness = 1e6,
                       .bending_stiffness = 1,
                       .mass_per_length = 1,
                       .rotary_inertia = 1e-3});
  }
  build.add("clamp", Weld{.a = ground, .b = nodes.front()});
  const auto exact = frequencies(build.model()), floating = frequencies(cantilever({.rhoI = 1e-3}));
  for (std::size_t k = 0; k < 8; ++k) CHECK(floating[k] == doctest::Approx(exact[k]).epsilon(1e-9));
}

TEST_CASE("floating beam: M is an arrow, entries only between the frame and nodes that share an element") {
  const LinearSystem system = at_rest(cantilever({.elements = 20}));
  const SparseMatrix& M = system.M;
  CHECK(largest(SparseMatrix(M - SparseMatrix(M.transpose()))) < 1e-15);
  const auto first_of_node = [](Index k) { return 3 + 3 * k; };
  for (Index j = 0; j < M.cols(); ++j) {
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry) {
      const bool with_frame = j < 3 || entry.row() < 3;
      const bool neighbours = std::abs((entry.row() - 3) / 3 - (j - 3) / 3) <= 1;
      CHECK((with_frame || neighbours));
    }
  }
  CHECK(M.nonZeros() < 25 * (3 * 21 + 3));
  CHECK(M.coeff(1, 1) == doctest::Approx(1));  // the mass
  CHECK(M.coeff(2, 2) == doctest::Approx(1.0 / 3));
  CHECK(M.coeff(1, 2) == doctest::Approx(0.5));
  CHECK(M.coeff(2, first_of_node(20) + 1) > 0);
}

TEST_CASE("floating beam: Rayleigh's damping is α M + β K of the beam") {
  const LinearSystem system = at_rest(cantilever({.rhoI = 1e-3, .damping = {0.3, 2e-3}}));
  const SparseMatrix rest = system.C - 0.3 * system.M - 2e-3 * system.K;
  CHECK(largest(system.C) > 1);
  CHECK(largest(rest) < 1e-12 * largest(system.C));
}

TEST_CASE("floating beam: an axial load that matters is told, and one that does not is not") {
  const auto warning = [](double gravity) {
    const Model model = read_model(pendulum, {{"gy", gravity}});
    const Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
    return rest.warnings.empty() ? std::string() : rest.warnings.front();
  };
  CHECK(warning(-0.1).empty());
  const std::string told = warning(-9.81);
  // In the first of five elements (2 − 1/10) ρA l g, which is 0.32 π² EI / l².
  CHECK(told ==
        "floating body 'upper' (and 1 more) carries 7.91e+03 N along its beams, 0.32 of its buckling load: that "
        "such a tension stiffens bending is included in beam, but not in floating_beam");
}

TEST_CASE("floating beam: its place in the model is checked") {
  const auto refused = [](const std::string& mechanism) -> std::string {
    try {
      read_model_text("stillpoint: 1\nmechanism:\n" + mechanism, "model.yaml");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string body = "- {body: b, at: '0, 0'}\n- {body: c, at: '1, 0'}\n- {point: P, at: '0, 0'}\n";
  const std::string two = body + "- {node: n, on: b, at: '0, 0'}\n- {node: m, on: c, at: '1, 0'}\n";
  const auto beam = [](const std::string& between) {
    return "- {floating_beam: f, between: '" + between + "', axial_stiffness: 1, bending_stiffness: 1}\n";
  };
  CHECK(refused(body + "- {node: n, on: P, at: '0, 0'}\n").find("a point; allowed is a body") != std::string::npos);
  CHECK(refused(body + "- {node: n, on: ground, at: '0, 0'}\n").find("fixed on the ground; allowed is a body") !=
        std::string::npos);
  CHECK(refused(body + "- {marker: q, on: b}\n- {node: n, on: q, at: '0, 0'}\n").find("q") != std::string::npos);
  CHECK(refused(two + beam("n, m")).find("'n' and 'm', which are nodes of two bodies; allowed are nodes of one") !=
        std::string::npos);
  CHECK(refused(two + beam("n, b")).find("refers to a body ('b'); allowed is a node") != std::string::npos);
  CHECK(refused(two + beam("n, ground")).find("refers to a place on the ground; allowed is a node") !=
        std::string::npos);
  CHECK(refused(two + "- {node: k, on: b, at: '0, 0'}\n" + beam("n, k")).find("in one place; they must be apart") !=
        std::string::npos);
}

TEST_CASE("floating beam: a frame that no constraint ties to its nodes is told") {
  const auto warned = [](const std::string& more) {
    const Model model = read_model_text(
        "stillpoint: 1\nmechanism:\n- {body: b, at: '0, 0'}\n"
        "- {node: n, on: b, at: '0, 0'}\n- {node: m, on: b, at: '1, 0'}\n"
        "- {floating_beam: f, between: 'n, m', axial_stiffness: 1, "
        "bending_stiffness: 1, mass_per_length: 1}\n" +
            more,
        "model.yaml");
    const CheckReport report = check_model(model);
    return std::any_of(report.warnings.begin(), report.warnings.end(),
                       [](const std::string& text) { return text.find("floating frame 'b'") != std::string::npos; });
  };
  CHECK(warned(""));
  CHECK(warned("- {coupling: c, coordinates: n.ux, factors: 1}\n"));
  CHECK(!warned("- {clamp: c, node: n}\n"));
  CHECK(
      !warned("- {coupling: c, coordinates: n.ux, factors: 1}\n- {coupling: d, coordinates: n.uy, factors: 1}\n"
              "- {coupling: e, coordinates: m.uy, factors: 1}\n"));
}
