// Frequency responses: all forms agree, and with the nonlinear model in motion.

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>

#include "base/at.h"
#include "stillpoint/assembly.h"
#include "stillpoint/frequency_response.h"
#include "stillpoint/reduce.h"
#include "support/dense_reference.h"
#include "support/error_texts.h"
#include "support/plants/closed_forms.h"
#include "support/stopping.h"

using namespace stillpoint;
using Complex = std::complex<double>;
using Eigen::MatrixXcd, Eigen::VectorXd;

namespace {

struct Controlled {
  std::string name;
  LinearSystem system;
};

/// The cases with inputs and outputs, and one whose inputs and outputs are coordinates.
std::vector<Controlled> controlled_systems() {
  std::vector<Controlled> systems;
  for (const char* const name :
       {"cart_pole", "drive_train", "base_excited", "actuated_four_bar", "flexible_double_pendulum"}) {
    systems.push_back({name, system_of_case(name)});
  }
  systems.push_back({"four_bar", with_channels(system_of_case("four_bar", {{"N", 5}, {"c", 1}}), {"phi"}, {"B[2].x"})});
  systems.push_back({"maxwell_mass", system_of_case("maxwell_mass")});
  LinearSystem& maxwell = systems.back().system;
  maxwell = with_channels(maxwell, {maxwell.coordinate_name(0)}, {maxwell.coordinate_name(1)});
  return systems;
}

/// Between the poles.
VectorXd quiet_frequencies(const LinearSystem& system) { return state_space(system).check.omega; }

/// Whether a warning questions the values. (That some are zero but for rounding does not.)
bool is_questioned(const FrequencyResponse& response) {
  return std::any_of(response.warnings.begin(), response.warnings.end(),
                     [](const std::string& warning) { return !warning.starts_with("zero at all these frequencies"); });
}

}  // namespace

TEST_CASE("response: all exact forms agree with the bordered solution of the whole system") {
  for (const Controlled& each : controlled_systems()) {
    const LinearSystem& system = each.system;
    CAPTURE(each.name);
    const VectorXd omega = quiet_frequencies(system);
    const FrequencyResponse exact = frequency_response(system, omega);
    CHECK(!is_questioned(exact));
    CHECK(exact.backward_error.maxCoeff() < 1e-14);
    CHECK(response_error(exact, state_space(system)).relative < 1e-9);
    CHECK(response_error(exact, descriptor(system)).relative < 1e-9);
    CHECK(response_error(exact, second_order(system)).relative < 1e-9);
  }
}

TEST_CASE("response: in every case, a force on one coordinate moves another alike in all exact forms") {
  for (const NamedSystem& each : all_systems()) {
    CAPTURE(each.name);
    const MinimalForm form = minimal_form(each.system);
    if (form.R.cols() == 0 || form.R.cols() > 60) continue;
    // What moves with the first and with the last freedom.
    const auto moving = [&](Index dof) {
      Eigen::Index most = 0;
      VectorXd(form.R.col(dof)).cwiseAbs().maxCoeff(&most);
      return each.system.coordinate_name(static_cast<Index>(most));
    };
    const std::string first = moving(0), last = moving(static_cast<Index>(form.R.cols()) - 1);
    const LinearSystem system =
        with_channels(each.system, {first}, first == last ? std::vector{first} : std::vector{first, last});
    const VectorXd omega = quiet_frequencies(system);
    const FrequencyResponse exact = frequency_response(system, omega);
    CHECK(is_questioned(exact) == system.singular);
    CHECK(exact.backward_error.maxCoeff() < 1e-13);
    CHECK(exact.response[0].norm() > 0);
    CHECK(response_error(exact, state_space(system)).relative < 1e-7);
    CHECK(response_error(exact, descriptor(system)).relative < 1e-7);
    CHECK(response_error(exact, second_order(system)).relative < 1e-7);
    CHECK(response_error(exact, modal_form(system)).relative < 1e-6);
    const bool has_mass_everywhere = state_space(system).first.A.rows() == 2 * system.dof();
    if (has_mass_everywhere) CHECK(response_error(exact, corrected_penalty(system)).relative < 1e-6);
  }
}

namespace {

/// The number behind these words in the notes.
double stated(const Plant& plant, const std::string& words) {
  for (const std::string& note : plant.notes) {
    if (note.starts_with(words)) return std::strtod(note.c_str() + words.size(), nullptr);
  }
  return std::nan("");
}

/// How far the known poles other than zero, of which rounding tells little, are from eigenvalues of A, at most.
double off_eigenvalues(const Plant& plant) {
  const Eigen::VectorXcd found = dense::eigenvalues(plant.first.A);
  double largest = 0;
  for (const Plant::Pole& pole : plant.poles) {
    if (std::abs(pole.s) > pole.error) largest = std::max(largest, (found.array() - pole.s).abs().minCoeff());
  }
  return largest;
}

}  // namespace

