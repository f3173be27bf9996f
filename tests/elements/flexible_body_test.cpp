// Flexible bodies from matrices: the same beam from elements, statics, reduction, damping, and what is refused.
#include "stillpoint/elements/space/flexible_body.h"

#include <doctest/doctest.h>

#include <Eigen/QR>
#include <cmath>
#include <functional>
#include <vector>

#include "formats/matrix_market.h"
#include "stillpoint/detail/mass_moments.h"
#include "stillpoint/detail/observed.h"
#include "stillpoint/elements/all.h"
#include "stillpoint/linearize.h"
#include "stillpoint/read_model.h"
#include "support/elements/differences.h"
#include "support/elements/vibrations.h"
#include "support/scratch_folder.h"
#include "support/seeded.h"

using namespace stillpoint;

namespace {

constexpr int elements = 6;
constexpr double length_of_beam = 2, EI = 3, rhoA = 1.5;

std::vector<space::Place> lay(ModelBuilder& build) {
  std::vector<space::Place> nodes;
  const double h = length_of_beam / elements;
  for (int i = 0; i <= elements; ++i) {
    nodes.push_back(build.space_body(Name("node", {i}), {0.5 + i * h, 0.2, -0.1}));
    if (i == 0) continue;
    build.add({}, space::Beam{.a = nodes[nodes.size() - 2],
                              .b = nodes.back(),
                              .length = h,
                              .axial_stiffness = 4e3,
                              .torsion_stiffness = 2,
                              .bending_y = EI,
                              .bending_z = 2 * EI,
                              .mass_per_length = rhoA,
                              .rotary_inertia = {0.02, 0.01, 0.01}});
  }
  return nodes;
}

/// The matrices of the beam, free, and its rigid motions.
FlexibleMatrices beam_matrices() {
  ModelBuilder build;
  const auto nodes = lay(build);
  const LinearSystem system = at_rest(build.model());
  FlexibleMatrices body{.M = system.M, .K = system.K, .R = Eigen::MatrixXd::Zero(system.coordinates(), 6), .D = {}};
  for (int i = 0; i <= elements; ++i) {
    body.R.middleRows<6>(6 * i) = rigid_motions_of_node({0.5 + i * length_of_beam / elements, 0.2, -0.1});
  }
  return body;
}

void write(const ScratchFolder& folder, const FlexibleMatrices& body) {
  write_matrix_market(folder.write("fe/M.mtx", ""), body.M, "mass");
  write_matrix_market(folder.write("fe/K.mtx", ""), body.K, "stiffness");
  write_matrix_market(folder.write("fe/R.mtx", ""), body.R.sparseView(), "rigid motions");
}

/// The beam from matrices, clamped at its first node, with a mass that hangs at its last.
std::string model_text(const std::string& options, const std::string& gravity = "0, 0, 0") {
  return "stillpoint: 1\ndimension: 3\ngravity: " + gravity +
         "\nmechanism:\n"
         "- {body: root, at: '0.5, 0.2, -0.1'}\n- {body: tip, at: '2.5, 0.2, -0.1', mass: 0.4, inertia: '0.1, 0.2, "
         "0.3'}\n"
         "- {weld: wall, between: 'ground(0.5, 0.2, -0.1), root'}\n"
         "- {flexible_body: beam, between: 'root, tip', freedoms: '1, 37', folder: fe" +
         options + "}\n";
}

Model clamped(const ScratchFolder& folder, const std::string& options, const std::string& gravity = "0, 0, 0") {
  return read_model(folder.write("model.yaml", model_text(options, gravity)));
}

Model clamped_elements() {
  ModelBuilder build;
  const auto nodes = lay(build);
  build.add("wall", space::Weld{.a = build.space_fixed("wall", {0.5, 0.2, -0.1}), .b = nodes.front()});
  build.add("mass", space::RigidMass{.centre = nodes.back(), .mass = 0.4, .inertia_about_centre = {0.1, 0.2, 0.3}});
  return build.model();
}

std::string refused(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("flexible body: a beam from matrices is the same beam from elements") {
  const ScratchFolder folder;
  write(folder, beam_matrices());
  const auto expected = upper_roots(spectrum_of(clamped_elements()));
  for (const std::string options : {"", ", modes: 30"}) {  // all freedoms, as they are and as modes
    CAPTURE(options);
    const auto found = upper_roots(spectrum_of(clamped(folder, options)));
    REQUIRE(found.size() == expected.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      CHECK(std::abs(found[k] - expected[k]) < 1e-8 * std::abs(expected[k]));
    }
  }
}

TEST_CASE("flexible body: reduced after Craig and Bampton the lowest modes stay, from above, the better the more") {
  const ScratchFolder folder;
  write(folder, beam_matrices());
  const auto exact = upper_roots(spectrum_of(clamped_elements()));
  double before = 1;
  for (const int modes : {0, 4, 12}) {
    const Model model = clamped(folder, ", modes: " + std::to_string(modes));
    CHECK(model.coordinates() == 12 + modes);
    const auto found = upper_roots(spectrum_of(model));
    double worst = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      CHECK(found[k].imag() > exact[k].imag() * (1 - 1e-9));
      worst = std::max(worst, found[k].imag() / exact[k].imag() - 1);
    }
    CHECK(worst < before);
    before = 0.2 * worst;
  }
  CHECK(before < 1e-4);
}

TEST_CASE("flexible body: forces, matrices and energy agree in any state, and M and K are symmetric") {
  const ScratchFolder folder;
  write(folder, beam_matrices());
  const Model model = clamped(folder, ", modes: 3, damping: '0.2, 0.01', damping_ratio: 0.02", "0.4, -1, 3");
  Assembly assembly(model);
  Random random(3);
  for (int i = 0; i < 5; ++i) {
    State state = model.displaced(model.initial_state(), random.vector(model.coordinates(), -0.8, 0.8));
    state.lambda = Eigen::VectorXd::Zero(model.constraints());
    const DenseMatrices exact = exact_matrices(assembly.at(state));
    const Eigen::MatrixXd K = -chart_derivative(model, state, [&](const State& at, const Eigen::VectorXd& along) {
      return pulled_back(model, along, applied_forces(model, at));
    });
    State moving = state;
    moving.v = moving.a = Eigen::VectorXd::Zero(model.coordinates());
    const Eigen::MatrixXd C =
        -derivative_by(&State::v, moving, [&](const State& at) { return applied_forces(model, at); });
    const Eigen::MatrixXd M =
        derivative_by(&State::a, moving, [&](const State& at) { return inertia_forces(model, at); });
    CHECK(relative_difference(exact.K, K) < 1e-8);
    CHECK(relative_difference(exact.C, C) < 1e-8);
    CHECK(relative_difference(exact.M, M) < 1e-8);
    for (const char letter : {'M', 'C', 'K'}) CHECK(exact[letter].cwiseAbs().maxCoeff() > 0.1);
    CHECK(relative_difference(exact.M, exact.M.transpose()) < 1e-12);
    const Eigen::VectorXd slope = chart_derivative(model, state, [&](const State& at, const Eigen::VectorXd&) {
                                    return Eigen::VectorXd::Constant(1, potential_energy(model, at)).eval();
                                  }).transpose();
    CHECK((applied_forces(model, state) + slope).cwiseAbs().maxCoeff() < 1e-7 * slope.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("flexible body: under its weight it sags as a beam does") {
  const ScratchFolder folder;
  write(folder, beam_matrices());
  const double g = 1e-4;
  const std::string text = "stillpoint: 1\ndimension: 3\ngravity: 0, 0, " + std::to_string(-g) +
                           "\nmechanism:\n- {body: root, at: '0.5, 0.2, -0.1'}\n- {body: tip, at: '2.5, 0.2, -0.1'}\n"
                           "- {weld: wall, between: 'ground(0.5, 0.2, -0.1), root'}\n"
                           "- {flexible_body: beam, between: 'root, tip', freedoms: '1, 37', folder: fe, modes: 2}\n";
  const Model model = read_model(folder.write("model.yaml", text));
  const Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  const double sag = -0.1 - rest.state.q[8], l = length_of_beam;
  CHECK(sag == doctest::Approx(rhoA * g * l * l * l * l / (8 * EI)).epsilon(1e-5));
}

TEST_CASE("flexible body: free and turned it has six motions without a frequency, its mass, and its damping ratio") {
  const ScratchFolder folder;
  write(folder, beam_matrices());
  const std::string text =
      "stillpoint: 1\ndimension: 3\nmechanism:\n"
      "- {body: root, at: '0, 0, 0', rotation: '0, 0.5, 0.8'}\n"
      "- {body: tip, at: '0, 0, 0', rotation: '0, 0.5, 0.8'}\n"
      "- {flexible_body: beam, between: 'root, tip', freedoms: '1, 37', folder: fe, modes: 8, damping_ratio: 0.03}\n";
  const Model model = read_model(folder.write("model.yaml", text));
  // The guess has both nodes in one place: the body stretches until it rests.
  const Equilibrium rest = find_equilibrium(model, {.rest = EquilibriumRequest::nearest});
  REQUIRE(rest.status == EquilibriumStatus::at_rest);
  const LinearSystem system = linearize(model, rest);
  const Spectrum spectrum = solve_modes(system, minimal_form(system));
  CHECK(spectrum.at_zero == 12);
  int elastic = 0;
  for (const Mode& mode : spectrum.modes) {
    if (mode.s == 0.0) continue;
    ++elastic;
    CHECK(damping_ratio(mode) == doctest::Approx(0.03).epsilon(1e-6));
  }
  CHECK(elastic == 2 * (12 + 8 - 6));
  MassMoments moments;
  const State state = model.initial_state();
  const Context context = model.context(state);
  for (const ModelArray& array : model.arrays()) array.elements->add_mass_moments(context, {0, 0, 0}, moments);
  CHECK(moments.mass == doctest::Approx(rhoA * length_of_beam).epsilon(1e-12));
  const Vec3<double> along = x_axis(rotation_about({0, 0.5, 0.8}));
  CHECK(moments.first.z == doctest::Approx(rhoA * length_of_beam * 0.5 * length_of_beam * along.z).epsilon(1e-9));
  // The trace of the tensor of a rod about its end, with what its sections have.
  const double trace = moments.second[0].x + moments.second[1].y + moments.second[2].z;
  const double cube = length_of_beam * length_of_beam * length_of_beam;
  CHECK(trace == doctest::Approx(2 * rhoA * cube / 3 + 0.04 * length_of_beam).epsilon(1e-9));
}

TEST_CASE("flexible body: what does not fit is refused, with the reason") {
  const ScratchFolder folder;
  const FlexibleMatrices good = beam_matrices();
  write(folder, good);
  const auto error_of = [&](const std::string& options) { return refused([&] { clamped(folder, options); }); };
  CHECK(error_of("").empty());
  CHECK(says(error_of(", modes: 31"), "31 modes were requested; besides its nodes the body has 30 degrees of freedom"));
  CHECK(says(error_of(", modes: 1.5"), "modes is 1.5; it must be a whole number"));
  CHECK(says(error_of(", damping_ratio: -1"), "damping_ratio is -1; it must not be negative"));
  const auto with_dof = [&](const std::string& dofs) {
    std::string text = model_text("");
    text.replace(text.find("'1, 37'"), 7, "'" + dofs + "'");
    return refused([&] { read_model(folder.write("model.yaml", text)); });
  };
  CHECK(says(with_dof("1"), "freedoms names 1 rows for 2 nodes"));
  CHECK(says(with_dof("1, 38"), "a node cannot start at degree of freedom 38: the body has 42"));
  CHECK(says(with_dof("1, 36"), "there is no node at degree of freedom 36"));
  CHECK(says(with_dof("1, 1"), "two nodes share degree of freedom 1"));

  FlexibleMatrices held = good;
  held.K.coeffRef(0, 0) += 1;
  write(folder, held);
  CHECK(says(error_of(""), "column 1 is no rigid motion of the free body"));
  FlexibleMatrices lopsided = good;
  lopsided.M.coeffRef(0, 1) += 1;
  write(folder, lopsided);
  CHECK(says(error_of(""), "M.mtx: is not symmetric"));
  FlexibleMatrices light = good;
  light.M.coeffRef(40, 40) -= 1e3 * light.M.coeff(40, 40);
  write(folder, light);
  CHECK(says(error_of(""), "M.mtx: has a negative eigenvalue"));
  FlexibleMatrices small = good;
  small.K = SparseMatrix(small.K.topLeftCorner(6, 6));
  write(folder, small);
  CHECK(says(error_of(""), "K.mtx: is 6 x 6; it must be 42 x 42"));
  CHECK(says(error_of(", modes: 2"), "model.yaml"));
}

TEST_CASE("flexible body: a cluster of modes is kept complete") {
  // Eight equal pendulums of springs and masses beside each other, on one rigid node: modes eight times the same.
  constexpr Index equal = 8, n = 6 + 2 * equal;
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n), M = Eigen::MatrixXd::Identity(n, n), R = Eigen::MatrixXd::Zero(n, 6);
  R.topRows<6>().setIdentity();
  for (Index k = 0; k < equal; ++k) {
    const Index a = 6 + 2 * k, b = a + 1;
    R(a, 0) = R(b, 0) = 1;
    K(a, a) += 3;
    K(a, 0) -= 1;
    K(0, a) -= 1;
    K(0, 0) += 1;
    K(a, b) -= 2;
    K(b, a) -= 2;
    K(b, b) += 2;
  }
  const FlexibleMatrices body{.M = M.sparseView(), .K = K.sparseView(), .R = R, .D = {}};
  const FlexibleMatrices reduced = craig_bampton(body, 6, equal);
  for (Index k = 0; k < equal; ++k)
    CHECK(reduced.K.coeff(6 + k, 6 + k) == doctest::Approx(0.4384471871911697).epsilon(1e-10));
}