TEST_CASE("response: the penalty form agrees within the error that it states, near resonances too") {
  for (const double alpha : {1e3, 1e5, 0.0}) {
    for (const Controlled& each : controlled_systems()) {
      const LinearSystem& system = each.system;
      CAPTURE(each.name);
      CAPTURE(alpha);
      const Plant plant =
          explicit_penalty(system, {.alpha = alpha > 0 ? VectorXd::Constant(1, alpha).eval() : VectorXd()});
      const ResponseRange range = range_of_modes(system);
      const FrequencyResponse exact = frequency_response(system, log_spaced(range.from, range.to, 120));
      const ResponseError error = response_error(exact, plant);
      CHECK(stated(plant, "its frequency response is off by up to ") ==
            doctest::Approx(error.relative).epsilon(0.06));  // in two digits
      if (each.name == "actuated_four_bar") CHECK(error.relative > (alpha > 0 ? 1e-5 : 1e-7));
      if (alpha == 0) CHECK(error.relative < 1e-2);
      const double poles = off_eigenvalues(plant), said = stated(plant, "its poles are off by up to ");
      const double rounding = 1e-13 * plant.first.A.norm();
      CHECK(poles < 1.06 * said + rounding);
      // Where a soft penalty leaves values that lead to no root, four times the way that a step went is said.
      CHECK(said < (alpha == 1e3 ? 16 : 10) * poles + rounding);
    }
  }
}

TEST_CASE(
    "response: the corrected penalty form agrees to rounding, whatever the penalty, and tells how far it is off") {
  for (const double alpha : {1e3, 1e5, 0.0}) {
    const PenaltyOptions penalty{.alpha = alpha > 0 ? VectorXd::Constant(1, alpha).eval() : VectorXd()};
    for (const Controlled& each : controlled_systems()) {
      const LinearSystem& system = each.system;
      CAPTURE(each.name);
      CAPTURE(alpha);
      const Plant plant = corrected_penalty(system, penalty);
      const ResponseRange range = range_of_modes(system);
      const FrequencyResponse exact = frequency_response(system, log_spaced(range.from, range.to, 120));
      const double off = response_error(exact, plant).relative;
      const double uncorrected = response_error(exact, explicit_penalty(system, penalty)).relative;
      CHECK(off < 1e-8);  // of stiff beams an explicit form keeps so much; 1e-14 of the others
      CHECK((off < uncorrected / 100 || off < 1e-13));
      CHECK(stated(plant, "its frequency response is off by up to ") == doctest::Approx(off).epsilon(0.06));
      CHECK(stated(plant, "its poles are off by up to ") == doctest::Approx(off_eigenvalues(plant)).epsilon(0.06));
      CHECK(off_eigenvalues(plant) < 1e-9 * plant.first.A.norm());
    }
  }
}

TEST_CASE("response: a corrected penalty form with a motion without mass that is no coordinate is refused") {
  Eigen::MatrixXd M = Eigen::MatrixXd::Identity(3, 3), J(1, 3);
  M.topLeftCorner(2, 2).setOnes();  // of q₁ + q₂ only
  J << 0, 0, 1;
  const LinearSystem system = system_of(M, Eigen::MatrixXd::Identity(3, 3), J, {}, {}, Eigen::Vector3d(1, 0, 0));
  CHECK(contains(error_of([&] { corrected_penalty(system); }), "has no mass"));
  CHECK(error_of([&] { descriptor(system); }) == "");
}

TEST_CASE("response: poles that a corrected penalty form has besides those of the mechanism are roots of g") {
  const LinearSystem system = system_of_case("actuated_four_bar");
  const Plant plant = corrected_penalty(system, {.xi = 0.5, .omega = 20});
  const Eigen::VectorXcd found = dense::eigenvalues(plant.first.A);
  const Complex root(-10, 10 * std::sqrt(3));
  for (const Complex g : {root, std::conj(root)}) CHECK(((found.array() - g).abs() < 1e-9).count() == system.rank());
  CHECK(found.size() == 2 * system.rank() + 2 * system.dof());
}

TEST_CASE("response: a penalty plant names the penalty factors that it was made with, least to most") {
  const Plant even = explicit_penalty(system_of_case("actuated_four_bar"), {.alpha = VectorXd::Constant(1, 2e6)});
  CHECK(even.notes[0] == "approximate: penalty method with alpha = 2e+06, xi = 1, omega = 10 rad/s");
  const LinearSystem frame = system_of_case("scissor_frame");
  const VectorXd alpha = VectorXd::LinSpaced(frame.constraints(), 3e6, 8e6).reverse();
  const Plant uneven = explicit_penalty(frame, {.alpha = alpha, .xi = 0.7, .omega = 20});
  CHECK(uneven.notes[0] == "approximate: penalty method with alpha = 3e+06 to 8e+06, xi = 0.7, omega = 20 rad/s");
}

TEST_CASE("response: where an explicit form loses digits by rounding, a note tells how many") {
  // A beam of 24 elements is a thousand times faster along itself than it bends slowly.
  const LinearSystem stiff = system_of_case("flexible_double_pendulum", {{"n_p", 12}});
  const std::string words = "rounding: its frequency response is off by up to ";
  for (const Plant& plant : {state_space(stiff), modal_form(stiff)}) {
    const ResponseError error = response_error(frequency_response(stiff, plant.check.omega), plant);
    CHECK(error.relative > 1e-10);
    CHECK(stated(plant, words) == doctest::Approx(error.relative).epsilon(0.06));
  }
  const Plant second = second_order(stiff);
  CHECK(response_error(frequency_response(stiff, second.check.omega), second).relative < 1e-10);
  CHECK(std::isnan(stated(state_space(system_of_case("actuated_four_bar")), words)));
}

TEST_CASE("response: a shaken oscillator has the transmissibility of the textbooks") {
  const double m = 2, k = 800, c = 4, natural = std::sqrt(k / m), zeta = c / (2 * std::sqrt(k * m));
  const LinearSystem system = with_channels(system_of_case("base_excited"), {"base"}, {"mass.y"});
  const VectorXd omega = log_spaced(1, 200, 40);
  const FrequencyResponse found = frequency_response(system, omega);
  for (Index i = 0; i < omega.size(); ++i) {
    const double r = omega[i] / natural, z = 2 * zeta * r;
    const double expected = std::sqrt((1 + z * z) / ((1 - r * r) * (1 - r * r) + z * z));
    CHECK(std::abs(found.response[at(i)](0, 0)) == doctest::Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("response: of a large chain it satisfies the equations that are solved for it") {
  const LinearSystem chain = system_of_case("n_pendulum", {{"N", 2000}});
  const LinearSystem system = with_channels(chain, {chain.coordinate_name(0)}, {chain.coordinate_name(3)});
  const FrequencyResponse found = frequency_response(system, log_spaced(0.1, 50, 11));
  CHECK(found.response.size() == 11);
  CHECK(found.backward_error.maxCoeff() < 1e-14);
}

TEST_CASE("response: the range that is shown of a large damped chain is that of its lowest modes") {
  const LinearSystem chain = system_of_case("n_pendulum", {{"N", 600}});
  LinearSystem damped = chain;
  const double alpha = 0.05;  // of C = α M: s² + α s + ω² = 0
  damped.C = alpha * chain.M;
  const ResponseRange still = range_of_modes(chain), range = range_of_modes(damped);
  REQUIRE(still.poles.size() >= 10);
  REQUIRE(range.poles.size() >= 10);
  CHECK(range.from == doctest::Approx(still.from).epsilon(1e-6));
  CHECK(range.to == doctest::Approx(still.to).epsilon(1e-6));
  for (std::size_t k = 0; k < 10; ++k) {
    CHECK(range.poles[k].real() == doctest::Approx(-alpha / 2).epsilon(1e-6));
    CHECK(std::abs(range.poles[k]) == doctest::Approx(std::abs(still.poles[k])).epsilon(1e-6));
  }
  const VectorXd omega = frequencies_for_plot(range);
  CHECK(omega.size() > 400);
  CHECK(std::is_sorted(omega.begin(), omega.end()));
}

TEST_CASE("response: a plot has points on both sides of each peak, and names in quotes") {
  const ResponseRange range{.from = 1, .to = 100, .poles = {{-0.5, 10}}};
  const VectorXd omega = frequencies_for_plot(range);
  const VectorXd plain = log_spaced(1, 100, 400);
  for (const double at : {10.0, 9.5, 10.5, 4.0, 16.0})
    CHECK(((omega.array() - at).abs().minCoeff() < 1e-12) > ((plain.array() - at).abs().minCoeff() < 1e-12));
  FrequencyResponse quoted;
  quoted.omega = VectorXd::Constant(1, 2.0);
  quoted.response = {MatrixXcd::Ones(1, 1)};
  quoted.input_names = {"a \"b\""};
  quoted.output_names = {"c,d"};
  CHECK(contains(to_csv(quoted), ",\"c,d/a \"\"b\"\" re\","));
}

TEST_CASE("response: on a pole it has no value, and says so") {
  const LinearSystem system = system_of_case("drive_train");
  const FrequencyResponse found = frequency_response(system, Eigen::Vector2d(0, 3));
  CHECK(std::isnan(found.response[0](1, 0).real()));
  CHECK(std::isnan(found.backward_error[0]));
  CHECK(!found.response[1].hasNaN());
  REQUIRE(found.warnings.size() == 1);
  CHECK(contains(found.warnings[0], "there is a pole at 0i, where the response has no value"));
  CHECK(contains(error_of([&] { frequency_response(system, Eigen::Vector2d(1, -2)); }), "a frequency of -2 rad/s"));
}

// ---------------------------------------------------------------------------------------------------------------------
// Channels without effect

namespace {

/// Two masses that a spring couples along x, and one of them along y to the ground; turned by an angle, so that what is
/// zero is zero but for rounding.
LinearSystem turned_pair(double angle) {
  LinearSystem system;
  Eigen::Matrix4d K = Eigen::Matrix4d::Zero(), T = Eigen::Matrix4d::Identity();
  K << 5, 0, -2, 0, 0, 3, 0, 0, -2, 0, 2, 0, 0, 0, 0, 7;
  const Eigen::Rotation2D<double> turn(angle);
  T.topLeftCorner<2, 2>() = turn.toRotationMatrix();
  T.bottomRightCorner<2, 2>() = turn.toRotationMatrix();
  system.M = Eigen::MatrixXd(Eigen::Matrix4d::Identity()).sparseView();
  system.C = Eigen::MatrixXd(0.01 * T * K * T.transpose()).sparseView();
  system.K = Eigen::MatrixXd(T * K * T.transpose()).sparseView();
  system.F = Eigen::MatrixXd(T.leftCols<2>()).sparseView();                // a force along x, one along y, on the first
  system.Hq = Eigen::MatrixXd(T.rightCols<2>().transpose()).sparseView();  // of the second
  return checked(std::move(system));
}

}  // namespace

TEST_CASE("response: what is zero but for rounding is zero, and is said") {
  const LinearSystem system = turned_pair(0.7);
  const FrequencyResponse response = frequency_response(system, log_spaced(0.1, 10, 20));
  double along_x = 0;
  for (const MatrixXcd& H : response.response) {
    along_x = std::max(along_x, std::abs(H(0, 0)));
    CHECK(H(1, 0) == 0.0);
    CHECK(H(0, 1) == 0.0);
    CHECK(H(1, 1) == 0.0);
  }
  CHECK(along_x > 0.1);
  REQUIRE(response.warnings.size() == 1);
  CHECK(contains(response.warnings[0], "from 'u[1]' to 'y[2]'"));
}

TEST_CASE("plants: a note counts the modes that no input moves and that no output shows") {
  LinearSystem system = turned_pair(0.7);
  const auto hidden_note = [](const LinearSystem& of) {
    for (const std::string& note : state_space(of).notes) {
      if (contains(note, "modes")) return note;
    }
    return std::string();
  };
  // Along x both inputs and outputs reach both modes. Along y the force moves the first mass, and the second is shown.
  CHECK(hidden_note(system) == "no input moves 1 of the 4 modes, and no output shows 1 of the 4 modes");
  system.F = system.F.leftCols(1);
  system.Hq = SparseMatrix(system.Hq.topRows(1));
  system.input_name = {};
  system.output_name = {};
  system.Hu = {};
  system.Hv = {};
  system.Ha = {};
  system.Hl = {};
  system.G = {};
  CHECK(hidden_note(checked(std::move(system))) ==
        "no input moves 2 of the 4 modes, and no output shows 2 of the 4 modes");
  CHECK(hidden_note(system_of_case("cart_pole")).empty());
}

TEST_CASE("response: the work tells its progress, and can be stopped there") {
  const LinearSystem system = with_channels(system_of_case("base_excited"), {"base"}, {"mass.y"});
  testing::check_that_it_can_be_stopped(
      [&](const auto& listener) { frequency_response(system, log_spaced(1, 200, 200), {.progress = listener}); });
}
